"""The time that a question names, and where the time of a fact stands."""

from datetime import date
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.time_ranges.interpretation import read_question_days
from pipeline.language.time_ranges.reading import periods, time_range
from pipeline.language.time_ranges.spans import DaySpan
from tests.support.builders.long_texts import is_linear
from tests.support.tables import table

TODAY = date(2026, 3, 4)  # a Wednesday
FEBRUARY_20 = DaySpan(date(2000, 2, 20), date(2000, 2, 20), every_year=True)
FEBRUARY = DaySpan(date(2000, 2, 1), date(2000, 2, 29), every_year=True)
LAST_WEEK = DaySpan(date(2026, 2, 23), date(2026, 3, 1))
LAST_YEAR = DaySpan(date(2025, 1, 1), date(2025, 12, 31))
PIECES = (
    *("on monday ", "last week ", "3 may ", "since ", "1", "a", "上周", "周一 ", "a few ", "from 3 to 5 may ", "2025-"),
    *("od 3 ", "the first week of ", " ", "was last friday ", "ab_", "miesiac", "12 ", "三", "到", "ostatnich trzech "),
)
# Phrases, and what joins them and parts them, in any order.
_PHRASES = st.sampled_from(
    (
        *PIECES,
        *("until the first", "od środy", " do ", "piątku", "上个月", "底", "前", "今年", "Q1 2025", " - ", "Nov 27"),
        *("2019", " and ", "w połowie ", "grudnia", "niedzielę", "next ", "5.12.2025", "XI ", "月", "五日", "三天后"),
        *("za ", "rok", "in 3 days", " will ", ".", "\n", "\u0301", "ź", "ﬁ", "Feb 29", "pon. ", "weekend", "31 "),
    )
)
texts = st.one_of(st.text(), st.lists(_PHRASES, max_size=12).map("".join))


def _day(text: str) -> DaySpan:
    return DaySpan(date.fromisoformat(text), date.fromisoformat(text))


@table(
    ("text", "expected"),
    [
        ("What did we decide on 20 February?", FEBRUARY_20),
        ("on the 20th of february", FEBRUARY_20),
        ("co było 20 lutego", FEBRUARY_20),
        ("2月20日决定了什么", FEBRUARY_20),
        ("2月20號", FEBRUARY_20),
        ("Feb 20th, 2026", _day("2026-02-20")),
        ("20 lutego 2026 r.", _day("2026-02-20")),
        ("2026年2月20日", _day("2026-02-20")),
        ("2026-02-20", _day("2026-02-20")),
        ("20.02.2026", _day("2026-02-20")),
        ("2026/2/20", _day("2026-02-20")),
    ],
)
def test_a_date_is_read_in_three_languages_and_in_digits(text: str, expected: DaySpan) -> None:
    """Without a year it is that day of any year."""
    assert (expected,) == periods(text, TODAY)


@table("text", ["in February", "w lutym", "二月", "2月份", "W LUTYM"])
def test_a_month_alone_is_that_month_of_any_year(text: str) -> None:
    """It is read in three languages."""
    assert (FEBRUARY,) == periods(text, TODAY)


@table(("text", "first"), [("in 2024", 2024), ("w 2024 roku", 2024), ("在2024年", 2024)])
def test_a_year_alone_is_all_its_days(text: str, first: int) -> None:
    """It is read in three languages."""
    assert (DaySpan(date(first, 1, 1), date(first, 12, 31)),) == periods(text, TODAY)


@table(
    ("text", "expected"),
    [
        ("yesterday", _day("2026-03-03")),
        ("wczoraj", _day("2026-03-03")),
        ("昨天", _day("2026-03-03")),
        ("the day before yesterday", _day("2026-03-02")),
        ("last week", LAST_WEEK),
        ("w zeszłym tygodniu", LAST_WEEK),
        ("w zeszlym tygodniu", LAST_WEEK),
        ("上周", LAST_WEEK),
        ("上個星期", LAST_WEEK),
        ("last year", LAST_YEAR),
        ("w zeszłym roku", LAST_YEAR),
        ("去年", LAST_YEAR),
        ("last month", DaySpan(date(2026, 2, 1), date(2026, 2, 28))),
        ("上个月", DaySpan(date(2026, 2, 1), date(2026, 2, 28))),
        ("last Friday", _day("2026-02-27")),
        ("w zeszły piątek", _day("2026-02-27")),
        ("w zeszłą środę", _day("2026-02-25")),
        ("上周五", _day("2026-02-27")),
        ("上個禮拜五", _day("2026-02-27")),
        ("2 days ago", _day("2026-03-02")),
        ("dwa dni temu", _day("2026-03-02")),
        ("两天前", _day("2026-03-02")),
        ("two weeks ago", DaySpan(date(2026, 2, 15), date(2026, 2, 21))),
        ("tydzień temu", DaySpan(date(2026, 2, 22), date(2026, 2, 28))),
    ],
)
def test_relative_time_counts_from_today(text: str, expected: DaySpan) -> None:
    """What is further away is known less exactly."""
    assert (expected,) == periods(text, TODAY)


