"""The methods of every partitioning, and the common ones of those without a clock."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.inputs import InputFiles
from pipeline.job import Job
from pipeline.ledger.coverage import Covered, KeyedRecord, State, digest_of
from pipeline.ledger.requests import Request
from pipeline.transcripts.catalog import ids_inside
from pipeline.workspace.families import Slots
from schemas.transcript import Session
from schemas.window import PartitionKey, Window

NO_SUBJECT = ""


@dataclass(frozen=True)
class Partitioning(ABC):
    """The partitions of one job of an engine, and which of them are due."""

    engine: Engine
    job: Job

    @abstractmethod
    def due(self) -> list[PartitionKey]:
        """The partitions that run by themselves, the oldest first."""

    @abstractmethod
    def due_or_left(self) -> list[PartitionKey]:
        """The same, with those that the settings leave to a back-fill."""

    def due_windows(self) -> list[Window]:
        """The time that each partition which runs by itself is about."""
        return [partition.window for partition in self.due()]

    def windows_or_left(self, since: datetime) -> list[Window]:
        """The windows of partitions that are due or left to a back-fill, and end after `since`.

        A window of the job begins at that moment.
        """
        return [partition.window for partition in self.due_or_left() if partition.window.end > since]

    @abstractmethod
    def within(self, days: Window) -> list[PartitionKey]:
        """The partitions of these days that run when a person asks for it."""

    def at(self, moment: datetime) -> PartitionKey | None:
        """The partition of one moment, which sees nothing after it; `None` without a clock."""
        del moment
        return None

    @abstractmethod
    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether a partition has to run, by the ledger as it is now; with `again` also an unknown or undone one."""

    def slots(self, partition: PartitionKey) -> Slots:
        """The values of the braces in the patterns of a partition: the day on which it begins, and its agent."""
        return Slots(day=local_day(partition.window.start, self.engine.zone), agent=partition.subject)

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The transcripts of a partition, each whole up to the end of its window; none of a job of files."""
        del partition
        return []

    def file_filter(self, partition: PartitionKey) -> Callable[[str], bool]:
        """The filter, by path, of the files that the job reads for the partition."""
        del partition
        return lambda _: True

    def request(self, partition: PartitionKey) -> str:
        """The body of the request that a partition carries out; empty without one."""
        del partition
        return ""

    def ordinal(self, partition: PartitionKey) -> int:
        """The place of a numbered partition among all of its subject, from 1; 0 of one without a number."""
        del partition
        return 0

    @abstractmethod
    def cover(self, partition: PartitionKey, run_id: str, sessions: Sequence[Session]) -> None:
        """Note in a transaction of the caller that a partition was dealt with, and what it saw."""

    @abstractmethod
    def mark_undone(self, partition: PartitionKey, run_id: str) -> None:
        """Note in a transaction of the caller that a partition was undone."""

    @abstractmethod
    def find_covered(self, span: Window) -> Sequence[Covered]:
        """The known partitions that overlap a span."""

    @abstractmethod
    def mark_stale(self, span: Window | None = None) -> bool:
        """Let the covered partitions of a span run again, or the last one of each subject; whether there was any."""


def subjects(engine: Engine, job: Job) -> list[str]:
    """The subjects of a job's partitions: the agents with a memory of their own, or no subject."""
    return sorted(engine.settings.agents.by_name) if job.per_agent else [NO_SUBJECT]


def ids_seen(sessions: Iterable[Session], window: Window) -> dict[str, list[str]]:
    """The ids of all messages inside a window, by session."""
    return {session.session_id: ids_inside(session, window) for session in sessions}


