"""The grid: how each day, week or month of a job stands."""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.plan import due_now
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft
from pipeline.engine.partitioning import partitioning_of
from pipeline.errors import ModelUnavailable, WriteFailed
from pipeline.job import Job, Period, Run, Schedule, Target
from pipeline.ledger.coverage import State
from pipeline.reports.grid import Cell, Row, ShownCell, grid, shown_cells, time_of
from pipeline.reports.status import job_standings, outstanding
from pipeline.surfaces.cli.commands.status import print_grid, print_grid_json
from schemas.outcome import Ending, Outcome
from schemas.service_settings import CatchUp
from schemas.settings import JobSettings
from schemas.window import PartitionKey, Window
from tests.support.builders.cadence_jobs import FOLD, MONTH
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.fold_bench import fold_bench
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
FIRST = date(2026, 3, 2)
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


def cells(bench: Workbench, days: int = 10) -> dict[str, str]:
    """How the only job of a bench stands, by day."""
    (row,) = grid(bench.engine, days)
    return {str(day): cell.value for day, cell in sorted(row.cells.items())}


def with_notes(bench: Workbench) -> Workbench:
    """The bench with a note on the first day, and talk without one on the second."""
    bench.say(conversation("s1", MORNING, [("owner", "note: one")]))
    bench.say(conversation("s2", MORNING + timedelta(days=1), [("owner", "hello")]))
    return bench


def test_a_cell_over_its_days(new_bench: NewBench) -> None:
    """A month is one cell over those of its days that are shown, also where its first day is not among them."""
    row = Row(MONTH, {date(2026, 2, 1): Cell.DONE})
    shown = shown_cells(row, date(2026, 2, 27), date(2026, 3, 2))
    assert [ShownCell(date(2026, 2, 1), 2, Cell.DONE), ShownCell(date(2026, 3, 1), 2, None)] == shown
    days = shown_cells(Row(JOB, {FIRST: Cell.FAILED}), FIRST, FIRST + timedelta(days=1))
    assert [(1, Cell.FAILED), (1, None)] == [(one.days, one.cell) for one in days]
    engine = new_bench().engine
    month, day = time_of(engine, MONTH, date(2026, 2, 14)), time_of(engine, None, date(2026, 2, 14))
    assert (timedelta(days=28), timedelta(days=1)) == (month.end - month.start, day.end - day.start)


def raising(error: Exception) -> Job:
    """The `note` job, which fails with an error in every window that holds anything."""

    def run(run: Run) -> list[Draft]:
        if run.inputs.transcripts:
            raise error
        return []

    return replace(JOB, run=run)


def test_days_are_missing_until_they_have_run(new_bench: NewBench) -> None:
    """From `start` to the last window that has closed; a day before or after that is left out."""
    bench = with_notes(new_bench())
    assert {"2026-03-02": "missing", "2026-03-03": "missing", "2026-03-04": "missing"} == cells(bench)
    bench.run_due()
    assert {"2026-03-02": "done", "2026-03-03": "empty", "2026-03-04": "empty"} == cells(bench)


def test_only_the_days_that_are_asked_for(new_bench: NewBench) -> None:
    """One day is today alone."""
    assert {"2026-03-04": "missing"} == cells(new_bench(), days=1)


def test_new_messages_make_a_day_stale(new_bench: NewBench) -> None:
    """And a run that deals with them mends that."""
    bench = with_notes(new_bench())
    bench.run_due()
    bench.say(conversation("s3", MORNING, [("owner", "note: late")]))
    bench.engine.catalog.refresh()
    assert "stale" == cells(bench)["2026-03-02"]
    bench.run_due()
    assert "done" == cells(bench)["2026-03-02"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [(WriteFailed("memory/x.md", "No space left"), "failed"), (ModelUnavailable("m", "it is away"), "waiting")],
)
def test_the_gravest_of_a_day_is_shown(new_bench: NewBench, error: Exception, expected: str) -> None:
    """One window of the day failed or waits; the others that ended well, or were not tried, do not hide it."""
    bench = with_notes(new_bench(jobs=(raising(error),)))
    bench.run_due()
    assert expected == cells(bench)["2026-03-02"]


