"""Runs: the grid of jobs and days, the runs of a cell, one run with its diff, and taking it back."""

from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData

from pipeline.clock import day_start, local_day
from pipeline.corrections.undo import made_something, undo
from pipeline.corrections.undo_report import again_command, undone_run
from pipeline.engine.context import Engine
from pipeline.job import Job, Period
from pipeline.ledger.runs import RunRecord
from pipeline.reports.grid import Cell, grid, last_day_run
from pipeline.reports.runs import listed_run, run_named, shown
from pipeline.scheduling.registry import named
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.paging import SIZE, paged
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading, StateThere
from pipeline.workspace.regular_files import read_regular
from schemas.base import EARLIEST, LATEST
from schemas.outcome import Ending
from schemas.reports.runs import ShownRun
from schemas.window import Window

router = APIRouter(include_in_schema=False)
Day = Annotated[date, Query(ge=EARLIEST.date(), le=LATEST.date())]
_DAYS, _NEWEST = 31, 15
_LOG = 64 * 1024  # bytes of the end of a log
_DIFF_LINES = 2_000
_PARTS = 20  # of the list of runs
_SIGNS = {
    Cell.DONE: "✓",
    Cell.EMPTY: "·",
    Cell.DEGRADED: "◐",
    Cell.WAITING: "w",
    Cell.FAILED: "✗",
    Cell.STALE: "s",
    Cell.MISSING: "○",
    Cell.RUNNING: "▶",
    Cell.UNKNOWN: "?",
    Cell.UNDONE: "u",
}
"""Signs differ too, so that no cell depends on its colour alone."""


class UndoForm(Form):
    """A person takes a run back."""


@router.get("/grid")
def show_grid(page: PageThere, state: StateThere, engine: Reading, to: Day | None = None) -> Response:
    """How each job stands on each day, with the forms that begin work."""
    today = local_day(engine.clock.now(), engine.zone)
    last = to or _last_day(engine, today)
    first = last - timedelta(days=_DAYS - 1)
    values = {
        "days": [first + timedelta(days=number) for number in range(_DAYS)],
        "rows": [row for row in grid(engine, _DAYS, last) if row.cells],
        "signs": {cell.value: sign for cell, sign in _SIGNS.items()},
        "jobs": [job.name for job in engine.jobs],
        "earlier": first - timedelta(days=1),
        "later": min(today, last + timedelta(days=_DAYS)) if last < today else None,
        "first": first,
        "last": last,
        "runs": [listed_run(record) for record in engine.ledger.runs.latest("", _NEWEST, without=Ending.EMPTY)],
        "work": state.work.going_on(),
    }
    return page.show("grid.html", values)


@router.get("/runs")
def runs(
    page: PageThere,
    engine: Reading,
    job: str = "",
    day: Day | None = None,
    number: Annotated[int, Query(alias="page", ge=1, le=_PARTS)] = 1,
) -> Response:
    """The newest runs, of a job and of a day where one is asked for."""
    meant = named([job] if job else [], engine.jobs)
    records = _of_cell(engine, meant[0], day) if day and job else engine.ledger.runs.latest(job, SIZE * _PARTS)
    part = paged([listed_run(record) for record in records], number)
    values = {"part": part, "job": job, "chosen_day": day, "jobs": [one.name for one in engine.jobs]}
    return page.show("runs.html", values)


@router.get("/runs/{run_id}")
def run(page: PageThere, engine: Reading, run_id: str) -> Response:
    """One run with what it changed."""
    record = run_named(engine, run_id)
    report = shown(engine, record)
    lines = [line for change in report.changes for line in change.diff.splitlines()]
    values = {
        "run": report,
        "changes": [(change.path, change.diff.splitlines()[:_DIFF_LINES]) for change in report.changes],
        "cut": any(len(change.diff.splitlines()) > _DIFF_LINES for change in report.changes),
        "log": _end_of(engine, report),
        "seen": _digest(report),
        "may_undo": bool(lines) and not record.undone and made_something(engine, record),
    }
    return page.show("run.html", values)


@router.post("/runs/{run_id}/undo")
def take_back(page: PageThere, state: StateThere, run_id: str, form: Annotated[UndoForm, FormData()]) -> Response:
    """Take back what a run wrote; the receipt says what went, what came back and what stays."""
    with state.reading() as engine:
        record = run_named(engine, run_id)
        form.require_same(_seen(shown(engine, record)))
        withdrawn = undo(engine, record.run_id)
        receipt = undone_run(withdrawn, record, again_command(engine, [record]))
    return page.show("undone.html", {"receipt": receipt})


def _last_day(engine: Engine, today: date) -> date:
    """Today, or where nothing was run for these days, the last day that was run for."""
    earlier = last_day_run(engine, today + timedelta(days=1 - _DAYS))
    idle = earlier and last_day_run(engine, today + timedelta(days=1)) == earlier
    return earlier if idle and earlier else today


def _of_cell(engine: Engine, job: Job, day: date) -> list[RunRecord]:
    """The runs of a job for a day, or for the week or the month that begins then, the newest first."""
    days = 7 if job.period is Period.WEEK else 31 if job.period is Period.MONTH else 1
    end = (day + timedelta(days=days)).replace(day=1) if job.period is Period.MONTH else day + timedelta(days=days)
    window = Window(start=day_start(day, engine.zone), end=day_start(end, engine.zone))
    attempts = engine.ledger.runs.attempts(job.name, window)
    return [record for one in reversed(attempts) if (record := engine.ledger.runs.find(one.run_id))]


def _seen(report: ShownRun) -> object:
    """What a person decides about: what the run wrote, and whether it stands."""
    return [report.run_id, report.undone, [change.diff for change in report.changes]]


def _digest(report: ShownRun) -> str:
    return digest_of(_seen(report))


def _end_of(engine: Engine, report: ShownRun) -> str:
    """The end of the run's log; empty where there is none."""
    try:
        return read_regular(engine.workspace.root / report.log)[-_LOG:].decode(errors="replace") if report.log else ""
    except OSError:
        return ""  # logs grow too old and are removed
