"""The same thing said twice in one session is one entry, whatever leads to it the second time."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from datetime import UTC, datetime, timedelta

from jobs.micro_sync import JOB
from pipeline.drafts import EntryDraft
from pipeline.job import Inputs
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.builders.pieces import seen_in
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=3))
SPEAKERS = {">": "owner", "<": "assistant"}


def quotes(*lines: str) -> list[str]:
    """The quotes of the entries that a conversation gives."""
    session = conversation("s1", START, [(SPEAKERS[line[0]], line[2:]) for line in lines])
    run = job_run(WINDOW, inputs=Inputs(seen_in(WINDOW, session)))
    return [draft.entry.quote for draft in JOB.run(run) if isinstance(draft, EntryDraft)]


@table(
    ("first", "again"),
    [
        ("From now on never edit the roster.", "as I said: never edit the roster from now on"),
        ("od teraz faktury wysyłamy pierwszego", "powtarzam: od teraz faktury wysyłamy pierwszego"),
        ("以后请每月一号发发票", "再说一遍，以后请每月一号发发票"),
    ],
)
def test_what_is_said_again_is_one_entry(first: str, again: str) -> None:
    """The second time names nothing that the first did not."""
    assert len(quotes(f"> {first}", "< Noted.", f"> {again}", "< Noted.")) == 1


@table(
    ("first", "second"),
    [
        ("From now on close the roster at 17.", "From now on close the roster at 18."),
        ("From now on never edit the roster.", "From now on never edit the calendar."),
    ],
)
def test_another_value_or_another_thing_is_another_entry(first: str, second: str) -> None:
    """A number or a name that is new is news."""
    assert len(quotes(f"> {first}", "< Noted.", f"> {second}", "< Noted.")) == 2
