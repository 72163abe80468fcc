"""How well days fit the time that a question names."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.search.scoring import nearness
from pipeline.language.time_ranges.reading import periods
from pipeline.language.time_ranges.spans import DaySpan
from tests.support.tables import table

TODAY = date(2026, 3, 4)
FEBRUARY_20 = DaySpan(date(2000, 2, 20), date(2000, 2, 20), every_year=True)
FEBRUARY = DaySpan(date(2000, 2, 1), date(2000, 2, 29), every_year=True)
LAST_YEAR = DaySpan(date(2025, 1, 1), date(2025, 12, 31))


def test_a_day_is_reported_in_the_week_after_it_too() -> None:
    """The day counts most, those after it half, those before it nothing."""
    named = DaySpan(date(2026, 2, 20), date(2026, 2, 20))
    values = [nearness(named, date(2026, 2, day)) for day in (19, 20, 21, 27, 28)]
    assert [0, 1, 0.5, 0.5, 0] == values


def test_the_longer_the_period_the_less_it_says() -> None:
    """A day, a month and a year that fit weigh less and less."""
    day = date(2025, 2, 20)
    weights = [nearness(FEBRUARY_20, day), nearness(FEBRUARY, day), nearness(LAST_YEAR, day)]
    assert sorted(weights, reverse=True) == weights
    assert 0 < weights[-1] < weights[0]


@table("text", ["30 December", "28 grudnia - 1 stycznia"])
def test_a_day_of_any_year_spills_over_the_turn_of_the_year(text: str) -> None:
    """The week after the 30th of December is in the next year, and so is the end of a stretch over it."""
    (named,) = periods(text, TODAY)
    assert 0.5 == nearness(named, date(2025, 1, 2))
    assert named.has(date(2024, 12, 30).toordinal())


@given(st.dates(), st.sampled_from(["20 lutego", "29 February", "last year", "2026-02-20", "去年", "recently"]))
def test_nearness_is_between_nothing_and_one(day: date, text: str) -> None:
    """Whatever the day, also at the ends of the calendar."""
    assert all(0 <= nearness(period, day) <= 1 for period in periods(text, TODAY))
