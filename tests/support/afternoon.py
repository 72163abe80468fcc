"""Where it is afternoon now: while a test looks twice, no job becomes due there, and no day ends."""

from datetime import UTC, datetime, timedelta, timezone

_ONE, _FOUR = 13, 16
"""Hours at which no tick of a job is near: the last has come an hour ago, and the next comes after the next hour."""


def _hours() -> int:
    """How far the clocks of that place are ahead of UTC, such that nine in the morning of UTC is of the same day."""
    now = datetime.now(UTC).hour
    return (_FOUR if now > _ONE else _ONE) - now


def afternoon_zone() -> str:
    """The name of its time zone; the names count the other way round."""
    return f"Etc/GMT{-_hours():+d}"


def days_ago(number: int) -> datetime:
    """The midnight with which the day began there so many days ago."""
    today = datetime.now(timezone(timedelta(hours=_hours()))).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=number)
