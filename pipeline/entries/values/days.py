"""The days that a text names on the day it was said: dates, days of the week, months and years."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from pipeline.language.date_terms import HAN_WEEK, HAN_WEEKDAYS, WEEKDAYS
from pipeline.language.dates import NamedDate, placed_dates, weekdays
from pipeline.language.lexicon import cues
from pipeline.language.number_words import numbers
from pipeline.language.time_ranges.reading import periods
from pipeline.language.time_ranges.spans import DaySpan, Unit, shift_day

_WEEK, _YEAR_DAYS = 7, 365
_YEAR = re.compile(r"(?<![\d.,:/-])(?:19|20)\d\d(?![\d.,:/-]*\d)")
_PAIR = re.compile(r"(?<![\d./-])(?P<first>\d{1,2})[/.](?P<second>\d{1,2})(?![\d/]|\.\d)")
_ROMAN = cues("i; ii; iii; iv; v; vi; vii; viii; ix; x; xi; xii")
_ROMAN_MONTH = re.compile(  # `20 ii`
    r"(?<![\w.])(?P<day>\d{1,2})[. ](?P<month>" + "|".join(sorted(_ROMAN, key=len, reverse=True)) + r")(?![\w])"
)
_SHORT = r"(?P<{}>mon|tues?|wed|thu(?:rs)?|fri|sat|sun|pon|wt|sr|czw|pt|sob|ndz|niedz)"
_SHORT_DAY = re.compile(rf"\b{_SHORT.format('short')}\b\.?")
_SHORT_OF = {
    **dict(zip(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), WEEKDAYS, strict=True)),
    **dict(zip(("pon", "wt", "sr", "czw", "pt", "sob", "ndz"), WEEKDAYS, strict=True)),
    "tues": "tue",
    "thurs": "thu",
    "niedz": "sun",
}
_ORDER = list(WEEKDAYS)
_DAY_OF_WEEK = re.compile(
    "|".join(rf"\b(?:{names})\b" for names in WEEKDAYS.values())
    + rf"|(?<![一二两三四五六七八九十几\d]){HAN_WEEK}[{HAN_WEEKDAYS}]"
)
_UNITS = {
    **dict.fromkeys(("day", "dni", "天"), Unit.DAY),
    **dict.fromkeys(("week", "tydz", "tygo", "周", "星期", "礼拜"), Unit.WEEK),
    **dict.fromkeys(("mont", "mies", "个月"), Unit.MONTH),
}
_UNIT = re.compile(rf"[ -]?(?:个(?!月))?(?P<unit>{'|'.join(_UNITS)})")
_ONE_UNIT = re.compile(r"\bza (?P<unit>tydzien|miesiac)\b")
_FAR = 100  # days, weeks or months: no text counts as far
_FEAST = re.compile(  # before a day of the week that is a name: `black `, `wielki `
    r"\b(?:black|good|fat|ash|easter|cyber|palm|wielk\w{1,3}|tlust\w{1,3}|czarn\w{1,3}|popielcow\w{1,3}) $"
)
_FEAST_REACH = 14  # characters
_RANGE_BEFORE = re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|日|号)? ?- ?$")
_RANGE_AFTER = re.compile(r"(?:日|号)? ?- ?(?P<day>\d{1,2}) ?(?:日|号)?(?![\d:.%])")


@dataclass
class DaysSaid:
    """The days, months, years and days of the week of which messages speak, each on its own day."""

    days: set[date] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    years: set[int] = field(default_factory=set)
    weekdays: set[str] = field(default_factory=set)
    own: set[date] = field(default_factory=set)

    def add(self, text: str, flat: str, day: date) -> None:
        """Add the dates that a text says on a day."""
        self.own.add(day)
        self.years.add(day.year)
        self.weekdays.update(weekdays(flat), (_SHORT_OF[match["short"]] for match in _SHORT_DAY.finditer(flat)))
        for span in periods(text, day):
            self._span(span, day)
        for named in (*(dated for _, dated, _, _ in dates_of(flat)), *_pairs(flat)):
            self.months.add(named.month)
            years = (named.year,) if named.year else (day.year - 1, day.year, day.year + 1)
            self.days |= {date(year, named.month, named.day) for year in years if named.day and _exists(year, named)}
            if named.year:
                self.years.add(named.year)
        self.years |= {int(match[0]) for match in _YEAR.finditer(flat)}
        self.days |= set(_away(flat, day))
        near = (day + timedelta(days=after) for after in range(1 - _WEEK, _WEEK + 1))
        self.days |= {near_day for near_day in near if _ORDER[near_day.weekday()] in self.weekdays}

    def _span(self, span: DaySpan, day: date) -> None:
        if span.every_year:
            for year in (day.year - 1, day.year, day.year + 1):
                if settled := span.in_year(year):
                    self._bounds(settled)
            return
        self._bounds(span)
        self.years |= {span.first.year, span.last.year}
        if span.first == span.last:
            self.weekdays.add(_ORDER[span.first.weekday()])

    def _bounds(self, span: DaySpan) -> None:
        """The first and the last day, and the one in the middle: a week away is any day around it."""
        middle = span.first + (span.last - span.first) / 2
        self.days |= {span.first, middle, span.last}
        if (span.last - span.first).days < _YEAR_DAYS:
            self.months |= {span.first.month, span.last.month}

    def has(self, named: NamedDate, numbers: Iterable[int]) -> bool:
        """Whether it speaks of a day, or of a month; a day of a month that is near may be named by its number alone."""
        return self._has_day(named, set(numbers)) and (named.year is None or self._has_year(named.year, named.month))

    def _has_day(self, named: NamedDate, numbers: set[int]) -> bool:
        near = {(day.month + after - 1) % 12 + 1 for day in self.own for after in (-1, 0, 1)}
        if named.day is None:
            return named.month in self.months or any(day.month == named.month for day in self.days | self.own)
        if any((day.month, day.day) == (named.month, named.day) for day in self.days | self.own):
            return True
        return named.day in numbers and (named.month in near or named.month in self.months)

    def _has_year(self, year: int, month: int | None = None) -> bool:
        """Whether it speaks of a year; that of a month that lies ahead is the next one."""
        ahead = any(month is not None and year == day.year + 1 and month < day.month for day in self.own)
        return year in self.years or ahead

    def has_year(self, year: int) -> bool:
        """Whether it speaks of a year, by its number or by a month that comes in it."""
        return any(self._has_year(year, month) for month in (None, *self.months))


def _away(flat: str, day: date) -> Iterator[date]:
    """The days so far from a day as a text counts in days, weeks or months: in two weeks, za tydzień, 三天后."""
    for match in _ONE_UNIT.finditer(flat):
        yield shift_day(day, _UNITS[match["unit"][:4]], 1)
    for number in numbers(flat):
        unit = _UNIT.match(flat, number.end)
        count = next((int(value) for value in number.values if value.denominator == 1 and value < _FAR), 0)
        if unit and count:
            kind = next(kind for beginning, kind in _UNITS.items() if unit["unit"].startswith(beginning))
            yield shift_day(day, kind, count)


def dates_of(flat: str) -> Iterator[tuple[re.Match[str], NamedDate, int, int]]:
    """The dates of a flat text with the places where they begin and end, and the days of one month joined to them."""
    for match, named in placed_dates(flat):
        start, end = match.span()
        yield match, named, start, end
        for other in (_RANGE_BEFORE.search(flat, max(0, start - 8), start), _RANGE_AFTER.match(flat, end)):
            if (
                other
                and named.day
                and _exists(named.year or 2000, joined := NamedDate(named.month, int(other["day"]), named.year))
            ):
                yield match, joined, other.start("day"), other.end("day")


def years_of(flat: str) -> Iterator[re.Match[str]]:
    """The years of a flat text, in digits."""
    return _YEAR.finditer(flat)


def placed_weekdays(flat: str) -> Iterator[tuple[int, int, str]]:
    """The days of the week of a flat text by their full names, with their places."""
    for match in _DAY_OF_WEEK.finditer(flat):
        if _FEAST.search(flat, max(0, match.start() - _FEAST_REACH), match.start()):
            continue
        for name in weekdays(match[0]):
            yield *match.span(), name


def weekday_of(named: NamedDate, near: Iterable[date]) -> set[str]:
    """The days of the week of a date; without a year, in the years that are near."""
    years = {named.year} if named.year else {day.year + (named.month < day.month) for day in near}
    return {
        _ORDER[date(year, named.month, named.day).weekday()] for year in years if named.day and _exists(year, named)
    }


def _pairs(flat: str) -> Iterator[NamedDate]:
    """Dates of two numbers, in either order: 3/17, 10.02; and 20 II."""
    for match in _PAIR.finditer(flat):
        first, second = int(match["first"]), int(match["second"])
        for month, day in ((first, second), (second, first)):
            if _exists(2000, named := NamedDate(month, day)):
                yield named
    for match in _ROMAN_MONTH.finditer(flat):
        if _exists(2000, named := NamedDate(_ROMAN.index(match["month"]) + 1, int(match["day"]))):
            yield named


def _exists(year: int, named: NamedDate) -> bool:
    try:
        date(year, named.month, named.day or 1)
    except ValueError:
        return False
    return True
