"""Which windows a job has: from tick to tick cut at local midnight, days, weeks, months. Pure but for `Looks`.

The one place that knows apscheduler, whose crontab arithmetic we use, and whose timers wake the service (`Looks`).
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger

from pipeline.clock import day_start, local_day, midnights
from pipeline.job import Period, Schedule
from pipeline.ledger.coverage import State, Stretch
from pipeline.ledger.intervals import cut, subtract
from pipeline.workspace.families import iso_week
from schemas.window import Window

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_WEEK = 7
_LONGEST_MONTH = 31
_LOOK_BACK = (1, 8, 32, 366)  # days in which the last tick is looked for
LOOK_EVERY = timedelta(minutes=1)
"""How often `Looks` wakes with no moment set."""
_LARGEST_CHANGE = timedelta(hours=3)  # of clocks; no zone in use puts them on or back further


@lru_cache(maxsize=64)
def _triggers(cron: str) -> tuple[CronTrigger, ...]:
    """What comes when the line does: one trigger, or two for a line that names days of the month and of the week.

    As in cron, either of the two is then enough; where one of them begins with `*` (also as `*/2`), both have to fit.
    apscheduler wants both in any case.
    """
    # The wall clock is told as if it were UTC: where clocks are put back, apscheduler in the zone itself never ends.
    *others, weekday = cron.split()
    whole = CronTrigger.from_crontab(" ".join([*others, _weekdays(weekday)]), timezone=UTC)
    minute, hour, day, month = others
    if day.startswith("*") or weekday.startswith("*"):
        return (whole,)
    lines = (f"{minute} {hour} {day} {month} *", f"{minute} {hour} * {month} {_weekdays(weekday)}")
    return tuple(CronTrigger.from_crontab(line, timezone=UTC) for line in lines)


def _next(cron: str, wall: datetime) -> datetime | None:
    """The first time at or after `wall` that the line names; both are the wall clock's, told as if it were UTC."""
    comes = (trigger.get_next_fire_time(None, wall) for trigger in _triggers(cron))
    return min(filter(None, comes), default=None)


def _weekdays(field: str) -> str:
    """The weekday field of a crontab line in names: crontab counts from Sunday, and apscheduler from Monday."""
    return ",".join(_weekday(part) for part in field.split(","))


def _weekday(part: str) -> str:
    days, _, step = part.partition("/")
    first, _, last = ("0-6" if days == "*" and step else days).partition("-")
    if not first.isdigit() or (last and not last.isdigit()):
        return part
    if not last:
        last = "6" if step else first
    numbers = range(int(first), int(last) + 1, int(step) if step.isdigit() and int(step) else 1)
    if not numbers or numbers[-1] > len(_WEEKDAYS):
        message = f"{part!r} is no weekday; they are 0 (Sunday) to 6, and 7 is Sunday too"
        raise ValueError(message)
    return ",".join(_WEEKDAYS[number % len(_WEEKDAYS)] for number in numbers)


def check_cron(cron: str) -> None:
    """Try a crontab line.

    Raises:
        ValueError: it is no crontab line, or one that never comes.
    """
    if _next(cron, datetime(2024, 1, 1, tzinfo=UTC)) is None:
        message = f"{cron!r} never comes"
        raise ValueError(message)


def ticks(cron: str, zone: str, window: Window) -> list[datetime]:
    """The ticks after the start of `window` up to its end, in UTC, local midnights included."""
    of_days = midnights(window.start, window.end + timedelta(microseconds=1), zone)
    return sorted({*of_days, *_fires(cron, zone, window)})


def _fires(cron: str, zone: str, window: Window) -> list[datetime]:
    """The moments after the start of `window` up to its end that a crontab line names, in UTC."""
    place = ZoneInfo(zone)
    first = window.start.astimezone(place).replace(tzinfo=UTC) - _LARGEST_CHANGE
    last = window.end.astimezone(place).replace(tzinfo=UTC) + _LARGEST_CHANGE
    found = set[datetime]()
    wall = _next(cron, first)
    while wall and wall <= last:
        # A time that does not exist is the moment as long after the change; of one that comes twice, the first counts.
        moment = wall.replace(tzinfo=place).astimezone(UTC)
        if window.start < moment <= window.end:
            found.add(moment)
        wall = _next(cron, wall + timedelta(microseconds=1))
    return sorted(found)


