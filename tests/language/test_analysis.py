"""What the words of a text are, kind by kind."""

import pytest

from pipeline.language.analysis import query_terms, terms
from tests.support.builders.long_texts import is_linear
from tests.support.tables import table

DAY = ["2026", "2026-02", "2026-02-20", "--02", "--02-20"]


def meet(asked: str, text: str) -> bool:
    """Whether something of a question is found in a text."""
    return not set(query_terms(asked)).isdisjoint(terms(text))


def test_order_and_repeats_are_kept() -> None:
    """The count of a term is its frequency in the text."""
    assert ["blu", "red", "blu"] == terms("blue red blue")


def test_full_width_letters_and_digits_are_plain_ones() -> None:
    """Chinese keyboards write them in the middle of a sentence."""
    assert terms("abc HRN-2231") == terms("\uff41\uff42\uff43 \uff28\uff32\uff2e\uff0d\uff12\uff12\uff13\uff11")


@table(("typed", "meant"), [("sciezka", "ścieżka"), ("laczenie", "łączenie"), ("ZOLTY", "żółty")])
def test_polish_is_matched_however_it_is_typed(typed: str, meant: str) -> None:
    """Also ł, which is no accented l to Unicode."""
    assert terms(meant) == terms(typed)


def test_invisible_characters_do_not_break_a_word() -> None:
    """A soft hyphen or a space without width comes from copied web pages."""
    assert terms("database") == terms("data\u00adba\u200bse")


@table("text", ["don't", "Heron's", "Heron\u2019s", "Facebook'a"])
def test_what_follows_an_apostrophe_is_an_ending(text: str) -> None:
    """In English as in Polish, with either apostrophe."""
    assert 1 == len(terms(text))


def test_a_quoted_word_stays() -> None:
    """An apostrophe before a word is a quotation mark."""
    assert terms("key max") == terms("['key'] 'max'")


@table("asked", ["数据", "數據", "库", "庫", "数据库", "為什麼用數據庫\uff1f"])
@table("text", ["我们用数据库存储", "我們用數據庫存儲"])
def test_chinese_matches_across_the_two_scripts(asked: str, text: str) -> None:
    """Words of two characters and of one, simplified and traditional both."""
    assert meet(asked, text)


def test_a_chinese_question_of_two_characters_asks_for_the_pair() -> None:
    """A text that has one of the characters only is about something else."""
    assert not meet("数据", "数学")


def test_chinese_and_latin_mix_without_spaces() -> None:
    """Each run of either kind is its own token."""
    assert {"用", "postgr", "存储"} <= set(terms("用Postgres存储"))
    assert ["端", "口", "端口", "8080"] == terms("端口8080")


@table(
    ("text", "wanted"),
    [
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("parseHTTPReply", ["parsehttpreply", "http"]),
        ("user_id", ["userid", "user", "id"]),
        ("src/app/main.py", ["src/app/main.py", "main.py", "src", "app", "main", "py", "SRC"]),
        ("HRN-2231-B", ["hrn2231b", "hrn", "2231"]),
        ("v2.1.3", ["v2.1.3", "2.1.3", "v2"]),
        ("k8s-prod-01", ["k8sprod01", "k8s", "prod", "01"]),
        ("--dry-run", ["dryrun", "run"]),
        ("@owner", ["owner"]),
        ("https://x.y/z?a=1", ["https://x.y/z?a=1", "x.y", "https"]),
        ("jan.kowalski@example.com", ["jan.kowalski@example.com", "jan.kowalski", "example.com", "jan"]),
        ("192.168.0.1", ["192.168.0.1"]),
    ],
)
def test_identifiers_are_matched_whole_and_in_parts(text: str, wanted: list[str]) -> None:
    """By the name as it is written, by its segments, and by the words in it."""
    names = set(terms(text))
    assert [] == [piece for piece in (text, *wanted) if not names.issuperset(query_terms(piece))]


