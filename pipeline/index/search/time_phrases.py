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

from pipeline.language.date_terms import MONTHS
from pipeline.language.folding import flat

SPILL = timedelta(days=7)
"""What happened on a day is told in the days after it too."""
_EARLIEST, _LATEST = date(1900, 1, 1), date(9000, 1, 1)  # so that no phrase leads beyond what a date can be
_WEEK, _MONTH = 7, 31
_INSIDE = ((_WEEK, 1.0), (_MONTH, 0.5))
_INSIDE_LONGER = 0.1

_SHORT = 4  # letters
_PREPOSITION = 10  # characters at most, and the space after it
_DOUBTFUL = {word for word in MONTHS if len(word) <= _SHORT} - {"luty", "june", "july"} | {"march", "maja", "august"}
"""Words that are months only beside a day, a year or a preposition."""
_BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|during|last|this|of|early|late|mid|from|w|od|do|przed|po)[ -]$"
)
_NUMBERS = {
    word: number
    for number, words in {
        1: "a an one jeden 一 rok tydzien miesiac dzien",
        2: "two couple dwa dwie 二 两",
        3: "three few trzy kilka 三 几",
        4: "four cztery 四",
        5: "five piec 五",
        6: "six szesc 六",
        7: "seven siedem 七",
        8: "eight osiem 八",
        9: "nine dziewiec 九",
        10: "ten dziesiec 十",
        11: "eleven 十一",
        12: "twelve 十二",
    }.items()
    for word in words.split()
}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_UNITS = (
    ("day", r"days?|dni|dzien|天|日"),
    ("week", r"weeks?|tygodni\w*|tydzien|个?星期|周|个?礼拜"),
    ("month", r"months?|miesi\w+|个月"),
    ("year", r"years?|lat|lata|rok|roku|年"),
)
_WEEKDAYS = (
    r"monday|poniedzialek",
    r"tuesday|wtorek",
    r"wednesday|srode|sroda",
    r"thursday|czwartek",
    r"friday|piatek",
    r"saturday|sobote|sobota",
    r"sunday|niedziele|niedziela",
)
_LAST = r"(?:last|previous|zeszl\w+|ubiegl\w+|poprzedni\w*|minion\w+)"
_THIS = r"(?:this|tym|ten|tego)"

_MONTH_WORDS = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY_FIRST = rf"(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?\b(?P<month>{_MONTH_WORDS})\b"
_NAMED = re.compile(
    _DAY_FIRST + r"\.?(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?(?![\d:]))?(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?"
)
_NUMERIC = re.compile(
    r"(?<![\d.])(?:(?P<year>(?:19|20)\d\d)([-/.])(?P<month>\d{1,2})(?:\2(?P<day>\d{1,2}))?|"
    r"(?P<day2>\d{1,2})\.(?P<month2>\d{1,2})\.(?P<year2>(?:19|20)\d\d))(?![\d])"
)
_CHINESE = re.compile(
    r"(?:(?P<year>(?:19|20)\d\d)\s*年\s*)?(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月(?:份|\s*(?P<day>\d{1,2})\s*[日号])?"
)
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
class Period:
    """Days from `first` to `last`, both inside; with `every_year` the same days of any year."""

    first: date
    last: date
    every_year: bool = False

    def nearness(self, day: date) -> float:
        """How well a day fits, 0 to 1: the shorter the period, the more it says; just after it counts half."""
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

    def _shifted(self, year: int) -> "Period | None":
        return Period(_in_year(self.first, year), _in_year(self.last, year)) if year >= date.min.year else None


def periods(text: str, today: date) -> tuple[Period, ...]:
    """The periods that a question names, in the order found, each once; `today` is what relative ones count from."""
    plain, today = flat(text), min(max(today, _EARLIEST), _LATEST)
    dates = list(chain(_numeric(plain), _named(plain), _chinese(plain)))
    years = () if dates else _years(plain)
    found = chain(dates, years, _relative(plain, today), _ago(plain, today), _weekdays(plain, today))
    return tuple(dict.fromkeys(found))


