"""The day that a file is about: by its name, its front matter, or its first heading."""

import re
from collections.abc import Iterator
from datetime import date

_DAY = re.compile(r"(?<!\d)(\d{4})(?:-(\d{2})-(\d{2})|(\d{2})(\d{2})|\u5e74(\d{1,2})\u6708(\d{1,2})\u65e5)(?!\d)")
_WEEK = re.compile(r"(?<!\d)(\d{4})-?W(\d{2})(?!\d)")
_MONTH = re.compile(r"(?<!\d)(\d{4})-(\d{2})(?!-?\d)")
_EARLIEST, _LATEST = 1900, 2199
_SUNDAY = 7


def day_in(text: str) -> date | None:
    """The first day in a text, or the Sunday of the first ISO week, or the first day of the first month.

    `None` when there is none of these.
    """
    return next(_days(text), None)


def _days(text: str) -> Iterator[date]:
    for match in _DAY.finditer(text):
        year, *rest = (int(part) for part in match.groups() if part)
        if day := _day(year, rest[0], rest[1]):
            yield day
    for match in _WEEK.finditer(text):
        if day := _sunday(int(match.group(1)), int(match.group(2))):
            yield day
    for match in _MONTH.finditer(text):
        if day := _day(int(match.group(1)), int(match.group(2)), 1):
            yield day


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if _EARLIEST <= year <= _LATEST else None
    except ValueError:
        return None


def _sunday(year: int, week: int) -> date | None:
    try:
        return date.fromisocalendar(year, week, _SUNDAY) if _EARLIEST <= year <= _LATEST else None
    except ValueError:
        return None
