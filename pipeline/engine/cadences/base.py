"""The questions that every cadence answers, and what those without a clock have in common."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.inputs import Inputs
from pipeline.job import Job
from pipeline.ledger.coverage import State
from pipeline.ledger.keyed import digest_of
from pipeline.transcripts.catalog import ids_inside
from pipeline.workspace.families import Slots, TargetFiles
from schemas.partition import PartitionKey
from schemas.transcript import Session
from schemas.window import Window

NO_SUBJECT = ""


@dataclass(frozen=True)
class Covered:
    """A partition that was dealt with: how it stands, by which run, and whether it has to run again."""

    partition: PartitionKey
    state: State
    run_id: str
    stale: bool


class Cadence(Protocol):
    """What makes one job of an engine due."""

    def due(self) -> list[PartitionKey]:
        """What has to run by itself, the oldest first."""

    def left(self) -> list[PartitionKey]:
        """The same, with what the settings leave to a back-fill."""

    def within(self, days: Window) -> list[PartitionKey]:
        """What of these days has to run when a person asks for it."""

    def at(self, moment: datetime) -> PartitionKey | None:
        """The partition of one moment, which sees nothing after it; `None` when there is none."""

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether a partition has to run, as the ledger says now; with `again` also what is unknown or undone."""

    def slots(self, partition: PartitionKey) -> Slots:
        """What stands in the braces of the patterns of a partition."""

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The transcripts that a partition sees, each whole up to the end of its window."""

    def sees(self, partition: PartitionKey, path: str) -> bool:
        """Whether a document that the job reads is one of the partition's."""

    def request(self, partition: PartitionKey) -> str:
        """What was asked for, if anything."""

    def cover(self, partition: PartitionKey, run_id: str, sessions: Sequence[Session]) -> None:
        """Note in a transaction of the caller that a partition was dealt with, and what it saw."""

    def mark(self, partition: PartitionKey, state: State, run_id: str) -> None:
        """Note in a transaction of the caller that a partition stands otherwise than dealt with."""

    def covered(self, span: Window) -> list[Covered]:
        """What is known of partitions that overlap a span."""

    def mark_stale(self, span: Window | None = None) -> bool:
        """Have what was dealt with in a span run again, or what was dealt with last; whether there was any."""


def subjects(engine: Engine, job: Job) -> list[str]:
    """What a job has partitions about: the agents with sessions, or nothing in particular."""
    if not job.per_agent:
        return [NO_SUBJECT]
    return sorted({record.agent for record in engine.catalog.listing()} - {NO_SUBJECT})


def seen(sessions: Iterable[Session], window: Window) -> dict[str, list[str]]:
    """The ids of all messages inside a window, by session."""
    return {session.session_id: ids_inside(session, window) for session in sessions}


@dataclass(frozen=True)
class KeyedCadence(ABC):
    """A cadence whose partitions are no stretches of a clock: the ledger keeps each with its inputs."""

    engine: Engine
    job: Job

    @abstractmethod
    def present(self) -> list[PartitionKey]:
        """All partitions that there are now."""

    @abstractmethod
    def inputs(self, partition: PartitionKey) -> Mapping[str, Collection[str]] | None:
        """What a partition is made of, by name; `None` when only what comes in tells that it has changed."""

    @abstractmethod
    def slots(self, partition: PartitionKey) -> Slots:
        """What stands in the braces of the patterns of a partition."""

    def due(self) -> list[PartitionKey]:
        """Those that nobody has dealt with, or whose inputs have changed."""
        return [partition for partition in self.present() if self.is_due(partition, again=False)]

    def left(self) -> list[PartitionKey]:
        """The settings leave nothing of them to a back-fill."""
        return self.due()

    def within(self, days: Window) -> list[PartitionKey]:
        """Those that begin in these days."""
        return [
            partition
            for partition in self.present()
            if partition.window.start in days and self.is_due(partition, again=True)
        ]

    def at(self, moment: datetime) -> PartitionKey | None:
        """None: a moment is of a clock."""
        del moment
        return None

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether it was never run, is stale, or is made of something else now."""
        known = self.engine.ledger.keyed.find(self.job.name, partition)
        if known is None or known.stale:
            return True
        if known.state is not State.COVERED:
            return again
        inputs = self.inputs(partition)
        return inputs is not None and known.digest != digest_of(inputs)

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """None: what it reads are files."""
        del partition
        return []

    def sees(self, partition: PartitionKey, path: str) -> bool:
        """All of them."""
        del partition, path
        return True

    def request(self, partition: PartitionKey) -> str:
        """Nobody asked."""
        del partition
        return ""

    def cover(self, partition: PartitionKey, run_id: str, sessions: Sequence[Session]) -> None:
        """Note it with what it was made of."""
        inputs = self.inputs(partition)
        noted = seen(sessions, partition.window) if inputs is None else inputs
        self.engine.ledger.keyed.cover(self.job.name, partition, State.COVERED, run_id, noted)

    def mark(self, partition: PartitionKey, state: State, run_id: str) -> None:
        """Note it with nothing that it was made of."""
        self.engine.ledger.keyed.cover(self.job.name, partition, state, run_id, {})

    def covered(self, span: Window) -> list[Covered]:
        """What the ledger keeps of them."""
        return [
            Covered(record.partition, record.state, record.run_id, record.stale)
            for record in self.engine.ledger.keyed.of_job(self.job.name)
            if record.partition.window.start < span.end and span.start < record.partition.window.end
        ]

    def mark_stale(self, span: Window | None = None) -> bool:
        """Have those of a span run again, or the last one of each subject."""
        known = [record for record in self.engine.ledger.keyed.of_job(self.job.name) if record.state is State.COVERED]
        last = {record.partition.subject: record for record in known}.values()
        wanted = [record for record in known if record.partition.window.start in span] if span else last
        for record in wanted:
            self.engine.ledger.keyed.mark_stale(record)
        return bool(wanted)

    def day_slots(self, partition: PartitionKey) -> Slots:
        """The slots of a partition that belongs to the day on which its window begins."""
        return Slots(day=local_day(partition.window.start, self.engine.zone), agent=partition.subject)

    def files(self, subject: str) -> Inputs:
        """What the job reads about a subject, whatever the day."""
        families = dict[str, TargetFiles]()

        def family_of(job: Job) -> TargetFiles:
            return families.setdefault(job.name, TargetFiles(self.engine.workspace, job.writes))

        return Inputs(self.engine, self.job, Slots(agent=subject), family_of)
