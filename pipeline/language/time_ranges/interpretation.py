"""The phrases of a text that speak of time, as periods of a question or ranges of a fact."""

from collections.abc import Iterator
from datetime import date
from itertools import chain

from pipeline.language.time_ranges.calendar import calendar_unit_mentions, written_dates
from pipeline.language.time_ranges.joining import drop_overlaps, join_mentions, with_boundary
from pipeline.language.time_ranges.phrases import (
    distant_mentions,
    relative_mentions,
    week_settled,
    weekday_mentions,
    year_settled,
)
from pipeline.language.time_ranges.spans import Boundary, DaySpan, Mention, PlacedText, TimeRange, flatten_text


def read_question_days(text: str, today: date) -> Iterator[DaySpan]:
    """The days that a question may mean, in the order of the text; dates without a year are those of any year."""
    placed_text = flatten_text(text)
    for mention in _mentions(placed_text, today):
        span = mention.span or week_settled(mention, placed_text, today)
        if span and mention.boundary is Boundary.SINCE:
            begin = year_settled(mention, placed_text, today) if span.every_year else span
            span = DaySpan(begin.first, max(begin.last, today)) if begin else span
        if span:
            yield span


def read_sure_ranges(text: str, today: date) -> Iterator[TimeRange]:
    """The ranges that are sure in a fact, in the order of the text."""
    placed_text = flatten_text(text)
    for mention in _mentions(placed_text, today):
        span = mention.span or week_settled(mention, placed_text, today)
        if span and span.every_year:
            span = year_settled(mention, placed_text, today)
        if not span or not mention.sure:
            continue
        first = today if mention.boundary is Boundary.UNTIL else span.first
        goes_on = mention.boundary is Boundary.SINCE or (mention.boundary is Boundary.FROM and span.first >= today)
        if goes_on or first <= span.last:
            start, end = placed_text.start(mention.start), placed_text.end(mention.end)
            yield TimeRange(first, None if goes_on else span.last, start, end)


def _mentions(text: PlacedText, today: date) -> Iterator[Mention]:
    readers = (
        written_dates(text),
        calendar_unit_mentions(text, today),
        relative_mentions(text, today),
        distant_mentions(text, today),
        weekday_mentions(text, today),
    )
    for mention in join_mentions(drop_overlaps(chain.from_iterable(readers)), text.plain):
        yield with_boundary(mention, text.plain, today)
