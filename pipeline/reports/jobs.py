"""Declared jobs, as programs get them."""

from pipeline.job import Job
from schemas.reports.workspace import DeclaredJob, ReadsReport
from schemas.settings import JobSettings


def declared_job(job: Job, setting: JobSettings) -> DeclaredJob:
    """A job with its settings."""
    reads = job.reads
    shown = ReadsReport(
        transcripts=reads.transcripts,
        entries=reads.entries,
        documents=reads.documents,
        by_people=reads.by_people,
        items=reads.items,
        facts=reads.facts,
        without_facts=reads.without_facts,
    )
    return DeclaredJob(
        name=job.name,
        purpose=job.purpose,
        schedule=(job.clock and setting.schedule) or job.when,
        reads=shown,
        writes=job.writes.family,
        locks=(job.name, *job.locks),
        timeout=(setting.timeout or job.timeout).total_seconds(),
    )