def test_unknown_and_undone_time(new_bench: NewBench) -> None:
    """Time of a lost ledger, also of days before `start`, and time that a person took back."""
    bench = with_notes(new_bench())
    (done,) = [outcome for outcome in bench.run_due() if outcome.paths]
    undo(bench.engine, done.run_id)
    assert "undone" == cells(bench)["2026-03-02"]
    lost = Window(start=datetime(2026, 2, 26, tzinfo=UTC), end=datetime(2026, 2, 27, 22, tzinfo=UTC))
    bench.engine.ledger.coverage.cover("note", lost, State.UNKNOWN, "rebuilt", {})
    assert ["unknown", "unknown"] == [cells(bench)[day] for day in ("2026-02-26", "2026-02-27")]


def test_a_window_that_runs_now(new_bench: NewBench) -> None:
    """The day runs once nothing graver is in it; its own window is not called missing."""
    bench = new_bench()
    bench.run_due()
    bench.clock.move(timedelta(hours=1))
    (window,) = outstanding(bench.engine, bench.engine.jobs[0])
    bench.engine.ledger.runs.begin("r-1", "note", PartitionKey(key="k", window=window), bench.clock.now())
    assert "missing" == cells(bench)["2026-03-04"]
    fields = {"pid": os.getppid(), "host": bench.host, "run": "r-1"}
    (bench.engine.workspace.lock_folder / "note.lock").write_text(json.dumps(fields))
    assert "running" == cells(bench)["2026-03-04"]


def test_a_week_stands_at_its_monday(new_bench: NewBench) -> None:
    """A job of weeks has a cell a week, also when the first day asked for lies in the middle of it."""
    weekly = replace(
        JOB, schedule=Schedule("10 4 * * 1", period=Period.WEEK), writes=Target("memory/{day}.md", append=True)
    )
    bench = new_bench(jobs=(weekly,))
    bench.clock.move(timedelta(days=7))
    (row,) = grid(bench.engine, 2)
    assert (Period.WEEK, {}) == (row.period, dict(row.cells))
    (row,) = grid(bench.engine, 6)
    assert {FIRST: Cell.MISSING} == row.cells


def test_a_month_stands_at_its_first_day(new_bench: NewBench, capsys: pytest.CaptureFixture[str]) -> None:
    """A job of months has a cell a month; it is missing until it has run, and programs read the month's name."""
    bench = new_bench(jobs=(MONTH,))
    bench.say(conversation("s1", MORNING, [("owner", "one")]))
    bench.clock.move(timedelta(days=31))
    (row,) = grid(bench.engine, 40)
    assert (Period.MONTH, {date(2026, 3, 1): Cell.MISSING}) == (row.period, row.cells)
    bench.run_due()
    rows = grid(bench.engine, 40)
    print_grid_json(rows)
    assert {"job": "month", "each": "month", "cells": {"2026-03": "done"}} == json.loads(capsys.readouterr().out)
    print_grid(rows, "")
    lines = capsys.readouterr().out.splitlines()
    assert ["month  D", True] == [
        lines[1],
        lines[-1].endswith(" A job of months has one letter a month, under its first day."),
    ]


def test_a_fold_stands_at_the_day_of_the_look(new_bench: NewBench) -> None:
    """Missing until it was tried, then failed; running while it runs. Its time is another one at each look."""
    bench = fold_bench(new_bench, fails=True)
    assert {"2026-03-04": "missing"} == cells(bench)
    bench.run_due()
    assert {"2026-03-04": "failed"} == cells(bench)
    (partition,) = partitioning_of(bench.engine, FOLD).due()
    bench.engine.ledger.runs.begin("r-1", "fold", partition, bench.clock.now())
    fields = {"pid": os.getppid(), "host": bench.host, "run": "r-1"}
    (bench.engine.workspace.lock_folder / "fold.lock").write_text(json.dumps(fields))
    assert {"2026-03-04": "running"} == cells(bench)


