"""What one entry is to an earlier one, from their own words and from what surrounds them."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from datetime import UTC, datetime, timedelta

from jobs.resolution.relation import Relation, relation, statement, wording, wording_with_impact
from jobs.resolution.same_thing import Weights
from schemas.entry import NOT_STATED, Entry, Kind, Source
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def entry(text: str, day: int = 0, session: str = "", finding: str = NOT_STATED, kind: Kind = Kind.RULE) -> Entry:
    """An entry that says `text`, in which `|` opens the restatement, `day` days after the start."""
    quote, *restated = text.split(" | ")
    session_id = session or f"s{day}"
    return Entry(
        id=f"{day}:{text}",
        title=quote[:80],
        kind=kind,
        date=START + timedelta(days=day),
        source=Source(session_id=session_id, session_path="m:x", message_range=(1, 1), entry_ids=(f"e-{day}-{text}",)),
        quote=quote,
        finding=finding,
        conclusion=quote,
        impact=" ".join(restated) or NOT_STATED,
        confidence=0.8,
    )


def between(later: Entry, earlier: Entry) -> Relation | None:
    """The relation of two entries that are alone in the world."""
    return relation(later, earlier, Weights([statement(later), statement(earlier)]))


@table(
    ("later", "earlier"),
    [
        (
            "we extend it to wednesday noon | Pottery orders: closing moves from Tuesday 18:00 to Wednesday 12:00.",
            "tuesday 18 and that's it | Pottery orders close on Tuesday at 18:00.",
        ),
        (
            "kiosk app goes to postgres | I'll migrate the kiosk orders from SQLite to Postgres.",
            "ok sqlite it is | The kiosk app stores its orders in SQLite.",
        ),
        (
            "skracamy: klient dostaje odpowiedz w 24 godziny | Odpowiedź dla klienta w ciągu 24 godzin.",
            "klient dostaje odpowiedz w 48 godzin | Odpowiedź dla klienta w ciągu 48 godzin.",
        ),
        ("前端换成 React，招不到人 | 前端框架从 Vue 换成 React。", "就 Vue，别的不考虑 | 前端框架定为 Vue 3。"),
        ("會員費漲到 1500 元 | 會員年費明年起 1500 元。", "一年 1200 元 | 會員年費定為 1200 元。"),
    ],
)
def test_terse_words_are_linked_by_their_restatement(later: str, earlier: str) -> None:
    """What the owner does not name, the assistant's taking note names."""
    assert between(entry(later, 1), entry(earlier)) is Relation.REPLACES


@table(
    ("later", "earlier"),
    [
        (
            "one working day, still applies when i'm away | Customer emails: one working day, also in the holidays.",
            "customer emails get answered within one working day | Noted: customer emails within one working day.",
        ),
        (
            "faktury kosztowe do 5 dnia, jak zawsze | Faktury kosztowe wpisuję do 5 dnia miesiąca.",
            "faktury kosztowe wpisujemy do 5 dnia miesiaca",
        ),
        ("我说过，合同不许发微信 | 客户合同不发微信，只走邮件。", "客户合同一律不发微信，只走邮件"),
    ],
)
def test_the_same_rule_in_other_words_repeats(later: str, earlier: str) -> None:
    """The same value, or words that say that it held before."""
    assert between(entry(later, 1), entry(earlier)) is Relation.REPEATS


def test_today_is_the_date_it_was_said_on() -> None:
    """`no card after today` on the fourth says again what was said of the fourth."""
    earlier = entry("after march 4 no card gets in | Card freeze on 4 March.")
    later = entry("nothing gets in after today, period", 2, finding="FREEZE DAY. the last card went in at two.")
    tomorrow = later.model_copy(update={"date": later.date + timedelta(days=1)})

    assert between(later, earlier) is Relation.REPEATS
    assert between(tomorrow, earlier) is None


@table(
    ("later", "earlier"),
    [
        ("room 5 costs 120 a night in summer", "room 3 costs 90 a night in summer"),
        ("sala duza 350 zl | Duża sala: 350 zł za dzień.", "sala mala 200 zl | Mała sala: 200 zł za dzień."),
        (
            "api rate limit is 1000 requests per minute for paying users",
            "api rate limit is 100 requests per minute for free users",
        ),
        ("portrait photos 200 flat", "wedding photos 1200 flat"),
        ("we never answer press requests about other artists", "we answer press requests within two days"),
        ("orders ship within 3 days", "orders over 500 ship free"),
        ("slow tests move to the nightly run", "tests run on every push"),
        ("no meetings on friday afternoon", "no deploys on friday afternoon"),
        ("dostawe jaj przesuwamy na piatek rano", "dostawa maki w srode rano"),
        ("lekcje niemieckiego przenosimy na poniedzialki o 18", "lekcje angielskiego w poniedzialki o 16"),
        ("苹果版改成每三周发一次 | 苹果版三周一个版本。", "安卓版每两周发一次 | 安卓版两周一个版本。"),
        ("会议室 B 周四换成给财务用", "会议室 A 周二给市场部用"),
        ("第三章的標題改成夜航", "第一章的標題叫潮汐"),
    ],
)
def test_things_of_one_sort_are_not_one_thing(later: str, earlier: str) -> None:
    """Another room, another customer, another chapter: both hold."""
    assert between(entry(later, 1), entry(earlier)) is None


