"""The windows of a job: from tick to tick cut at local midnight, days, weeks, months. Pure functions."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from pipeline.clock import day_start, local_day, midnights
from pipeline.job import Period, Schedule
from pipeline.ledger.coverage import State, Stretch, cut_window, subtract
from pipeline.scheduling.crontab import fires
from pipeline.workspace.families import iso_week
from schemas.window import Window

_WEEK = 7
_LONGEST_MONTH = 31
_LOOK_BACK = (1, 8, 32, 366)  # days in which the last tick is looked for


def ticks(cron: str, zone: str, window: Window) -> list[datetime]:
    """The ticks after the start of `window` up to its end, in UTC, local midnights included."""
    of_days = midnights(window.start, window.end + timedelta(microseconds=1), zone)
    return sorted({*of_days, *fires(cron, zone, window)})


def edges(schedule: Schedule, zone: str, window: Window) -> list[datetime]:
    """The moments after the start of `window` up to its end at which windows of the job meet, in UTC."""
    if schedule.period is Period.TICK:
        return ticks(schedule.cron, zone, window)
    days = midnights(window.start, window.end + timedelta(microseconds=1), zone)
    return [moment for moment in days if moment == _period_start(schedule, zone, moment)]


def window_at(schedule: Schedule, zone: str, moment: datetime) -> Window:
    """The window of `moment`, ending there: nothing after it is seen. On an edge, the window that the edge closes."""
    start = _period_start(schedule, zone, moment - timedelta(microseconds=1))
    before = [edge for edge in edges(schedule, zone, Window(start=start, end=moment)) if edge < moment]
    return Window(start=before[-1] if before else start, end=moment.astimezone(UTC))


def window_around(schedule: Schedule, zone: str, moment: datetime) -> Window:
    """The whole window that `moment` lies in."""
    start = _period_start(schedule, zone, moment)
    end = day_start(next_first_day(schedule.period, local_day(start, zone)), zone)
    bounds = [start, *edges(schedule, zone, Window(start=start, end=end))]
    return Window(
        start=max(edge for edge in bounds if edge <= moment), end=min(edge for edge in bounds if edge > moment)
    )


def second_edge(cron: str, zone: str, moment: datetime) -> datetime:
    """The second tick after a moment, or the local midnight before it, in UTC.

    A moment is then as old as the window before the last one: no window of it is still to come.
    """
    day = local_day(moment, zone)
    edges = _day_ticks(cron, zone, day)
    after = bisect_right(edges, moment.astimezone(UTC))
    return edges[min(after + 1, len(edges) - 1)]


@lru_cache(maxsize=4_096)  # the same days are asked for again with each session
def _day_ticks(cron: str, zone: str, day: date) -> list[datetime]:
    """The ticks after the start of a local day up to its end, which is the last."""
    return ticks(cron, zone, Window(start=day_start(day, zone), end=day_start(day + timedelta(days=1), zone)))


def closed_until(schedule: Schedule, zone: str, now: datetime) -> datetime | None:
    """The end of the last window that has closed; `None` when no window has, within a year.

    A window between ticks closes `settle` after its end; any other as long after the first tick at or after its end.
    """
    horizon = (now - schedule.settle).astimezone(UTC)
    for days in _LOOK_BACK:
        start = day_start(local_day(horizon, zone) - timedelta(days=days), zone)
        of_job = ticks if schedule.period is Period.TICK else fires
        fire_times = of_job(schedule.cron, zone, Window(start=start, end=horizon))
        if fire_times:
            break
    else:
        return None
    if schedule.period is Period.TICK:
        return fire_times[-1]
    return last_edge(schedule, zone, fire_times[-1])


def closes(schedule: Schedule, zone: str, window: Window) -> datetime:
    """The moment from which a whole window is run."""
    if schedule.period is Period.TICK:
        return window.end + schedule.settle
    for days in _LOOK_BACK:
        behind = Window(start=window.end - timedelta(microseconds=1), end=window.end + timedelta(days=days))
        if fire_times := fires(schedule.cron, zone, behind):
            return fire_times[0] + schedule.settle
    return window.end + schedule.settle


def look_moments(schedule: Schedule, zone: str, span: Window) -> list[datetime]:
    """The moments after the start of `span` up to its end from which a window of the job is run, in UTC."""
    ticking = Window(start=span.start - schedule.settle, end=span.end - schedule.settle)
    if schedule.period is Period.TICK:
        return [moment + schedule.settle for moment in ticks(schedule.cron, zone, ticking)]
    named = [(fire, last_edge(schedule, zone, fire)) for fire in fires(schedule.cron, zone, ticking)]
    closed = [(fire, Window(start=edge - timedelta(microseconds=1), end=edge)) for fire, edge in named]
    # Of several ticks in one day or week, the first one closes the window before it.
    moments = [(fire + schedule.settle, closes(schedule, zone, window)) for fire, window in closed]
    return [moment for moment, closing in moments if moment == closing]


def last_edge(schedule: Schedule, zone: str, moment: datetime) -> datetime:
    """The last edge at or before a moment."""
    if schedule.period is not Period.TICK:
        return _period_start(schedule, zone, moment)
    return window_around(schedule, zone, moment).start


def due(
    schedule: Schedule, zone: str, span: Window, stretches: Sequence[Stretch], *, again: bool = False
) -> list[Window]:
    """The windows of `span` that have to run, oldest first: those not covered, or stale, cut at the edges.

    With `again`, for a back-fill, time that is unknown or undone has to run too. A day or a week with any due part runs
    as a whole, as far as `span` goes, and from the start of its covered part before `span`: a page is rendered from the
    whole window, so the earlier part would be missing from it.
    """
    missing = missing_in(span, stretches, again=again)
    if missing and schedule.period is not Period.TICK:
        whole = cut_window(_span_from_covered(schedule, zone, span, stretches), edges(schedule, zone, span))
        return [window for window in whole if any(window.start < gap.end and gap.start < window.end for gap in missing)]
    # A stale stretch runs as it ran; cut at the ticks as well, it stays inside one day when the zone has changed.
    met = [edge for stretch in stretches if stretch.stale for edge in (stretch.window.start, stretch.window.end)]
    return [piece for window in missing for piece in cut_window(window, [*met, *ticks(schedule.cron, zone, window)])]


def missing_in(span: Window, stretches: Iterable[Stretch], *, again: bool = False) -> list[Window]:
    """The parts of `span` that have to run: those not covered, or stale; with `again` also unknown and undone ones."""
    settled = (
        stretch for stretch in stretches if not stretch.stale and not (again and stretch.state is not State.COVERED)
    )
    return subtract(span, [stretch.window for stretch in settled])


def _span_from_covered(schedule: Schedule, zone: str, span: Window, stretches: Sequence[Stretch]) -> Window:
    """The span, from the covered start of its first day or week on."""
    first = _period_start(schedule, zone, span.start)
    starts = [
        stretch.window.start for stretch in stretches if stretch.state is State.COVERED and span.start in stretch.window
    ]
    return Window(start=max(first, min([span.start, *starts])), end=span.end)


def first_day(period: Period, day: date) -> date:
    """The first day of the window of `period` around a day: the day, or the first of its week or month."""
    if period is Period.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday() if period is Period.WEEK else 0)


def name_of(schedule: Schedule, zone: str, window: Window) -> str:
    """The name of a window for people: its local start and end, its day, its ISO week, or its month."""
    if schedule.period is Period.TICK:
        return f"{_local_minute(window.start, zone)}/{_local_minute(window.end, zone)}"
    return period_name(schedule.period, local_day(window.start, zone))


@lru_cache(maxsize=16_384)  # a window begins where another ends, and whoever looks again asks for the same moments
def _local_minute(moment: datetime, zone: str) -> str:
    return moment.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes")


def period_name(period: Period, day: date) -> str:
    """The name of the day, the ISO week or the month of a day for people; between ticks, the day."""
    names = {Period.WEEK: iso_week(day), Period.MONTH: f"{day:%Y-%m}"}
    return names.get(period, day.isoformat())


def _period_start(schedule: Schedule, zone: str, moment: datetime) -> datetime:
    """The first moment of the local day, week or month that `moment` lies in."""
    return day_start(first_day(schedule.period, local_day(moment, zone)), zone)


def next_first_day(period: Period, first: date) -> date:
    """The first day after the period that begins with `first`."""
    days = {Period.WEEK: _WEEK, Period.MONTH: _LONGEST_MONTH}.get(period, 1)
    return first_day(period, first + timedelta(days=days))
