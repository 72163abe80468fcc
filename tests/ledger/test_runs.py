"""The table of runs: what is asked of many at once, and what a run saw."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.coverage import State
from pipeline.ledger.runs import Attempt, Totals
from schemas.outcome import SUCCESSES, Ending, Outcome, Rejection, Usage
from schemas.window import PartitionKey, Window
from tests.support.marks import examples

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


def note(ledger: Ledger, run_id: str, hour: int, ending: Ending | None = None, warning: str = "") -> None:
    """A run over the window of an hour, which goes on without an ending."""
    ledger.runs.begin(run_id, "note", PartitionKey(key=f"k-{hour}", window=window(hour)), window(hour).end)
    if ending:
        fields = {"key": f"k-{hour}", "window": window(hour), "run_id": run_id, "warning": warning}
        outcome = Outcome.model_validate({"job": "note", "ending": ending} | fields)
        ledger.runs.end(outcome, window(hour).end)


def test_runs_of_a_time(ledger: Ledger) -> None:
    """Those of windows that have any moment of it, the newest first, a part at a time."""
    for hour in range(4):
        note(ledger, f"r{hour}", hour)
    within = Window(start=NOON + HOUR, end=NOON + 3 * HOUR)
    assert ["r2", "r1"] == [record.run_id for record in ledger.runs.during("note", within, 9)]
    assert ["r1"] == [record.run_id for record in ledger.runs.during("", within, 9, offset=1)]
    assert ["r3", "r2"] == [record.run_id for record in ledger.runs.during("", None, 2)]
    counts = [ledger.runs.count_during(job, time) for job, time in (("note", within), ("", None), ("other", None))]
    assert [2, 4, 0] == counts


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


def test_an_old_failure_does_not_come_back_by_an_undo(ledger: Ledger) -> None:
    """The window failed, was done, and that was undone; what is tried after that counts again."""
    note(ledger, "r-1", 1, Ending.TIMED_OUT)
    note(ledger, "r-2", 1, Ending.DONE)
    ledger.runs.mark_undone("r-2", NOON)
    assert [] == ledger.runs.attempts("note", window(1))
    note(ledger, "r-3", 1, Ending.FAILED)
    assert ["r-3"] == [attempt.run_id for attempt in ledger.runs.attempts("note", window(1))]


def test_the_sessions_that_a_run_saw(ledger: Ledger) -> None:
    """With how many records; none of sessions of which nothing lay in the window, nor once another run did it again."""
    note(ledger, "r-0", 0, Ending.DONE)
    ledger.coverage.cover("note", window(0), State.COVERED, "r-0", {"s2": ["a", "b"], "s1": ["c"], "copied": []})
    assert {"s1": 1, "s2": 2} == ledger.runs.sessions_of("r-0")
    assert {"s1", "s2"} == ledger.runs.sessions_since("note", NOON)
    assert set() == ledger.runs.sessions_since("note", window(0).end)
    ledger.coverage.cover("note", window(0), State.COVERED, "r-1", {"s1": ["c"]})
    assert ({}, {"s1": 1}) == (ledger.runs.sessions_of("r-0"), ledger.runs.sessions_of("r-1"))


@given(st.lists(st.text(max_size=20), max_size=3), st.text(max_size=20))
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_quotes_are_dropped_and_nothing_else(ledger: Ledger, quotes: list[str], warning: str) -> None:
    """Whatever they say, and whatever a warning says that looks like one; once they are gone, the run is left alone."""
    rejected = tuple(Rejection(reason="doubtful", session_id="s1", number=1, detail=quote) for quote in quotes)
    outcome = Outcome(job="note", key="k", window=window(0), ending=Ending.EMPTY, run_id="r", rejected=rejected)
    outcome = outcome.model_copy(update={"warning": f'{warning}"detail":"x'})
    with ledger.store.transaction():
        ledger.store.write("DELETE FROM runs")
        ledger.runs.begin("r", "note", PartitionKey(key="k", window=window(0)), NOON)
        ledger.runs.end(outcome, NOON)
        assert [0, int(any(quotes)), 0] == [
            ledger.runs.drop_quotes(moment) for moment in (NOON, NOON + HOUR, NOON + HOUR)
        ]
    silent = tuple(rejection.model_copy(update={"detail": ""}) for rejection in rejected)
    kept = ledger.runs.find("r")
    assert kept
    assert outcome.model_copy(update={"rejected": silent}) == kept.outcome


def test_the_runs_of_a_back_fill(ledger: Ledger) -> None:
    """The newest first; those of no back-fill are of none, whatever is asked for."""
    note(ledger, "r-0", 0)
    for hour, backfill in ((1, "b-1"), (2, "b-2"), (3, "b-1")):
        ledger.runs.begin(
            f"r-{hour}", "note", PartitionKey(key=f"k-{hour}", window=window(hour)), window(hour).end, backfill
        )
    assert ["r-3", "r-1"] == [record.run_id for record in ledger.runs.of_backfill("b-1")]
    assert ([], "b-2", "") == (
        ledger.runs.of_backfill(""),
        *(record.backfill for run in ("r-2", "r-0") if (record := ledger.runs.find(run))),
    )
    assert ["b-2", "b-1"] == ledger.runs.backfills()


def test_totals_of_every_job(ledger: Ledger) -> None:
    """How many ended in which way, also those that were undone; and the tokens of all."""
    assert {} == ledger.runs.totals()
    note(ledger, "r-0", 0, Ending.DONE)
    note(ledger, "r-1", 1, Ending.DONE)
    note(ledger, "r-2", 2, Ending.FAILED)
    note(ledger, "r-3", 3)
    for run_id, tokens in (("r-0", 5), ("r-2", 20), ("r-3", 100)):
        ledger.spending.note(run_id, {"m": Usage(output_tokens=tokens)})
    ledger.runs.mark_undone("r-1", NOON)
    ledger.runs.begin("r-9", "plan", PartitionKey(key="k", window=window(0)), NOON)
    endings = {Ending.DONE: 2, Ending.FAILED: 1}
    assert {"note": Totals(endings, 125), "plan": Totals()} == ledger.runs.totals()


@pytest.mark.parametrize("ending", Ending)
def test_the_last_success_of_a_job(ledger: Ledger, ending: Ending) -> None:
    """The newest run that left nothing to do and that nobody has undone, whatever came after it."""
    assert ledger.runs.last_success("note") is None
    note(ledger, "r-0", 0, Ending.DONE)
    note(ledger, "r-1", 1, ending)
    note(ledger, "r-2", 2)
    good = ending in SUCCESSES
    assert ledger.runs.find("r-1" if good else "r-0") == ledger.runs.last_success("note")
    for run_id in ("r-0", "r-1") if good else ("r-0",):
        assert ledger.runs.last_success("note") is not None
        ledger.runs.mark_undone(run_id, NOON)
    assert [None, None] == [ledger.runs.last_success(job) for job in ("note", "plan")]


def test_runs_without_those_of_one_ending(ledger: Ledger) -> None:
    """The newest of the others, as many as wanted, with those that go on; and how many ended so."""
    for hour, ending in enumerate((Ending.DONE, Ending.EMPTY, Ending.FAILED, Ending.EMPTY, None)):
        note(ledger, f"r-{hour}", hour, ending)
    ledger.runs.begin("r-9", "plan", PartitionKey(key="k", window=window(9)), window(9).end)
    runs = ledger.runs
    assert ["r-9", "r-4", "r-2", "r-0"] == [record.run_id for record in runs.latest(without=Ending.EMPTY)]
    assert ["r-4", "r-2"] == [record.run_id for record in runs.latest("note", 2, without=Ending.EMPTY)]
    assert (2, 2, 0) == tuple(runs.count(Ending.EMPTY, job) for job in ("", "note", "plan"))


def test_a_run_that_warns_is_not_among_those_left_out(ledger: Ledger) -> None:
    """It found nothing, and has something to say; a text that looks like an empty warning hides none."""
    for hour, warning in enumerate(("", "2 entries are gone", 'said "warning":"" once')):
        note(ledger, f"r-{hour}", hour, Ending.EMPTY, warning)
    assert ["r-2", "r-1"] == [record.run_id for record in ledger.runs.latest(without=Ending.EMPTY)]
    assert 1 == ledger.runs.count(Ending.EMPTY)
