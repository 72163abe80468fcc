"""The one way to run a partition: lock, mend, check again that it is due, work, record, announce."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pipeline.engine.agent_gate import waiting_proposals
from pipeline.engine.context import Engine
from pipeline.engine.partition import Partition
from pipeline.engine.partitioning import partitioning_for
from pipeline.engine.partitioning.clocked import Clocked
from pipeline.engine.recovery import recover
from pipeline.errors import (
    BudgetSpent,
    FileUnusable,
    Held,
    Interrupted,
    LockGone,
    ModelUnavailable,
    ModelWaits,
    Overdue,
    PipelineError,
    TranscriptUnreadable,
)
from pipeline.events import Event
from pipeline.job import Job
from pipeline.ledger.coverage import span_of
from pipeline.workspace.atomic import sweep
from pipeline.workspace.families import TargetFiles
from pipeline.workspace.locks import Waiting
from schemas.outcome import Ending, Outcome
from schemas.transcript import Session
from schemas.window import PartitionKey


@dataclass(frozen=True)
class Runner:
    """Runs partitions of jobs on one workspace."""

    engine: Engine
    _families: dict[str, TargetFiles] = field(default_factory=dict)
    _given_up: set[str] = field(default_factory=set)

    def run(self, job: Job, partition: PartitionKey, *, again: bool = False, wait_seconds: float = 0) -> Outcome | None:
        """Run one partition; `None` when another process has run it meanwhile.

        With `again`, unknown or undone time is run too. The failure of a model or of a write is an outcome; an error
        that stops the whole command is raised.

        Raises:
            WorkspaceError: somebody else is at work; the workspace is run by another host.
            Interrupted: somebody asked to stop.
        """
        engine = self.engine
        engine.safe_point()
        timeout = self.timeout(job)
        run_id = engine.new_run_id(engine.clock.now())
        wait = Waiting(wait_seconds, engine.safe_point)
        with engine.locks.hold((job.name, *job.locks), run_id, engine.clock.now() + timeout, wait):
            partitioning = partitioning_for(engine, job, partition)
            if not partitioning.is_due(partition, again=again):
                return None
            with engine.safe_point.limit_job(job.name, timeout.total_seconds()):
                return self._record(Partition(partitioning, self.family, partition, run_id))

    def run_idle(self, job: Job, partitions: Sequence[PartitionKey], *, again: bool = False) -> list[Outcome]:
        """Run partitions of a clock together, one subject, as far as there is nothing to read in them.

        They take the locks once and one transaction of the ledger; the outcomes of the others are missing.

        Raises:
            WorkspaceError: somebody else is at work; the workspace is run by another host.
            Interrupted: somebody asked to stop.
        """
        engine = self.engine
        engine.safe_point()
        timeout, now = self.timeout(job), engine.clock.now()
        with (
            engine.locks.hold((job.name, *job.locks), engine.new_run_id(now), now + timeout),
            engine.safe_point.limit_job(job.name, timeout.total_seconds()),
        ):
            self._mend(job)
            clocked = Clocked(engine, job)
            runs = {partition: engine.new_run_id(now) for partition in clocked.open_among(partitions, again=again)}
            whole = (Partition(clocked, self.family, partition, run_id) for partition, run_id in runs.items())
            # Asked of all at once: there may be thousands.
            proposed = any(waiting_proposals(engine, span_of(partition.window for partition in partitions)))
            outcomes = {run.key: run.blank for run in whole if not run.has_other_inputs(proposed=proposed)}
            engine.locks.check()
            with engine.ledger.store.transaction():
                idle = _without_messages(engine, outcomes)
                if idle:
                    engine.ledger.runs.note_ended(idle.values(), engine.clock.now())
                    clocked.cover_idle({partition: ended.run_id for partition, ended in idle.items()})
        for ended in idle.values():
            engine.emit(Event.RUN_BEGAN, job=ended.job, subject=ended.subject, key=ended.key, run=ended.run_id)
            self._emit_end(ended)
        return list(idle.values())

    def timeout(self, job: Job) -> timedelta:
        """The time that a partition of the job may take."""
        configured = self.engine.settings.jobs.get(job.name)
        return (configured.timeout if configured else None) or job.timeout

    def family(self, job: Job) -> TargetFiles:
        """The job's files, kept parsed between partitions."""
        return self._families.setdefault(job.name, self.engine.family(job))

    def _record(self, partition: Partition) -> Outcome:
        """Run a partition, with its beginning and its end noted in the ledger; an expected failure is its outcome."""
        engine, blank, used = self.engine, partition.blank, Counter[str]()
        engine.ledger.runs.begin(blank.run_id, blank.job, partition.key, engine.clock.now(), engine.backfill)
        engine.emit(Event.RUN_BEGAN, job=blank.job, subject=blank.subject, key=blank.key, run=blank.run_id)
        ended = blank.model_copy(update={"ending": Ending.FAILED, "warning": "the program failed; this is a bug"})
        try:
            ended = self._work(partition, used)
        except Interrupted as error:
            ended = blank.model_copy(update={"ending": Ending.INTERRUPTED, "warning": str(error)})
            raise
        except PipelineError as error:
            ending = next((ending for sort, ending in _ENDINGS.items() if isinstance(error, sort)), Ending.FAILED)
            ended = blank.model_copy(update={"ending": ending, "warning": str(error)})
        finally:
            ended = ended.model_copy(update=used)
            engine.ledger.runs.end(ended, engine.clock.now())
            self._emit_end(ended)
            if ended.warning:
                engine.emit(Event.RUN_WARNED, job=blank.job, key=blank.key, run=blank.run_id, warning=ended.warning)
        return ended

    def _emit_end(self, ended: Outcome) -> None:
        event = Event.RUN_EMPTY if ended.ending is Ending.EMPTY else Event.RUN_ENDED
        self.engine.emit(event, **ended.model_dump(mode="json", exclude={"rejected", "window"}))

    def _mend(self, job: Job) -> None:
        """Settle what a crash has left of the job's files."""
        engine, family = self.engine, self.family(job)
        for path in recover(engine.workspace, engine.ledger, family.owns):
            engine.emit(Event.MENDED, path=path)
        for path in family.folders():
            sweep(engine.workspace.root / path)

    def _work(self, partition: Partition, used: Counter[str]) -> Outcome:
        """Mend the job's files, run the job on the partition, and cover it; `used` counts what the model takes."""
        engine, job, window = self.engine, partition.job, partition.key.window
        self._mend(job)
        files = engine.catalog.files(window)
        sessions = partition.partitioning.sessions(partition.key) if job.reads.transcripts else []
        engine.catalog.keep_pieces(sessions)
        idle = job.reads.transcripts and not sessions and not partition.has_other_inputs()
        outcome = partition.blank if idle else self._ask(partition, sessions, used)
        engine.locks.check()
        with engine.ledger.store.transaction():
            partition.partitioning.cover(partition.key, partition.run_id, sessions)
            if engine.catalog.files(window) != files:
                # Another process has refreshed the catalog meanwhile, with messages that this run has not read.
                partition.partitioning.mark_stale(window)
        return outcome

    def _ask(
        self, partition: Partition, sessions: Sequence[Session], used: Counter[str], *, offline: bool = False
    ) -> Outcome:
        """Run the job with the model, or `offline` when that is given up."""
        asker = self.engine.asker(offline=offline)
        try:
            return partition.work(sessions, asker)
        except ModelUnavailable as failure:
            if offline or isinstance(failure, ModelWaits) or not self._gave_up(partition.job):
                raise
        finally:
            self.engine.ledger.spending.note(partition.run_id, asker.usages)
            used.update(asker.usage.model_dump())
        # The model is shared: once one job gives it up, the other jobs of this series go offline at once.
        self._given_up.add(partition.job.name)
        outcome = self._ask(partition, sessions, used, offline=True)
        return outcome.model_copy(update={"ending": Ending.DEGRADED, "warning": _DEGRADED})

    def _gave_up(self, job: Job) -> bool:
        """Whether the model has not answered for so long that it is given up."""
        since = self.engine.ledger.runs.waiting_since(job.name)
        if self._given_up:
            return True
        return since is not None and self.engine.clock.now() - since >= self.engine.settings.model.give_up_after


def _without_messages(engine: Engine, outcomes: Mapping[PartitionKey, Outcome]) -> dict[PartitionKey, Outcome]:
    """The partitions in which and around which no session has a message."""
    if not outcomes:
        return {}
    span = span_of(partition.window for partition in outcomes)
    times = [(record.first, record.last) for record in engine.catalog.files(span)]
    return {
        partition: outcome
        for partition, outcome in outcomes.items()
        if not any(
            first and last and first < partition.window.end and last >= partition.window.start for first, last in times
        )
    }


_ENDINGS = {
    ModelUnavailable: Ending.WAITING,
    BudgetSpent: Ending.OVER_BUDGET,
    Overdue: Ending.TIMED_OUT,
    TranscriptUnreadable: Ending.UNREADABLE,
    FileUnusable: Ending.UNREADABLE,
    Held: Ending.LOCKED,
    LockGone: Ending.LOCKED,
}
_DEGRADED = "the model did not answer for longer than model.give_up_after; the offline way was used"
