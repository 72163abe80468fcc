"""Snapshots of the service and its jobs for `/metrics` and `/health/ready`. Nothing here writes."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.app.engine import open_engine
from pipeline.app.status import DatabaseStanding, store_standing
from pipeline.backfill.plan import due_now
from pipeline.engine.context import Engine
from pipeline.index.context import Updated
from pipeline.job import Job
from pipeline.ledger.runs import RunRecord, Totals
from pipeline.process.context import ProcessContext
from pipeline.reports.sources import source_reports
from pipeline.store.opening import WorkspaceStore
from pipeline.transcripts.unreadable import lasts
from schemas.outcome import Ending
from schemas.reports.status import SourceReport
from schemas.service_state import ServiceState

LOOK_OVERDUE = timedelta(minutes=5)
"""The delay after which a late check of a job is reported; an idle service checks within seconds."""
_RECENT = 20  # newest runs among which the last one that ended is looked for: the others are at work, or were killed


@dataclass(frozen=True)
class JobFigures:
    """The figures of a job in the ledger.

    `last_success` is the end of the last good run that was not undone, and `last_run` the newest run that has ended.
    `due` is the number of due windows, `tokens` the number that all runs used, `endings` the number of runs by ending.
    """

    last_success: datetime | None = None
    last_run: RunRecord | None = None
    due: int = 0
    tokens: int = 0
    endings: Mapping[Ending, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Snapshot:
    """The service at one moment, `at`; without a service there is no `state`.

    `jobs` are by name; `index` is the last known state of the index, if any. `store` is the answer of the store,
    `None` if nothing was ever stored.
    """

    at: datetime
    state: ServiceState | None
    jobs: Mapping[str, JobFigures] = field(default_factory=dict)
    sources: tuple[SourceReport, ...] = ()
    index: Updated | None = None
    store: DatabaseStanding | None = None


def snapshot_of(
    root: Path, context: ProcessContext, state: ServiceState | None, index: Updated | None = None
) -> Snapshot:
    """A snapshot by an engine of its own, so that it fails when settings or ledger have become unusable.

    It shares nothing with the rest of the service, and so may be taken in any thread.
    """
    engine = open_engine(root, context)
    with closing(engine.ledger.store):
        taken = take_snapshot(engine, state, index)
    return replace(taken, store=store_standing(WorkspaceStore(root, engine.settings.store)))


def take_snapshot(engine: Engine, state: ServiceState | None, index: Updated | None = None) -> Snapshot:
    """Take a snapshot from the ledger, without a scan of transcripts."""
    totals = engine.ledger.runs.totals()
    return Snapshot(
        at=engine.clock.now(),
        state=state,
        jobs={job.name: _job_figures(engine, job, totals.get(job.name, Totals())) for job in engine.jobs},
        sources=tuple(source_reports(engine)),
        index=index,
    )


def reasons_against_readiness(snapshot: Snapshot) -> list[str]:
    """The reasons why the service is not ready; empty if it is ready."""
    reasons = list(_service_troubles(snapshot.state, snapshot.at)) if snapshot.state else []
    if snapshot.store and snapshot.store.error:  # which may name a server, and anybody may read this
        reasons.append("the store cannot be used: `memory store list` says why")
    return reasons + [
        f"source {source.source}: {trouble.sentence(trouble.since.isoformat())}"
        for source in snapshot.sources
        if (trouble := source.unreadable) and lasts(trouble, snapshot.at)
    ]


def _service_troubles(state: ServiceState, now: datetime) -> Iterator[str]:
    for name, job in state.jobs.items():
        if job.parked:
            yield f"{name} is parked: {job.parked.reason}"
        # While a run is under way, the others wait for it; its own deadline bounds that.
        elif job.next_look and job.next_look + LOOK_OVERDUE < now and not state.child:
            yield f"{name} should have been looked at by {job.next_look.isoformat()}"


def _job_figures(engine: Engine, job: Job, totals: Totals) -> JobFigures:
    success = engine.ledger.runs.last_success(job.name)
    ended = [run for run in engine.ledger.runs.latest(job.name, _RECENT) if run.ended and run.outcome]
    return JobFigures(
        last_success=success.ended if success else None,
        last_run=max(ended, key=lambda run: run.ended or run.began, default=None),
        due=len(due_now(engine, [job])),
        tokens=totals.tokens,
        endings=totals.endings,
    )
