"""What a back-fill covers: where its request leaves jobs or days open, all jobs, from the first message to today."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from pipeline.backfill.plan import Planned, in_days, selected
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.clocked import schedule_of
from pipeline.job import Job
from pipeline.scheduling.windows import window_around
from schemas.run_request import BackfillRequest

EARLIEST = date(1971, 1, 1)
"""Arithmetic with zones ends near the first year; a message of such a time has a broken clock."""


@dataclass(frozen=True)
class BackfillScope:
    """The jobs of a back-fill, in the order of the registry, and its local days, both inside."""

    jobs: tuple[Job, ...]
    first: date
    last: date


def scope(engine: Engine, request: BackfillRequest) -> BackfillScope | None:
    """What a request covers now, of the jobs that still exist; `None` when it begins with a message and there is none.

    The catalog must have been refreshed.
    """
    # The registry's order, not the request's: it decides which job comes first at the same time.
    jobs = tuple(job for job in engine.jobs if not request.jobs or job.name in request.jobs)
    first = request.first or _first_day(engine, jobs)
    return BackfillScope(jobs, first, request.last or local_day(engine.clock.now(), engine.zone)) if first else None


def to_run(engine: Engine, request: BackfillRequest) -> list[Planned]:
    """The windows of the wanted sort that a back-fill still has to run."""
    return selected(engine, all_open(engine, request), request.only)


def all_open(engine: Engine, request: BackfillRequest) -> list[Planned]:
    """The windows of a back-fill that still have to run, of every sort."""
    whole = scope(engine, request)
    return in_days(engine, whole.jobs, whole.first, whole.last) if whole else []


def _first_day(engine: Engine, jobs: Iterable[Job]) -> date | None:
    """The first day of the longest window around the first message: a week has to begin within the days to be run."""
    first = min((record.first for record in engine.catalog.listing() if record.first), default=None)
    if first is None or first.date() <= EARLIEST:
        return first and EARLIEST
    return min(_begin(engine, job, first) for job in jobs)


def _begin(engine: Engine, job: Job, moment: datetime) -> date:
    schedule = schedule_of(engine, job)
    start = window_around(schedule, engine.zone, moment).start if schedule else moment
    return local_day(start, engine.zone)
