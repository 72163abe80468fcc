"""The capture rate: the share of recent sessions that gave an entry. A rate of zero may mean a broken source."""

from datetime import datetime, timedelta

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.workspace.families import TargetFiles
from schemas.reports.status import CaptureReport
from schemas.transcript import Origin, Session

DAYS = 14
FEW = 5
"""The number of sessions with the owner's messages from which on a capture rate of zero is reported."""
_READ = 50  # sessions that are read to count those with a message of the owner


def captures(engine: Engine) -> dict[str, CaptureReport]:
    """By name, every job that makes entries of transcripts, over the last `DAYS`.

    Raises:
        ReadFailed: something stands in the place of one of its files.
    """
    return {job.name: _capture(engine, job) for job in engine.jobs if job.reads.transcripts and job.writes.append}


def _capture(engine: Engine, job: Job) -> CaptureReport:
    since = engine.clock.now() - timedelta(days=DAYS)
    seen = engine.ledger.runs.sessions_since(job.name, since)
    captured = len(seen & _with_entries(engine, job, since))
    silent = not captured and len(seen) >= FEW and _owner_sessions(engine, seen) >= FEW
    return CaptureReport(DAYS, len(seen), captured, silent)


def _with_entries(engine: Engine, job: Job, since: datetime) -> set[str]:
    """The sessions whose entries stand in files of the time since."""
    family, first = TargetFiles(engine.workspace, job.writes), local_day(since, engine.zone)
    paths = [path for path in family.paths() if (day := family.day_of(path)) and day >= first]
    files = filter(None, map(family.file, paths))
    return {entry.source.session_id for file in files for _, entry in file.blocks if entry}


def _owner_sessions(engine: Engine, sessions: set[str]) -> int:
    """In how many of the newest of these sessions the owner speaks, counted up to `FEW`."""
    newest = [record.session for record in reversed(engine.catalog.listing()) if record.session in sessions]
    number = 0
    for session_id in list(dict.fromkeys(newest))[:_READ]:
        session = engine.catalog.session(session_id or "")
        number += bool(session and _speaks(session))
        if number == FEW:
            break
    return number


def _speaks(session: Session) -> bool:
    owners = (message for message in session.conversation if message.origin is Origin.OWNER)
    return not session.machine and any(owners)
