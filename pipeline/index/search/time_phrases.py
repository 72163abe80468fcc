"""The time that a question names, in English, Polish and Chinese: it raises hits and leaves none out.

A small table. A library for such phrases was tried and left: dateparser reads "May the" and "we" (Wednesday) as dates,
passes over "w zeszłym tygodniu", and takes its time.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import chain

from pipeline.language.calendar_names import HAN_WEEK, HAN_WEEKDAYS, TODAY, WEEKDAYS
from pipeline.language.dates import NamedDate, named_dates
from pipeline.language.folding import flat
from pipeline.language.numerals import small_number

SPILL = timedelta(days=7)
"""Events of a day are mentioned in the days after it too."""
_EARLIEST, _LATEST = date(1900, 1, 1), date(9000, 1, 1)  # so that no phrase leads beyond what a date can be
_WEEK, _MONTH = 7, 31
_INSIDE = ((_WEEK, 1.0), (_MONTH, 0.5))
_INSIDE_LONGER = 0.1
_LEAP_YEAR = 2000

_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_UNITS = (
    ("day", r"days?|dni|dzien|天|日"),
    ("week", r"weeks?|tygodni\w*|tydzien|个?星期|周|个?礼拜"),
    ("month", r"months?|miesi\w+|个月"),
    ("year", r"years?|lat|lata|rok|roku|年"),
)
_LAST = r"(?:last|previous|zeszl\w+|ubiegl\w+|poprzedni\w*|minion\w+)"
_THIS = r"(?:this|tym|ten|tego)"

_YEAR = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)\s*年|(?<![\w.:#/-])(?P<plain>(?:19|20)\d\d)(?![\w:/-]|\.\d)")
_AGO = tuple(
    (
        unit,
        re.compile(
            rf"(?:\b(?P<number>\d{{1,3}}|[a-z]{{1,10}})\s+(?:{words})\s+(?:ago|temu)\b|(?<!\d)(?P<chinese>\d{{1,3}}|[一二两三四五六七八九十几]{{1,2}})\s*(?:{words})(?:以)?前)"
        ),
    )
    for unit, words in _UNITS
)
_AGO_ALONE = tuple(
    (unit, re.compile(rf"\b{word} temu\b"))
    for unit, word in (("week", "tydzien"), ("month", "miesiac"), ("year", "rok"))
)


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Days from `first` to `last`, both inside; with `every_year` the same days of any year."""

    first: date
    last: date
    every_year: bool = False

    def nearness(self, day: date) -> float:
        """How well a day fits, 0 to 1: a short period weighs more; a day just after it counts half."""
        if not self.every_year:
            return self._nearness(day)
        shifted = (self._shifted(day.year + years) for years in (-1, 0))
        return max((period._nearness(day) for period in shifted if period), default=0.0)  # noqa: SLF001 - its own class

    def has(self, day: int) -> bool:
        """Whether a day, an ordinal, is inside."""
        if self.every_year:
            year = date.fromordinal(day).year
            return any(period.has(day) for period in (self._shifted(year - 1), self._shifted(year)) if period)
        return self.first.toordinal() <= day <= self.last.toordinal()

    def _nearness(self, day: date) -> float:
        length = (self.last - self.first).days + 1
        inside = next((worth for most, worth in _INSIDE if length <= most), _INSIDE_LONGER)
        if self.first <= day <= self.last:
            return inside
        spills = inside > _INSIDE_LONGER and timedelta() < day - self.last <= SPILL
        return inside / 2 if spills else 0.0

    def _shifted(self, year: int) -> "DaySpan | None":
        return DaySpan(_in_year(self.first, year), _in_year(self.last, year)) if year >= date.min.year else None


def periods(text: str, today: date) -> tuple[DaySpan, ...]:
    """The periods that a question names, in the order found, each once; `today` is what relative ones count from."""
    plain, today = flat(text), min(max(today, _EARLIEST), _LATEST)
    dates = list(map(_period, named_dates(plain)))
    years = () if dates else _years(plain)
    spans = chain(dates, years, _relative(plain, today), _ago(plain, today), _weekdays(plain, today))
    return tuple(dict.fromkeys(spans))


def _years(plain: str) -> Iterator[DaySpan]:
    for match in _YEAR.finditer(plain):
        year = int(match["year"] or match["plain"])
        yield DaySpan(date(year, 1, 1), date(year, 12, 31))


