"""Runs: the grid of jobs and days, the runs of a cell, a run with its diff, and the runs of a back-fill."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta

from fastapi import Response
from pydantic import Field

from pipeline.backfill.orders import OrdersFolder
from pipeline.clock import day_start, local_day
from pipeline.corrections.undo import made_something
from pipeline.corrections.undo_folds import newest_input
from pipeline.engine.context import Engine
from pipeline.job import Period
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
from pipeline.reports.run_subjects import NamedRun, SessionWords, backfill_named, named_runs, subject_of
from pipeline.reports.runs import report_run, run_named
from pipeline.reports.service import end_of_log
from pipeline.scheduling.registry import jobs_named
from pipeline.scheduling.windows import first_day, period_name
from pipeline.surfaces.http.page.forms import AskedPart, InQuery, ListQuery, OptionalDay, QueryForm, Words
from pipeline.surfaces.http.page.paging import fetch_part
from pipeline.surfaces.http.page.rendering import PageThere, page_router
from pipeline.surfaces.http.page.routes.undoing import days_to_run_again, file_diffs, select_runs
from pipeline.surfaces.http.page.routes.work import stopped_early
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.correction import UndoSort
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
Sums = dict[tuple[str, date], Mapping[str, float]]
"""By job and the first shown day of a cell: how many entries, lines and pages were `written`, and the `seconds`."""
_NOTHING: Mapping[str, float] = {"written": 0, "seconds": 0.0}


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


@router.get("/grid")
def show_grid(page: PageThere, state: StateThere, engine: Reading, wanted: InQuery[GridQuery]) -> Response:
    """The state of each job on each day, with the forms that begin work."""
    today = local_day(engine.clock.now(), engine.zone)
    first, last, sums = _opened_days(engine, wanted.to)
    days, begun = [first + timedelta(days=number) for number in range(_DAYS)], first_day_run(engine)
    times = [sum(total["seconds"] for (_, at), total in sums.items() if at == day) for day in days]
    rows = [(row.job.name, list(_cells(row, first, last, sums))) for row in grid(engine, _DAYS, last) if row.cells]
    shown, others = {cell.cell for _, cells in rows for _, cell, _ in cells}, _last_runs(engine, dict(rows))
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
        "stopped": OrdersFolder(engine.workspace.state_folder).stopped_requests(),
    }
    return page.show("grid.html", values)


@router.get("/runs")
def runs(page: PageThere, engine: Reading, wanted: InQuery[RunsQuery]) -> Response:
    """The newest runs, of a job and of a day where one is asked for."""
    [meant] = jobs_named([wanted.job], engine.jobs) if wanted.job else [None]
    within = time_of(engine, meant, wanted.day) if wanted.day else None

    def fetch(offset: int, most: int) -> tuple[Sequence[NamedRun], int]:
        records = engine.ledger.runs.during(wanted.job, within, most, offset)
        return named_runs(engine, records), engine.ledger.runs.count_during(wanted.job, within)

    part = fetch_part(fetch, wanted.page)
    period = period_name((meant and meant.period) or Period.DAY, wanted.day) if wanted.day else ""
    values = {"part": part, "wanted": wanted, "period": period, "jobs": [job.name for job in engine.jobs]}
    return page.show("runs.html", values)


@router.get("/runs/{run_id}")
def run(page: PageThere, state: StateThere, engine: Reading, run_id: str) -> Response:
    """A run with the changes that it made."""
    record = run_named(engine, run_id)
    report = report_run(engine, record)
    may_undo = not (record.undone or report.alive) and made_something(engine, record)
    job = next((job for job in engine.jobs if job.name == record.job), None)
    instead = newest_input(engine, job, record) if may_undo and job else ""
    values = {
        "run": report,
        "about": subject_of(record, words := SessionWords(engine)),
        "session_words": words.of,
        "titles": entry_titles(state.books.of(engine), report.written[:_MOST], engine.zone),
        "changes": list(file_diffs(report.changes)),
        "log": end_of_log(engine.workspace, report.log, _LOG_LINES) if report.log else (),
        "most": _MOST,
        "may_undo": may_undo,
        "instead": named_runs(engine, [run_named(engine, instead)])[0] if instead else None,
        "again": days_to_run_again(engine, [record]),
    }
    return page.show("run.html", values)


@router.get("/backfills/{backfill}")
def show_backfill(page: PageThere, engine: Reading, backfill: str, number: AskedPart = 1) -> Response:
    """A back-fill: the number of its runs, those that wrote, and what can be done with it."""
    totals = backfill_named(engine, backfill)

    def fetch(offset: int, most: int) -> tuple[Sequence[NamedRun], int]:
        return named_runs(engine, engine.ledger.runs.telling(backfill, most, offset)), totals.runs - totals.empty

    stopped = any(orders.id == backfill for orders in OrdersFolder(engine.workspace.state_folder).stopped_requests())
    again = days_to_run_again(engine, select_runs(engine, UndoSort.BACKFILL, backfill)) if totals.undone else None
    values = {"totals": totals, "stopped": stopped, "again": again, "part": fetch_part(fetch, number)}
    return page.show("backfill.html", values)


def _last_runs(engine: Engine, rows: Collection[str]) -> dict[str, NamedRun | None]:
    """The last runs of the jobs that run by no clock, and have no row."""
    jobs = [job.name for job in engine.jobs if job.period is None and job.name not in rows]
    last = [record for name in jobs for record in engine.ledger.runs.latest(name, 1)]
    runs = {named_run.run.job: named_run for named_run in named_runs(engine, last)}
    return {name: runs.get(name) for name in jobs}


def _opened_days(engine: Engine, to: date | None) -> tuple[date, date, Sums]:
    """The first and the last day up to `to`, and their sums; without it of days with more runs than now and then."""
    first, last = shown_days(engine, _DAYS, to)
    sums = _sums(engine, first, last)
    earlier = None if to or len({day for _, day in sums}) > _STRAY else last_day_run(engine, first)
    if earlier is None:
        return first, last, sums
    first = earlier - timedelta(days=_DAYS - 1)
    return first, earlier, _sums(engine, first, earlier)


def _sums(engine: Engine, first: date, last: date) -> Sums:
    """The sums of the runs of these days that stand."""
    sums, periods = Sums(), {job.name: job.period or Period.DAY for job in engine.jobs}
    within = Window(start=day_start(first, engine.zone), end=day_start(last + timedelta(days=1), engine.zone))
    for record in engine.ledger.runs.during("", within, _SUMMED):
        outcome = record.outcome
        if outcome and record.ended and not record.undone and record.job in periods:
            day = first_day(periods[record.job], local_day(record.window.start, engine.zone))
            so_far = sums.get(key := (record.job, max(day, first)), _NOTHING)
            sums[key] = {
                "written": so_far["written"] + len(outcome.written) + len(outcome.items),
                "seconds": so_far["seconds"] + (record.ended - record.began).total_seconds(),
            }
    return sums


def _cells(row: Row, first: date, last: date, sums: Sums) -> Iterator[tuple[str, ShownCell, Mapping[str, float]]]:
    """The cells of a row, each with the name of its day, week or month, and its sums."""
    for cell in shown_cells(row, first, last):
        yield period_name(row.period, cell.day), cell, sums.get((row.job.name, max(cell.day, first)), _NOTHING)


def _unread_days(engine: Engine, today: date) -> tuple[date, date]:
    """The days that a back-fill is offered for: from the first message to the first day that has been read."""
    moments = [record.first for record in engine.catalog.listing() if record.first]
    if not moments:
        return today - timedelta(days=_DAYS - 1), today
    said, read = local_day(min(moments), engine.zone), first_day_run(engine)
    return (said, read - timedelta(days=1)) if read and said < read else (said, today)