def edges(schedule: Schedule, zone: str, window: Window) -> list[datetime]:
    """The moments after the start of `window` up to its end at which windows of the job meet, in UTC."""
    if schedule.period is Period.TICK:
        return ticks(schedule.cron, zone, window)
    found = midnights(window.start, window.end + timedelta(microseconds=1), zone)
    return [moment for moment in found if moment == _period_start(schedule, zone, moment)]


def window_at(schedule: Schedule, zone: str, moment: datetime) -> Window:
    """The window of `moment`, ending there: nothing after it is seen. On an edge, the window that the edge closes."""
    start = _period_start(schedule, zone, moment - timedelta(microseconds=1))
    before = [edge for edge in edges(schedule, zone, Window(start=start, end=moment)) if edge < moment]
    return Window(start=before[-1] if before else start, end=moment.astimezone(UTC))


def window_around(schedule: Schedule, zone: str, moment: datetime) -> Window:
    """The whole window that `moment` lies in."""
    start = _period_start(schedule, zone, moment)
    end = day_start(_next_period(schedule, local_day(start, zone)), zone)
    found = [start, *edges(schedule, zone, Window(start=start, end=end))]
    return Window(start=max(edge for edge in found if edge <= moment), end=min(edge for edge in found if edge > moment))


def closed_until(schedule: Schedule, zone: str, now: datetime) -> datetime | None:
    """The end of the last window that has closed; `None` when no window has, within a year.

    A window between ticks closes `settle` after its end; any other as long after the first tick at or after its end.
    """
    horizon = (now - schedule.settle).astimezone(UTC)
    for days in _LOOK_BACK:
        start = day_start(local_day(horizon, zone) - timedelta(days=days), zone)
        of_job = ticks if schedule.period is Period.TICK else _fires
        found = of_job(schedule.cron, zone, Window(start=start, end=horizon))
        if found:
            break
    else:
        return None
    if schedule.period is Period.TICK:
        return found[-1]
    return last_edge(schedule, zone, found[-1])


def closes(schedule: Schedule, zone: str, window: Window) -> datetime:
    """The moment from which a whole window is run."""
    if schedule.period is Period.TICK:
        return window.end + schedule.settle
    for days in _LOOK_BACK:
        behind = Window(start=window.end - timedelta(microseconds=1), end=window.end + timedelta(days=days))
        if found := _fires(schedule.cron, zone, behind):
            return found[0] + schedule.settle
    return window.end + schedule.settle


def looks(schedule: Schedule, zone: str, span: Window) -> list[datetime]:
    """The moments after the start of `span` up to its end from which a window of the job is run, in UTC."""
    ticking = Window(start=span.start - schedule.settle, end=span.end - schedule.settle)
    if schedule.period is Period.TICK:
        return [moment + schedule.settle for moment in ticks(schedule.cron, zone, ticking)]
    fires = [(fire, last_edge(schedule, zone, fire)) for fire in _fires(schedule.cron, zone, ticking)]
    closed = [(fire, Window(start=edge - timedelta(microseconds=1), end=edge)) for fire, edge in fires]
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
    """The windows of `span` that have to run, oldest first: what is not covered, or stale, cut at the edges.

    With `again`, as a back-fill wants it, time that is unknown or undone has to run too. A day or a week of which
    anything has to run does so as a whole, as far as `span` goes, and from where it is covered before `span`: what
    was written of that time would be missing from a page that is rendered again.
    """
    settled = [each for each in stretches if not each.stale and not (again and each.state is not State.COVERED)]
    missing = subtract(span, [each.window for each in settled])
    if schedule.period is not Period.TICK:
        whole = cut(_reaching_back(schedule, zone, span, stretches), edges(schedule, zone, span)) if missing else []
        return [window for window in whole if any(window.start < gap.end and gap.start < window.end for gap in missing)]
    # A stale stretch runs as it ran; cut at the ticks as well, it stays inside one day when the zone has changed.
    met = [edge for each in stretches if each.stale for edge in (each.window.start, each.window.end)]
    return [piece for window in missing for piece in cut(window, [*met, *ticks(schedule.cron, zone, window)])]


