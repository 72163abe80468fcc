"""The capture rate: the share of the owner's recent sessions that gave an entry. Zero may mean a broken source."""

from datetime import datetime, timedelta

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.transcripts.selection import why_not_read
from pipeline.workspace.families import TargetFiles
from schemas.reports.status import CaptureReport
from schemas.transcript import Origin

DAYS = 14
FEW = 5
"""The number of sessions with the owner's messages from which on a capture rate of zero is reported."""


def captures(engine: Engine) -> dict[str, CaptureReport]:
    """The capture of every job that makes entries of transcripts, by name, over the last `DAYS`.

    Raises:
        ReadFailed: something stands in the place of one of its files.
    """
    return {job.name: _capture(engine, job) for job in engine.jobs if job.reads.transcripts and job.writes.append}


def _capture(engine: Engine, job: Job) -> CaptureReport:
    since = engine.clock.now() - timedelta(days=DAYS)
    seen = engine.ledger.runs.sessions_since(job.name, since) & _of_the_owner(engine)
    captured = len(seen & _with_entries(engine, job, since))
    return CaptureReport(DAYS, len(seen), captured, silent=not captured and len(seen) >= FEW)


def _of_the_owner(engine: Engine) -> set[str]:
    """The sessions that are read, in which the owner speaks."""
    spoken = (record for record in engine.catalog.listing() if not why_not_read(record))
    return {record.session for record in spoken if record.session and record.counts.get(Origin.OWNER)}


def _with_entries(engine: Engine, job: Job, since: datetime) -> set[str]:
    """The sessions whose entries stand in files of the time since."""
    family, first = TargetFiles(engine.workspace, job.writes), local_day(since, engine.zone)
    paths = [path for path in family.paths() if (day := family.day_of(path)) and day >= first]
    files = filter(None, map(family.file, paths))
    return {engine.catalog.cited_id(entry.source) for file in files for _, entry in file.blocks if entry}
