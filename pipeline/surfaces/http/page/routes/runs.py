"""Runs: the grid of jobs and days, the runs of a cell, and one run with its diff."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from fastapi import Response
from pydantic import Field

from pipeline.backfill.orders import OrdersFolder
from pipeline.clock import day_start, local_day
from pipeline.corrections.undo import days_again, made_something
from pipeline.corrections.undo_folds import newest_input
from pipeline.engine.context import Engine
from pipeline.job import Period
from pipeline.ledger.runs import RunRecord
from pipeline.reports.entry_book import entry_titles
from pipeline.reports.grid import (
    Cell,
    Row,
    ShownCell,
    first_day_run,
    grid,
    last_day_run,
    shown_cells,
    shown_days,
    time_of,
)
from pipeline.reports.run_subjects import NamedRun, SessionWords, named_runs, subject_of
from pipeline.reports.runs import report_run, run_named
from pipeline.reports.service import end_of_log
from pipeline.scheduling.registry import named
from pipeline.scheduling.windows import first_day, period_name
from pipeline.surfaces.http.page.forms import InQuery, ListQuery, OptionalDay, QueryForm, Words
from pipeline.surfaces.http.page.paging import fetch_part
from pipeline.surfaces.http.page.rendering import PageThere, page_router
from pipeline.surfaces.http.page.routes.undoing import file_diffs
from pipeline.surfaces.http.page.routes.work import stopped_early
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.reports.runs import ShownRun
from schemas.window import Window

router = page_router()
_DAYS = 31
_STRAY = 2  # days with runs that do not make the newest days worth opening on
_SUMMED = 5_000  # runs of which sums are made
_LOG_LINES = 200  # of the end of a log
_MOST = 200  # sessions, files and names of one run
_SIGNS = {
    Cell.DONE: "✓",
    Cell.EMPTY: "·",
    Cell.DEGRADED: "◐",
    Cell.WAITING: "◷",
    Cell.FAILED: "✗",
    Cell.STALE: "↻",
    Cell.MISSING: "○",
    Cell.RUNNING: "▶",
    Cell.UNKNOWN: "?",
    Cell.UNDONE: "↶",
}
"""Signs differ too, so that no cell depends on its colour alone."""


class GridQuery(QueryForm):
    """The last day of the grid. `first`, `last` and `job` fill in the form of a back-fill that was refused."""

    to: OptionalDay = None
    first: Words = ""
    last: Words = ""
    job: list[Words] = Field(default_factory=list, max_length=100)


class RunsQuery(ListQuery):
    """The filter of listed runs: those of a job and of a day, as far as these are named, a page at a time."""

    job: str = Field(default="", max_length=100)
    day: OptionalDay = None


@dataclass(frozen=True)
class CellSums:
    """The sums of the runs of a cell that stand: the entries, lines and pages that they wrote, and their seconds."""

    written: int = 0
    seconds: float = 0.0

    def __add__(self, other: "CellSums") -> "CellSums":
        """The sums of both."""
        return CellSums(self.written + other.written, self.seconds + other.seconds)


@dataclass(frozen=True)
class GridRow:
    """A job in the grid, and each of its cells with the name of its day, week or month, and its sums."""

    job: str
    cells: tuple[tuple[str, ShownCell, CellSums], ...]


@router.get("/grid")
def show_grid(page: PageThere, state: StateThere, engine: Reading, wanted: InQuery[GridQuery]) -> Response:
    """The state of each job on each day, with the forms that begin work."""
    today = local_day(engine.clock.now(), engine.zone)
    first, last = _opened_days(engine, wanted.to)
    days = [first + timedelta(days=number) for number in range(_DAYS)]
    sums, begun = _sums(engine, first, last), first_day_run(engine)
    times = [sum(one.seconds for (_, at), one in sums.items() if at == day) for day in days]
    rows = [_grid_row(row, first, last, sums) for row in grid(engine, _DAYS, last) if row.cells]
    shown, others = {cell.cell for row in rows for _, cell, _ in row.cells}, _last_runs(engine, rows)
    values = {
        "days": days,
        "months": Counter(f"{day:%Y-%m}" for day in days),
        "rows": rows,
        "times": list(zip(days, times, strict=True)),
        "longest": max(times),
        "others": [run for run in others.values() if run],
        "never": [name for name, run in others.items() if not run],
        "today": today,
        "signs": {cell.value: sign for cell, sign in _SIGNS.items() if cell in shown},
        "jobs": [job.name for job in engine.jobs],
        "earlier": first - timedelta(days=1),
        "later": min(today, last + timedelta(days=_DAYS)) if last < today else None,
        "first": first,
        "last": last,
        "begun": begun,
        "begin": min(begun + timedelta(days=_DAYS - 1), today) if begun and begun < first else None,
        "unread": _unread_days(engine, today),
        "rebuilt": engine.ledger.rebuilds.latest(),
        "wanted": wanted,
        "named": bool(engine.settings.transcript_sources),
        "work": state.work.going_on(),
        "early": stopped_early(state),
        "stopped": OrdersFolder(engine.workspace.state_folder).stopped(),
    }
    return page.show("grid.html", values)


@router.get("/runs")
def runs(page: PageThere, engine: Reading, wanted: InQuery[RunsQuery]) -> Response:
    """The newest runs, of a job and of a day where one is asked for."""
    [meant] = named([wanted.job], engine.jobs) if wanted.job else [None]
    within = time_of(engine, meant, wanted.day) if wanted.day else None

    def fetch(offset: int, most: int) -> tuple[Sequence[NamedRun], int]:
        records = engine.ledger.runs.during(wanted.job, within, most, offset)
        return named_runs(engine, records), engine.ledger.runs.count_during(wanted.job, within)

    part = fetch_part(fetch, wanted.page)
    time = period_name((meant and meant.period) or Period.DAY, wanted.day) if wanted.day else ""
    values = {"part": part, "wanted": wanted, "time": time, "jobs": [job.name for job in engine.jobs]}
    return page.show("runs.html", values)


@router.get("/runs/{run_id}")
def run(page: PageThere, state: StateThere, engine: Reading, run_id: str) -> Response:
    """A run with the changes that it made."""
    record = run_named(engine, run_id)
    report = report_run(engine, record)
    may_undo, instead = _may_undo(engine, record, report), _source_run(engine, record)
    values = {
        "run": report,
        "about": subject_of(record, words := SessionWords(engine)),
        "session_words": words.of,
        "titles": entry_titles(state.books.of(engine), report.written[:_MOST], engine.zone),
        "changes": list(file_diffs(report.changes)),
        "log": end_of_log(engine.workspace, report.log, _LOG_LINES) if report.log else (),
        "most": _MOST,
        "may_undo": may_undo,
        "instead": named_runs(engine, [run_named(engine, instead)])[0] if may_undo and instead else None,
        "again": days_again(engine, [record]) if record.undone else None,
    }
    return page.show("run.html", values)


def _last_runs(engine: Engine, rows: Sequence[GridRow]) -> dict[str, NamedRun | None]:
    """The last runs of the jobs that run by no clock, and have no row."""
    in_rows = {row.job for row in rows}
    jobs = [job.name for job in engine.jobs if job.period is None and job.name not in in_rows]
    last = [record for name in jobs for record in engine.ledger.runs.latest(name, 1)]
    runs = {named_run.run.job: named_run for named_run in named_runs(engine, last)}
    return {name: runs.get(name) for name in jobs}


def _opened_days(engine: Engine, to: date | None) -> tuple[date, date]:
    """The days up to `to`; without it the last days in which more was run than now and then."""
    first, last = shown_days(engine, _DAYS, to)
    busy = {day for _, day in _sums(engine, first, last)}
    earlier = None if to or len(busy) > _STRAY else last_day_run(engine, first)
    return (earlier - timedelta(days=_DAYS - 1), earlier) if earlier else (first, last)


def _sums(engine: Engine, first: date, last: date) -> dict[tuple[str, date], CellSums]:
    """The sums of the runs of these days, by job and by the first shown day of their cell."""
    sums, periods = dict[tuple[str, date], CellSums](), {job.name: job.period or Period.DAY for job in engine.jobs}
    within = Window(start=day_start(first, engine.zone), end=day_start(last + timedelta(days=1), engine.zone))
    for record in engine.ledger.runs.during("", within, _SUMMED):
        outcome = record.outcome
        if outcome and record.ended and not record.undone and record.job in periods:
            day = first_day(periods[record.job], local_day(record.window.start, engine.zone))
            written = len(outcome.written) + len(outcome.items)
            one = CellSums(written, (record.ended - record.began).total_seconds())
            sums[record.job, max(day, first)] = sums.get((record.job, max(day, first)), CellSums()) + one
    return sums


def _unread_days(engine: Engine, today: date) -> tuple[date, date]:
    """The days that a back-fill is offered for: from the first message to the first day that has been read."""
    moments = [record.first for record in engine.catalog.listing() if record.first]
    if not moments:
        return today - timedelta(days=_DAYS - 1), today
    said, read = local_day(min(moments), engine.zone), first_day_run(engine)
    return (said, read - timedelta(days=1)) if read and said < read else (said, today)


def _grid_row(row: Row, first: date, last: date, sums: Mapping[tuple[str, date], CellSums]) -> GridRow:
    named_cells = (
        (period_name(row.period, cell.day), cell, sums.get((row.job.name, max(cell.day, first)), CellSums()))
        for cell in shown_cells(row, first, last)
    )
    return GridRow(row.job.name, tuple(named_cells))


def _may_undo(engine: Engine, record: RunRecord, report: ShownRun) -> bool:
    """Whether there is anything to take back."""
    return not (record.undone or report.alive) and made_something(engine, record)


def _source_run(engine: Engine, record: RunRecord) -> str:
    """The run to take back instead of a fold's run, which renders what others wrote; empty where it has none."""
    known = {job.name: job for job in engine.jobs}
    return newest_input(engine, known[record.job], record) if record.job in known else ""
