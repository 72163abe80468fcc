"""How the jobs and the sources of a workspace stand: what is done, due, waiting, unknown. Nothing here writes."""

import json
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from pipeline.backfill import due_now
from pipeline.clock import local_day
from pipeline.engine import Engine
from pipeline.job import Job
from pipeline.lease import is_alive
from pipeline.ledger.coverage import State
from pipeline.ledger.files import FileRecord
from pipeline.ledger.runs import RunRecord
from pipeline.runner import schedule_of, still_due
from pipeline.scheduler import closed_until, closes, window_around
from schemas.outcome import Ending
from schemas.window import Window

_SUCCESSES = frozenset({Ending.DONE, Ending.EMPTY, Ending.DEGRADED})
_RECENT = 1_000  # runs looked at


@dataclass(frozen=True)
class Upcoming:
    """The next window that becomes due by itself, and the moment from which it is run."""

    window: Window
    run_from: datetime


@dataclass(frozen=True)
class JobStanding:
    """One job.

    `troubled` are the newest runs of windows that did not end well and still have to run, newest first. `unknown` is
    time of which the ledger does not know whether it was dealt with. `at_work` tells of the process that runs the job
    now; it is empty when there is none. `upcoming` is what becomes due next.
    """

    job: Job
    last_success: RunRecord | None
    due: tuple[Window, ...]
    troubled: tuple[RunRecord, ...]
    unknown: tuple[Window, ...]
    at_work: str
    upcoming: Upcoming | None


@dataclass(frozen=True)
class SourceStanding:
    """One source and the sessions in it; times are of the first and the last message."""

    name: str
    kind: str
    path: str
    sessions: int
    first: datetime | None
    last: datetime | None


def job_standings(engine: Engine) -> list[JobStanding]:
    """Every job, in the order in which they depend on each other."""
    return [_standing(engine, job) for job in engine.jobs]


def source_standings(engine: Engine) -> list[SourceStanding]:
    """Every source that the settings name, in their order."""
    found: dict[str, list[FileRecord]] = {}
    for record in engine.catalog.listing():
        found.setdefault(record.source, []).append(record)
    standings = []
    for source in engine.settings.sources:
        records = found.get(source.root_name, [])
        first = min((each.first for each in records if each.first), default=None)
        last = max((each.last for each in records if each.last), default=None)
        sessions = len({each.session for each in records})
        standings.append(SourceStanding(source.root_name, source.kind, source.path, sessions, first, last))
    return standings


def upcoming(engine: Engine, job: Job) -> Upcoming | None:
    """What becomes due next for a job; `None` when nothing ever does, because there is no `start`."""
    start, schedule = engine.settings.start, schedule_of(engine, job)
    if start is None:
        return None
    # A window that has ended is still the next one until it has closed.
    closed = closed_until(schedule, engine.zone, engine.clock.now())
    window = window_around(schedule, engine.zone, max(closed, start) if closed else start)
    return Upcoming(window, closes(schedule, engine.zone, window))


def backfill_command(job: str, windows: Sequence[Window], zone: str) -> list[str]:
    """The words of the command that runs these windows."""
    first, last = days_of(windows, zone)
    return ["memory", "backfill", job, "--from", str(first), "--to", str(last)]


def days_of(windows: Sequence[Window], zone: str) -> tuple[date, date]:
    """The first and the last local day that windows, of which there is at least one, lie in."""
    first, last = min(window.start for window in windows), max(window.end for window in windows)
    return local_day(first, zone), local_day(last - timedelta(microseconds=1), zone)


def _standing(engine: Engine, job: Job) -> JobStanding:
    recent = [record for record in engine.ledger.runs.latest(job.name, _RECENT) if record.undone is None]
    stretches = engine.ledger.coverage.stretches(job.name)
    return JobStanding(
        job=job,
        last_success=next((record for record in recent if _ended(record) in _SUCCESSES), None),
        due=tuple(planned.window for planned in due_now(engine, [job])),
        troubled=tuple(_troubled(engine, job, recent)),
        unknown=tuple(stretch.window for stretch in stretches if stretch.state is State.UNKNOWN),
        at_work=_at_work(engine, job),
        upcoming=upcoming(engine, job),
    )


def _troubled(engine: Engine, job: Job, recent: Sequence[RunRecord]) -> list[RunRecord]:
    """The newest run of each window, where it did not end well and the window still has to run."""
    by_key = groupby(sorted(recent, key=lambda record: record.key), key=lambda record: record.key)
    newest = [max(records, key=lambda record: record.began) for _, records in by_key]
    bad = [record for record in newest if _ended(record) not in {*_SUCCESSES, None}]
    troubled = [record for record in bad if still_due(engine, job, record.window, again=True)]
    return sorted(troubled, key=lambda record: record.began, reverse=True)


def _ended(record: RunRecord) -> Ending | None:
    return record.outcome.ending if record.outcome else None


def _at_work(engine: Engine, job: Job) -> str:
    """The process that holds a job's lock.

    Told from what stands in the lock file and whether that process lives: trying the lock would be in a run's way.
    """
    with suppress(OSError, ValueError, AttributeError):
        told = json.loads((engine.workspace.lock_folder / f"{job.name}.lock").read_text(encoding="utf-8"))
        run = engine.ledger.runs.find(str(told.get("run")))
        mine = told.get("host") == socket.gethostname() and told.get("pid") != os.getpid()
        if run and run.ended is None and mine and is_alive(int(told.get("pid") or -1)):
            return f"process {told.get('pid')}, run {run.run_id}"
    return ""
