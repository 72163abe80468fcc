"""Dates and months as they are written, and days side by side: 3-5 maja, Nov 27-30, 15.XI.2025, 12月三日到五日."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import replace

from pipeline.language.calendar_names import MONTH
from pipeline.language.dates import NamedDate, after_preposition, placed_dates
from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.mentions import Mention
from pipeline.language.time_ranges.places import PlacedText
from pipeline.language.time_ranges.spans import LEAP_YEAR, DaySpan, Unit
from pipeline.language.time_ranges.vocabulary import ROMAN, YEAR, number

_SLASHED = re.compile(rf"(?<![\w./-])(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<year>{YEAR})(?![\w/-])")
_SHORT_MONTHS = {"sty": 1, "lut": 2, "kwi": 4, "cze": 6, "lip": 7, "sie": 8, "wrz": 9, "paz": 10, "lis": 11, "gru": 12}
# Some shortened names are words ("2 się", "2 lis"): without a year, a mark has to follow.
_POLISH = re.compile(
    rf"(?<![\w.:/])(?P<day>\d{{1,2}})\.? ?"
    rf"(?:(?P<short>{'|'.join(_SHORT_MONTHS)})(?:\.? (?P<year>{YEAR})\b|\b(?<!sie)(?= ?(?:$|[.,;)])))"
    rf"|(?<=[\d. ])(?P<roman>{'|'.join(sorted(ROMAN, key=len, reverse=True))})[ .](?P<year2>{YEAR})\b)"
)
_ABBREVIATED = {"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
_HAN_DAY = re.compile(r"(?P<day>[一二三四五六七八九十]{1,3})[日号]")
_TO = r"(?: ?- ?| (?:to|till|until|through|thru|do|and|a) (?:the )?)"
_DAY_BEFORE = re.compile(rf"(?<![\w.:/$-])(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?{_TO}$")
_DAY_AFTER = re.compile(
    rf"(?:{_TO}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:/%]|[.-]\d| (?:{MONTH})\b)"
    rf"| ?(?:-|到|至) ?(?P<han>\d{{1,2}}|[一二三四五六七八九十]{{1,3}}) ?[日号])(?:,? (?P<year>{YEAR})\b)?"
)
_MONTH_BEFORE = re.compile(rf"\b(?:{MONTH})\.? (?:the )?$")
_AND = re.compile(r" (?:and|a) ")
_BETWEEN = re.compile(r"\b(?:between|miedzy|pomiedzy) $")
_FROM = re.compile(r"\b(?:from|od|between|miedzy|pomiedzy)(?: the)? $")
_IN_NAME = re.compile(rf"(?:[\w/\\#=@]|(?<![a-z])(?!(?:{MONTH})-)[a-z_]{{1,16}}-)$")
_GOES_ON = re.compile(rf"(?!t\d\d:?\d\d)[\w/\\=@]|-(?!(?:{MONTH})\b)\w{{0,16}}[a-z]|\.\w")
_YEAR_AND_MONTH = re.compile(rf"{YEAR}-\d\d|\d.*[a-z].*", re.DOTALL)
# "3 may", "march 5", where the name is a verb too, and a word that a date is not followed by.
_VERBS = {"may", "march", "mar"}
_DATED = re.compile(r"\b(?:in|on|since|until|till|by|from|of|od|do|w) $")
_NO_DATE = re.compile(
    r" (?!(?:at|and|or|to|till|until|through|for|in|on|we|i|he|she|they|it|with|the|was|is|as|of|that|by|from)\b)[a-z]"
)
_WORD = 18  # characters before a date that tell whether it is part of a name


def written_dates(text: PlacedText) -> Iterator[Mention]:
    """The mentions of dates and of months; without a year, of any."""
    for match, named in placed_dates(text.plain):
        if "ą" not in text.written(*match.span()).casefold():  # "3 mają" is no third of May
            yield _with_neighbour(_of_date(match, named), text.plain)
    for match, named in (*_slashed(text.plain), *_polish(text.plain)):
        yield _with_neighbour(Mention(*match.span(), _span(named), sure=_stands_free(match)), text.plain)


def _of_date(match: re.Match[str], named: NamedDate) -> Mention:
    spoken = None if named.day else _HAN_DAY.match(match.string, match.end())
    day = number(spoken["day"]) if spoken else None
    sure = _stands_free(match) and not _is_other_word(match, named)
    if spoken and day and _exists(named.year or LEAP_YEAR, named.month, day):
        return Mention(match.start(), spoken.end(), _span(replace(named, day=day)), sure=sure)
    is_stop = match[0].endswith(".") and match["month"] not in _ABBREVIATED  # it ends the sentence
    end = match.end() - int(is_stop)
    return Mention(match.start(), end, _span(named), Unit.DAY if named.day else Unit.MONTH, sure=sure)


def _is_other_word(match: re.Match[str], named: NamedDate) -> bool:
    """Whether it may be a verb, a person or a version: a name alone needs a preposition, 2024.1 is no month."""
    if not match[0].isascii() or (named.day and named.year):
        return False
    if named.day:
        name = match.groupdict().get("month")
        dated = _DATED.search(match.string, max(0, match.start() - _WORD), match.start())
        return name in _VERBS and not dated and _NO_DATE.match(match.string, match.end()) is not None
    return not (_YEAR_AND_MONTH.fullmatch(match[0]) or named.year or after_preposition(match)) or (
        match[0][0].isdigit() and not _YEAR_AND_MONTH.fullmatch(match[0])
    )


def _stands_free(match: re.Match[str]) -> bool:
    """Whether it is no part of a path, an address, an identifier or a moment."""
    start, end = match.span()
    if not match[0].isascii():
        return True
    in_name = _IN_NAME.search(match.string, max(0, start - _WORD), start)
    return not in_name and not _GOES_ON.match(match.string, end)


def _span(named: NamedDate) -> DaySpan:
    """A day or a month. Without a year, that of any."""
    whole = spans.months(named.year or LEAP_YEAR, named.month)
    span = spans.day(whole.first.replace(day=named.day)) if named.day else whole
    return replace(span, every_year=named.year is None)


def _slashed(plain: str) -> Iterator[tuple[re.Match[str], NamedDate]]:
    """Dates with slashes whose year is last, where one reading alone is possible."""
    for match in _SLASHED.finditer(plain):
        a, b, year = (int(match[group]) for group in ("a", "b", "year"))
        readings = {(month, day) for month, day in ((a, b), (b, a)) if _exists(year, month, day)}
        if len(readings) == 1:
            yield match, NamedDate(*readings.pop(), year)


def _polish(plain: str) -> Iterator[tuple[re.Match[str], NamedDate]]:
    """Dates with a month shortened, or in Roman numerals."""
    for match in _POLISH.finditer(plain):
        month = _SHORT_MONTHS.get(match["short"] or "") or ROMAN[match["roman"]]
        year = match["year"] or match["year2"]
        if _exists(int(year or LEAP_YEAR), month, int(match["day"])):
            yield match, NamedDate(month, int(match["day"]), int(year) if year else None)


def _exists(year: int, month: int, day: int) -> bool:
    return month in range(1, 13) and day in range(1, monthrange(year, month)[1] + 1)


def _with_neighbour(mention: Mention, plain: str) -> Mention:
    """With the day beside it that has the same month: 3-5 maja, Nov 27 to 30, 11月27日到30日."""
    span = mention.span
    if mention.unit is not Unit.DAY or span is None:
        return mention
    before = _DAY_BEFORE.search(plain, max(0, mention.start - _WORD), mention.start)
    if before and _leads(before, plain) and 0 < int(before["day"]) < span.first.day:
        days = replace(span, first=span.first.replace(day=int(before["day"])))
        return replace(mention, start=_begin(plain, before.start()), span=days)
    after = _DAY_AFTER.match(plain, mention.end)
    return _until_day(mention, span, after) if after and _joins(after[0], plain, mention.start) else mention


def _until_day(mention: Mention, span: DaySpan, after: re.Match[str]) -> Mention:
    day, year, month = (
        number(after["day"] or after["han"]) or 0,
        int(after["year"] or span.first.year),
        span.first.month,
    )
    if day <= span.first.day or not _exists(year, month, day):
        return mention
    first = span.first.replace(year=year)
    whole = DaySpan(first, first.replace(day=day), span.every_year and not after["year"])
    return replace(mention, start=_begin(after.string, mention.start), end=after.end(), span=whole)


def _begin(plain: str, at: int) -> int:
    """Where a stretch begins: with the word in front that says so."""
    prefix = _FROM.search(plain, max(0, at - _WORD), at)
    return prefix.start() if prefix else at


def _leads(before: re.Match[str], plain: str) -> bool:
    """Whether the day in front has no month of its own."""
    own_month = _MONTH_BEFORE.search(plain, max(0, before.start() - _WORD), before.start())
    return not own_month and _joins(before[0], plain, before.start())


def _joins(words: str, plain: str, start: int) -> bool:
    """And joins the ends of a stretch only behind a between."""
    return not _AND.search(words) or _BETWEEN.search(plain, max(0, start - _WORD), start) is not None
