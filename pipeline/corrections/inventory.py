"""What a person took out of the daily files, noted before a correction writes these files anew or removes them.

A run tells a deletion by the file: who saved it, and whether it stands. After a correction these traces are ours.
"""

from contextlib import suppress

from pipeline.engine.context import Engine
from pipeline.engine.deleted_entries import notice_deletions
from pipeline.errors import EntriesVanished
from pipeline.job import Job


def take_inventory(engine: Engine, job: Job) -> None:
    """Note the missing entries of a job's daily files, as its next run would. The caller holds the locks of the job."""
    if job.writes.append:
        family = engine.family(job)
        with suppress(EntriesVanished):  # many at once are an accident, and may come back: the next run says so
            notice_deletions(engine, family, family.files(), engine.local_now().date())