def test_what_is_left_to_a_back_fill_is_missing_all_the_same(new_bench: NewBench) -> None:
    """The service leaves it alone, and the grid shows it."""
    bench = new_bench()
    jobs = {"note": JobSettings(catch_up=CatchUp.NONE)}
    bench = bench.reopen(settings=bench.settings.model_copy(update={"jobs": jobs}))
    assert "missing" == cells(bench)["2026-03-02"]
    bench.engine.ledger.store.close()


def recorded(bench: Workbench) -> Iterator[Window]:
    """Notes every window that is due as run, every third of them with something found; yields each."""
    ledger = bench.engine.ledger
    windows = outstanding(bench.engine, bench.engine.jobs[0])
    with ledger.store.transaction():
        for number, window in enumerate(windows):
            run_id, key = f"r-{number}", f"k-{number}"
            ending = Ending.EMPTY if number % 3 else Ending.DONE
            ledger.runs.begin(run_id, "note", PartitionKey(key=key, window=window), window.end)
            outcome = Outcome(job="note", key=key, window=window, ending=ending, run_id=run_id)
            ledger.runs.end(outcome, window.end)
            ledger.coverage.cover("note", window, State.COVERED, run_id, {})
            yield window


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """How many functions are called meanwhile, also of libraries: a measure that no other process disturbs."""
    calls = Counter[str]()
    before = sys.getprofile()
    sys.setprofile(lambda _, event, __: calls.update([event]))
    try:
        yield calls
    finally:
        sys.setprofile(before)


def test_the_work_grows_as_the_time_that_is_reported(new_bench: NewBench, tmp_path: Path) -> None:
    """Every day of a year of windows of three hours is told, with no more questions to the ledger than of a quarter."""
    asked, work = list[int](), list[int]()
    for days in (73, 365):
        bench = new_bench(root=tmp_path / str(days), jobs=(replace(JOB, schedule=Schedule("0 */3 * * *")),))
        start = datetime(2026, 3, 3, 23, tzinfo=UTC) - timedelta(days=days)
        bench = bench.reopen(settings=bench.settings.model_copy(update={"start": start}))
        assert days * 8 <= len(list(recorded(bench)))
        statements = list[str]()
        bench.engine.ledger.store._connection.set_trace_callback(statements.append)
        with counted_calls() as calls:
            rows: list[Row] = grid(bench.engine, days)
        assert (days, {Cell.DONE}) == (len(rows[0].cells), set(rows[0].cells.values()))
        asked.append(len(statements))
        work.append(calls.total())
        bench.engine.ledger.store.close()
    assert asked[0] == asked[1]
    assert work[1] < 6 * work[0]  # of a year, which is five times as long


def test_after_a_loss_the_days_that_the_files_tell_of_are_done(new_bench: NewBench) -> None:
    """Of a day with an entry the rest is unknown, as other days are as a whole: only they are shown so."""
    bench = with_notes(new_bench())
    bench.run_due()
    bench.engine.ledger.store.close()
    (bench.root / ".memory" / "state.db").unlink()
    after = new_bench(source=bench.source)
    after.run_due()
    assert {"2026-03-02": "done", "2026-03-03": "unknown", "2026-03-04": "unknown"} == cells(after)


def test_a_failure_before_what_was_undone(new_bench: NewBench) -> None:
    """The window failed first, was done, and a person took that back: neither grid nor status tells of the failure."""
    bench = with_notes(new_bench())
    job = bench.engine.jobs[0]
    (partition,) = [planned.partition for planned in due_now(bench.engine, [job]) if MORNING in planned.window]
    bench.engine.ledger.runs.begin("r-failed", job.name, partition, bench.clock.now())
    failed = Outcome(job=job.name, key=partition.key, window=partition.window, ending=Ending.TIMED_OUT)
    bench.engine.ledger.runs.end(failed.model_copy(update={"run_id": "r-failed"}), bench.clock.now())
    bench.clock.move(timedelta(minutes=1))
    (done,) = [outcome for outcome in bench.run_due() if outcome.paths]
    undo(bench.engine, done.run_id)
    assert "undone" == cells(bench)["2026-03-02"]
    assert [()] == [standing.troubled for standing in job_standings(bench.engine)]