def _reaching_back(schedule: Schedule, zone: str, span: Window, stretches: Sequence[Stretch]) -> Window:
    """The span with what is covered before it of the day or week that it begins in."""
    first = _period_start(schedule, zone, span.start)
    starts = [each.window.start for each in stretches if each.state is State.COVERED and span.start in each.window]
    return Window(start=max(first, min([span.start, *starts])), end=span.end)


def first_day(period: Period, day: date) -> date:
    """The first day of what a window of `period` spans around a day: itself, or that of its week or month."""
    if period is Period.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday() if period is Period.WEEK else 0)


def name_of(schedule: Schedule, zone: str, window: Window) -> str:
    """How people name a window: its local start and end, its day, its ISO week, or its month."""
    if schedule.period is Period.TICK:
        place = ZoneInfo(zone)
        return "/".join(each.astimezone(place).isoformat(timespec="minutes") for each in (window.start, window.end))
    day = local_day(window.start, zone)
    names = {Period.DAY: day.isoformat(), Period.WEEK: iso_week(day), Period.MONTH: f"{day:%Y-%m}"}
    return names[schedule.period]


def _period_start(schedule: Schedule, zone: str, moment: datetime) -> datetime:
    """The first moment of the local day, week or month that `moment` lies in."""
    return day_start(first_day(schedule.period, local_day(moment, zone)), zone)


def _next_period(schedule: Schedule, first: date) -> date:
    """The first day after the period that begins with `first`."""
    days = {Period.WEEK: _WEEK, Period.MONTH: _LONGEST_MONTH}.get(schedule.period, 1)
    return first_day(schedule.period, first + timedelta(days=days))


class Looks:
    """Wakes whoever waits, at given moments and at least every minute; use it in a `with` statement.

    When windows begin and end is told above. Timers take no notice of sleep and of changed clocks, so whoever is
    woken asks what time it is, and does not wait for a moment alone.
    """

    def __init__(self, wake: Callable[[], None], every: timedelta = LOOK_EVERY) -> None:
        """`wake` is called in a thread of its own and has to return at once: that of a `threading.Event.set`."""
        # Loaded here: commands that only reckon do without.
        from apscheduler.executors.debug import DebugExecutor  # noqa: PLC0415 - see above
        from apscheduler.schedulers.background import BackgroundScheduler  # noqa: PLC0415 - see above
        from apscheduler.triggers.interval import IntervalTrigger  # noqa: PLC0415 - see above

        self._wake = wake
        late_or_not = {"misfire_grace_time": None, "coalesce": True}
        # That executor calls in the timers' own thread: there is nothing to run beside each other.
        executors = {"default": DebugExecutor()}
        self._timers = BackgroundScheduler(timezone=UTC, executors=executors, job_defaults=late_or_not)
        self._timers.add_job(wake, IntervalTrigger(seconds=every.total_seconds(), timezone=UTC))
        self._set: dict[datetime, str] = {}

    def set(self, moments: Iterable[datetime]) -> None:
        """Wake at these moments, and at no others that were set before; at once for those that have passed."""
        from apscheduler.jobstores.base import JobLookupError  # noqa: PLC0415 - as above
        from apscheduler.triggers.date import DateTrigger  # noqa: PLC0415 - as above

        wanted = set(moments)
        for moment in self._set.keys() - wanted:
            with suppress(JobLookupError):  # it has come meanwhile
                self._timers.remove_job(self._set.pop(moment))
        for moment in wanted - self._set.keys():
            self._set[moment] = self._timers.add_job(self._wake, DateTrigger(moment)).id

    def __enter__(self) -> Self:
        self._timers.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timers.shutdown()
