"""The table of runs: what is asked of many at once, and what a run saw."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.coverage import State
from pipeline.ledger.runs import Attempt
from schemas.outcome import Ending, Outcome
from schemas.window import Window

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A new ledger."""
    opened = open_ledger(tmp_path / "state.db")
    yield opened
    opened.store.close()


def window(hour: int) -> Window:
    """The window of an hour after noon."""
    return Window(start=NOON + hour * HOUR, end=NOON + (hour + 1) * HOUR)


def note(ledger: Ledger, run_id: str, hour: int, ending: Ending | None = None) -> None:
    """A run over the window of an hour, which goes on without an ending."""
    ledger.runs.begin(run_id, "note", f"k-{hour}", window(hour), window(hour).end)
    if ending:
        outcome = Outcome(job="note", key=f"k-{hour}", window=window(hour), ending=ending, run_id=run_id)
        ledger.runs.end(outcome, window(hour).end)


def test_runs_by_the_beginning_of_their_ids(ledger: Ledger) -> None:
    """Letters that a query would take for a pattern are letters."""
    note(ledger, "a_1", 0)
    note(ledger, "ab1", 1)
    assert ["ab1", "a_1"] == [record.run_id for record in ledger.runs.beginning_with("a")]
    assert ["a_1"] == [record.run_id for record in ledger.runs.beginning_with("a_")]
    assert [] == ledger.runs.beginning_with("A%")


def test_attempts_over_a_span(ledger: Ledger) -> None:
    """Those whose windows overlap it, the oldest first; what was undone is left out."""
    note(ledger, "r-0", 0, Ending.DONE)
    note(ledger, "r-1", 1, Ending.WAITING)
    note(ledger, "r-2", 1)
    note(ledger, "r-3", 2, Ending.DONE)
    ledger.runs.mark_undone("r-3", NOON)
    span = Window(start=window(1).start, end=window(3).end)
    waiting, running = Attempt("r-1", window(1), True, Ending.WAITING), Attempt("r-2", window(1), False, None)  # noqa: FBT003 - fields of a record
    assert [waiting, running] == ledger.runs.attempts("note", span)
    assert [] == ledger.runs.attempts("other", span)


def test_the_sessions_that_a_run_saw(ledger: Ledger) -> None:
    """With how many records; none of sessions of which nothing lay in the window, nor once another run did it again."""
    note(ledger, "r-0", 0, Ending.DONE)
    ledger.coverage.cover("note", window(0), State.COVERED, "r-0", {"s2": ["a", "b"], "s1": ["c"], "copied": []})
    assert {"s1": 1, "s2": 2} == ledger.runs.sessions_of("r-0")
    assert {"s1", "s2"} == ledger.runs.sessions_since("note", NOON)
    assert set() == ledger.runs.sessions_since("note", window(0).end)
    ledger.coverage.cover("note", window(0), State.COVERED, "r-1", {"s1": ["c"]})
    assert ({}, {"s1": 1}) == (ledger.runs.sessions_of("r-0"), ledger.runs.sessions_of("r-1"))
