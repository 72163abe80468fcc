"""Values are compared, and not their spelling: what a line may say of what was said, in three languages."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import UTC, date, datetime

from pipeline.entries.values.check import Said, ValuesSaid, values_of
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

WEDNESDAY = date(2026, 2, 18)

ENGLISH = [
    (
        ("ship it tomorrow at 3pm",),
        "The release goes out on 2026-02-19 at 15:00.",
        ("The release goes out on 2026-02-20 at 15:00.", "The release goes out on 2026-02-19 at 16:00."),
    ),
    (
        ("from now on the newsletter leaves every friday, half past nine",),
        "The newsletter is sent every Friday at 09:30.",
        (
            "The newsletter is sent every Thursday at 09:30.",
            "The newsletter is sent every Friday at 10:30.",
            "The newsletter is sent every Friday at 07:45 for 19 euro.",
        ),
    ),
    (
        ("14: 42 days,36 copies. 15: not yet",),
        "The answer to 14 is 42 days with 36 copies.",
        ("The answer to 14 is 43 days with 36 copies.", "The answer to 14 is 42 days with 63 copies."),
    ),
    (
        ("keep three copies, two weeks each",),
        "Three copies are kept for 14 days each.",
        ("Three copies are kept for 21 days each.", "4 copies are kept for two weeks each."),
    ),
    (
        ("anna takes over support from monday",),
        "Anna takes over support from Monday, 23 February 2026.",
        (
            "Marta takes over support from Monday, 23 February 2026.",
            "Anna takes over support from Monday, 24 March 2026.",
        ),
    ),
    (
        ("limit uploads to 2.5 gigs, half of what it was",),
        "Uploads are limited to 2.5 GB, 50 % of the former limit.",
        (
            "Uploads are limited to 3.5 GB, 50 % of the former limit.",
            "Uploads are limited to 2.5 GB, 40 % of the former limit.",
        ),
    ),
    (
        ("stay on node 20.11.1 until the end of june",),
        "Node stays at version 20.11.1 until 30 June 2026.",
        ("Node stays at version 20.12.1 until 30 June 2026.", "Node stays at version 20.11.1 until 30 July 2026."),
    ),
    (
        ("the docs live at https://docs.harbor.example/api, link that one",),
        "The documentation to link is https://docs.harbor.example/api.",
        (
            "The documentation to link is https://docs.harbour.example/api.",
            "The documentation to link is https://docs.harbor.example/apis.",
        ),
    ),
    (
        ("budget is twelve thousand for the year, not a cent more",),
        "The budget for the year is 12,000.",
        ("The budget for the year is 15,000.", "The budget for the year is 1,200."),
    ),
    (
        ("PO number HRN-2231-B goes on every invoice",),
        "Every invoice carries the PO number HRN-2231-B.",
        ("Every invoice carries the PO number HRN-2231-C.", "Every invoice carries the PO number HRN-2213-B."),
    ),
    (
        ("we meet on the 8th, the third tuesday is out",),
        "The meeting is on 8 March 2026; the third Tuesday is out.",
        (
            "The meeting is on 9 March 2026; the third Tuesday is out.",
            "The meeting is on 8 March 2026; the third Monday is out.",
        ),
    ),
    (
        ("a dozen seats at 19 euro each",),
        "12 seats at 19 EUR each.",
        ("15 seats at 19 EUR each.", "12 seats at 29 EUR each."),
    ),
    (
        ("Shall it be Redis or Postgres?", "the second one, with a pool of twenty"),
        "Postgres with a pool of 20 connections is used.",
        ("MySQL with a pool of 20 connections is used.", "Postgres with a pool of 30 connections is used."),
    ),
    (
        ("backups at noon and at midnight, never between 2 and 5 am",),
        "Backups run at 12:00 and 00:00, never between 02:00 and 05:00.",
        (
            "Backups run at 12:00 and 00:00, never between 02:00 and 06:00.",
            "Backups run at 13:00 and 00:00, never between 02:00 and 05:00.",
        ),
    ),
    (("retention is 90 days, ninety, write that down",), "Retention is 90 days.", ("Retention is 60 days.",)),
    (
        ("in two weeks we switch to the paid plan",),
        "On 4 March 2026 the switch to the paid plan happens.",
        ("On 6 March 2026 the switch to the paid plan happens.",),
    ),
    (
        ("tom's flat gets the 1.2k router",),
        "Tom's flat gets the router for 1,200.",
        ("Bob's flat gets the router for 1,200.", "Tom's flat gets the router for 1,300."),
    ),
    (
        ("the demo for Kestrel is next thursday",),
        "The demo for Kestrel is on Thursday, 26 February 2026.",
        (
            "The demo for Heron is on Thursday, 26 February 2026.",
            "The demo for Kestrel is on Friday, 26 February 2026.",
        ),
    ),
    (
        ("only twenty-five percent may be discounted",),
        "At most 25% may be discounted.",
        ("At most 35% may be discounted.",),
    ),
    (
        ("mail jo@harbor.example when it breaks",),
        "In case of failure a mail goes to jo@harbor.example.",
        ("In case of failure a mail goes to joe@harbor.example.",),
    ),
]
POLISH = [
    (
        ("wyślij to jutro o trzeciej po południu",),
        "Wysyłka następuje 19 lutego 2026 o 15:00.",
        ("Wysyłka następuje 20 lutego 2026 o 15:00.", "Wysyłka następuje 19 lutego 2026 o 16:00."),
    ),
    (
        ("newsletter od teraz w każdy piątek o wpół do dziesiątej",),
        "Newsletter wychodzi w każdy piątek o 9:30.",
        ("Newsletter wychodzi w każdy czwartek o 9:30.", "Newsletter wychodzi w każdy piątek o 10:30."),
    ),
    (
        ("trzymamy trzy kopie, każda przez dwa tygodnie",),
        "Przechowywane są 3 kopie, każda przez 14 dni.",
        ("Przechowywane są 4 kopie, każda przez 14 dni.", "Przechowywane są 3 kopie, każda przez 21 dni."),
    ),
    (
        ("za tydzień przechodzimy na płatny plan",),
        "Przejście na płatny plan: 25 lutego 2026.",
        ("Przejście na płatny plan: 27 lutego 2026.",),
    ),
    (
        ("gosi nie ma do piątku, dzwońcie do marka",),
        "Gosia jest nieobecna do piątku, dzwonić należy do Marka.",
        (
            "Gosia jest nieobecna do środy, dzwonić należy do Marka.",
            "Gosia jest nieobecna do piątku, dzwonić należy do Tomka.",
        ),
    ),
    (
        ("abonament dziewiętnaście złotych, połowa tego co było",),
        "Abonament kosztuje 19 zł, czyli 50% poprzedniej ceny.",
        (
            "Abonament kosztuje 29 zł, czyli 50% poprzedniej ceny.",
            "Abonament kosztuje 19 zł, czyli 30% poprzedniej ceny.",
        ),
    ),
    (
        ("do końca czerwca zostajemy na wersji 4.5.1",),
        "Wersja 4.5.1 zostaje do 30 czerwca 2026.",
        ("Wersja 4.5.2 zostaje do 30 czerwca 2026.", "Wersja 4.5.1 zostaje do 30 lipca 2026."),
    ),
    (
        ("spotkanie osmego, przypomnienie szóstego",),
        "Spotkanie jest 8 marca, przypomnienie 6 marca.",
        ("Spotkanie jest 9 marca, przypomnienie 6 marca.", "Spotkanie jest 8 marca, przypomnienie 5 marca."),
    ),
    (
        ("budżet dwanaście tysięcy na rok",),
        "Budżet na rok wynosi 12 000 zł.",
        ("Budżet na rok wynosi 15 000 zł.", "Budżet na rok wynosi 1 200 zł."),
    ),
    (
        ("faktury z numerem HRN-2231-B",),
        "Na fakturach stoi numer HRN-2231-B.",
        ("Na fakturach stoi numer HRN-2231-C.",),
    ),
    (
        ("zebranie w Gdańsku, nie w Łodzi",),
        "Zebranie odbywa się w Gdańsku, a nie w Łodzi.",
        ("Zebranie odbywa się w Krakowie, a nie w Łodzi.", "Zebranie odbywa się w Gdańsku, a nie w Poznaniu."),
    ),
    (
        ("serwer liczy od dwudziestej drugiej do szóstej",),
        "Serwer liczy między 22:00 a 6:00.",
        ("Serwer liczy między 21:00 a 6:00.", "Serwer liczy między 22:00 a 7:00."),
    ),
    (
        ("kwadrans przerwy po każdej godzinie",),
        "Po każdej godzinie jest 15 minut przerwy.",
        ("Po każdej godzinie jest 25 minut przerwy.",),
    ),
    (
        ("w przyszły czwartek pokaz dla Kormorana",),
        "Pokaz dla Kormorana: czwartek, 26 lutego 2026.",
        ("Pokaz dla Żurawia: czwartek, 26 lutego 2026.", "Pokaz dla Kormorana: piątek, 27 lutego 2026."),
    ),
    (
        ("dokumentacja jest pod https://docs.port.example/api",),
        "Dokumentacja: https://docs.port.example/api.",
        ("Dokumentacja: https://docs.porta.example/api.",),
    ),
    (("rabat najwyżej dwadzieścia pięć procent",), "Rabat wynosi najwyżej 25%.", ("Rabat wynosi najwyżej 35%.",)),
    (
        ("urlop od szesnastego do dwudziestego siódmego marca",),
        "Urlop trwa od 16 do 27 marca 2026.",
        ("Urlop trwa od 16 do 28 marca 2026.", "Urlop trwa od 17 do 27 marca 2026."),
    ),
    (
        ("pięcioosobowy zespół, szefuje Paweł",),
        "Zespół ma 5 osób, kieruje nim Paweł.",
        ("Zespół ma 6 osób, kieruje nim Paweł.", "Zespół ma 5 osób, kieruje nim Piotr."),
    ),
    (
        ("bilety po 290 zł, limit sto dwadzieścia",),
        "Bilety kosztują 290 zł, limit wynosi 120 sztuk.",
        ("Bilety kosztują 390 zł, limit wynosi 120 sztuk.", "Bilety kosztują 290 zł, limit wynosi 130 sztuk."),
    ),
    (
        ("od kwietnia faktury tylko przez KSeF",),
        "Od kwietnia 2026 faktury wystawia się tylko przez KSeF.",
        (
            "Od maja 2026 faktury wystawia się tylko przez KSeF.",
            "Od kwietnia 2027 faktury wystawia się tylko przez KSeF.",
            "Od kwietnia 2026 faktury wystawia się tylko przez ePUAP.",
        ),
    ),
]
CHINESE = [
    (("明天下午三点发布",), "2026年2月19日15:00发布。", ("2026年2月20日15:00发布。", "2026年2月19日16:00发布。")),
    (("以后每周五九点半发通讯",), "通讯每周五 09:30 发送。", ("通讯每周四 09:30 发送。", "通讯每周五 10:30 发送。")),
    (("留三份，每份两周",), "保留 3 份，每份 14 天。", ("保留 4 份，每份 14 天。", "保留 3 份，每份 21 天。")),
    (
        ("下周三切到付费版",),
        "2 月 25 日（周三）切换到付费版。",
        ("2 月 26 日（周三）切换到付费版。", "2 月 25 日（周四）切换到付费版。"),
    ),
    (("小林不在，找王经理",), "小林不在时找王经理。", ("小张不在时找王经理。", "小林不在时找李经理。")),
    (("你记一下，203 有同学色弱",), "203 班有同学色弱。", ("204 班有同学色弱。",)),
    (("预算一万二，一分不多",), "预算为 12000 元。", ("预算为 15000 元。", "预算为 1200 元。")),
    (
        ("小考占兩成，作業三成，專題一半",),
        "平時成績：小考 20%、作業 30%、專題 50%。",
        ("平時成績：小考 25%、作業 30%、專題 50%。", "平時成績：小考 20%、作業 40%、專題 50%。"),
    ),
    (
        ("月底前停在 4.5.1",),
        "2026 年 2 月 28 日前停在 4.5.1。",
        ("2026 年 3 月 30 日前停在 4.5.1。", "2026 年 2 月 28 日前停在 4.6.1。"),
    ),
    (("发票上写 HRN-2231-B",), "发票须写编号 HRN-2231-B。", ("发票须写编号 HRN-2231-C。",)),
    (
        ("十五号开会，十三号提醒",),
        "3 月 15 日开会，3 月 13 日提醒。",
        ("3 月 16 日开会，3 月 13 日提醒。", "3 月 15 日开会，3 月 12 日提醒。"),
    ),
    (
        ("日志用 loki，保留三十天",),
        "日志用 Loki，保留 30 天。",
        ("日志用 Grafana，保留 30 天。", "日志用 Loki，保留 40 天。"),
    ),
    (
        ("凌晨两点到四点才能动主库",),
        "主库只能在 02:00–04:00 操作。",
        ("主库只能在 02:00–05:00 操作。", "主库只能在 03:00–04:00 操作。"),
    ),
    (
        ("文档在 https://docs.port.example/api",),
        "文档地址是 https://docs.port.example/api。",
        ("文档地址是 https://docs.ports.example/api。",),
    ),
    (("打八折，最多二十五个人",), "折扣 20%，最多 25 人。", ("折扣 30%，最多 25 人。", "折扣 20%，最多 35 人。")),
    (
        ("三天后给 Kestrel 演示",),
        "2 月 21 日给 Kestrel 演示。",
        ("2 月 23 日给 Kestrel 演示。", "2 月 21 日给 Heron 演示。"),
    ),
    (("每千字 650，低于不接",), "每千字底价 650 元。", ("每千字底价 750 元。",)),
    (("失败满三次再叫我",), "任务失败三次才告警。", ("任务失败五次才告警。",)),
    (("晚上六点封网，十点解封",), "18:00 封网，22:00 解封。", ("19:00 封网，22:00 解封。", "18:00 封网，23:00 解封。")),
    (("明年三月去花莲",), "2027 年 3 月去花莲。", ("2027 年 4 月去花莲。", "2028 年 3 月去花莲。")),
    (
        ("半小时一批，用 flink",),
        "每 30 分钟一批，使用 Flink。",
        ("每 45 分钟一批，使用 Flink。", "每 30 分钟一批，使用 Spark。"),
    ),
]
"""What was said on that day, a line that says the same, and lines with one value changed."""


def unsaid(said: tuple[str, ...], line: str) -> str | None:
    """The value of a line that was not said."""
    return ValuesSaid([Said(text, WEDNESDAY) for text in said], said, quote=said[-1]).unsaid([line])


@table("table", [ENGLISH, POLISH, CHINESE])
def test_what_was_said_may_be_written_in_other_forms(table: list[tuple[tuple[str, ...], str, tuple[str, ...]]]) -> None:
    """Dates made absolute, numerals in digits, clocks in one form, names in their first case."""
    assert [] == [(line, value) for said, line, _ in table if (value := unsaid(said, line))]


@table("table", [ENGLISH, POLISH, CHINESE])
def test_another_value_was_not_said(table: list[tuple[tuple[str, ...], str, tuple[str, ...]]]) -> None:
    """A number, a day, a time, a name, a code or an address that stands nowhere."""
    assert [] == [line for said, _, wrong in table for line in wrong if unsaid(said, line) is None]


@table("table", [ENGLISH, POLISH, CHINESE])
def test_words_may_be_written_as_they_were_said(table: list[tuple[tuple[str, ...], str, tuple[str, ...]]]) -> None:
    """Whatever values they have."""
    texts = [text for said, line, wrong in table for text in (*said, line, *wrong)]
    texts += [
        "I'll be back from 2 to 7 april, at ten to eight",
        "一周一周来，双十一那段改成按周补",
        "quarter past nine, 9.15, 9:15",
    ]
    assert [] == [(text, value) for text in texts if (value := unsaid((text,), text))]


def test_the_first_value_that_was_not_said_is_named() -> None:
    """As the line has it."""
    assert "07:45" == unsaid(("we ship only on fridays",), "Shipping is every Friday at 07:45 for 19 euro.")


def test_the_subject_may_be_named_earlier() -> None:
    """A name stands anywhere before; a number has to be said where the line says, or in what that answers."""
    talk = [
        ("owner", "the Kestrel site has 40 pages"),
        ("assistant", "Noted."),
        ("owner", "what does the host cost?"),
        ("assistant", "12 a month."),
        ("owner", "ok. and mail?"),
        ("assistant", "Included."),
        ("owner", "good, we take that host for it"),
    ]
    session = conversation("s", datetime(2026, 2, 18, 9, tzinfo=UTC), talk)
    said = values_of(session, session.messages[-1:])
    assert [None, None, "40"] == [
        said.unsaid([line])
        for line in ("The site of Kestrel is on that host.", "The host costs 12 a month.", "The host serves 40 pages.")
    ]


def test_a_name_in_the_place_of_another_was_not_said() -> None:
    """Whoever else was named before: the words that are quoted have a name that the line lacks."""
    around = ("Tomek called.", "Who does the invoices, Gosia?")
    said = ValuesSaid([Said("only gosia does the invoices", WEDNESDAY)], around, quote="only gosia does the invoices")
    assert [None, "Tomek"] == [said.unsaid([f"Invoices are done by {name} only."]) for name in ("Gosia", "Tomek")]


def test_a_name_that_everybody_knows_needs_no_saying() -> None:
    """That of the project, for one."""
    assert ValuesSaid([Said("use tabs", WEDNESDAY)], known=["harbor"]).unsaid(["In Harbor tabs are used."]) is None


@table("text", ["9" * 20000, "1." * 20000, "two " * 5000, "a-" * 20000, "3:" * 20000, "一" * 20000])
def test_any_text_is_read(text: str) -> None:
    """However long its numbers, names and codes are; a line is compared with all of them."""
    assert unsaid((text,), "No value here.") is None
    assert "7" == unsaid((text,), "Ship 7 copies of Kestrel.")


def test_no_day_follows_the_last_one() -> None:
    """A model writes it for what has no end."""
    assert not ValuesSaid([Said("always use tabs", WEDNESDAY)]).has_end(date.max)
    assert ValuesSaid([Said("use tabs until the end of june", WEDNESDAY)]).has_end(date(2026, 6, 30))


@table(
    ("said", "time", "other"),
    [
        ("下午三点一刻开会", "15:15", "15:01"),
        ("the gate shuts at twelve thirty", "00:30", "01:30"),
        ("brama zamyka sie o dwudziestej czwartej", "24:00", "16:00"),
    ],
)
def test_a_time_in_words_is_that_in_digits(said: str, time: str, other: str) -> None:
    """With its quarter, past midnight, and at the end of the day."""
    assert [None, other] == [unsaid((said,), f"The hour is {written}.") for written in (time, other)]
