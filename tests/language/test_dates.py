"""Days in three languages."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.dates import NamedDate, dates, parts_of_day, placed_dates, remove_days, weekdays
from pipeline.language.folding import flat
from tests.support.tables import table

TODAY = date(2026, 2, 20)


@table(
    "text",
    [
        "after feb 20",
        "on 20 February",
        "the 20th of february",
        "do 20 lutego",
        "2月20日以后",
        "2 月 20 號",
        "2月20之前",
        "the cut-off is feb 20.",
        "Feb 20th, 2026",
        "20 lutego 2026 r.",
        "2026-02-20",
        "20.02.2026",
        "\uff12月\uff12\uff10日",
        "today",
        "dziś",
        "今天",
    ],
)
def test_a_date_is_a_month_and_a_day(text: str) -> None:
    """However it is written, also as the day it is said on."""
    assert dates(flat(text), TODAY) == {"2-20"}


@table(
    "text",
    ["you may march on", "in february", "version 2.20", "w marcu", "2020 may", "feb 20:30", "30 lutego", "2月14天"],
)
def test_what_names_no_day_is_no_date(text: str) -> None:
    """A month alone, a verb, a version."""
    assert dates(flat(text), TODAY) == frozenset()


@table("text", ["on Tuesdays", "we wtorek", "do wtorku", "每周二", "星期二", "禮拜二", "每週二"])
def test_days_of_the_week_are_known(text: str) -> None:
    """In every inflection and script."""
    assert weekdays(flat(text)) == {"tue"}


def test_two_weeks_are_no_monday() -> None:
    """`once in two weeks` holds the characters of a Monday."""
    assert weekdays("两周一个版本") == frozenset()


def test_parts_of_the_day_are_known() -> None:
    """They tell when, as days do."""
    assert parts_of_day(flat("never in the afternoon, zawsze rano, 凌晨")) == {"afternoon", "morning", "night"}


def test_a_text_without_its_days_keeps_the_rest() -> None:
    """What it is about remains."""
    assert remove_days("orders close on tuesday 10 february 2026").split() == ["orders", "close", "on"]
    assert remove_days("in february, not in 30 february").split() == ["in", "february,", "not", "in", "30", "february"]


def test_a_text_of_two_scripts_loses_the_days_of_both() -> None:
    """A text with one Chinese character is searched for both; a part of the day goes before the day that it begins."""
    assert remove_days("下午 review on friday morning, 周五 release").split() == ["review", "on", ",", "release"]
    assert remove_days("今晚上线") == "今 线"


def test_a_date_keeps_the_year_that_is_named() -> None:
    """A month may stand alone; a Chinese one may be a word."""
    text = "2026-02-20, w lutym, 2025年十二月, 3 May 2024"
    assert [named for _, named in placed_dates(flat(text))] == [
        NamedDate(2, 20, 2026),
        NamedDate(2),
        NamedDate(5, 3, 2024),
        NamedDate(12, None, 2025),
    ]


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    """Nothing raises."""
    assert isinstance(dates(flat(text), TODAY), frozenset)
    assert isinstance(remove_days(flat(text)), str)
