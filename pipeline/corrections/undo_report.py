"""The result of an undo, in the shape for programs, and the command that runs the same time again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.clock import local_day
from pipeline.corrections.undo import Undone, taken_along
from pipeline.engine.context import Engine
from pipeline.job import Job, Period
from pipeline.ledger.runs import RunRecord
from pipeline.scheduling.windows import first_day
from schemas.reports.runs import UndoneRun


def undone_run(undone: Undone, record: RunRecord, again: str | None) -> UndoneRun:
    """One undone run; `again` is the command for all runs that were undone with it."""
    return UndoneRun(
        run_id=undone.run_id,
        removed=undone.removed,
        restored=undone.restored,
        left=undone.left,
        job=record.job,
        key=record.key,
        again=again,
        rendered=tuple(path for outcome in undone.rendered for path in outcome.paths),
        warnings=tuple(outcome.warning for outcome in undone.rendered if outcome.warning),
        backfill=record.backfill,
        suggestions=undone.suggestions,
    )


@dataclass(frozen=True)
class DaysAgain:
    """The jobs and the days of a back-fill that runs the time of undone runs again."""

    jobs: tuple[str, ...]
    first: date
    last: date


def again_command(engine: Engine, records: Sequence[RunRecord]) -> str | None:
    """The command that runs the time of undone runs again; `None` for runs of no job, such as an adoption."""
    days = days_again(engine, records)
    return f"memory backfill {' '.join(days.jobs)} --from {days.first} --to {days.last}" if days else None


def days_again(engine: Engine, records: Sequence[RunRecord]) -> DaysAgain | None:
    """The days of undone runs; a back-fill takes the windows that begin on its days.

    `None` for runs of no job, such as an adoption.
    """
    windows = [(name, record) for record in records for name in _jobs_again(engine, record)]
    jobs = [job for job in engine.jobs if job.name in {name for name, _ in windows}]
    days = [_first_day(job, record, engine.zone) for job in jobs for name, record in windows if name == job.name]
    return DaysAgain(tuple(job.name for job in jobs), min(days), max(days)) if days else None


def _jobs_again(engine: Engine, record: RunRecord) -> list[str]:
    """The job of a run, and the jobs that have to read its pages again; none for a run of no job, or of a request."""
    requested = engine.ledger.requests.find(record.key) is not None
    known = any(job.name == record.job for job in engine.jobs) and not requested
    return [record.job, *(job.name for job in taken_along(engine, record))] if known else []


def _first_day(job: Job, record: RunRecord, zone: str) -> date:
    """The day on which the whole window begins: a week's run may have begun with `start`, in the middle of it."""
    day = local_day(record.window.start, zone)
    return first_day(job.period or Period.DAY, day)
