"""Days, periods and times on the command line, and the messages about those that do not exist."""

import re
from datetime import date, datetime

import click

from schemas.periods import is_written, read_period

_DAY = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_TIME_OF_DAY = re.compile(r"[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
_LAST = "23:59:59"
_FIRST_YEAR = 1971  # arithmetic with zones ends near the first year there is
_ANY_DAY = date(_FIRST_YEAR, 1, 1)
"""For a look at words: whether they mean a period does not depend on the day."""


class Day(click.ParamType[str]):
    """The words for a day or a period, such as 2026-02-20, 2026-W10, 30d or "last month"; see `schemas.periods`.

    They stay words: what they mean depends on the day of the workspace's zone, which is not known here.
    """

    name = "day"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The words; those that mean no period are refused, with what is wrong about them."""
        try:
            read_period(str(value), _ANY_DAY)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)


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
    if is_written(value):
        Day().convert(value, param, ctx)
    return value


def _wrong_time(text: str) -> str:
    if day := _DAY.match(text):
        try:
            read_period(day[0], _ANY_DAY)
        except ValueError as error:
            return str(error)
    clock = _TIME_OF_DAY.match(text, day.end() + 1) if day else None
    if clock and clock[0] > _LAST:
        return f"There is no time {clock[0]}: a day has the times 00:00 to {_LAST[:5]}."
    return f"{text!r} is not a time such as 2026-02-20T15:00 or 2026-02-20T15:00+01:00."
