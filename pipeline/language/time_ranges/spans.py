"""Days in a row, and the weeks, months and years of the calendar. A week begins on Monday."""

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum, StrEnum, auto
from functools import cached_property
from typing import Final

from pipeline.language.date_terms import HAN_WEEK, HAN_WEEKDAYS
from pipeline.language.folding import flat
from pipeline.language.numerals import small_number

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)


_PIECE = re.compile(r"\s+|.", re.DOTALL)
_ODD_SPACE = re.compile(r"\s\s|[^\S ]")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c~"), "-")
_NO_END = "".join(rf"(?<!\b{short})" for short in ("pon", "wt", "sr", "czw", "pt", "sob", "ndz", "r"))
_END_OF_CLAUSE = re.compile(
    rf"(?:{_NO_END}\.|[!?])(?: |$)|[,;:。！？；，：\n()]|\b(?:that|when|where|ze|gdy|kiedy|zeby)\b"
)
_NEAR = 200  # characters on either side: reading stays linear in a text without marks


@dataclass(frozen=True)
class PlacedText:
    """`plain` is the flat text, with one space for white space and a hyphen for any dash; `places` lead to `text`."""

    text: str
    plain: str
    places: Sequence[int]

    def start(self, at: int) -> int:
        """The place in the text at which a character of the plain text begins."""
        return self.places[at]

    def end(self, at: int) -> int:
        """The place in the text at which the characters before this character end."""
        return max(self.places[at], self.places[at - 1] + 1)

    def original_text(self, start: int, end: int) -> str:
        """The text as its author wrote it, of a stretch of the plain text."""
        return self.text[self.start(start) : self.end(end)]

    def clause(self, at: int) -> str:
        """The clause around a place of the plain text, or so much of it as is near."""
        index = bisect_left(self._ends, at + 1)
        start, end = self._ends[max(index - 1, 0)], self._ends[min(index, len(self._ends) - 1)]
        return self.plain[max(start, at - _NEAR) : min(end, at + _NEAR)]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """The places in the plain text at which clauses end, and 0."""
        return (0, *(match.end() for match in _END_OF_CLAUSE.finditer(self.plain)), len(self.plain))


def flatten_text(text: str) -> PlacedText:
    """The flat form of a text, character by character."""
    if text.isascii() and not _ODD_SPACE.search(text):
        return PlacedText(text, text.lower().translate(_DASHES), range(len(text) + 1))
    pieces, places = list[str](), list[int]()
    for match in _PIECE.finditer(text):
        blank = "\n" if match[0].count("\n") > 1 else " "
        piece = blank if match[0].isspace() else flat(match[0]).translate(_DASHES)
        pieces.append(piece)
        places.extend([match.start()] * len(piece))
    return PlacedText(text, "".join(pieces), (*places, len(text)))


EARLIEST, LATEST = date(1900, 1, 1), date(8000, 1, 1)
"""Days that phrases count from lie between these, so that no phrase leads beyond what a date can be."""
LEAP_YEAR = 2000
"""Stands for any year: it has all days."""
MONTHS_OF_QUARTER = 3
_MONTHS_OF_YEAR = 12


class Unit(StrEnum):
    """The precision with which a time is named."""

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
    """The span of a day, so many days after another day."""
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
    """The span of so many whole months."""
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


def shift_day(today: date, unit: Unit, count: int) -> date:
    """The day so many units later, or earlier when negative; the 31st becomes the last of a shorter month."""
    if unit in {Unit.DAY, Unit.WEEK}:
        return today + timedelta(days=count * (7 if unit is Unit.WEEK else 1))
    first = month(today, count * {Unit.MONTH: 1, Unit.QUARTER: MONTHS_OF_QUARTER}.get(unit, _MONTHS_OF_YEAR))
    return first.first.replace(day=min(today.day, first.last.day))


def _same_day(of: date, in_year: int) -> date:
    return of.replace(year=in_year, day=min(of.day, monthrange(in_year, of.month)[1]))


YEAR: Final = r"(?:19|20)\d\d"
_NUMERALS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
ROMAN: Final = {name: index for index, name in enumerate(_NUMERALS, start=1)}
LAST_PL: Final = r"(?:zeszl|ubiegl|minion)\w{1,3}|poprzedni\w{0,3}"
THIS_PL: Final = r"tym|ten|tego|te|ta|tej|biezac\w{1,3}"
NEXT_PL: Final = r"przyszl\w{1,3}|nastepn\w{1,3}"

# Behind these a character of a weekday belongs to another word: 上周一共, 上周三个人, 上周日本.
_OTHER_WORD: Final = (
    r"(?!一[共直样些般定个次下半边旦]|[二三四五六][十百千万个次位名项款条件]|日[本常程志期报语元用益]|天[气津空使])"
)
HAN_WEEKDAY: Final = rf"{_OTHER_WORD}[{HAN_WEEKDAYS}]"
HAN_WEEK_ALONE: Final = rf"(?<!以)个?(?:{HAN_WEEK})(?![期边围转末年易到知])(?!{HAN_WEEKDAY})"
HAN_MONTH_ALONE: Final = r"个?月(?![亮球饼])"

EN_UNITS: Final = {Unit.DAY: "days?", Unit.WEEK: "weeks?", Unit.MONTH: "months?", Unit.YEAR: "years?"}
PL_UNITS: Final = {
    Unit.DAY: r"dni|dzien|dnia",
    Unit.WEEK: r"tydzien|tygodni\w{0,3}",
    Unit.MONTH: r"miesiac\w{0,3}|miesiec\w{1,3}",
    Unit.YEAR: r"lat|lata|rok|roku",
}
HAN_UNITS: Final = {Unit.DAY: "[天日]", Unit.WEEK: f"个?{HAN_WEEK}", Unit.MONTH: "个月", Unit.YEAR: "年"}

FEW: Final = r"few|several|kilka|kilku|pare|paru|好?几"
COUPLE: Final = r"couple(?: of)?"
_INFLECTED: Final = (
    *("jednego", "dwoch", "trzech", "czterech", "pieciu"),
    *("szesciu", "siedmiu", "osmiu", "dziewieciu", "dziesieciu"),
)
_HAN_DIGITS: Final = "零一二三四五六七八九"
_TEN = 10


def number(word: str) -> int | None:
    """A whole number of a plain text, in digits, in a word up to twelve, or in Chinese characters below a hundred."""
    if word in _INFLECTED:
        return _INFLECTED.index(word) + 1
    return small_number(word) or _han_number(word)


def _han_number(word: str) -> int | None:
    tens, ten, ones = word.rpartition("十")
    if not all(len(part) <= 1 and part in _HAN_DIGITS for part in (tens, ones)) or not ten:
        return None
    return _TEN * (_HAN_DIGITS.index(tens) if tens else 1) + (_HAN_DIGITS.index(ones) if ones else 0)


class Boundary(Enum):
    """The extent of a time beyond its days. `FROM` leads on from a time ahead, and names the origin of a past thing."""

    WITHIN = auto()
    SINCE = auto()
    FROM = auto()
    UNTIL = auto()


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase from `start` to `end` of a plain text, and the days it names.

    A mention without `span` is a day of the week, or a weekend, of a week that the text does not name: `weekday` and
    `days` tell which. A `partial` one counts only in a part of it: `the end of the month`. What is not `sure` helps a
    question and is no time of a fact.
    """

    start: int
    end: int
    span: DaySpan | None
    unit: Unit = Unit.DAY
    sure: bool = True
    partial: bool = False
    weekday: int = 0
    days: int = 1
    boundary: Boundary = Boundary.WITHIN
