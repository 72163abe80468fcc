"""A workspace as the service looks at it: opened for a moment, and closed again."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pipeline.app.engine import open_engine
from pipeline.backfill.orders import OrdersFolder
from pipeline.backfill.plan import due_now
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.clocked import schedule_of, upcoming
from pipeline.job import Job
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named, with_upstream
from pipeline.scheduling.windows import closed_until, look_moments
from pipeline.service.scheduling.retry_policy import ScheduledJob
from schemas.settings import JobSettings
from schemas.window import Window

BACKFILL = "backfill"
"""The name of the job of the service that continues back-fills."""

_Seen = TypeVar("_Seen")


class LedgerWorkspace:
    """A `WatchedWorkspace`. It reads settings and ledger anew each time; transcripts are left to children."""

    def __init__(self, root: Path, context: ProcessContext) -> None:
        """`root` is the workspace."""
        self._root, self._context = root, context
        self.zone = "UTC"

    def look(self, since: datetime, now: datetime) -> Sequence[ScheduledJob]:
        """Every job, each after those it needs; their ticks after `since` up to `now`."""
        return self._with_engine(lambda engine: _scheduled_jobs(engine, since, now))

    def is_due(self, job: str) -> bool:
        """Whether the ledger knows of a window of the job that is to run now."""
        return self._with_engine(
            lambda engine: job == BACKFILL or bool(due_now(engine, jobs_named([job], engine.jobs)))
        )

    def _with_engine(self, see: Callable[[Engine], _Seen]) -> _Seen:
        engine = open_engine(self._root, self._context)
        try:
            self.zone = engine.zone
            return see(engine)
        finally:
            engine.ledger.store.close()


def _scheduled_jobs(engine: Engine, since: datetime, now: datetime) -> list[ScheduledJob]:
    standings = [_scheduled_job(engine, job, since, now) for job in engine.jobs]
    # A back-fill that continues by itself comes after all jobs, and is requested at each look.
    if any(request.waits for request in OrdersFolder(engine.workspace.state_folder).stopped_requests()):
        standings.append(ScheduledJob(BACKFILL, frozenset(), JobSettings(), (now,), next_look=None, success=None))
    return standings


def _scheduled_job(engine: Engine, job: Job, since: datetime, now: datetime) -> ScheduledJob:
    next_window, success = upcoming(engine, job), engine.ledger.runs.last_success(job.name)
    return ScheduledJob(
        job=job.name,
        needs=frozenset(upstream.name for upstream in with_upstream([job], engine.jobs)) - {job.name},
        settings=engine.settings.jobs.get(job.name, JobSettings()),
        ticks=tuple(_ticks_between(engine, job, since, now)),
        next_look=next_window.run_from if next_window else None,
        success=success.ended if success else None,
    )


def _ticks_between(engine: Engine, job: Job, since: datetime, now: datetime) -> list[datetime]:
    """The ticks of the job after `since` up to `now`, for time after `start` alone."""
    start, schedule = engine.settings.start, schedule_of(engine, job)
    if start is None or schedule is None or since >= now:
        return []
    moments = look_moments(schedule, engine.zone, Window(start=since, end=now))
    return [tick for tick in moments if (closed_until(schedule, engine.zone, tick) or start) > start]