def _numeric(plain: str) -> Iterator[Period]:
    for found in _NUMERIC.finditer(plain):
        told = found.groupdict()
        year, month, day = (told[name] or told.get(f"{name}2") for name in ("year", "month", "day"))
        yield from _period(int(year or 0), int(month or 0), int(day) if day else None)


def _named(plain: str) -> Iterator[Period]:
    for found in _NAMED.finditer(plain):
        day, year = found["before"] or found["after"], found["year"]
        alone = not day and not year
        if (
            alone
            and found["month"] in _DOUBTFUL
            and not _BEFORE_MONTH.search(plain, max(0, found.start() - _PREPOSITION), found.start())
        ):
            continue
        yield from _period(int(year) if year else None, MONTHS[found["month"]], int(day) if day else None)


def _chinese(plain: str) -> Iterator[Period]:
    for found in _CHINESE.finditer(plain):
        month = _number(found["month"]) or 0
        day = int(found["day"]) if found["day"] else None
        yield from _period(int(found["year"]) if found["year"] else None, month, day)


def _years(plain: str) -> Iterator[Period]:
    for found in _YEAR.finditer(plain):
        year = int(found["year"] or found["plain"])
        yield Period(date(year, 1, 1), date(year, 12, 31))


def _in_year(day: date, year: int) -> date:
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def _period(year: int | None, month: int, day: int | None) -> Iterator[Period]:
    """A day or a month; nothing when there is no such day. Without a year, that of any (a leap year knows all days)."""
    known = year or 2000
    try:
        first = date(known, month, day or 1)
    except ValueError:
        return
    last = first if day else first.replace(day=monthrange(known, month)[1])
    yield Period(first, last, every_year=year is None)


def _relative(plain: str, today: date) -> Iterator[Period]:
    for pattern, resolve in _PHRASES:
        if pattern.search(plain):
            yield resolve(today)


def _ago(plain: str, today: date) -> Iterator[Period]:
    for unit, pattern in _AGO:
        for found in pattern.finditer(plain):
            if number := _number(found["number"] or found["chinese"]):
                yield from _back(today, unit, number)
    for unit, pattern in _AGO_ALONE:
        if pattern.search(plain):
            yield from _back(today, unit, 1)


def _back(today: date, unit: str, number: int) -> Iterator[Period]:
    """Around that day: people round, and the more the longer it is ago."""
    days = _UNIT_DAYS[unit]
    try:
        middle = today - timedelta(days=number * days)
        yield Period(middle - timedelta(days=days // 2), middle + timedelta(days=days // 2))
    except OverflowError:
        return


def _weekdays(plain: str, today: date) -> Iterator[Period]:
    for weekday, words in enumerate(_WEEKDAYS):
        if re.search(rf"\b{_LAST}\s+(?:{words})\b", plain):
            yield _day(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    for found in re.finditer(r"上个?(?:周|星期|礼拜)([一二三四五六日天])", plain):
        monday = today - timedelta(days=today.weekday() + 7)
        yield _day(monday + timedelta(days=min("一二三四五六日天".index(found[1]), 6)))


def _number(word: str) -> int | None:
    """A number in digits or in a small word; `None` when it is neither."""
    return int(word) if word.isascii() and word.isdigit() else _NUMBERS.get(word)


def _day(day: date) -> Period:
    return Period(day, day)


def _days_back(number: int, today: date) -> Period:
    return _day(today - timedelta(days=number))


def _week(back: int, today: date) -> Period:
    monday = today - timedelta(days=today.weekday() + 7 * back)
    return Period(monday, monday + timedelta(days=6))


def _month(back: int, today: date) -> Period:
    year, month = divmod(today.year * 12 + today.month - 1 - back, 12)
    return Period(date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1]))


def _year(back: int, today: date) -> Period:
    return Period(date(today.year - back, 1, 1), date(today.year - back, 12, 31))


def _lately(today: date) -> Period:
    return Period(today - timedelta(days=27), today)


_CHINESE_WEEK = r"个?(?:周|星期|礼拜)(?![一二三四五六日天])"
_PHRASES = tuple(
    (re.compile(pattern), resolve)
    for pattern, resolve in (
        (r"\btoday\b|\bdzis(?:iaj)?\b|今天|今日", partial(_days_back, 0)),
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
