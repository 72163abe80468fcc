"""The only clock, and what a local day is."""

from datetime import UTC, date, datetime, time, timedelta
from time import monotonic
from zoneinfo import ZoneInfo


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return datetime.now(UTC)


def stopwatch() -> float:
    """Seconds on a clock that nobody can set; only differences mean anything, also between processes of one machine."""
    return monotonic()


def local_day(moment: datetime, zone: str) -> date:
    """The calendar day of `moment` in an IANA zone."""
    return moment.astimezone(ZoneInfo(zone)).date()


def day_start(day: date, zone: str) -> datetime:
    """The first moment of a local day, in UTC.

    Where midnight does not exist (Africa/Cairo in spring), that is the moment of the change: `fold=0` reads the missing
    time with the offset before it, which names the same moment. Where it happens twice, it is the first one.
    """
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)


def midnights(start: datetime, end: datetime, zone: str) -> list[datetime]:
    """The first moments of the local days strictly between two moments, in UTC."""
    day, found = local_day(start, zone), []
    while (moment := day_start(day := day + timedelta(days=1), zone)) < end:
        found.append(moment)
    return found