@dataclass(frozen=True)
class KeyedPartitioning(Partitioning):
    """A partitioning whose partitions are no stretches of a clock: the ledger keeps each with its inputs."""

    @abstractmethod
    def present(self) -> list[PartitionKey]:
        """All partitions that exist now."""

    @abstractmethod
    def inputs(self, partition: PartitionKey) -> Mapping[str, Collection[str]] | None:
        """The inputs of a partition, by name; `None` when a change is noticed as they are read."""

    def records(self) -> list[KeyedRecord]:
        """The records of the partitions in the ledger, by time; a job's requests are partitions of `Requested`."""
        return self.engine.ledger.keyed.of_schedule(self.job.name)

    def due(self) -> list[PartitionKey]:
        """The partitions that are not known, or whose inputs have changed."""
        return [partition for partition in self.present() if self.is_due(partition, again=False)]

    def due_or_left(self) -> list[PartitionKey]:
        """The same: the settings leave none to a back-fill."""
        return self.due()

    def within(self, days: Window) -> list[PartitionKey]:
        """All partitions that have to run, whatever the days: those of a group or a fold belong to no time."""
        del days
        return [partition for partition in self.present() if self.is_due(partition, again=True)]

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether it is not known, is stale, or has other inputs now."""
        known = self.engine.ledger.keyed.find(self.job.name, partition)
        if known is None or known.stale:
            return True
        return again if known.state is not State.COVERED else self.has_changed(partition, known)

    def has_changed(self, partition: PartitionKey, known: KeyedRecord) -> bool:
        """Whether a partition has other inputs now than in its record."""
        inputs = self.inputs(partition)
        return inputs is not None and known.digest != digest_of(inputs)

    def cover(self, partition: PartitionKey, run_id: str, sessions: Sequence[Session]) -> None:
        """Note it with its inputs."""
        inputs = self.inputs(partition)
        noted = ids_seen(sessions, partition.window) if inputs is None else inputs
        self.engine.ledger.keyed.cover(self.job.name, partition, State.COVERED, run_id, noted)

    def mark_undone(self, partition: PartitionKey, run_id: str) -> None:
        """Note it without inputs."""
        self.engine.ledger.keyed.cover(self.job.name, partition, State.UNDONE, run_id, {})

    def find_covered(self, span: Window) -> Sequence[Covered]:
        """The records of the ledger that overlap a span."""
        return [
            record
            for record in self.records()
            if record.partition.window.start < span.end and span.start < record.partition.window.end
        ]

    def mark_stale(self, span: Window | None = None) -> bool:
        """Note the covered partitions of a span as stale, or the last one of each subject."""
        known = [record for record in self.records() if record.state is State.COVERED]
        last = {record.partition.subject: record for record in known}.values()
        wanted = [record for record in known if record.partition.window.start in span] if span else last
        for record in wanted:
            self.engine.ledger.keyed.mark_stale(record)
        return bool(wanted)

    def find_by_pages(self, paths: Collection[str]) -> list[PartitionKey]:
        """The partitions whose pages are among these, when the ledger was lost."""
        family = self.engine.family(self.job)
        return [partition for partition in self.due_or_left() if family.path(self.slots(partition)) in paths]

    def pages(self, subject: str, but: Collection[str] = ()) -> list[str]:
        """The pages that stand of a subject's partitions that were dealt with, by ordinal, without some."""
        paths = (path for path in self._paths_done(subject) if path not in but)
        return [path for path in paths if self.engine.workspace.has_path(path)]

    def _paths_done(self, subject: str) -> list[str]:
        """The pages of a subject's partitions that were dealt with, by ordinal."""
        records, family = self.records(), self.engine.family(self.job)
        covered = (record.partition for record in records if record.state is State.COVERED)
        done = (partition for partition in covered if partition.subject == subject)
        ranked = sorted((self.ordinal(partition), family.path(self.slots(partition))) for partition in done)
        return [path for _, path in ranked]

    def files(self, subject: str) -> InputFiles:
        """The inputs of the job about a subject, whatever the day."""
        return InputFiles(self.engine, self.job, Slots(agent=subject), cache(self.engine.family))


_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Requested(KeyedPartitioning):
    """The kept requests: the key of a partition is the id of a request, its window the moment that it is about.

    A request to a job with a schedule runs once, also when its run was undone.
    """

    def present(self) -> list[PartitionKey]:
        """Every request to the job."""
        return [partition_of(request) for request in self.engine.ledger.requests.of_job(self.job.name)]

    def records(self) -> list[KeyedRecord]:
        """The records of the requests."""
        return self.engine.ledger.keyed.of_requests(self.job.name)

    def inputs(self, partition: PartitionKey) -> dict[str, list[str]]:
        """The request, which never changes."""
        return {partition.key: []}

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether the request has to be carried out."""
        if self.job.on_request:
            return self.engine.ledger.keyed.find(self.job.name, partition) is None
        return super().is_due(partition, again=again)

    def within(self, days: Window) -> list[PartitionKey]:
        """The requests of these days that have to be carried out."""
        return [partition for partition in super().within(days) if partition.window.start in days]

    def mark_stale(self, span: Window | None = None) -> bool:
        """Let them run again, unless they run once."""
        return not self.job.on_request and super().mark_stale(span)

    def request(self, partition: PartitionKey) -> str:
        """The body of the request."""
        kept = self.engine.ledger.requests.find(partition.key)
        return kept.body if kept else ""


def partition_of(request: Request) -> PartitionKey:
    """The partition that carries out a request."""
    moment = request.about or request.asked
    window = Window(start=moment, end=moment + _INSTANT)
    return PartitionKey(key=request.id, window=window, subject=request.subject)


def keep_request(engine: Engine, job: Job, request_id: str, body: str, subject: str = "") -> PartitionKey:
    """Keep a request, which survives a crash; its partition.

    A second request with the same id changes nothing.
    """
    asked = engine.ledger.requests.find(request_id)
    request = asked or Request(request_id, job.name, subject, body, engine.clock.now())
    with engine.ledger.store.transaction():
        engine.ledger.requests.keep(request)
    return partition_of(request)
