"""The sources of a workspace as they are known, and how many of their sessions gave an entry. Nothing here writes."""

from collections.abc import Iterable
from datetime import timedelta

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.ledger.transcripts import FileRecord
from pipeline.transcripts.alarms import KnownSource, alarms
from pipeline.transcripts.counts import counts_of
from pipeline.transcripts.selection import MACHINE, why_not_read
from pipeline.transcripts.unreadable import source_trouble
from schemas.reports.status import CaptureReport, SourceReport
from schemas.settings import SourceSettings
from schemas.transcript import Origin

DAYS = 14
FEW = 5
"""The number of sessions with the owner's messages from which on a capture rate of zero is reported."""


def source_reports(engine: Engine) -> list[SourceReport]:
    """Every source that the settings name, in their order."""
    return [_source_report(engine, source) for source in engine.settings.transcript_sources]


def _source_report(engine: Engine, source: SourceSettings) -> SourceReport:
    ledger, name = engine.ledger, source.root_name
    records, trouble = ledger.files.of_source(name), source_trouble(ledger, name)
    read = [record for record in records if not why_not_read(record)]
    known = KnownSource(source, records, ledger.other_kinds.of(name), engine.zone, troubled=trouble is not None)
    return SourceReport(
        source=name,
        kind=source.kind,
        path=source.path,
        sessions=_sessions(read),
        first=min((record.first for record in read if record.first), default=None),
        last=max((record.last for record in read if record.last), default=None),
        unreadable=trouble,
        left_out=_sessions(record for record in records if record.left_out),
        machine_sessions=_sessions(record for record in records if why_not_read(record) == MACHINE),
        files=len({record.file.path for record in records}),
        records=counts_of(records),
        # Before the first look nothing is known, nor of a folder that cannot be listed.
        alarms=tuple(alarms(known)) if ledger.files.was_looked_at(name) and not (trouble and trouble.whole) else (),
    )


def _sessions(records: Iterable[FileRecord]) -> int:
    return len({record.session for record in records})


def captures(engine: Engine) -> dict[str, CaptureReport]:
    """The capture of every job that makes entries of transcripts, by name, over the last `DAYS`.

    Lists of facts are no entries: most sessions have none.

    Raises:
        ReadFailed: something stands in the place of one of its files.
    """
    making = (job for job in engine.jobs if job.reads.transcripts and job.writes.append and not job.writes.listed)
    return {job.name: _capture(engine, job) for job in making}


def _capture(engine: Engine, job: Job) -> CaptureReport:
    since = engine.clock.now() - timedelta(days=DAYS)
    read = [record for record in engine.catalog.listing() if not why_not_read(record)]
    of_owner = {record.session for record in read if record.session and record.counts.get(Origin.OWNER)}
    seen = engine.ledger.runs.sessions_since(job.name, since) & of_owner
    family, first = engine.family(job), local_day(since, engine.zone)
    paths = [path for path in family.paths() if (day := family.day_of(path)) and day >= first]
    files = filter(None, map(family.file, paths))
    with_entries = {engine.catalog.cited_id(entry.source) for file in files for _, entry in file.blocks if entry}
    captured = len(seen & with_entries)
    return CaptureReport(DAYS, len(seen), captured, silent=not captured and len(seen) >= FEW)
