"""Crontab lines: their check, and the moments that they name. Only this module uses apscheduler.

apscheduler computes the times; the meaning of a line, and the effect of a change of clocks, are decided here.
"""

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from schemas.window import Window

if TYPE_CHECKING:
    from apscheduler.triggers.cron import CronTrigger

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MIDNIGHT, _DAY = time(), timedelta(days=1)
_LARGEST_CHANGE = timedelta(hours=3)  # of clocks; no zone in use puts them on or back further


def check_cron(cron: str) -> None:
    """Try a crontab line.

    Raises:
        ValueError: it is no crontab line, or one that never comes.
    """
    if next_fire(cron, datetime(2024, 1, 1, tzinfo=UTC)) is None:
        message = f"{cron!r} never comes"
        raise ValueError(message)


def fires(cron: str, zone: str, window: Window) -> list[datetime]:
    """The moments after the start of `window` up to its end that a crontab line names, in UTC."""
    place = ZoneInfo(zone)
    first = window.start.astimezone(place).replace(tzinfo=UTC) - _LARGEST_CHANGE
    last = window.end.astimezone(place).replace(tzinfo=UTC) + _LARGEST_CHANGE
    moments, wall = set[datetime](), next_fire(cron, first)
    while wall and wall <= last:
        for hour in _hours(cron):
            # A time that does not exist is the moment as long after the change; of one that comes twice, the first
            # counts.
            moment = datetime.combine(wall, hour, place).astimezone(UTC)
            if window.start < moment <= window.end:
                moments.add(moment)
        wall = next_fire(cron, datetime.combine(wall, _MIDNIGHT, UTC) + _DAY)
    return sorted(moments)


@lru_cache(maxsize=64)
def _hours(cron: str) -> tuple[time, ...]:
    """The times of day that a line names: they are the same on all days that it names."""
    hours, wall = list[time](), next_fire(cron, datetime(2024, 1, 1, tzinfo=UTC))
    while wall:
        hours.append(wall.time())
        coming = next_fire(cron, wall + timedelta(microseconds=1))
        wall = coming if coming and coming.date() == wall.date() else None
    return tuple(hours)


@lru_cache(maxsize=65_536)  # the same times are asked for again after each window; five years of windows have 15,000
def next_fire(cron: str, wall: datetime) -> datetime | None:
    """The first time at or after `wall` that the line names; both are wall-clock times, with UTC as a nominal zone."""
    comes = (trigger.get_next_fire_time(None, wall) for trigger in _triggers(cron))
    return min(filter(None, comes), default=None)


@lru_cache(maxsize=64)
def _triggers(cron: str) -> "tuple[CronTrigger, ...]":
    """The triggers of a line; two for a line with days of the month and of the week, else a single one.

    As in cron, either of the two is then enough; where one of them begins with `*` (also as `*/2`), both have to fit.
    apscheduler wants both in any case.
    """
    from apscheduler.triggers.cron import CronTrigger  # noqa: PLC0415 - long to import, and who only reads needs none

    # Wall-clock times carry UTC as a nominal zone: in the real zone, apscheduler never ends where clocks are put back.
    *others, weekday = cron.split()
    whole = CronTrigger.from_crontab(" ".join([*others, _weekdays(weekday)]), timezone=UTC)
    minute, hour, day, month = others
    if day.startswith("*") or weekday.startswith("*"):
        return (whole,)
    lines = (f"{minute} {hour} {day} {month} *", f"{minute} {hour} * {month} {_weekdays(weekday)}")
    return tuple(CronTrigger.from_crontab(line, timezone=UTC) for line in lines)


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
