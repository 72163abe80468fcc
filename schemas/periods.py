"""Days and periods as people write them: `2026-02-20`, `2026-W10`, `30d`, `last month`.

A period has a first and a last day. As the beginning of a time it means its first day, as the end its last one.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta
from difflib import get_close_matches
from typing import Any

EXAMPLES = '2026-02-20, 2026-02, 2026-W10, 2026, 30d, 2w, 3m, yesterday or "last month"'
"""A period of each form."""
_DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_WEEK = re.compile(r"([0-9]{4})-[Ww]([0-9]{1,2})")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{1,2})")
_YEAR = re.compile(r"([0-9]{4})")
_AGO = re.compile(r"([0-9]{1,5}) ?([a-z]+)")
_BETWEEN = re.compile(r"[\s_-]+")
_MONTHS, _WEEK_DAYS = 12, 7
_EARLIEST, _LATEST = date(1971, 1, 1), date(2999, 12, 31)
"""The days between which every period lies: arithmetic with days and zones ends near the first and last year."""
_BEGINS, _ENDS = ("since",), ("until", "as_of", "to")
"""The fields of requests that a period begins, and those that it ends."""
DAY_FIELDS = (*_BEGINS, *_ENDS)


@dataclass(frozen=True)
class DayRange:
    """Days, from the first to the last, both inside."""

    first: date
    last: date

    @property
    def key(self) -> str:
        """The name of a day, an ISO week or a month, as in a partition; empty of other periods."""
        if self.first == self.last:
            return self.first.isoformat()
        if self == week_of(self.first):
            year, week, _ = self.first.isocalendar()
            return f"{year:04}-W{week:02}"
        return self.first.isoformat()[: len("2026-02")] if self == month_of(self.first) else ""


def week_of(day: date) -> DayRange:
    """The ISO week of a day, from Monday on."""
    first = day - timedelta(days=day.weekday())
    return DayRange(first, first + timedelta(days=_WEEK_DAYS - 1))


def month_of(day: date) -> DayRange:
    """The month of a day."""
    return DayRange(day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1]))


def year_of(day: date) -> DayRange:
    """The year of a day."""
    return DayRange(day.replace(month=1, day=1), day.replace(month=_MONTHS, day=31))


def _single(day: date) -> DayRange:
    return DayRange(day, day)


_NAMED: Mapping[str, Callable[[date], DayRange]] = {
    "today": _single,
    "now": _single,
    "yesterday": lambda today: _single(today - timedelta(days=1)),
    "this week": week_of,
    "last week": lambda today: week_of(today - timedelta(days=_WEEK_DAYS)),
    "this month": month_of,
    "last month": lambda today: month_of(today.replace(day=1) - timedelta(days=1)),
    "this year": year_of,
    "last year": lambda today: year_of(today.replace(month=1, day=1) - timedelta(days=1)),
}
"""By the words, of which the spaces may be dashes."""


def read_period(words: str, today: date) -> DayRange:
    """The period that words mean on a day.

    Raises:
        ValueError: they mean none.
    """
    text = words.strip()
    for form, read in _WRITTEN.items():
        if match := form.fullmatch(text):
            period = read(match)
            if period.first < _EARLIEST or period.last > _LATEST:
                message = f"{words!r} is not between the years {_EARLIEST.year} and {_LATEST.year}."
                raise ValueError(message)
            return period
    plain = _BETWEEN.sub(" ", text.lower())
    if plain in _NAMED:
        return _NAMED[plain](today)
    if match := _AGO.fullmatch(plain):
        return _single(max(_time_ago(match, today), _EARLIEST))
    message = f"{words!r} is not a day such as 2026-02-20, and no period: {_advice(plain)}."
    raise ValueError(message)


def is_time_ago(words: str) -> bool:
    """Whether words mean a single day by the time that has passed since, such as `30d`."""
    return bool(_AGO.fullmatch(words.strip().lower()))


def is_written(words: str) -> bool:
    """Whether words have the form of a day, a week, a month or a year, also of those that do not exist."""
    return any(form.fullmatch(words) for form in _WRITTEN)


def written_days(fields: Mapping[str, Any], today: date) -> dict[str, Any]:
    """The fields of a request with days, such as JSON has them, in place of the words for periods.

    Raises:
        ValueError: a field has words that mean none; its name stands before them.
    """
    days = dict(fields)
    for name in DAY_FIELDS:
        if isinstance(words := fields.get(name), str) and words:
            try:
                period = read_period(words, today)
            except ValueError as error:
                message = f"{name}: {error}"
                raise ValueError(message) from error
            days[name] = (period.first if name in _BEGINS else period.last).isoformat()
    return days


def _advice(plain: str) -> str:
    """The way to write the period that may be meant."""
    begun = [name for name in _NAMED if name.startswith(f"{plain} ")]
    close = begun or get_close_matches(plain, _NAMED, n=1)
    return f"write {', '.join(close)}, or another such as {EXAMPLES}" if close else f"write {EXAMPLES}"


def _day(match: re.Match[str]) -> DayRange:
    year, month, day = map(int, match.groups())
    _check_month(f"There is no day {match[0]}", year, month)
    days = monthrange(year, month)[1]
    if not 1 <= day <= days:
        message = f"There is no day {match[0]}: {year:04}-{month:02} has the days 01 to {days}."
        raise ValueError(message)
    return _single(date(year, month, day))


def _week(match: re.Match[str]) -> DayRange:
    year, week = map(int, match.groups())
    if not MINYEAR <= year < MAXYEAR:
        message = f"There is no week {match[0]}."
        raise ValueError(message)
    weeks = date(year, 12, 28).isocalendar().week  # the last week of an ISO year always has this day
    if not 1 <= week <= weeks:
        message = f"There is no week {match[0]}: {year:04} has the weeks W01 to W{weeks}."
        raise ValueError(message)
    return week_of(date.fromisocalendar(year, week, 1))


def _month(match: re.Match[str]) -> DayRange:
    year, month = map(int, match.groups())
    _check_month(f"There is no month {match[0]}", year, month)
    return month_of(date(year, month, 1))


def _year(match: re.Match[str]) -> DayRange:
    if int(match[0]) < MINYEAR:
        message = f"There is no year {match[0]}: years begin with 0001."
        raise ValueError(message)
    return year_of(date(int(match[0]), 1, 1))


_WRITTEN: Mapping[re.Pattern[str], Callable[[re.Match[str]], DayRange]] = {
    _DAY: _day,
    _WEEK: _week,
    _MONTH: _month,
    _YEAR: _year,
}
"""The forms that mean the same on every day."""


def _check_month(message: str, year: int, month: int) -> None:
    if year < MINYEAR:
        message = f"{message}: years begin with 0001."
        raise ValueError(message)
    if not 1 <= month <= _MONTHS:
        message = f"{message}: a year has the months 01 to {_MONTHS}."
        raise ValueError(message)


def _time_ago(match: re.Match[str], today: date) -> date:
    """The day before today by a number of days, weeks, months or years; a month with fewer days ends earlier."""
    number, unit = int(match[1]), match[2]
    if unit not in {"d", "w", "m", "y"}:
        message = f"{match[0]!r} has no unit that is known: write 30d (days), 2w (weeks), 3m (months) or 1y (years)."
        raise ValueError(message)
    if not number:
        message = f"{match[0]!r} is no time ago: numbers begin with 1, and this day is called today."
        raise ValueError(message)
    if unit in {"d", "w"}:
        return date.fromordinal(max(today.toordinal() - number * (_WEEK_DAYS if unit == "w" else 1), 1))
    months = today.year * _MONTHS + today.month - 1 - number * (_MONTHS if unit == "y" else 1)
    year, month = divmod(max(months, MINYEAR * _MONTHS), _MONTHS)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
