"""The parts of a month, a quarter, a year or a week: early March, pod koniec roku, 上个月底, the first week of May."""

import re
from dataclasses import replace
from datetime import date, timedelta

from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.mentions import Mention
from pipeline.language.time_ranges.spans import DaySpan, Unit

_FIRST, _MIDDLE, _LAST = 0, 1, 2
_ORDINALS = {
    **dict.fromkeys(("first", "1st", "pierwsz", "一", "1"), 1),
    **dict.fromkeys(("second", "2nd", "drugi", "二", "2"), 2),
    **dict.fromkeys(("third", "3rd", "trzeci", "三", "3"), 3),
    **dict.fromkeys(("fourth", "4th", "czwart", "四", "4"), 4),
    **dict.fromkeys(("last", "final", "ostatni", "最后"), 5),
}
_LAST_WEEK = 5
_NTH = r"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th|last|final|pierwsz|drugi|trzeci|czwart|ostatni)\w{0,3}"
_BEFORE = re.compile(
    r"(?:\b(?:(?P<p0>(?:the )?(?:beginning|start) of|early(?: in| part of)?|(?:na )?poczat(?:ek|ku|kiem)|wczesn\w{1,3})"
    r"|(?P<p1>(?:the )?middle of|mid(?:way through)?|(?:w )?polow(?:[ay]|ie)|(?:w )?srodku)"
    r"|(?P<p2>(?:the )?end of|late(?: in)?|(?:pod |na |z )?kon(?:iec|ca|cem|cu)|schylku)"
    rf"|(?:the )?{_NTH} (?:week (?:of|in)|tydzien|tygodni\w{{0,3}})"
    r"|(?:the )?(?P<half>first|second|1st|2nd|[12]\.|pierwsz\w{1,3}|drug\w{1,3}) (?:half of|polow\w{1,2}))"
    r"[ -](?:of |in )?(?:the )?)$"
)
_BEHIND = re.compile(
    r"的?(?:年(?=[初底末中]))?(?:(?P<p0>初(?![一二三四五六七八九十步中级])|上旬)|(?P<p1>中旬|(?<=[月年])中)|(?P<p2>底(?![层部下座线盘薪])|末|下旬)"
    r"|(?:的)?第?(?P<nth>[一二三四1-4]|最后一?)个?(?:周|星期|礼拜)|(?P<half>[上下])半[年月])"
)
_REACH = 40
_DAYS_OF_PART = 10
_WEEK_PARTS = ((0, 1), (1, 3), (4, 6))
_YEAR_PARTS = ((1, 3), (5, 4), (10, 3))  # the month it begins with, and how many


def in_part(mention: Mention, plain: str) -> Mention:
    """The part of a mention's days that the words beside it name; the mention itself where they name none."""
    if mention.span is None or mention.unit is Unit.DAY:
        return mention
    before = _BEFORE.search(plain, max(0, mention.start - _REACH), mention.start)
    behind = _BEHIND.match(plain, mention.end)
    match = before or behind
    span = _part(mention.span, mention.unit, match) if match else None
    if match is None or span is None:
        return mention
    start, end = min(match.start(), mention.start), max(match.end(), mention.end)
    return replace(mention, start=start, end=end, span=span, partial=False, unit=Unit.WEEK, sure=True)


def _part(span: DaySpan, unit: Unit, match: re.Match[str]) -> DaySpan | None:
    if nth := match["nth"]:
        number = _ORDINALS.get(nth.removesuffix("一") or nth, 0)
        return _week_of(span, number) if unit is Unit.MONTH and number else None
    if half := match["half"]:
        return _half(span, unit, first=half.startswith(("first", "1", "pierw", "上")))
    index = next(index for index, group in enumerate(("p0", "p1", "p2")) if match[group])
    return _third(span, unit, index)


def _week_of(span: DaySpan, number: int) -> DaySpan:
    if number == _LAST_WEEK:
        return replace(span, first=span.last - timedelta(days=6))
    first = span.first + timedelta(days=7 * (number - 1))
    return replace(span, first=first, last=first + timedelta(days=6))


def _half(span: DaySpan, unit: Unit, *, first: bool) -> DaySpan | None:
    if unit is Unit.MONTH:
        middle = span.first + timedelta(days=14)
    elif unit is Unit.YEAR:
        middle = date(span.first.year, 6, 30)
    else:
        return None
    return replace(span, last=middle) if first else replace(span, first=middle + timedelta(days=1))


def _third(span: DaySpan, unit: Unit, index: int) -> DaySpan:
    """Of a month ten days, of a quarter a month; of a year and a week what people mean by it."""
    if unit is Unit.YEAR:
        return replace(spans.months(span.first.year, *_YEAR_PARTS[index]), every_year=span.every_year)
    if unit is Unit.QUARTER:
        return replace(spans.months(span.first.year, span.first.month + index), every_year=span.every_year)
    if unit is Unit.WEEK:
        low, high = (span.first + timedelta(days=days) for days in _WEEK_PARTS[index])
        return replace(span, first=low, last=high)
    first = span.first + timedelta(days=index * _DAYS_OF_PART)
    return replace(span, first=first, last=span.last if index == _LAST else first + timedelta(days=_DAYS_OF_PART - 1))
