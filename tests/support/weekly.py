"""A weekly schedule whose ticks are days away from now, so that no week comes due while tests run."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = "Europe/Warsaw"

_TICK = datetime.now(ZoneInfo(ZONE)).date() - timedelta(days=3)

SCHEDULE = f'[jobs.weekly_plan]\nschedule = "10 4 * * {_TICK:%a}"\n'
"""The settings of `weekly_plan`: it last came due three days ago, and does again in four."""

JUDGED: date = _TICK - timedelta(days=_TICK.weekday() + 7)
"""The Monday of the week that was judged at the last tick."""
