"""The checks of the daily files: entries that break off or cannot be read."""

from collections.abc import Iterator
from functools import partial

from pipeline.doctor.checks import NAMED, made
from pipeline.doctor.truncated_entries import TornEntry, made_whole, torn_entries
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.workspace.families import TargetFiles
from pipeline.workspace.tombstones import PATH as FORGOTTEN
from schemas.checkup import Check, Health

_NAME = "entries"
_FROM_THE_SOURCE = (
    f"the next run that has something to read lists what is gone in {FORGOTTEN}, and what is taken out there is "
    "written again from the transcript."
)


def entry_checks(engine: Engine) -> Iterator[Check]:
    """Every check of the files that entries are appended to."""
    for job in (job for job in engine.jobs if job.writes.append):
        yield from made(_NAME, partial(_in_files, engine, job))


def _in_files(engine: Engine, job: Job) -> Iterator[Check]:
    for path in TargetFiles(engine.workspace, job.writes).paths():
        yield from made(_NAME, partial(_torn, engine, job, path))


def _torn(engine: Engine, job: Job, path: str) -> Iterator[Check]:
    in_file = list(torn_entries(engine, path))
    for torn in in_file[:NAMED]:
        mend = partial(made_whole, engine, job, torn) if torn.whole is not None and not torn.again else None
        yield Check(_NAME, Health.WARN, _message(torn), _advice(torn), mend)
    if len(in_file) > NAMED:
        yield Check(_NAME, Health.WARN, f"{len(in_file) - NAMED} more in {path}")


def _message(torn: TornEntry) -> str:
    if torn.cut:
        return f"{torn.name} in {torn.path} breaks off at line {torn.last}"
    return f"{torn.name} in {torn.path} cannot be read as an entry: see its lines {torn.first} to {torn.last}"


def _advice(torn: TornEntry) -> str:
    lines = f"lines {torn.first} to {torn.last}"
    if torn.again:
        return f"It was written again as {torn.again}: take {lines} out by hand."
    if torn.whole is not None:
        return "`memory doctor --fix` writes the rest again, word for word as it was."
    if torn.cut:
        return f"Bring the file back from git or a backup. Without one, take {lines} out by hand: {_FROM_THE_SOURCE}"
    return "It does not count until its `- key:` lines are as those of other entries; correct them by hand."
