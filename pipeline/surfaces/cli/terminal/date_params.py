"""Days and times on the command line, and the messages about those that do not exist."""

import re
from calendar import monthrange
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta

import click

_DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_WEEK = re.compile(r"([0-9]{4})-W([0-9]{2})")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
_TIME_OF_DAY = re.compile(r"[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
_AGO = re.compile(r"([0-9]{1,5})d")
_MONTHS = 12
_LAST = "23:59:59"
_FIRST_YEAR = 1971  # arithmetic with zones ends near the first year there is


class Day(click.ParamType[datetime]):
    """A day such as 2026-02-20: its midnight, of no zone."""

    name = "day"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The day; one that is not in the calendar is refused, with what is wrong about it."""
        if isinstance(value, datetime):
            return value
        match = _DAY.fullmatch(str(value))
        if match is None:
            self.fail(f"{value!r} is not a day such as 2026-02-20.", param, ctx)
        if wrong := _wrong_day(match):
            self.fail(wrong, param, ctx)
        year, month, day = map(int, match.groups())
        return datetime(year, month, day)  # noqa: DTZ001 - a day of whatever zone the workspace has


class DayOrAgo(click.ParamType[datetime | timedelta]):
    """A day such as 2026-02-20, or a number of days ago, such as 30d."""

    name = "day or days"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime | timedelta:
        """The day, or the time that has passed since."""
        if isinstance(value, timedelta):
            return value
        ago = _AGO.fullmatch(str(value))
        return timedelta(days=int(ago[1])) if ago else Day().convert(value, param, ctx)


def json_value(value: object) -> object:
    """The value of an option as a request has it in JSON."""
    if isinstance(value, timedelta):
        return f"{value.days}d"
    return value.date().isoformat() if isinstance(value, datetime) else value


class Moment(click.ParamType[datetime]):
    """A time such as 2026-02-20T15:00; without an offset it is of the workspace's zone, which is not known here."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The time; one that does not exist is refused, with what is wrong about it."""
        if isinstance(value, datetime):
            return value
        text = str(value)
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            self.fail(_wrong_time(text), param, ctx)
        if moment.year < _FIRST_YEAR:
            self.fail(f"{text!r} is before the year {_FIRST_YEAR}.", param, ctx)
        return moment


def run_or_period(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Text like a day, a week or a month must be one; any other text may be the id of a run.

    Raises:
        BadParameter: there is no such day, week or month.
    """
    checks = {_DAY: _wrong_day, _WEEK: _wrong_week, _MONTH: _wrong_month}
    wrong = next((wrong(match) for form, wrong in checks.items() if (match := form.fullmatch(value))), "")
    if wrong:
        raise click.BadParameter(wrong, ctx, param)
    return value


def _wrong_day(match: re.Match[str]) -> str:
    """The fault of a day; empty when it exists."""
    year, month, day = map(int, match.groups())
    message = f"There is no day {match[0]}"
    if year < MINYEAR:
        return f"{message}: years begin with 0001."
    if not 1 <= month <= _MONTHS:
        return f"{message}: a year has the months 01 to {_MONTHS}."
    days = monthrange(year, month)[1]
    return "" if 1 <= day <= days else f"{message}: {year:04}-{month:02} has the days 01 to {days}."


def _wrong_week(match: re.Match[str]) -> str:
    """The fault of an ISO week; empty when it exists."""
    year, week = map(int, match.groups())
    if not MINYEAR <= year < MAXYEAR:
        return f"There is no week {match[0]}."
    weeks = date(year, 12, 28).isocalendar().week  # the last week of an ISO year always has this day
    return "" if 1 <= week <= weeks else f"There is no week {match[0]}: {year:04} has the weeks W01 to W{weeks}."


def _wrong_month(match: re.Match[str]) -> str:
    """The fault of a month; empty when it exists."""
    year, month = map(int, match.groups())
    if year < MINYEAR:
        return f"There is no month {match[0]}: years begin with 0001."
    return "" if 1 <= month <= _MONTHS else f"There is no month {match[0]}: a year has the months 01 to {_MONTHS}."


def _wrong_time(text: str) -> str:
    day = _DAY.match(text)
    if day and (wrong := _wrong_day(day)):
        return wrong
    time = _TIME_OF_DAY.match(text, day.end() + 1) if day else None
    if time and time[0] > _LAST:
        return f"There is no time {time[0]}: a day has the times 00:00 to {_LAST[:5]}."
    return f"{text!r} is not a time such as 2026-02-20T15:00 or 2026-02-20T15:00+01:00."
