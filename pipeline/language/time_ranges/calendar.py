"""Dates and months as they are written, and days side by side: 3-5 maja, Nov 27-30, 15.XI.2025, 12月三日到五日."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from pipeline.language.date_terms import MONTH, MONTHS
from pipeline.language.dates import NamedDate, after_preposition, placed_dates
from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.spans import (
    LEAP_YEAR,
    MONTHS_OF_QUARTER,
    ROMAN,
    YEAR,
    DaySpan,
    Mention,
    PlacedText,
    Unit,
    number,
)

# All patterns are over plain text, as `flatten_text` gives it: `2026年`, `2026`; `2024-2026`; `二〇二六年`.
_YEAR = re.compile(rf"(?<!\d)(?P<han>{YEAR}) ?年|(?<![\w.:#/-])(?P<plain>{YEAR})(?![\w:/-]|\.\d)")
_YEARS = re.compile(rf"(?<![\w.:#/-])(?P<first>{YEAR}) ?- ?(?P<last>{YEAR})(?![\w:/-]|\.\d)")
_FOUR_HAN = re.compile(r"(?P<digits>[一二][〇零一二三四五六七八九]{3})年")
_HAN_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_BEFORE = re.compile(  # before a year or a month: `since `, `w `, `mid-`
    r"(?:\b(?:in|since|during|until|till|by|from|of|early|late|mid|w|od|do|rok|roku|latach?) |\bmid-)$"
)
# Behind a year; a noun would be what there are so many of: in 2024 tests.
_BEHIND = re.compile(
    r" ?(?:$|[.,;:!?)\n-]|(?:and|or|with|when|as|at|we|i|he|she|they|it|to|oraz|z|po|przed|do|na|kiedy|gdy)\b)"
)
_DATED_UNIT = re.compile(r"\b(?:in|since|during|the|w) $")
_COUNTED = re.compile(r" (?!was\b|is\b|as\b|has\b|does\b|this\b)[a-z]{2,20}s\b")  # behind a number: ` tokens`
_ROK = re.compile(r"\broku? $")
_ROKU = re.compile(r" r\.| roku?\b")
_SAID_MONTH = re.compile(rf"\b(?P<which>last|this|next) (?P<month>{MONTH})\b(?! \d)")
_QUARTER = re.compile(  # `q3 2026`, `第三季度`, `second quarter`, `trzeci kwartal`, `iv kwartal`
    rf"\bq(?P<digit>[1-4])\b(?: ?'?(?P<year>{YEAR})\b)?|第(?P<han>[一二三四])季度"
    r"|\b(?P<en>first|second|third|fourth) quarter\b"
    r"|\b(?:(?P<pl>pierwsz|drugi|trzeci|czwart)\w{0,3}|(?P<roman>i|ii|iii|iv)) kwarta[lu]\w{0,2}\b"
)
_QUARTERS = {
    name: quarter
    for quarter, names in enumerate(
        ("first pierwsz 一 1", "second drugi 二 2", "third trzeci 三 3", "fourth czwart 四 4"), 1
    )
    for name in names.split()
}
_NTHS = {
    "first": 1,
    "fifth": 5,
    "tenth": 10,
    "fifteenth": 15,
    "twentieth": 20,
    "pierwszego": 1,
    "piatego": 5,
    "dziesiatego": 10,
    "pietnastego": 15,
    "dwudziestego": 20,
}
_NEXT_NTH = re.compile(  # `(until the )5th`, `(do )5-go`, `(到)5号`, `5号(之前)`
    r"(?:(?<=until the )|(?<=till the )|(?<=through the )|(?<=by the )|(?<=\bdo ))"
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|-go|-tego|-ego)|(?P<word>{'|'.join(_NTHS)}))(?= ?(?:$|[.,;:!?)\"\n]))"
    r"|(?<=到)(?P<han>\d{1,2})[日号](?!\d)|(?<![\d月.-])(?P<before>\d{1,2})[日号](?=之?前|为止)"
)
_WINDOW = 8  # characters
_NEAR_MONTHS = 4  # from which on "next May" is the coming one for sure


def calendar_unit_mentions(text: PlacedText, today: date) -> Iterator[Mention]:
    """The mentions of years, of quarters, of months counted from today, and of the next day with a number."""
    for match in _SAID_MONTH.finditer(text.plain):
        yield _of_said_month(match, today)
    for match in _QUARTER.finditer(text.plain):
        yield _of_quarter(match)
    for match in _NEXT_NTH.finditer(text.plain):
        yield from _next_nth(match, today)
    for match in _FOUR_HAN.finditer(text.plain):
        yield Mention(*match.span(), spans.months(int(match["digits"].translate(_HAN_DIGITS)), 1, 12), Unit.YEAR)
    for match in _YEARS.finditer(text.plain):
        first, count = int(match["first"]), int(match["last"]) - int(match["first"]) + 1
        if count > 1:
            yield Mention(
                *match.span(), spans.months(first, 1, 12 * count), Unit.YEAR, sure=_is_behind_preposition(match)
            )
    for match in _YEAR.finditer(text.plain):
        if not _is_count(match):
            whole = spans.months(int(match["han"] or match["plain"]), 1, 12)
            yield Mention(*match.span(), whole, Unit.YEAR, sure=match["plain"] is None or _is_year(match))


def _of_said_month(match: re.Match[str], today: date) -> Mention:
    """Last May, next May. A near one may be of this year or of the next."""
    month = MONTHS[match["month"]]
    back, forth = (today.month - month - 1) % 12 + 1, (month - today.month - 1) % 12 + 1
    after = {"last": -back, "next": forth}.get(match["which"], month - today.month)
    sure = match["which"] != "next" or forth >= _NEAR_MONTHS
    return Mention(*match.span(), spans.month(today, after), Unit.MONTH, sure=sure)


def _of_quarter(match: re.Match[str]) -> Mention:
    """A quarter; one of a game is first too, and q1 may be a question."""
    name = match["digit"] or match["han"] or match["en"] or match["pl"]
    index = ROMAN[match["roman"]] if match["roman"] else _QUARTERS[name]
    year = match["year"]
    span = spans.months(int(year or LEAP_YEAR), MONTHS_OF_QUARTER * (index - 1) + 1, MONTHS_OF_QUARTER)
    sure = bool(year or not (match["digit"] or match["en"]) or (match["digit"] and _is_behind_preposition(match)))
    return Mention(*match.span(), replace(span, every_year=not year), Unit.QUARTER, sure=sure)


def _next_nth(match: re.Match[str], today: date) -> Iterator[Mention]:
    """The next such day of a month: until the first, do 5-go, 5号之前."""
    digits = match["day"] or match["han"] or match["before"]
    day = int(digits) if digits else _NTHS[match["word"]]
    months = (spans.month(today, after) for after in (0, 1, 2))
    days = (month.first.replace(day=day) for month in months if 0 < day <= month.last.day)
    coming = next((that for that in days if that > today), None)
    if coming:
        yield Mention(*match.span(), spans.day(coming))


def _is_count(match: re.Match[str]) -> bool:
    """Whether it counts what is named behind it: 2000 tokens."""
    dated = _DATED_UNIT.search(match.string, max(0, match.start() - _WINDOW), match.start())
    return not dated and _COUNTED.match(match.string, match.end()) is not None


def _is_year(match: re.Match[str]) -> bool:
    """Digits alone are a year behind a preposition, where no noun follows that they count."""
    if _ROKU.match(match.string, match.end()) or _ROK.search(match.string, max(0, match.start() - 6), match.start()):
        return True
    return _is_behind_preposition(match) and _BEHIND.match(match.string, match.end()) is not None


def _is_behind_preposition(match: re.Match[str]) -> bool:
    return _BEFORE.search(match.string, max(0, match.start() - _WINDOW), match.start()) is not None


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
# Before and behind a date that is part of a name: `v2-`, `/logs/`; `-final`, `.txt`; but no `t10:30`.
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
        if "ą" not in text.original_text(*match.span()).casefold():  # "3 mają" is no third of May
            yield _with_neighbour(_of_date(match, named), text.plain)
    for match, named in (*_slashed_dates(text.plain), *_polish(text.plain)):
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


def _slashed_dates(plain: str) -> Iterator[tuple[re.Match[str], NamedDate]]:
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
    """The date with the day beside it that has the same month: 3-5 maja, Nov 27 to 30, 11月27日到30日."""
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
    """The start of a stretch: the word in front that opens it."""
    prefix = _FROM.search(plain, max(0, at - _WORD), at)
    return prefix.start() if prefix else at


def _leads(before: re.Match[str], plain: str) -> bool:
    """Whether the day in front has no month of its own."""
    own_month = _MONTH_BEFORE.search(plain, max(0, before.start() - _WORD), before.start())
    return not own_month and _joins(before[0], plain, before.start())


def _joins(words: str, plain: str, start: int) -> bool:
    """And joins the ends of a stretch only behind a between."""
    return not _AND.search(words) or _BETWEEN.search(plain, max(0, start - _WORD), start) is not None
