"""The standing of the jobs of a workspace: done, due, waiting, unknown, at work. Nothing here writes."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any

from pipeline.backfill.plan import ALL_TIME
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitioning_for, partitionings_of
from pipeline.engine.partitioning.clocked import Upcoming, upcoming
from pipeline.errors import WriteFailed
from pipeline.job import Job
from pipeline.ledger.coverage import State
from pipeline.ledger.runs import RunRecord
from pipeline.workspace.atomic import is_alive
from pipeline.workspace.regular_files import read_regular
from schemas.outcome import SUCCESSES, Ending
from schemas.reports.status import LockReport
from schemas.window import Window

_RECENT = 1_000  # newest runs among which those that did not end well are looked for


@dataclass(frozen=True)
class JobStanding:
    """A job.

    `troubled` are the newest runs of partitions that did not end well and still have to run, newest first. `unknown` is
    time of unknown state in the ledger. `warned` is the newest run that ended well with a warning, unless a later one
    with inputs has none. `at_work` describes the process that runs the job now; it is empty when there is none.
    `upcoming` is the next due window. `rebuilt` is when the ledger was rebuilt from the files, which do not record the
    end of a run: without a later success, the last one is not known.
    """

    job: Job
    last_success: RunRecord | None
    due: tuple[Window, ...]
    troubled: tuple[RunRecord, ...]
    unknown: tuple[Window, ...]
    at_work: str
    upcoming: Upcoming | None
    rebuilt: datetime | None
    warned: RunRecord | None


def job_standings(engine: Engine) -> list[JobStanding]:
    """Every job, in the order in which they depend on each other."""
    return [_standing(engine, job) for job in engine.jobs]


def troubled_runs(engine: Engine) -> dict[str, list[RunRecord]]:
    """The newest runs of each job's partitions that did not end well and still have to run, newest first."""
    runs = engine.ledger.runs
    return {job.name: _troubled_runs(engine, job, runs.latest(job.name, _RECENT)) for job in engine.jobs}


def lock_reports(engine: Engine, *, thorough: bool = False) -> list[LockReport]:
    """Every lock that is held now.

    Only locks whose process lives are tried, for trying is in a run's way for a moment; all of them when `thorough`.
    """
    locks = []
    for file in sorted(engine.workspace.lock_folder.glob("*.lock")):
        owner = _lock_record(engine, file.stem)
        here = engine.locks.is_here(owner.get("host"))
        pid = _process_of(owner)
        gone = not owner or (here and not is_alive(pid))
        with suppress(WriteFailed):  # without the right to try the lock its state is unknown
            if (thorough or not gone) and engine.locks.is_held(file.stem):
                holder, until = engine.locks.holder(file.stem), _moment(owner.get("deadline"))
                locks.append(LockReport(file.stem, 0 if gone else pid, holder, until))
    return locks


def outstanding(engine: Engine, job: Job, since: datetime = ALL_TIME.start) -> list[Window]:
    """The windows that a job has to run since `start`, oldest first, also those left to a back-fill.

    With `since`, at which a window of the job begins, those that end after it.
    """
    windows = (window for kind in partitionings_of(engine, job) for window in kind.windows_or_left(since))
    return sorted(windows, key=attrgetter("end"))


def backfill_command(job: str, windows: Sequence[Window], zone: str) -> list[str]:
    """The words of the command that runs these windows."""
    first, last = days_of(windows, zone)
    return ["memory", "backfill", job, "--from", str(first), "--to", str(last)]


def again_command(standing: JobStanding, window: Window, zone: str) -> list[str]:
    """The words of the command that runs a window again which did not end well; only a back-fill takes earlier time."""
    name, by_itself = standing.job.name, standing.job.clock is None or window in standing.due
    return ["memory", "run", name] if by_itself else backfill_command(name, [window], zone)


def days_of(windows: Sequence[Window], zone: str) -> tuple[date, date]:
    """The first and the last local day that windows, of which there is at least one, lie in."""
    first, last = min(window.start for window in windows), max(window.end for window in windows)
    return local_day(first, zone), local_day(last - timedelta(microseconds=1), zone)


def _standing(engine: Engine, job: Job) -> JobStanding:
    recent, kinds = engine.ledger.runs.latest(job.name, _RECENT), partitionings_of(engine, job)
    keyed = engine.ledger.keyed.of_job(job.name)
    unknown = [record.partition.window for record in keyed if record.state is State.UNKNOWN]
    unknown += engine.ledger.coverage.in_state(job.name, State.UNKNOWN)
    run = at_work(engine, job)
    return JobStanding(
        job=job,
        last_success=engine.ledger.runs.last_success(job.name),
        due=tuple(sorted((window for kind in kinds for window in kind.due_windows()), key=attrgetter("end"))),
        troubled=tuple(_troubled_runs(engine, job, recent)),
        unknown=tuple(sorted(unknown, key=attrgetter("start"))),
        at_work=f"process {_lock_record(engine, job.name).get('pid')}, run {run.run_id}" if run else "",
        upcoming=upcoming(engine, job),
        rebuilt=engine.ledger.rebuilds.latest(),
        warned=_newest_warning(engine, recent),
    )


def _newest_warning(engine: Engine, recent: Sequence[RunRecord]) -> RunRecord | None:
    """The newest run that ended well, if it warns; those that had nothing to read know nothing, and are passed over."""
    for record in recent:
        outcome = record.outcome
        if outcome is None or record.undone or outcome.ending not in SUCCESSES:
            continue
        if outcome.warning:
            return record
        if outcome.ending is not Ending.EMPTY or engine.ledger.runs.sessions_of(record.run_id):
            return None
    return None


def _troubled_runs(engine: Engine, job: Job, recent: Sequence[RunRecord]) -> list[RunRecord]:
    """The newest run of each partition, where it did not end well, was not undone, and the partition has to run."""
    # By key and subject: a fold has another window at every run, and all subjects have the same keys.
    newest = {(record.key, record.subject): record for record in reversed(recent)}
    bad = [
        record
        for record in newest.values()
        if not record.undone and record.outcome and record.outcome.ending not in SUCCESSES
    ]
    troubled = [
        record for record in bad if partitioning_for(engine, job, record.partition).is_due(record.partition, again=True)
    ]
    return sorted(troubled, key=lambda record: record.began, reverse=True)


def at_work(engine: Engine, job: Job) -> RunRecord | None:
    """The run of a job that is under way.

    It is found by the lock file and the life of its process: trying the lock would be in a run's way.
    """
    owner = _lock_record(engine, job.name)
    run = engine.ledger.runs.find(str(owner.get("run")))
    mine = engine.locks.is_here(owner.get("host")) and owner.get("pid") != os.getpid()
    return run if run and run.ended is None and mine and is_alive(_process_of(owner)) else None


def _lock_record(engine: Engine, name: str) -> dict[str, Any]:
    """The record in a lock file; nothing when it cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        owner = json.loads(read_regular(engine.workspace.lock_folder / f"{name}.lock"))
        return owner if isinstance(owner, dict) else {}
    return {}


def _process_of(owner: Mapping[str, Any]) -> int:
    """The number of the process in the record of a lock; 0 where it names none."""
    pid = owner.get("pid")
    return pid if isinstance(pid, int) else 0


def _moment(text: object) -> datetime | None:
    with suppress(ValueError):
        moment = datetime.fromisoformat(str(text))
        return moment if moment.tzinfo else None
    return None
