"""Corrections that rewrite entries: each is a run of no job, noted in the ledger, which `memory undo` takes back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from pipeline.clock import local_day
from pipeline.engine.append import Committer, FieldUpdate
from pipeline.engine.context import Engine
from pipeline.engine.deletions import notice_deletions, regain
from pipeline.engine.recovery import recover
from pipeline.entries.standing import fold
from pipeline.errors import EntriesVanished, PipelineError
from pipeline.job import Job
from pipeline.workspace.declined import LOCK as DECLINED_LOCK
from pipeline.workspace.unlinked import LOCK
from schemas.entry import Entry
from schemas.outcome import Ending, Outcome
from schemas.window import PartitionKey, Window


def take_inventory(engine: Engine, job: Job) -> None:
    """Note the missing entries of a job's daily files, as its next run would. The caller holds the locks of the job."""
    if job.writes.append:
        family = engine.family(job)
        with suppress(EntriesVanished):  # many at once are an accident, and may come back: the next run says so
            notice_deletions(engine, family, family.files(), engine.local_now().date())


UNLINKING, RELINKING, REVIEWING, KEEPING, DECLINING = "unlink", "relink", "review", "keep", "decline"
CORRECTIONS = frozenset({UNLINKING, RELINKING, REVIEWING, KEEPING, DECLINING})
"""The names of the runs in the ledger; they are no jobs."""

LINKS = ("supersedes", "superseded_by", "reinforces")
_WRITTEN = (*LINKS, "grounds", "confidence", "conclusion")

Versions = tuple[Mapping[str, Entry], Mapping[str, Entry]]
"""Entries by id, as they are and as they are to be; an entry may leave."""


@contextmanager
def hold_jobs(engine: Engine, jobs: Sequence[Job], names: Sequence[str]) -> Iterator[str]:
    """Hold the locks of jobs and those of `names`, with interrupted changes settled; the id of the run."""
    now = engine.clock.now()
    run_id = engine.new_run_id(now)
    locks = [*names, *(lock for job in jobs for lock in (job.name, *job.locks))]
    with engine.locks.hold(locks, run_id, now + max(job.timeout for job in jobs)):
        for job in jobs:
            recover(engine.workspace, engine.ledger, engine.family(job).owns)
        yield run_id


@contextmanager
def holding(engine: Engine, name: str) -> Iterator[str]:
    """Hold the locks of the writers of entries and of the lists; the id of the run."""
    with hold_jobs(engine, engine.writers, [LOCK, DECLINED_LOCK, name]) as run_id:
        for job, family in ((job, engine.family(job)) for job in engine.writers):
            regain(engine, family, family.files())  # what a removal that was killed had not taken out yet
            take_inventory(engine, job)
        yield run_id


def carried_out(engine: Engine, name: str, run_id: str, work: Callable[[], Mapping[str, object]]) -> Outcome:
    """The outcome of a correction, which is begun in the ledger before `work` and ended after it.

    `work` gives the fields of the outcome that are known then. The caller holds the locks.
    """
    now = engine.clock.now()
    partition = PartitionKey(key=f"{name}-{local_day(now, engine.zone)}", window=Window(start=now, end=now))
    engine.ledger.runs.begin(run_id, name, partition, now)
    outcome = Outcome(job=name, key=partition.key, window=partition.window, ending=Ending.FAILED, run_id=run_id)
    try:
        outcome = outcome.model_copy(update={"ending": Ending.DONE, **work()})
    except PipelineError as error:
        outcome = outcome.model_copy(update={"warning": str(error)})
        raise
    finally:
        engine.ledger.runs.end(outcome, engine.clock.now())
    return outcome


def rewritten(engine: Engine, run_id: str, versions: Versions) -> list[str]:
    """Write the links, words and states of entries that changed, where their blocks are still ours; the paths."""
    before, after = versions
    states, then = fold(after.values()).states, fold(before.values()).states
    updates = dict[str, FieldUpdate]()
    for entry_id, entry in after.items():
        old = before[entry_id]
        changed = (key for key in _WRITTEN if getattr(entry, key) != getattr(old, key))
        fields: dict[str, object] = {key: getattr(entry, key) for key in changed}
        if states[entry_id].status is not then[entry_id].status:
            fields |= {"status": states[entry_id].status, "superseded_by": states[entry_id].superseded_by}
        if fields:
            updates[entry_id] = fields
    committers = (Committer(engine.workspace, engine.ledger, engine.family(job), run_id) for job in engine.writers)
    return [path for committer in committers for path in committer.set_fields(updates)]
