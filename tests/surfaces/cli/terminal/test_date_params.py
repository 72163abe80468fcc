"""Days and times on the command line."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.surfaces.cli.terminal.date_params import Moment
from tests.support.processes.command_line import Said
from tests.support.tables import table

_NO_DAY = "There is no day 2026-02-30: 2026-02 has the days 01 to 28."
_DAY_OPTIONS = [
    ("backfill", "micro_sync", "--to", "2026-03-01", "--from"),
    ("backfill", "micro_sync", "--from", "2026-02-01", "--to"),
    ("search", "deposit", "--since"),
    ("search", "deposit", "--until"),
    ("search", "deposit", "--as-of"),
    ("entries", "--since"),
    ("entries", "--until"),
    ("run", "--at"),
    ("undo",),
]


@table("words", _DAY_OPTIONS)
def test_a_day_that_does_not_exist_is_reported_as_such(
    words: tuple[str, ...], filled: Path, call: Callable[..., Said]
) -> None:
    """Whatever takes a day says that there is no such day, and how many the month has; exit code 2."""
    said = call(*words, "2026-02-30", "--workspace", filled)
    assert (2, "") == (said.code, said.out)
    assert _NO_DAY in said.err


@table("words", _DAY_OPTIONS[:-2])
def test_what_is_no_day_is_reported_with_one_that_is(
    words: tuple[str, ...], filled: Path, call: Callable[..., Said]
) -> None:
    """A word instead of a day is answered with an example."""
    said = call(*words, "someday", "--workspace", filled)
    assert (2, True) == (said.code, "'someday' is not a day such as 2026-02-20" in said.err)


@table(
    ("text", "sentence"),
    [
        ("2026-02-30T12:00", _NO_DAY),
        ("2026-02-30 12:00+01:00", _NO_DAY),
        ("2026-02-20T25:00", "There is no time 25:00: a day has the times 00:00 to 23:59."),
        ("2026-02-20T12:61:00", "'2026-02-20T12:61:00' is not a time such as 2026-02-20T15:00"),
        ("2026-02-20T12", None),
        ("soon", "'soon' is not a time such as 2026-02-20T15:00 or 2026-02-20T15:00+01:00."),
        ("0001-01-01", "'0001-01-01' is before the year 1971."),
    ],
)
def test_times_that_are_none(text: str, sentence: str | None) -> None:
    """A time on a day that does not exist, an hour that no day has, and what is no time at all."""
    if sentence is None:
        assert datetime.fromisoformat(text) == Moment().convert(text, None, None)
        return
    with pytest.raises(click.BadParameter) as caught:
        Moment().convert(text, None, None)
    assert caught.value.message.startswith(sentence)


@table(("week", "weeks"), [("2026-W54", 53), ("2025-W53", 52), ("2026-W00", 53)])
def test_a_week_that_does_not_exist(week: str, weeks: int, filled: Path, call: Callable[..., Said]) -> None:
    """`undo` says how many weeks the year has."""
    said = call("undo", week, "--workspace", filled)
    expected = f"There is no week {week}: {week[:4]} has the weeks W01 to W{weeks}."
    assert (2, True) == (said.code, expected in said.err)


@table(
    ("month", "reason"),
    [("2026-13", "a year has the months 01 to 12"), ("2026-00", "a year has the months 01 to 12"),
     ("0000-01", "years begin with 0001")],
)  # fmt: skip
def test_a_month_that_does_not_exist(month: str, reason: str, filled: Path, call: Callable[..., Said]) -> None:
    """`undo` says which months there are; a month in which nothing was written by the month is another matter."""
    said = call("undo", month, "--workspace", filled)
    assert (2, True) == (said.code, f"There is no month {month}: {reason}." in said.err)
    said = call("undo", "2026-02", "--workspace", filled)
    assert (2, True) == (said.code, "Day, week or month 2026-02 has written nothing that stands" in said.err)


@given(st.datetimes(min_value=datetime(1971, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - a bound of any zone
def test_every_time_there_is_can_be_named(moment: datetime) -> None:
    """A time with its offset comes back."""
    assert moment == Moment().convert(moment.isoformat(), None, None)


def test_days_in_words_mean_what_their_days_mean(filled: Path, call: Callable[..., Said]) -> None:
    """Of the command line, a period answers as its first and last day do."""
    for command in (("entries",), ("search", "deposit"), ("recall",)):
        meant = [*command, "--workspace", filled]
        by_day = call(*meant, "--since", "2026-02-16", "--until", "2026-02-22")
        by_period = call(*meant, "--since", "2026-W08", "--until", "2026-w08")
        assert (0, by_day.out) == (by_period.code, by_period.out)
    assert 0 == call("show", "cost", "--from", "1y", "--to", "this month", "--workspace", filled).code
    assert 0 == call("status", "--grid", "--to", "last week", "--workspace", filled).code


def test_undo_takes_words_for_a_day(filled: Path, call: Callable[..., Said]) -> None:
    """They are the key of a partition; a period that is none of a partition is refused."""
    said = call("undo", "last week", "--workspace", filled)
    assert (2, True) == (said.code, "has written nothing that stands" in said.err)
    said = call("undo", "this year", "--workspace", filled)
    assert (2, True) == (said.code, "'this year' is no run, and no single day, week or month." in said.err)
    said = call("undo", "30d", "--workspace", filled)
    assert (2, True) == (said.code, "'30d' is one day only" in said.err)
