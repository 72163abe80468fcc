"""The time that a question names."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.search.time_phrases import DaySpan, periods

TODAY = date(2026, 3, 4)  # a Wednesday
FEBRUARY_20 = DaySpan(date(2000, 2, 20), date(2000, 2, 20), every_year=True)
FEBRUARY = DaySpan(date(2000, 2, 1), date(2000, 2, 29), every_year=True)
LAST_WEEK = DaySpan(date(2026, 2, 23), date(2026, 3, 1))
LAST_YEAR = DaySpan(date(2025, 1, 1), date(2025, 12, 31))


def _day(text: str) -> DaySpan:
    return DaySpan(date.fromisoformat(text), date.fromisoformat(text))


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("text", ["in February", "w lutym", "二月", "2月份", "W LUTYM"])
def test_a_month_alone_is_that_month_of_any_year(text: str) -> None:
    """It is read in three languages."""
    assert (FEBRUARY,) == periods(text, TODAY)


@pytest.mark.parametrize(("text", "first"), [("in 2024", 2024), ("w 2024 roku", 2024), ("在2024年", 2024)])
def test_a_year_alone_is_all_its_days(text: str, first: int) -> None:
    """It is read in three languages."""
    assert (DaySpan(date(first, 1, 1), date(first, 12, 31)),) == periods(text, TODAY)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def test_a_day_is_reported_in_the_week_after_it_too() -> None:
    """The day counts most, those after it half, those before it nothing."""
    named = _day("2026-02-20")
    seconds = [named.nearness(date(2026, 2, day)) for day in (19, 20, 21, 27, 28)]
    assert [0, 1, 0.5, 0.5, 0] == seconds


def test_the_longer_the_period_the_less_it_says() -> None:
    """A day, a month and a year that fit weigh less and less."""
    day = date(2025, 2, 20)
    weights = [FEBRUARY_20.nearness(day), FEBRUARY.nearness(day), LAST_YEAR.nearness(day)]
    assert sorted(weights, reverse=True) == weights
    assert 0 < weights[-1] < weights[0]


def test_a_day_of_any_year_spills_over_the_turn_of_the_year() -> None:
    """The week after the 30th of December is in the next year."""
    (named,) = periods("30 December", TODAY)
    assert 0.5 == named.nearness(date(2025, 1, 2))


@given(st.text(), st.dates())
def test_any_text_is_read_on_any_day(text: str, today: date) -> None:
    """Nothing raises, and no period ends before it begins."""
    assert all(period.first <= period.last for period in periods(text, today))


@given(st.dates(), st.sampled_from(["20 lutego", "29 February", "last year", "2026-02-20", "去年", "recently"]))
def test_nearness_is_between_nothing_and_one(day: date, text: str) -> None:
    """Whatever the day, also at the ends of the calendar."""
    assert all(0 <= period.nearness(day) <= 1 for period in periods(text, TODAY))
