"""Declared jobs, as programs get them."""

from dataclasses import dataclass

from pipeline.job import Job, Reads
from schemas.settings import JobSettings


@dataclass(frozen=True)
class DeclaredJob:
    """A job as it is declared, with the schedule and the time limit that the settings give; `timeout` is in seconds."""

    name: str
    purpose: str
    schedule: str
    reads: Reads
    writes: str
    locks: tuple[str, ...]
    timeout: float


def declared_job(job: Job, setting: JobSettings) -> DeclaredJob:
    """A job with its settings."""
    return DeclaredJob(
        name=job.name,
        purpose=job.purpose,
        schedule=(job.clock and setting.schedule) or job.when,
        reads=job.reads,
        writes=job.writes.family,
        locks=(job.name, *job.locks),
        timeout=(setting.timeout or job.timeout).total_seconds(),
    )
