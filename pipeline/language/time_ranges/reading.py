"""The time that a text speaks of: all that a question may mean, and the one range of a fact that is in no doubt.

One reader, two uses. A question takes any phrase, because a time raises hits and leaves none out. A fact takes a
phrase only when it is sure: a wrong range would say that something holds when it does not.

The phrases are a table of our own. A library for them was tried and left: dateparser reads "May the" and "we"
(Wednesday) as dates, passes over "w zeszłym tygodniu", and takes its time.
"""

import re
from collections.abc import Iterator
from datetime import date
from itertools import chain

from pipeline.language.folding import flat
from pipeline.language.time_ranges.calendar import calendar_unit_mentions, written_dates
from pipeline.language.time_ranges.joining import apart, joined, with_boundary
from pipeline.language.time_ranges.phrases import (
    distant_mentions,
    relative_mentions,
    week_settled,
    weekday_mentions,
    year_settled,
)
from pipeline.language.time_ranges.spans import Boundary, DaySpan, Mention, PlacedText, TimeRange, counted_from, placed


def asked(text: str, today: date) -> Iterator[DaySpan]:
    """The days that a question may mean, in the order of the text; dates without a year are those of any year."""
    placed_text = placed(text)
    for mention in _mentions(placed_text, today):
        span = mention.span or week_settled(mention, placed_text, today)
        if span:
            yield _to_today(mention, span, placed_text, today) if mention.boundary is Boundary.SINCE else span


def stated(text: str, today: date) -> Iterator[TimeRange]:
    """The ranges that are sure in a fact, in the order of the text."""
    placed_text = placed(text)
    for mention in _mentions(placed_text, today):
        span = mention.span or week_settled(mention, placed_text, today)
        if span and span.every_year:
            span = year_settled(mention, placed_text, today)
        if span and mention.sure:
            yield from _ranges(mention, span, placed_text, today)


def _mentions(text: PlacedText, today: date) -> Iterator[Mention]:
    readers = (
        written_dates(text),
        calendar_unit_mentions(text, today),
        relative_mentions(text, today),
        distant_mentions(text, today),
        weekday_mentions(text, today),
    )
    for mention in joined(apart(chain.from_iterable(readers)), text.plain):
        yield with_boundary(mention, text.plain, today)


def _to_today(mention: Mention, span: DaySpan, text: PlacedText, today: date) -> DaySpan:
    begin = year_settled(mention, text, today) if span.every_year else span
    return DaySpan(begin.first, max(begin.last, today)) if begin else span


def _ranges(mention: Mention, span: DaySpan, text: PlacedText, today: date) -> Iterator[TimeRange]:
    first = today if mention.boundary is Boundary.UNTIL else span.first
    goes_on = mention.boundary is Boundary.SINCE or (mention.boundary is Boundary.FROM and span.first >= today)
    if goes_on or first <= span.last:
        yield TimeRange(first, None if goes_on else span.last, text.start(mention.start), text.end(mention.end))


# Some part of every phrase. Most questions have none, and need not wait until the phrases are compiled.
_SIGN = re.compile(
    r"\d|[年月日号天周拜昨今明]|星期|季度|最近|近来|day|dnia|dni\b|dzi|week|month|year|\bago\b|quarter|q[1-4]|\bnight|tonight|"
    r"evening|morning|afternoon|tomorrow|recent|lately|jutr|ostatni|niedawno|tydz|tygod|mies|\brok|\blat|kwarta|temu|"
    r"jan|feb|mar|apr|may|maj|jun|jul|aug|sep|oct|nov|dec|stycz|lut|kwie|czerw|lip|sierp|wrze|pazdz|listop|grud|wczoraj|"
    r"mon|tue|wed|thu|fri|sat|sun|pon|wt|sr\.|sro|czw|piat|pt|sob|niedz|ndz|ubr?\b|b\. ?r\.|br\.|first|fifth|tenth|"
    r"teenth|tieth|pierwszego|piatego|dziesiatego|pietnastego|dwudziestego"
)


def periods(text: str, today: date) -> tuple[DaySpan, ...]:
    """The periods that a question names, in the order of the text, each once; relative ones count from `today`."""
    if not _SIGN.search(flat(text)):
        return ()

    return tuple(dict.fromkeys(asked(text, counted_from(today))))


def time_range(text: str, today: date) -> TimeRange | None:
    """The range of days that a fact, said on the day `today`, speaks of.

    Nothing where no phrase is sure, and where two name different days, unless one lies inside the others.
    """
    if not _SIGN.search(flat(text)):
        return None

    ranges = list(stated(text, counted_from(today)))
    if not ranges:
        return None
    first, last = max(one.first for one in ranges), min(one.last or date.max for one in ranges)
    return next((one for one in ranges if (one.first, one.last or date.max) == (first, last)), None)
