"""The state of a job's time, by local day, by ISO week or by month. Nothing here writes.

It is computed from covered time, runs and due windows, so a year costs one reading of the ledger's rows of that year.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from operator import attrgetter

from pipeline.backfill.plan import newest_attempts
from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitionings_of
from pipeline.job import Job, Period
from pipeline.ledger.coverage import Covered, State
from pipeline.ledger.runs import Attempt
from pipeline.reports.status import at_work, outstanding
from pipeline.scheduling.windows import first_day, next_first_day, period_name
from schemas.outcome import Ending
from schemas.reports.status import GridReport
from schemas.window import Window


class Cell(StrEnum):
    """The state of a day, a week or a month of a job, the gravest first: of several windows in it the gravest counts.

    A rebuilt ledger takes a day as done when any file has content of it; the rest of that day is not known.
    """

    FAILED = "failed"
    WAITING = "waiting"
    MISSING = "missing"
    STALE = "stale"
    RUNNING = "running"
    DEGRADED = "degraded"
    UNDONE = "undone"
    DONE = "done"
    UNKNOWN = "unknown"
    EMPTY = "empty"


@dataclass(frozen=True)
class Row:
    """A job. `cells` are by day; a week is at its Monday, a month at its first day. What is not due is left out."""

    job: Job
    cells: Mapping[date, Cell]

    @property
    def period(self) -> Period:
        """The span of a cell: a day, a week or a month."""
        period = self.job.period
        return period if period in {Period.WEEK, Period.MONTH} else Period.DAY


@dataclass(frozen=True)
class ShownCell:
    """A cell as it is shown: its first `day`, of how many shown `days` it is, and how it stands; `None` is not due."""

    day: date
    days: int
    cell: Cell | None


_GRAVITY = {cell: rank for rank, cell in enumerate(Cell)}
_TRIED = {
    Ending.WAITING: Cell.WAITING,
    Ending.OVER_BUDGET: Cell.WAITING,
    Ending.FAILED: Cell.FAILED,
    Ending.UNREADABLE: Cell.FAILED,
    Ending.PARTIAL: Cell.FAILED,
    Ending.TIMED_OUT: Cell.FAILED,
}
"""The cell of a due window, by the ending of its last run; other endings do not count."""
_COVERED = {Ending.EMPTY: Cell.EMPTY, Ending.DEGRADED: Cell.DEGRADED}
_UNCOVERED = {State.UNKNOWN: Cell.UNKNOWN, State.UNDONE: Cell.UNDONE}


def grid(engine: Engine, days: int, last: date | None = None) -> list[Row]:
    """A row for each job, over so many local days up to `last`, or to today; whole weeks and whole months."""
    last = last or local_day(engine.clock.now(), engine.zone)
    return [_row(engine, job, last - timedelta(days=days - 1), last) for job in engine.jobs]


def grid_report(row: Row) -> GridReport:
    """A row as programs get it: its days, its ISO weeks or its months, each with how it stands."""
    cells = {period_name(row.period, day): cell.value for day, cell in sorted(row.cells.items())}
    return GridReport(row.job.name, row.period.value, cells)


def shown_days(engine: Engine, days: int, last: date | None) -> tuple[date, date]:
    """The first and the last of so many days up to `last`.

    Without one, up to today; or where nothing was run for these, up to the last day that was run for.
    """
    today = local_day(engine.clock.now(), engine.zone)
    earlier = last_day_run(engine, today + timedelta(days=1 - days))
    idle = earlier and last_day_run(engine, today + timedelta(days=1)) == earlier
    end = last or (earlier if idle and earlier else today)
    return end - timedelta(days=days - 1), end


def shown_cells(row: Row, first: date, last: date) -> list[ShownCell]:
    """The days, weeks or months of a row that have any day from `first` to `last`, in their order."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    counted = Counter(_place(row.job, day) for day in days)
    return [ShownCell(day, number, row.cells.get(day)) for day, number in counted.items()]


def time_of(engine: Engine, job: Job | None, day: date) -> Window:
    """The day, or the week or month of a job that the day lies in."""
    period = (job and job.period) or Period.DAY
    first = first_day(period, day)
    behind = next_first_day(period, first)
    return Window(start=day_start(first, engine.zone), end=day_start(behind, engine.zone))


def last_day_run(engine: Engine, before: date) -> date | None:
    """The last local day before `before` that a run has dealt with."""
    moment = engine.ledger.coverage.last_covered(day_start(before, engine.zone))
    return local_day(moment, engine.zone) if moment else None


def first_day_run(engine: Engine) -> date | None:
    """The first local day that a run has dealt with."""
    moment = engine.ledger.coverage.first_covered()
    return local_day(moment, engine.zone) if moment else None


def _row(engine: Engine, job: Job, first: date, last: date) -> Row:
    first = _place(job, first)
    span = Window(start=day_start(first, engine.zone), end=day_start(last + timedelta(days=1), engine.zone))
    cells = dict[date, Cell]()
    for window, cell in _stretches(engine, job, span):
        for day in _days(job, window, engine.zone):
            if first <= day <= last and (day not in cells or _GRAVITY[cell] < _GRAVITY[cells[day]]):
                cells[day] = cell
    return Row(job, cells)


def _stretches(engine: Engine, job: Job, span: Window) -> Iterator[tuple[Window, Cell]]:
    """The windows of the span with their cells, as far as they are known."""
    attempts = engine.ledger.runs.attempts(job.name, span)
    known = [covered for kind in partitionings_of(engine, job) for covered in kind.find_covered(span)]
    endings = {attempt.run_id: attempt.ending for attempt in attempts}
    stale = [covered.partition.window for covered in known if covered.stale]
    for covered in known:
        if not covered.stale:
            yield covered.partition.window, _cell_of(covered, endings.get(covered.run_id))
    due, run = outstanding(engine, job, span.start), at_work(engine, job)
    last = newest_attempts(engine, job, span, due)
    for window in due:
        if not (run and (job.is_fold or run.window == window)):
            yield window, _due(window, last, stale)
    if run:
        yield run.window, Cell.RUNNING


def _cell_of(stretch: Covered, ending: Ending | None) -> Cell:
    if stretch.state is State.COVERED:
        return _COVERED.get(ending or Ending.DONE, Cell.DONE)
    return _UNCOVERED[stretch.state]


def _due(window: Window, last: Mapping[Window, Attempt], stale: Sequence[Window]) -> Cell:
    tried = last.get(window)
    if tried and tried.ending in _TRIED:
        return _TRIED[tried.ending]
    place = bisect_left(stale, window.end, key=attrgetter("start"))  # they are in order and do not overlap
    return Cell.STALE if place and stale[place - 1].end > window.start else Cell.MISSING


def _days(job: Job, window: Window, zone: str) -> Iterator[date]:
    """The days that a window lies in, or the first days of its weeks or months."""
    day, last = local_day(window.start, zone), local_day(window.end - timedelta(microseconds=1), zone)
    first = _place(job, day)
    yield first
    for number in range(1, (last - first).days + 1):
        if (day := first + timedelta(days=number)) == _place(job, day):
            yield day


def _place(job: Job, day: date) -> date:
    """The cell of a day: the day itself, the Monday of its week, or the first of its month."""
    return first_day(job.period or Period.DAY, day)