def _in_year(day: date, year: int) -> date:
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def _period(named: NamedDate) -> DaySpan:
    """A day or a month. Without a year, that of any (a leap year knows all days)."""
    year = named.year or _LEAP_YEAR
    first = date(year, named.month, named.day or 1)
    last = first if named.day else first.replace(day=monthrange(year, named.month)[1])
    return DaySpan(first, last, every_year=named.year is None)


def _relative(plain: str, today: date) -> Iterator[DaySpan]:
    for pattern, resolve in _PHRASES:
        if pattern.search(plain):
            yield resolve(today)


def _ago(plain: str, today: date) -> Iterator[DaySpan]:
    for unit, pattern in _AGO:
        for match in pattern.finditer(plain):
            if number := small_number(match["number"] or match["chinese"]):
                yield from _back(today, unit, number)
    for unit, pattern in _AGO_ALONE:
        if pattern.search(plain):
            yield from _back(today, unit, 1)


def _back(today: date, unit: str, number: int) -> Iterator[DaySpan]:
    """Around that day: people round, and the more the longer it is ago."""
    days = _UNIT_DAYS[unit]
    try:
        middle = today - timedelta(days=number * days)
        yield DaySpan(middle - timedelta(days=days // 2), middle + timedelta(days=days // 2))
    except OverflowError:
        return


def _weekdays(plain: str, today: date) -> Iterator[DaySpan]:
    for weekday, words in enumerate(WEEKDAYS.values()):
        if re.search(rf"\b{_LAST}\s+(?:{words})\b", plain):
            yield _day(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    for match in re.finditer(rf"上个?{HAN_WEEK}([{HAN_WEEKDAYS}])", plain):
        monday = today - timedelta(days=today.weekday() + 7)
        yield _day(monday + timedelta(days=min(HAN_WEEKDAYS.index(match[1]), 6)))


def _day(day: date) -> DaySpan:
    return DaySpan(day, day)


def _days_back(number: int, today: date) -> DaySpan:
    return _day(today - timedelta(days=number))


def _week(back: int, today: date) -> DaySpan:
    monday = today - timedelta(days=today.weekday() + 7 * back)
    return DaySpan(monday, monday + timedelta(days=6))


def _month(back: int, today: date) -> DaySpan:
    year, month = divmod(today.year * 12 + today.month - 1 - back, 12)
    return DaySpan(date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1]))


def _year(back: int, today: date) -> DaySpan:
    return DaySpan(date(today.year - back, 1, 1), date(today.year - back, 12, 31))


def _lately(today: date) -> DaySpan:
    return DaySpan(today - timedelta(days=27), today)


_CHINESE_WEEK = rf"个?{HAN_WEEK}(?![{HAN_WEEKDAYS}])"
_PHRASES = tuple(
    (re.compile(pattern), resolve)
    for pattern, resolve in (
        (TODAY, partial(_days_back, 0)),
        (r"(?<!before )\byesterday\b|\bwczoraj(?:szy\w*)?\b|昨天|昨日", partial(_days_back, 1)),
        (r"\bday before yesterday\b|\bprzedwczoraj\b|前天", partial(_days_back, 2)),
        (rf"\bthis week\b|\b{_THIS} (?:tygodni\w+|tydzien)\b|[这本]{_CHINESE_WEEK}", partial(_week, 0)),
        (rf"\blast week\b|\b{_LAST} (?:tygodni\w+|tydzien)\b|上{_CHINESE_WEEK}", partial(_week, 1)),
        (rf"\bthis month\b|\b{_THIS} miesi\w+\b|[这本]个?月", partial(_month, 0)),
        (rf"\blast month\b|\b{_LAST} miesi\w+\b|上个?月", partial(_month, 1)),
        (rf"\bthis year\b|\b{_THIS} rok\w?\b|今年", partial(_year, 0)),
        (rf"\blast year\b|\b{_LAST} rok\w?\b|去年", partial(_year, 1)),
        (r"\byear before last\b|\bprzedzeszl\w+ rok\w?\b|前年", partial(_year, 2)),
        (r"\brecent(?:ly)?\b|\blately\b|\bostatnio\b|\bniedawno\b|最近|近来", _lately),
    )
)