def test_a_name_is_one_however_its_words_are_joined() -> None:
    """People write it as another language would."""
    whole = {terms(name)[0] for name in ("userId", "user_id", "user-id", "USER_ID")}
    assert {"userid"} == whole


@table("text", ["1,000", "1 000", "1.000", "1000", "1\u00a0000"])
def test_a_thousand_is_one_however_its_groups_are_set_apart(text: str) -> None:
    """Three digits after a mark are a group."""
    assert "1000" == terms(text)[0]


@table(
    ("text", "wanted"),
    [
        ("1.000,50", ["1000.50"]),
        ("1,000.50", ["1000.50"]),
        ("12.99", ["12.99"]),
        ("12,99", ["12.99"]),
        ("30%", ["30", "30%"]),
        ("30 %", ["30", "30%"]),
        ("€20", ["eur", "20"]),
        ("$5", ["usd", "5"]),
    ],
)
def test_decimals_shares_and_money(text: str, wanted: list[str]) -> None:
    """A number is found with its sign and without."""
    assert wanted == terms(text)


@table(
    "text",
    [
        "2026-02-20",
        "2026/02/20",
        "20.02.2026",
        "20 February 2026",
        "20th of Feb 2026",
        "February 20, 2026",
        "FEB 20TH 2026",
        "20 lutego 2026",
        "2026年2月20日",
        "2026 年 2 月 20 號",
    ],
)
def test_a_date_is_one_in_every_language(text: str) -> None:
    """Found by the day, the month and the year, and by day and month without their year."""
    assert DAY == terms(text)


@table("text", ["February 2026", "lutego 2026", "2026-02", "2026年2月"])
def test_a_month_is_in_its_dates(text: str) -> None:
    """A question about February 2026 finds what is dated in it."""
    assert {"2026-02"} <= set(terms(text)) <= set(DAY)


@table("asked", ["20 Feb", "lutego", "2月20日", "February"])
def test_a_question_without_the_year_finds_the_day(asked: str) -> None:
    """People leave it out."""
    assert meet(asked, "2026-02-20")


@table("name", ["memory/2026-02-20.md", "DECISION-20260220-no-redis"])
def test_dates_in_names_are_detected(name: str) -> None:
    """Those of our own files and entries."""
    assert set(DAY) <= set(terms(name))


def test_a_verb_is_no_month() -> None:
    """May and march say a month beside a day or a year only."""
    assert not [term for term in terms("you may march on") if term.startswith("--")]


@table(
    ("asked", "left"),
    [
        ("Why did we choose it?", "choose"),
        ("Dlaczego wybraliśmy to?", "wybraliśmy"),
        ("为什么数据\uff1f", "数据"),
        ("where is the pod", "pod"),
    ],
)
def test_a_question_is_what_it_is_about(asked: str, left: str) -> None:
    """Without what it is asked with; what means something in one of the languages stays."""
    assert query_terms(left) == query_terms(asked)


@table(
    ("asked", "left"),
    [("2026-03-02", ["2026-03-02", "--03-02"]), ("March 2026", ["2026-03", "--03"]), ("2 marca", ["--03-02"])],
)
def test_a_question_about_a_date_asks_for_the_whole_of_it(asked: str, left: list[str]) -> None:
    """With its year and without; its month by itself stands in every file of that month."""
    assert left == query_terms(asked)


@table("asked", ["to do", "who are you", "谁", "是什么"])
def test_a_question_of_stop_words_asks_for_them(asked: str) -> None:
    """Nothing else is left to ask for."""
    assert terms(asked) == query_terms(asked)


@pytest.mark.processor
@table("piece", ["a", "a/", "aB", "1.", "1 ", "库", "_", "@", "a'", "2026-02-20", "30%", "jan ", "e\u0301"])
def test_a_long_text_without_spaces_takes_no_longer_than_another(piece: str) -> None:
    """It takes as much time as it has characters."""
    assert is_linear(terms, piece, 100_000)
