"""Days and periods in words."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.periods import DayRange, month_of, read_period, week_of, written_days, year_of
from tests.support.tables import table

_TODAY = date(2026, 3, 31)  # a Tuesday
_NOT = "is not a day such as 2026-02-20, and no period: write"
_DATES = st.dates(min_value=date(1972, 1, 1), max_value=date(2999, 12, 31))


@table(
    ("words", "first", "last", "key"),
    [
        ("2026-02-20", "2026-02-20", "2026-02-20", "2026-02-20"),
        (" 2026-2-5 ", "2026-02-05", "2026-02-05", "2026-02-05"),
        ("2026-02", "2026-02-01", "2026-02-28", "2026-02"),
        ("2024-2", "2024-02-01", "2024-02-29", "2024-02"),
        ("2027-02", "2027-02-01", "2027-02-28", "2027-02"),
        ("2026-W10", "2026-03-02", "2026-03-08", "2026-W10"),
        ("2026-w1", "2025-12-29", "2026-01-04", "2026-W01"),
        ("2026", "2026-01-01", "2026-12-31", ""),
        ("1d", "2026-03-30", "2026-03-30", "2026-03-30"),
        ("30D", "2026-03-01", "2026-03-01", "2026-03-01"),
        ("2w", "2026-03-17", "2026-03-17", "2026-03-17"),
        ("1m", "2026-02-28", "2026-02-28", "2026-02-28"),
        ("15 m", "2024-12-31", "2024-12-31", "2024-12-31"),
        ("1y", "2025-03-31", "2025-03-31", "2025-03-31"),
        ("99999y", "1971-01-01", "1971-01-01", "1971-01-01"),
        ("today", "2026-03-31", "2026-03-31", "2026-03-31"),
        ("now", "2026-03-31", "2026-03-31", "2026-03-31"),
        ("Yesterday", "2026-03-30", "2026-03-30", "2026-03-30"),
        ("this week", "2026-03-30", "2026-04-05", "2026-W14"),
        ("last-week", "2026-03-23", "2026-03-29", "2026-W13"),
        ("this month", "2026-03-01", "2026-03-31", "2026-03"),
        ("last  month", "2026-02-01", "2026-02-28", "2026-02"),
        ("this year", "2026-01-01", "2026-12-31", ""),
        ("last_year", "2025-01-01", "2025-12-31", ""),
    ],
)
def test_words_mean_days(words: str, first: str, last: str, key: str) -> None:
    """From the first to the last; a day, a week and a month are the key of a partition too."""
    period = read_period(words, _TODAY)
    assert (first, last, key) == (period.first.isoformat(), period.last.isoformat(), period.key)


@table(
    ("words", "sentence"),
    [
        ("2026-13-01", "There is no day 2026-13-01: a year has the months 01 to 12."),
        ("2026-00-01", "There is no day 2026-00-01: a year has the months 01 to 12."),
        ("2025-02-29", "There is no day 2025-02-29: 2025-02 has the days 01 to 28."),
        ("2024-02-30", "There is no day 2024-02-30: 2024-02 has the days 01 to 29."),
        ("0000-01-01", "There is no day 0000-01-01: years begin with 0001."),
        ("2026-13", "There is no month 2026-13: a year has the months 01 to 12."),
        ("2026-W54", "There is no week 2026-W54: 2026 has the weeks W01 to W53."),
        ("9999-W01", "There is no week 9999-W01."),
        ("0000", "There is no year 0000: years begin with 0001."),
        ("0001-01-01", "'0001-01-01' is not between the years 1971 and 2999."),
        ("9999", "'9999' is not between the years 1971 and 2999."),
        ("0d", "'0d' is no time ago: numbers begin with 1, and this day is called today."),
        ("5h", "'5h' has no unit that is known: write 30d (days), 2w (weeks), 3m (months) or 1y (years)."),
        ("last", f"'last' {_NOT} last week, last month, last year, or another such as 2026-02-20, "),
        ("yesterdy", f"'yesterdy' {_NOT} yesterday, or another such as 2026-02-20, "),
        ("20260220", f"'20260220' {_NOT} 2026-02-20, 2026-02, 2026-W10, 2026, 30d, "),
        ("", f"'' {_NOT} 2026-02-20, "),
    ],
)
def test_words_that_mean_no_days(words: str, sentence: str) -> None:
    """The sentence says what is wrong, and how a period is written."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is looked at
        read_period(words, _TODAY)
    assert str(caught.value).startswith(sentence)


@given(_DATES, _DATES)
def test_what_is_written_means_the_same_on_every_day(day: date, today: date) -> None:
    """A day, its week, its month and its year have the day in them, and come back from their keys."""
    for period in (DayRange(day, day), week_of(day), month_of(day)):
        assert period == read_period(period.key, today)
        assert period.first <= day <= period.last
    assert year_of(day) == read_period(f"{day.year:04}", today)


@given(_DATES, st.integers(1, 99_999), st.sampled_from("dwmy"))
def test_a_number_of_days_is_one_day_before(today: date, number: int, unit: str) -> None:
    """However large it is; a larger number is no later day."""
    period, before = read_period(f"{number}{unit}", today), read_period(f"{min(number + 1, 99_999)}{unit}", today)
    assert before.first <= period.first == period.last < today


@given(st.text(max_size=12) | st.from_regex(r"[0-9]{1,6}[ -]?[a-zW]{0,2}[0-9]{0,3}", fullmatch=True), _DATES)
def test_other_words_are_refused_on_every_day(words: str, today: date) -> None:
    """Whether words mean a period does not depend on the day; and nothing but a `ValueError` is raised."""

    def is_period(day: date) -> bool:
        try:
            period = read_period(words, day)
        except ValueError:
            return False
        return period.first <= period.last

    assert is_period(today) == is_period(_TODAY)


def test_the_days_of_a_request() -> None:
    """What begins means the first day, what ends the last; other fields and other values stay."""
    fields = {"since": "2026-W10", "until": "last month", "as_of": "", "query": "last month", "k": 3, "to": None}
    days = {"since": "2026-03-02", "until": "2026-02-28"}
    assert fields | days == written_days(fields, _TODAY)
    with pytest.raises(ValueError, match="until: There is no month 2026-13"):
        written_days({"until": "2026-13"}, _TODAY)
