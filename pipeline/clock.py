"""The only clock, and what a local day is."""

import time as clocks
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return datetime.now(UTC)


def stopwatch() -> float:
    """Seconds on a clock that cannot be set; only differences mean anything, also between processes of one machine."""
    return clocks.monotonic()


def stopwatch_through_sleep() -> float | None:
    """Seconds on a clock that cannot be set and that goes on while the machine sleeps; `None` where there is none."""
    clock = getattr(clocks, "CLOCK_BOOTTIME", None)  # Linux has it
    return None if clock is None else clocks.clock_gettime(clock)


def zone_named(name: str) -> "ZoneInfo":
    """An IANA zone."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - a command that a service answers needs none

    return ZoneInfo(name)


def local_day(moment: datetime, zone: str) -> date:
    """The calendar day of `moment` in an IANA zone."""
    return moment.astimezone(zone_named(zone)).date()


def day_start(day: date, zone: str) -> datetime:
    """The first moment of a local day, in UTC.

    Where midnight does not exist (Africa/Cairo in spring), that is the moment of the change: `fold=0` reads the missing
    time with the offset before it, which names the same moment. Where it happens twice, it is the first one.
    """
    return datetime.combine(day, time(), zone_named(zone)).astimezone(UTC)


def to_the_minute(moment: datetime, zone: str) -> str:
    """A moment as people read it, in an IANA zone: `2026-02-20 12:00`."""
    return f"{moment.astimezone(zone_named(zone)):%Y-%m-%d %H:%M}"


def spoken(start: datetime, end: datetime, zone: str) -> str:
    """A stretch of time for people, to the minute: `2026-02-20 12:00 to 15:00`, `2026-02-20 21:00 to 24:00`."""
    first, last = (moment.astimezone(zone_named(zone)) for moment in (start, end))
    until = f"{last:%H:%M}" if last.date() == first.date() else to_the_minute(end, zone)
    if end == day_start(first.date() + timedelta(days=1), zone) and last.time() == time():
        until = "24:00"  # of the same day; a midnight that does not exist is written as the time at which it is over
    return f"{to_the_minute(start, zone)} to {until}"


def midnights(start: datetime, end: datetime, zone: str) -> list[datetime]:
    """The first moments of the local days strictly between two moments, in UTC."""
    day, first_moments = local_day(start, zone), []
    while (moment := day_start(day := day + timedelta(days=1), zone)) < end:
        first_moments.append(moment)
    return first_moments