@table(
    ("later", "earlier"),
    [
        ("from may everybody pays 95/h, no exceptions", "heron stays on 85 an hour until june"),
        ("od maja wszyscy płacą 120 zł za godzinę", "Halina zostaje na 100 zl/h"),
        ("以后所有客户每小时 300", "老王那边一小时 250 不变"),
        (
            "Odbiór zamówień internetowych od poniedziałku do soboty, 7-17",
            "koniec z odbiorami ze sklepu internetowego w poniedzialki",
        ),
    ],
)
def test_what_cannot_both_hold_is_not_linked_by_itself(later: str, earlier: str) -> None:
    """An exception against a rule for everybody, or a day once with and once without: nobody says which goes."""
    assert between(entry(later, 1), entry(earlier)) is None


def test_a_rate_of_somebody_else_does_not_conflict() -> None:
    """Two prices by the hour may both hold."""
    assert between(entry("the designer gets 60 an hour", 1), entry("heron stays on 85 an hour")) is None


def test_a_context_alone_links_nothing() -> None:
    """Options that were talked about before an answer are not what was settled."""
    options = "celery with redis, a postgres table with skip locked, or a managed queue for reminders?"
    earlier = entry("about nine hundred a day", finding=options)
    later = entry("reminders leave the postgres table for a queue | The skip locked polling goes away.", 1)

    assert between(later, earlier) is None


def test_within_a_session_only_the_owners_words_count() -> None:
    """Everything said in a session shares its context."""
    earlier = entry("tuesday 18 | Pottery orders close on Tuesday at 18:00.", session="s")
    later = entry("no, we extend it | Pottery orders close on Wednesday at 12:00.", 1, session="s")

    assert between(later, earlier) is None
    assert between(entry(f"{later.quote} | {later.impact}", 1), earlier) is Relation.REPLACES


def test_a_neighbour_is_not_replaced_because_it_stands_around_the_words() -> None:
    """The words before a decision are its finding, and may be another decision with a value of the same unit."""
    seat = "the printer is late, so we change the price: seats cost 16 euros"
    earlier = entry(f"{seat} | 16 euros a seat instead of 15.", session="s")
    row = entry("the first row costs 19 euros", 1, "s", finding=f"{seat} 16 euros a seat instead of 15.")
    assert between(row, earlier) is None
    assert between(entry("seats cost 17 euros", 1, "s"), earlier) is Relation.REPLACES


def test_an_entry_speaks_in_three_widths() -> None:
    """The owner's words, those with their restatement, and those with all that leads up to them."""
    one = entry("the second | The blue door.", finding="which door?")

    assert "blue" not in wording(one)
    assert "blue" in wording_with_impact(one)
    assert "which door" not in wording_with_impact(one)
    assert "which door" in statement(one)
    assert NOT_STATED not in statement(entry("the second"))


@table(
    ("later", "earlier"),
    [
        (
            "Zapamiętaj, że klient z Krakowa płaci gotówką. | Zapamiętam: klient z Gdańska płaci przelewem.",
            "Zapamiętaj, że klient z Gdańska płaci przelewem. | Zapamiętam: klient z Gdańska płaci przelewem.",
        ),
        (
            "Remember that the cleaner uses the red badge. | Noted: the night guard uses the blue badge.",
            "Remember that the night guard uses the blue badge. | Noted: the night guard uses the blue badge.",
        ),
        (
            "记住，上海的客户转账。 | 记住了：北京的客户付现金。",
            "记住，北京的客户付现金。 | 记住了：北京的客户付现金。",
        ),
    ],
)
@table("kind", [Kind.REMEMBER, Kind.RULE])
def test_a_wrong_answer_joins_nothing(later: str, earlier: str, kind: Kind) -> None:
    """What the owner said is compared, and not the assistant's echo of another thing."""
    assert between(entry(later, 1, kind=kind), entry(earlier, kind=kind)) is None


def test_asking_to_remember_is_no_subject() -> None:
    """Two requests share their first words, and so nothing."""
    one = entry("please remember: the gate is painted green", 1, kind=Kind.REMEMBER)
    other = entry("please remember: the boiler is serviced in May", kind=Kind.REMEMBER)

    assert between(one, other) is None
