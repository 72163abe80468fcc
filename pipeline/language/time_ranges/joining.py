"""Mentions side by side made one: a day and its week, a month and its year, the two ends of a stretch."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta

from pipeline.language.time_ranges.mentions import Mention
from pipeline.language.time_ranges.parts import in_part
from pipeline.language.time_ranges.spans import DaySpan, Unit

_BESIDE = re.compile(r"(?:,? ?(?:of |in |on |w |we )?(?:the )?|的)")
_TO = re.compile(r" ?(?:-|\b(?:to|till|until|through|thru|az do|do)\b|到|至|直到)(?: the)? ?")
_AND = re.compile(r" (?:and|a|i) ")
_BETWEEN = re.compile(r"\b(?:between|miedzy|pomiedzy) $")
_FROM = re.compile(r"(?:\b(?:from|od|between|miedzy|pomiedzy)(?: the)? |[从自])$")
_LONGEST_GAP = 12
_DAYS_OF_WEEK = 7
_Join = Callable[[Mention, Mention, str, str], Mention | None]


def apart(mentions: Iterable[Mention]) -> list[Mention]:
    """Mentions that share no character: of those that do, the one that begins first, and then the longest."""
    kept = list[Mention]()
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end, not mention.sure)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def joined(mentions: list[Mention], plain: str) -> list[Mention]:
    """Mentions as they belong together."""
    completed = _folded(mentions, plain, _completed)
    parted = (in_part(mention, plain) for mention in completed)
    return _folded(apart(mention for mention in parted if not mention.partial), plain, _stretched)


def _folded(mentions: list[Mention], plain: str, join: _Join) -> list[Mention]:
    kept = list[Mention]()
    for mention in mentions:
        gap = plain[kept[-1].end : mention.start] if kept and mention.start - kept[-1].end <= _LONGEST_GAP else None
        both = join(kept[-1], mention, gap, plain) if gap is not None else None
        kept[-1:] = [both] if both else [*kept[-1:], mention]
    return kept


def _completed(left: Mention, right: Mention, gap: str, _: str) -> Mention | None:
    """A month with its year, a day of the week with its week, a day of the week with its date."""
    if not _BESIDE.fullmatch(gap) or (not gap and left.unit is not Unit.YEAR and right.unit is not Unit.YEAR):
        return None
    for whole, piece in ((left, right), (right, left)):
        span = _within(whole, piece)
        if span:
            sure = whole.sure or (whole.unit is Unit.YEAR and piece.sure)
            return replace(piece, start=left.start, end=right.end, span=span, sure=sure)
    return None


def _within(whole: Mention, piece: Mention) -> DaySpan | None:
    """The days of a piece in the whole that the words beside it name."""
    if whole.span is None or (whole.span.every_year and piece.span is not None):
        return None
    if piece.span is not None:
        return piece.span.in_year(whole.span.first.year) if piece.span.every_year and whole.unit is Unit.YEAR else None
    days = (whole.span.last - whole.span.first).days + 1
    first = whole.span.first + timedelta(days=(piece.weekday - whole.span.first.weekday()) % _DAYS_OF_WEEK)
    if days == _DAYS_OF_WEEK:
        return DaySpan(first, first + timedelta(days=piece.days - 1))
    agrees = days == 1 and (whole.span.every_year or first == whole.span.first)
    return whole.span if agrees else None


def _stretched(left: Mention, right: Mention, gap: str, plain: str) -> Mention | None:
    """From one to the other."""
    is_between = _AND.fullmatch(gap) is not None
    begins = (_BETWEEN if is_between else _FROM).search(plain, max(0, left.start - _LONGEST_GAP), left.start)
    if not (begins if is_between else _leads_on(left, right, gap, plain)):
        return None
    start = begins.start() if begins else left.start
    if left.span is None or right.span is None:
        return _of_weekdays(left, right, start)
    span = _ends(left.span, right.span)
    sure = left.sure and right.sure
    return replace(left, start=start, end=right.end, span=span, unit=Unit.WEEK, sure=sure) if span else None


def _leads_on(left: Mention, right: Mention, gap: str, plain: str) -> bool:
    """Whether a gap joins two ends: a dash between words may part sentences, and "1 kwietnia to środa" says what is."""
    written = [plain[mention.start : mention.end] for mention in (left, right)]
    if gap == " to ":
        return right.span is not None or written[1].endswith("day")
    if gap == " - ":
        return all(any(map(str.isdigit, words)) for words in written) or (left.span is None and right.span is None)
    return _TO.fullmatch(gap) is not None


def _ends(first: DaySpan, last: DaySpan) -> DaySpan | None:
    """From the first days to the last; a year that one end lacks is that of the other, or the one beside it."""
    year = (last if first.every_year else first).first.year
    pairs: list[tuple[DaySpan | None, DaySpan | None]] = [(first, last)]
    if first.every_year and not last.every_year:
        pairs = [(first.in_year(year), last), (first.in_year(year - 1), last)]
    elif last.every_year:
        pairs = [(first, last.in_year(year)), (first, last.in_year(year + 1))]
    both = first.every_year and last.every_year
    wholes = (DaySpan(left.first, right.last, both) for left, right in pairs if left and right)
    return next((whole for whole in wholes if whole.first <= whole.last), None)


def _of_weekdays(left: Mention, right: Mention, start: int) -> Mention | None:
    """From a day of a week that is named to the next day of that name; of a week that is not named, no days yet."""
    days = (right.weekday - left.weekday) % _DAYS_OF_WEEK + 1
    if left.span and left.span.every_year:
        return None
    if left.span is not None and right.span is None and left.unit is Unit.DAY:
        last = left.span.first + timedelta(days=(right.weekday - left.span.first.weekday()) % _DAYS_OF_WEEK)
        return replace(
            left, start=start, end=right.end, span=DaySpan(left.span.first, last), unit=Unit.WEEK, sure=left.sure
        )
    if left.span is None and right.span is None:
        habit = (left.weekday, right.weekday) == (0, 4)  # Monday to Friday: the days of work of any week
        return replace(left, start=start, end=right.end, days=days, sure=not habit and left.sure and right.sure)
    return replace(left, start=start, end=right.end, span=right.span, sure=False)
