"""Which windows a job has: from tick to tick, cut at local midnight. Pure functions of their arguments.

The one place that knows apscheduler, whose crontab arithmetic we use.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger

from pipeline.clock import day_start, local_day, midnights
from pipeline.ledger.coverage import State, Stretch
from pipeline.ledger.intervals import cut, subtract
from schemas.window import Window

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LARGEST_CHANGE = timedelta(hours=3)  # of clocks; no zone in use puts them on or back further


@lru_cache(maxsize=64)
def _trigger(cron: str) -> CronTrigger:
    # The wall clock is told as if it were UTC: where clocks are put back, apscheduler in the zone itself never ends.
    *others, weekday = cron.split()
    return CronTrigger.from_crontab(" ".join([*others, _weekdays(weekday)]), timezone=UTC)


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
    if _trigger(cron).get_next_fire_time(None, datetime(2024, 1, 1, tzinfo=UTC)) is None:
        message = f"{cron!r} never comes"
        raise ValueError(message)


def ticks(cron: str, zone: str, window: Window) -> list[datetime]:
    """The ticks after the start of `window` up to its end, in UTC, local midnights included."""
    place, trigger = ZoneInfo(zone), _trigger(cron)
    first = window.start.astimezone(place).replace(tzinfo=UTC) - _LARGEST_CHANGE
    last = window.end.astimezone(place).replace(tzinfo=UTC) + _LARGEST_CHANGE
    found = set(midnights(window.start, window.end + timedelta(microseconds=1), zone))
    wall = trigger.get_next_fire_time(None, first)
    while wall and wall <= last:
        # A time that does not exist is the moment as long after the change; of one that comes twice, the first counts.
        moment = wall.replace(tzinfo=place).astimezone(UTC)
        if window.start < moment <= window.end:
            found.add(moment)
        wall = trigger.get_next_fire_time(None, wall + timedelta(microseconds=1))
    return sorted(found)


def window_at(cron: str, zone: str, moment: datetime) -> Window:
    """The window of `moment`, ending there: nothing after it is seen. On a tick, the window that the tick closes."""
    midnight = day_start(local_day(moment - timedelta(microseconds=1), zone), zone)
    earlier = ticks(cron, zone, Window(start=midnight, end=moment))
    before = [tick for tick in earlier if tick < moment]
    return Window(start=before[-1] if before else midnight, end=moment.astimezone(UTC))


def window_around(cron: str, zone: str, moment: datetime) -> Window:
    """The whole window that `moment` lies in."""
    midnight = day_start(local_day(moment, zone), zone)
    next_midnight = day_start(local_day(moment, zone) + timedelta(days=1), zone)
    edges = [midnight, *ticks(cron, zone, Window(start=midnight, end=next_midnight))]
    start = max(edge for edge in edges if edge <= moment)
    return Window(start=start, end=min(edge for edge in edges if edge > moment))


def closed_until(cron: str, zone: str, now: datetime, settle: timedelta) -> datetime | None:
    """The end of the last window that has closed: the last tick that is `settle` ago."""
    horizon = (now - settle).astimezone(UTC)
    start = day_start(local_day(horizon, zone) - timedelta(days=1), zone)
    found = ticks(cron, zone, Window(start=start, end=horizon))
    return found[-1] if found else None


def due(cron: str, zone: str, span: Window, stretches: Sequence[Stretch], *, again: bool = False) -> list[Window]:
    """The windows of `span` that have to run, oldest first: what is not covered, or stale, cut at the ticks.

    With `again`, as a back-fill wants it, time that is unknown or undone has to run too.
    """
    settled = [each for each in stretches if not each.stale and not (again and each.state is not State.COVERED)]
    missing = subtract(span, [each.window for each in settled])
    # A stale stretch runs as it ran; cut at the ticks as well, it stays inside one day when the zone has changed.
    edges = [edge for each in stretches if each.stale for edge in (each.window.start, each.window.end)]
    return [piece for window in missing for piece in cut(window, [*edges, *ticks(cron, zone, window)])]
