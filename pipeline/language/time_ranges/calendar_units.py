"""Years, quarters and months by their place in the calendar: in 2024, Q1 2025, last May, w III kwartale."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from pipeline.language.calendar_names import MONTH, MONTHS
from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.mentions import Mention
from pipeline.language.time_ranges.places import PlacedText
from pipeline.language.time_ranges.spans import LEAP_YEAR, MONTHS_OF_QUARTER, Unit
from pipeline.language.time_ranges.vocabulary import ROMAN, YEAR

_YEAR = re.compile(rf"(?<!\d)(?P<han>{YEAR}) ?年|(?<![\w.:#/-])(?P<plain>{YEAR})(?![\w:/-]|\.\d)")
_YEARS = re.compile(rf"(?<![\w.:#/-])(?P<first>{YEAR}) ?- ?(?P<last>{YEAR})(?![\w:/-]|\.\d)")
_FOUR_HAN = re.compile(r"(?P<digits>[一二][〇零一二三四五六七八九]{3})年")
_HAN_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_BEFORE = re.compile(
    r"(?:\b(?:in|since|during|until|till|by|from|of|early|late|mid|w|od|do|rok|roku|latach?) |\bmid-)$"
)
# Behind a year; a noun would be what there are so many of: in 2024 tests.
_BEHIND = re.compile(
    r" ?(?:$|[.,;:!?)\n-]|(?:and|or|with|when|as|at|we|i|he|she|they|it|to|oraz|z|po|przed|do|na|kiedy|gdy)\b)"
)
_DATED = re.compile(r"\b(?:in|since|during|the|w) $")
_COUNTED = re.compile(r" (?!was\b|is\b|as\b|has\b|does\b|this\b)[a-z]{2,20}s\b")
_ROK = re.compile(r"\broku? $")
_ROKU = re.compile(r" r\.| roku?\b")
_SAID_MONTH = re.compile(rf"\b(?P<which>last|this|next) (?P<month>{MONTH})\b(?! \d)")
_QUARTER = re.compile(
    rf"\bq(?P<digit>[1-4])\b(?: ?'?(?P<year>{YEAR})\b)?|第(?P<han>[一二三四])季度"
    r"|\b(?P<en>first|second|third|fourth) quarter\b"
    r"|\b(?:(?P<pl>pierwsz|drugi|trzeci|czwart)\w{0,3}|(?P<roman>i|ii|iii|iv)) kwarta[lu]\w{0,2}\b"
)
_QUARTERS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "pierwsz": 1,
    "drugi": 2,
    "trzeci": 3,
    "czwart": 4,
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "1": 1,
    "2": 2,
    "3": 3,
    "4": 4,
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
_NEXT_NTH = re.compile(
    r"(?:(?<=until the )|(?<=till the )|(?<=through the )|(?<=by the )|(?<=\bdo ))"
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|-go|-tego|-ego)|(?P<word>{'|'.join(_NTHS)}))(?= ?(?:$|[.,;:!?)\"\n]))"
    r"|(?<=到)(?P<han>\d{1,2})[日号](?!\d)|(?<![\d月.-])(?P<before>\d{1,2})[日号](?=之?前|为止)"
)
_WINDOW = 8
_NEAR_MONTHS = 4


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
    number = match["digit"] or match["han"] or match["en"] or match["pl"]
    index = ROMAN[match["roman"]] if match["roman"] else _QUARTERS[number]
    year = match["year"]
    span = spans.months(int(year or LEAP_YEAR), MONTHS_OF_QUARTER * (index - 1) + 1, MONTHS_OF_QUARTER)
    sure = bool(year or not (match["digit"] or match["en"]) or (match["digit"] and _is_behind_preposition(match)))
    return Mention(*match.span(), replace(span, every_year=not year), Unit.QUARTER, sure=sure)


def _next_nth(match: re.Match[str], today: date) -> Iterator[Mention]:
    """Until the first, do 5-go, 5号之前: the next such day of a month."""
    digits = match["day"] or match["han"] or match["before"]
    day = int(digits) if digits else _NTHS[match["word"]]
    months = (spans.month(today, after) for after in (0, 1, 2))
    days = (month.first.replace(day=day) for month in months if 0 < day <= month.last.day)
    coming = next((that for that in days if that > today), None)
    if coming:
        yield Mention(*match.span(), spans.day(coming))


def _is_count(match: re.Match[str]) -> bool:
    """Whether it counts what is named behind it: 2000 tokens."""
    dated = _DATED.search(match.string, max(0, match.start() - _WINDOW), match.start())
    return not dated and _COUNTED.match(match.string, match.end()) is not None


def _is_year(match: re.Match[str]) -> bool:
    """Digits alone are a year behind a preposition, where no noun follows that they count."""
    if _ROKU.match(match.string, match.end()) or _ROK.search(match.string, max(0, match.start() - 6), match.start()):
        return True
    return _is_behind_preposition(match) and _BEHIND.match(match.string, match.end()) is not None


def _is_behind_preposition(match: re.Match[str]) -> bool:
    return _BEFORE.search(match.string, max(0, match.start() - _WINDOW), match.start()) is not None
