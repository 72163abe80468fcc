"""What a snapshot tells of the jobs, and when somebody should look."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.drafts import Draft
from pipeline.errors import LedgerDamaged, ReadFailed, SettingsInvalid
from pipeline.index.context import Updated
from pipeline.job import Run
from pipeline.ledger.transcripts import WHOLE
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.service.monitoring.snapshot import (
    LOOK_OVERDUE,
    JobFigures,
    Snapshot,
    reasons_against_readiness,
    snapshot_of,
    take_snapshot,
)
from schemas.outcome import Ending, Usage
from schemas.service_state import ChildState, JobState, Parked, ServiceState
from schemas.settings import SourceSettings
from schemas.window import PartitionKey
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
STATE = ServiceState(pid=1, host="h", version="1.0", started=NOW, alive=NOW)
FAILURE = ReadFailed("memory", "the disk is full")


def look(job: JobState, **fields: object) -> list[str]:
    """Why a service with this job is not ready."""
    return reasons_against_readiness(Snapshot(NOW, STATE.model_copy(update={"jobs": {"note": job}, **fields})))


def failing(_: Run) -> list[Draft]:
    """A job that fails."""
    raise FAILURE


def test_before_anything_ran_all_is_due(new_bench: NewBench) -> None:
    """There is no success and no run yet; from 2 March to this morning there are nine windows."""
    snapshot = take_snapshot(new_bench().engine, STATE)
    assert {"note": JobFigures(due=9)} == snapshot.jobs
    assert (NOW, STATE, None) == (snapshot.at, snapshot.state, snapshot.index)


def test_runs_are_counted_by_how_they_ended(new_bench: NewBench) -> None:
    """The last success and the last run are the newest ones; tokens are those of all."""
    bench = new_bench()
    bench.say(conversation("s1", datetime(2026, 3, 2, 8, tzinfo=UTC), [("owner", "note: keep it")]))
    bench.run_due()
    newest = bench.engine.ledger.runs.latest(limit=1)[0]
    bench.engine.ledger.spending.note(newest.run_id, {"m": Usage(input_tokens=70)})
    figures = take_snapshot(bench.engine, STATE).jobs["note"]
    assert ({Ending.DONE: 1, Ending.EMPTY: 8}, 0, 70) == (figures.endings, figures.due, figures.tokens)
    assert (NOW, bench.engine.ledger.runs.latest(limit=1)[0]) == (figures.last_success, figures.last_run)


def test_a_failure_leaves_the_last_success(new_bench: NewBench) -> None:
    """So an alarm can rest on how long it is ago."""
    bench = new_bench()
    bench.run_due()
    bench.clock.move(timedelta(hours=3))
    bench.say(conversation("s1", NOW - timedelta(hours=1), [("owner", "note: keep it")]))
    after = bench.reopen(jobs=(replace(JOB, run=failing),))
    after.run_due()
    figures = take_snapshot(after.engine, STATE).jobs["note"]
    after.engine.ledger.store.close()
    assert (9, 1, 1) == (figures.endings[Ending.EMPTY], figures.endings[Ending.FAILED], figures.due)
    assert NOW == figures.last_success
    assert figures.last_run
    assert figures.last_run.outcome
    assert Ending.FAILED is figures.last_run.outcome.ending


def test_an_undone_success_is_none(new_bench: NewBench) -> None:
    """It counts as a run all the same: a counter never goes back."""
    bench = new_bench()
    bench.run_due()
    for run in bench.engine.ledger.runs.latest():
        bench.engine.ledger.runs.mark_undone(run.run_id, NOW)
    figures = take_snapshot(bench.engine, STATE).jobs["note"]
    assert (None, {Ending.EMPTY: 9}) == (figures.last_success, figures.endings)


def test_a_run_under_way_is_not_the_last_one(new_bench: NewBench) -> None:
    """Only runs that have ended say how it went."""
    bench = new_bench()
    bench.run_due()
    newest = bench.engine.ledger.runs.latest(limit=1)[0]
    bench.engine.ledger.runs.begin("r-9", "note", PartitionKey(key="k", window=newest.window), NOW + timedelta(hours=1))
    figures = take_snapshot(bench.engine, STATE).jobs["note"]
    assert (newest, 9) == (figures.last_run, figures.endings[Ending.EMPTY])


def test_sources_tell_how_much_they_hold(new_bench: NewBench) -> None:
    """Sessions, and when something was last said: a source gone quiet can be seen."""
    bench = new_bench()
    bench = bench.reopen(
        settings=bench.settings.model_copy(update={"sources": (SourceSettings(kind="memory", path="p"),)})
    )
    said = datetime(2026, 3, 2, 8, tzinfo=UTC)
    bench.say(conversation("s1", said, [("owner", "hello")]), conversation("s2", said, [("owner", "bye")]))
    bench.run_due()
    [source] = take_snapshot(bench.engine, STATE, Updated(files=3)).sources
    bench.engine.ledger.store.close()
    assert ("memory", 2, said) == (source.source, source.sessions, source.last)


def test_a_snapshot_of_a_folder_opens_and_closes_what_it_needs(tmp_path: Path) -> None:
    """It shows the jobs of the product; without an agent, not those of agents."""
    (tmp_path / "memory.toml").write_text("start = 2026-03-02T00:00:00+00:00\n")
    snapshot = snapshot_of(tmp_path, ProcessContext({}, FixedClock(NOW)), STATE, Updated(files=3))
    assert {job.name for job in discover() if not job.per_agent} == set(snapshot.jobs)
    assert (NOW, Updated(files=3)) == (snapshot.at, snapshot.index)


def test_settings_that_have_become_wrong_are_reported(tmp_path: Path) -> None:
    """Though the service goes on with those it started with."""
    (tmp_path / "memory.toml").write_text('timezone = "Mars/Olympus"\n')
    with pytest.raises(SettingsInvalid, match="Mars/Olympus"):
        snapshot_of(tmp_path, ProcessContext({}, FixedClock(NOW)), STATE)


def test_a_broken_ledger_is_reported(tmp_path: Path) -> None:
    """Before a run finds out."""
    (tmp_path / "memory.toml").write_text("")
    (tmp_path / ".memory").mkdir()
    (tmp_path / ".memory" / "state.db").write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(LedgerDamaged):
        snapshot_of(tmp_path, ProcessContext({}, FixedClock(NOW)), STATE)


def test_a_parked_job_is_no_good(new_bench: NewBench) -> None:
    """Its reason is told; that nobody looks at it any more is not another one."""
    assert [] == reasons_against_readiness(take_snapshot(new_bench().engine, STATE))
    parked = Parked(since=NOW, failures=5, reason="the disk is full")
    assert ["note is parked: the disk is full"] == look(JobState(parked=parked, next_look=NOW - timedelta(days=1)))


def test_a_late_look_is_no_good() -> None:
    """Unless a run is under way, for which the others wait."""
    late = JobState(next_look=NOW - LOOK_OVERDUE - timedelta(seconds=1))
    child = ChildState(job="note", pid=2, since=NOW, log="l")
    assert ["note should have been looked at by 2026-03-04T10:54:59+00:00"] == look(late)
    assert ([], []) == (look(late, child=child), look(JobState(next_look=NOW - LOOK_OVERDUE)))


def test_transcripts_that_cannot_be_read(new_bench: NewBench) -> None:
    """One file, met at a moment, is nobody's trouble until it lasts a day; a source as a whole is at once."""
    bench = new_bench()
    named = tuple(SourceSettings(kind="memory", path=name, name=name) for name in ("memory", "other"))
    bench = bench.reopen(settings=bench.settings.model_copy(update={"sources": named}))
    unreadable = bench.engine.ledger.unreadable
    unreadable.note("memory", "s1.jsonl", "Permission denied")
    assert [] == reasons_against_readiness(take_snapshot(bench.engine, STATE))
    bench.clock.move(timedelta(days=1))
    unreadable.note("other", WHOLE, "No such file or directory")
    assert [
        "source memory: s1.jsonl cannot be read since 2026-03-04T11:00:00+00:00: Permission denied",
        "source other: cannot be read since 2026-03-05T11:00:00+00:00: No such file or directory",
    ] == reasons_against_readiness(take_snapshot(bench.engine, STATE))
    bench.engine.catalog.refresh()  # `memory` is in order, and the settings of the engine name no source `other`
    assert [] == reasons_against_readiness(take_snapshot(bench.engine, STATE))
    bench.engine.ledger.store.close()
