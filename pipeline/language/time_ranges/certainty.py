"""Which week a day of the week is of, and which year a date, when the text does not say it."""

import re
from datetime import date, timedelta

from pipeline.language.time_ranges.mentions import Boundary, Mention
from pipeline.language.time_ranges.places import PlacedText
from pipeline.language.time_ranges.spans import DaySpan, Unit
from pipeline.language.time_ranges.tense import Tense, tense_of

NEAR = timedelta(days=150)
"""A date without a year is of the year that brings it nearest; one that is further away may be of two."""
_SOON = timedelta(days=60)
_LONG_AGO = timedelta(days=180)
_WEEK = 7
_ON = re.compile(r"(?:\b(?:on|w|we|over the|at the|during the|over) )$")
_ENGLISH_SINCE = re.compile(r"since\b")
_STRETCH = re.compile(r"(?:from|od|between|miedzy|pomiedzy|since|until|till|do|starting|by|through)\b")
_BEGINS = re.compile(
    r"\b(?:zaczyna\w{0,3}|startuj\w{0,3}|rusza\w{0,3}|przechodz\w{1,3}|wchodz\w{1,3}|wpisuj\w{1,3}|zmienia\w{0,3}|"
    r"wprowadza\w{0,3}|wlacza\w{0,3}|wylacza\w{0,3}|obowiazuj\w{1,3}|jad[ea]|jedzie\w{0,3}|lec[ei]\w{0,3}|zamyka\w{0,3}|otwiera\w{0,3}|"
    r"wyjezdza\w{0,3}|bior[ea]|bierze\w{0,3}|niech|prosze|trzeba)\b"
)
# Of every year, or of one that is long past.
_YEARLY = re.compile(
    r"\b(?:born|every year|each year|yearly|annually|urodzil\w{0,3}|co rok\w?|corocznie|kazdego roku)\b|每年|出生"
)
_LASTS = re.compile("[了过已]|一直|就在|至今|以来")
_WINDOW = 14


def week_settled(mention: Mention, text: PlacedText, today: date) -> DaySpan | None:
    """The days of a week that the text does not name, when its tense tells which; nothing when it does not."""
    said = text.plain[mention.start : mention.end]
    placed = _ON.search(text.plain, max(0, mention.start - _WINDOW), mention.start) or _STRETCH.match(said)
    if said.isascii() and not placed:
        return None
    tense = tense_of(text.clause(mention.start))
    if mention.boundary is Boundary.SINCE:
        tense = _tense_since(said, text.clause(mention.start), tense)
    elif mention.boundary is Boundary.UNTIL:
        tense = None if tense is Tense.PAST else Tense.FUTURE
    return _last_or_next(mention, today, tense)


def _tense_since(said: str, clause: str, tense: Tense | None) -> Tense | None:
    """Since Monday is over. Od poniedziałku is too, unless something begins then; 从周一 may be either."""
    if _ENGLISH_SINCE.match(said):
        return Tense.PAST
    if tense is Tense.FUTURE or said.startswith("starting") or _BEGINS.search(clause):
        return Tense.FUTURE
    lasts = said.isascii() or _LASTS.search(clause)
    return Tense.PAST if lasts else None


def _last_or_next(mention: Mention, today: date, tense: Tense | None) -> DaySpan | None:
    """The last such days that are over, or the next that lie ahead; nothing when today may be one of them."""
    ahead = (mention.weekday - today.weekday()) % _WEEK
    is_now = mention.boundary is Boundary.WITHIN and ahead + mention.days > _WEEK
    if tense is None or ahead == 0 or is_now:
        return None
    first = today + timedelta(days=ahead if tense is Tense.FUTURE else ahead - _WEEK)
    return DaySpan(first, first + timedelta(days=mention.days - 1))


def year_settled(mention: Mention, text: PlacedText, today: date) -> DaySpan | None:
    """The days of a year that the text does not name: the nearest; a tense tells when they are far, or of a month."""
    clause = text.clause(mention.start)
    if mention.span is None or _YEARLY.search(clause):
        return None
    years = (mention.span.in_year(today.year + after) for after in (-2, -1, 0, 1, 2))
    candidates = [span for span in years if span]
    behind = max((span for span in candidates if span.first <= today), key=lambda span: span.first)
    ahead = min((span for span in candidates if span.first > today), key=lambda span: span.first)
    tense = tense_of(clause)
    if mention.boundary is Boundary.UNTIL:
        return _until(mention, tense, today, behind, ahead)
    if mention.boundary is Boundary.SINCE:
        is_english = _ENGLISH_SINCE.match(text.plain, mention.start)
        return behind if is_english else _since(tense, today, behind, ahead)
    return _within(mention, tense, today, behind, ahead)


def _within(mention: Mention, tense: Tense | None, today: date, behind: DaySpan, ahead: DaySpan) -> DaySpan | None:
    coming = behind if behind.last >= today else ahead
    by_tense = {Tense.PAST: behind, Tense.FUTURE: coming, None: None}[tense]
    nearest = min(behind, ahead, key=lambda span: _distance(span, today))
    is_near = _distance(nearest, today) <= NEAR
    if mention.unit is Unit.QUARTER and nearest.first.year != today.year:
        is_near = False  # most people mean a quarter of this year
    if not is_near:
        return by_tense
    return nearest if mention.unit is Unit.DAY or by_tense in {None, nearest} else None


def _until(mention: Mention, tense: Tense | None, today: date, behind: DaySpan, ahead: DaySpan) -> DaySpan | None:
    """What was until March may be over; what was put off until the 5th is not, when the last 5th is long ago."""
    if behind.last >= today:
        return behind
    over = mention.unit is not Unit.DAY or today - behind.last <= _LONG_AGO
    return None if tense is Tense.PAST and over else ahead


def _since(tense: Tense | None, today: date, behind: DaySpan, ahead: DaySpan) -> DaySpan:
    """Od maja lies behind, unless it is soon May, and the last one is long ago."""
    soon = ahead.first - today <= _SOON and today - behind.first > NEAR
    return ahead if tense is Tense.FUTURE or soon else behind


def _distance(span: DaySpan, today: date) -> timedelta:
    return max(span.first - today, today - span.last, timedelta())
