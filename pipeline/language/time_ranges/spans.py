"""Days in a row, and the weeks, months and years of the calendar. A week begins on Monday."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

EARLIEST, LATEST = date(1900, 1, 1), date(8000, 1, 1)
"""Days that phrases count from lie between these, so that no phrase leads beyond what a date can be."""
LEAP_YEAR = 2000
"""Stands for any year: it has all days."""
MONTHS_OF_QUARTER = 3
_MONTHS_OF_YEAR = 12


class Unit(StrEnum):
    """How finely a time is named."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Days from `first` to `last`, both inside; with `every_year` the same days of any year."""

    first: date
    last: date
    every_year: bool = False

    def has(self, day: int) -> bool:
        """Whether a day, an ordinal, is inside."""
        if self.every_year:
            year = date.fromordinal(day).year
            return any(span.has(day) for span in (self.in_year(year - 1), self.in_year(year)) if span)
        return self.first.toordinal() <= day <= self.last.toordinal()

    def in_year(self, year: int) -> "DaySpan | None":
        """The same days, beginning in one year; nothing where no date can be."""
        last_year = year + self.last.year - self.first.year
        if not date.min.year <= year <= last_year <= date.max.year:
            return None
        return DaySpan(_same_day(self.first, year), _same_day(self.last, last_year))


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Days from `first` to `last`, both inside; without `last` it goes on.

    `start` and `end` are the place in the text of the phrase that says so.
    """

    first: date
    last: date | None
    start: int
    end: int


def counted_from(today: date) -> date:
    """A day that all phrases can count from."""
    return min(max(today, EARLIEST), LATEST)


def day(of: date, after: int = 0) -> DaySpan:
    """One day, so many days after another."""
    moved = of + timedelta(days=after)
    return DaySpan(moved, moved)


def week(today: date, after: int = 0) -> DaySpan:
    """A whole week, so many weeks after that of a day."""
    monday = today - timedelta(days=today.weekday() - 7 * after)
    return DaySpan(monday, monday + timedelta(days=6))


def weekend(today: date, after: int = 0) -> DaySpan:
    """Saturday and Sunday of such a week."""
    sunday = week(today, after).last
    return DaySpan(sunday - timedelta(days=1), sunday)


def months(year: int, month: int, count: int = 1) -> DaySpan:
    """So many whole months."""
    end_year, end_month = divmod(year * _MONTHS_OF_YEAR + month - 2 + count, _MONTHS_OF_YEAR)
    last = date(end_year, end_month + 1, monthrange(end_year, end_month + 1)[1])
    return DaySpan(date(year, month, 1), last)


def month(today: date, after: int = 0) -> DaySpan:
    """A whole month, so many months after that of a day."""
    year, index = divmod(today.year * _MONTHS_OF_YEAR + today.month - 1 + after, _MONTHS_OF_YEAR)
    return months(year, index + 1)


def quarter(today: date, after: int = 0) -> DaySpan:
    """A whole quarter, so many quarters after that of a day."""
    begin = month(today, MONTHS_OF_QUARTER * after - (today.month - 1) % MONTHS_OF_QUARTER).first
    return months(begin.year, begin.month, MONTHS_OF_QUARTER)


def year(today: date, after: int = 0) -> DaySpan:
    """A whole year, so many years after that of a day."""
    return months(today.year + after, 1, _MONTHS_OF_YEAR)


def moved(today: date, unit: Unit, count: int) -> date:
    """The day so many units later, or earlier when negative; the 31st becomes the last of a shorter month."""
    if unit in {Unit.DAY, Unit.WEEK}:
        return today + timedelta(days=count * (7 if unit is Unit.WEEK else 1))
    first = month(today, count * {Unit.MONTH: 1, Unit.QUARTER: MONTHS_OF_QUARTER}.get(unit, _MONTHS_OF_YEAR))
    return first.first.replace(day=min(today.day, first.last.day))


def _same_day(of: date, in_year: int) -> date:
    return of.replace(year=in_year, day=min(of.day, monthrange(in_year, of.month)[1]))
