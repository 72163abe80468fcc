"""The days that a text names, in English, Polish and Chinese: dates, days of the week, parts of the day.

The index has stricter forms of its own for the terms of dates (`date_terms`): a pattern there begins at a word of any
text, and its matches are stored.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from pipeline.language.date_terms import (
    DOUBTFUL,
    HAN_PARTS_OF_DAY,
    HAN_WEEK,
    HAN_WEEKDAYS,
    MONTH,
    MONTHS,
    PARTS_OF_DAY,
    TODAY,
    WEEKDAYS,
)
from pipeline.language.numerals import small_number

_LEAP_YEAR = 2000  # where no year is named, any day there is will do
_Y = r"(?:19|20)\d\d"
_DIGITS = re.compile(
    rf"(?<![\d.])(?:(?P<year>{_Y})([-/.])(?P<month>\d{{1,2}})(?:\2(?P<day>\d{{1,2}}))?"
    rf"|(?P<day2>\d{{1,2}})\.(?P<month2>\d{{1,2}})\.(?P<year2>{_Y}))(?!\d)"
)
_NAME = re.compile(
    rf"(?:(?<![\w.:])(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?\b(?P<month>{MONTH})\b\.?"
    rf"(?:\s+(?:the\s+)?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:]|\.\d))?(?:,?\s+(?P<year>{_Y})\b)?"
)
_HAN = re.compile(
    rf"(?:(?P<year>{_Y})\s*年\s*)?(?P<month>\d{{1,2}}|十[一二]?|[一二三四五六七八九])\s*月"
    r"(?:份|\s*(?P<day>\d{1,2})(?:\s*[日号]|(?=[以之前后到至起]|[^\w.:%]|$)))?"
)
_FORMS = (_DIGITS, _NAME, _HAN)
_LETTER_FORMS = (_DIGITS, _NAME)
_BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|during|last|this|of|early|late|mid|from|w|od|do|przed|po|"
    r"poczat(?:ek|ku)|kon(?:iec|ca|cu)|polow[aey]|polowie|tygodniu)[ -]$"
)
_PREPOSITION = 10  # characters at most, and the space after it

_TODAY = re.compile(TODAY)
_WEEKDAY, _PART_OF_DAY = (
    re.compile(r"\b(?:" + "|".join(f"(?P<{group}>{names})" for group, names in names_of.items()) + r")\b")
    for names_of in (WEEKDAYS, PARTS_OF_DAY)
)
_HAN_WEEKDAY = re.compile(rf"(?<![一二两三四五六七八九十几\d]){HAN_WEEK}([{HAN_WEEKDAYS}])")
_HAN_NAMES = dict(zip(HAN_WEEKDAYS, (*WEEKDAYS, "sun"), strict=True))
_HAN_PART_OF_DAY = re.compile("|".join(HAN_PARTS_OF_DAY))
_NAMES = (_WEEKDAY, _HAN_WEEKDAY, _PART_OF_DAY, _HAN_PART_OF_DAY, _TODAY)
_LETTER_NAMES = (_WEEKDAY, _PART_OF_DAY, _TODAY)


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A day, or a month without `day`; the same in any year without `year`. There is such a day."""

    month: int
    day: int | None = None
    year: int | None = None


def placed_dates(flat: str) -> Iterator[tuple[re.Match[str], NamedDate]]:
    """The dates of a flat text and their places: first those in digits, then those with a name, then the Chinese."""
    return ((match, named) for form in _FORMS for match in form.finditer(flat) if (named := _read(match)))


def dates(flat: str, today: date) -> frozenset[str]:
    """The days of a flat text as month and day, `2-20`; `today` is the day of the message."""
    today_key = {f"{today.month}-{today.day}"} if _TODAY.search(flat) else set()
    return frozenset(today_key | {f"{named.month}-{named.day}" for _, named in placed_dates(flat) if named.day})


def weekdays(flat: str) -> frozenset[str]:
    """The days of the week in a flat text, `mon` to `sun`."""
    names = {str(match.lastgroup) for match in _WEEKDAY.finditer(flat)}
    return frozenset(names | {_HAN_NAMES[match[1]] for match in _HAN_WEEKDAY.finditer(flat)})


def parts_of_day(flat: str) -> frozenset[str]:
    """Mornings, evenings and the like in a flat text."""
    names = {str(match.lastgroup) for match in _PART_OF_DAY.finditer(flat)}
    return frozenset(names | {HAN_PARTS_OF_DAY[name] for name in _HAN_PART_OF_DAY.findall(flat)})


def remove_days(flat: str) -> str:
    """A flat text without its days: a day is when, not what."""
    forms, names = (_LETTER_FORMS, _LETTER_NAMES) if flat.isascii() else (_FORMS, _NAMES)
    for form in forms:
        flat = form.sub(_blank, flat)
    for pattern in names:
        flat = pattern.sub(" ", flat)
    return flat


def _blank(match: re.Match[str]) -> str:
    named = _read(match)
    return " " if named and named.day else match[0]


def _read(match: re.Match[str]) -> NamedDate | None:
    """The values of a match of a form; nothing when there is no such day, or the month's name is another word."""
    parts = {name.rstrip("2"): value for name, value in reversed(match.groupdict().items()) if value}
    year, day = (int(parts[name]) if name in parts else None for name in ("year", "day"))
    if not (year or day) and parts["month"] in DOUBTFUL and not after_preposition(match):
        return None
    month = MONTHS.get(parts["month"]) or small_number(parts["month"]) or 0
    try:
        date(year or _LEAP_YEAR, month, 1 if day is None else day)
    except ValueError:
        return None
    return NamedDate(month, day, year)


def after_preposition(match: re.Match[str]) -> bool:
    """Whether a date stands behind a word that times stand behind."""
    start = match.start()
    return _BEFORE_MONTH.search(match.string, max(0, start - _PREPOSITION), start) is not None