@table(
    "text",
    [
        "May the agent fix a node?",
        "jak mają wyglądać wykresy",
        "jak maja wygladac",
        "Jan said so",
        "HRN-2021-B",
        "port 2020:80",
        "30 lutego",
        "2026-13-45",
        "9999 days ago",
        "12:30",
        "",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    """A month's name that is another word too needs a day, a year or a preposition beside it."""
    assert () == periods(text, TODAY)


@table(
    ("text", "expected"),
    [
        ("What changed since last week?", DaySpan(date(2026, 2, 23), TODAY)),
        ("tomorrow", _day("2026-03-05")),
        ("a few days ago", DaySpan(date(2026, 2, 27), date(2026, 3, 2))),
        ("最近三天", DaySpan(date(2026, 3, 1), TODAY)),
        ("between 2020-01-01 and 2020-12-31", DaySpan(date(2020, 1, 1), date(2020, 12, 31))),
        ("What did we say on Monday?", _day("2026-03-02")),
        ("recently", DaySpan(date(2026, 2, 5), TODAY)),
        ("in the first week of February", DaySpan(date(2000, 2, 1), date(2000, 2, 7), every_year=True)),
    ],
)
def test_a_question_knows_stretches_too(text: str, expected: DaySpan) -> None:
    """It takes what is doubtful as well, because a time leaves no hit out."""
    assert (expected,) == periods(text, TODAY)


@table(
    ("text", "phrase"),
    [
        ("Currently in Marrakech (Nov 27\u2013Dec 1, 2025) for a birthday", "Nov 27\u2013Dec 1, 2025"),
        ("Jestem  chory od\nzeszłego  tygodnia, niestety", "od\nzeszłego  tygodnia"),
        ("我們上週五換了資料庫", "上週五"),
        ("Zażo\u0301łć od pia\u0328tku.", "od pia\u0328tku"),
        ("It is so until the first.", "until the first"),
        ("It ends on 14 April.", "14 April"),
        ("It ends on 14 Apr. at noon", "14 Apr."),
    ],
)
def test_the_place_of_a_range_is_that_of_its_words(text: str, phrase: str) -> None:
    """As the author wrote them, with accents of two characters, and white space of several."""
    span = time_range(text, TODAY)
    assert span is not None
    assert phrase == text[span.start : span.end]


def test_what_goes_on_has_no_last_day() -> None:
    """Since a day it holds; until a day it holds from the day it was said on."""
    since, until = time_range("since last week", TODAY), time_range("until tomorrow", TODAY)
    assert since is not None
    assert until is not None
    assert (LAST_WEEK.first, None) == (since.first, since.last)
    assert (TODAY, date(2026, 3, 5)) == (until.first, until.last)


def test_of_two_times_the_one_inside_the_other_counts() -> None:
    """Two that lie apart leave it open which is meant."""
    inner = time_range("Last week, on 2026-02-26, it failed", TODAY)
    assert inner is not None
    assert (date(2026, 2, 26), date(2026, 2, 26)) == (inner.first, inner.last)
    assert time_range("Last week we agreed on 2026-04-01", TODAY) is None


@given(texts, st.dates())
def test_any_text_is_read_on_any_day(text: str, today: date) -> None:
    """Nothing raises, no period ends before it begins, and a range has its place in the text."""
    assert all(period.first <= period.last for period in periods(text, today))
    span = time_range(text, today)
    assert span is None or (span.last is None or span.first <= span.last)
    assert span is None or 0 <= span.start < span.end <= len(text)


@given(texts)
def test_no_phrase_is_passed_over_for_want_of_a_sign(text: str) -> None:
    """The look that spares most texts the reading passes all that would be read."""
    assert tuple(dict.fromkeys(read_question_days(text, TODAY))) == periods(text, TODAY)


@pytest.mark.processor
@table("piece", PIECES)
def test_reading_is_linear(piece: str) -> None:
    """A text takes as much time as it has characters."""
    assert is_linear(partial(time_range, today=TODAY), piece, 10_000)
