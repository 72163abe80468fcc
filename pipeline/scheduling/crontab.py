"""Crontab lines: their check, and the moments that they name. Only this module uses apscheduler.

apscheduler computes the times; the meaning of a line, and the effect of a change of clocks, are decided here.
"""

import re
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from schemas.window import Window

if TYPE_CHECKING:
    from apscheduler.triggers.cron import CronTrigger

_VALUE = "[0-9]{1,4}|[a-z]{3}"
_PART = re.compile(rf"(?:\*|(?P<first>{_VALUE})(?:-(?P<last>{_VALUE}))?)(?:/(?P<step>[0-9]{{1,4}}))?")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MIDNIGHT, _DAY = time(), timedelta(days=1)
_LARGEST_CHANGE = timedelta(hours=3)  # of clocks; no zone in use puts them on or back further


class CronField(NamedTuple):
    """A field of a crontab line: its name, the least and the largest number, and the words for numbers."""

    name: str
    least: int
    most: int
    names: tuple[str, ...] = ()


_FIELDS = (
    CronField("minute", 0, 59),
    CronField("hour", 0, 23),
    CronField("day of the month", 1, 31),
    CronField("month", 1, 12, _MONTHS),
    CronField("weekday", 0, 7, _WEEKDAYS),
)


def check_cron(cron: str) -> None:
    """Try a crontab line.

    Raises:
        ValueError: it is no crontab line, or one that never comes.
    """
    if fault := _fault(cron):
        message = f"{cron!r} is no crontab line: {fault}"
        raise ValueError(message)
    if next_fire(cron, datetime(2024, 1, 1, tzinfo=UTC)) is None:
        message = f"{cron!r} never comes"
        raise ValueError(message)


def _fault(cron: str) -> str:
    """The fault of a crontab line; empty where each field can be read."""
    fields = cron.split()
    if len(fields) != len(_FIELDS):
        return f"it has {len(fields)} fields, and needs {len(_FIELDS)}: minute, hour, day, month, weekday"
    return next(filter(None, map(_fault_of_field, _FIELDS, fields)), "")


def _fault_of_field(field: "CronField", text: str) -> str:
    """The fault of a field: a number beyond its ends, or a part that is no number, name, range or step."""
    for part in text.split(","):
        match = _PART.fullmatch(part.lower())
        if match is None:
            return f"{part!r} is no {field.name}; write a number, a range such as 1-5, * or a step such as */2"
        first, last = match["first"] or "", match["last"] or ""
        for given in filter(None, (first, last)):
            if given.isdigit() and not field.least <= int(given) <= field.most:
                return f"there is no {field.name} {given}; it goes from {field.least} to {field.most}"
            if not given.isdigit() and given not in field.names:
                return f"{given!r} is no {field.name}"
        if first.isdigit() and last.isdigit() and int(first) > int(last):
            return f"{part!r} is no range: it ends before it begins"
        if match["step"] and not int(match["step"]):
            return f"{part!r} has no step; steps begin with 1"
    return ""


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
