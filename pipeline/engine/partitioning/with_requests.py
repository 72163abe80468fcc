"""Jobs that run by their schedule, and also when somebody asks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pipeline.engine.partitioning.base import Partitioning
from pipeline.engine.partitioning.requests import Requested
from pipeline.ledger.coverage import Covered
from pipeline.workspace.families import Slots
from schemas.partition import PartitionKey
from schemas.transcript import Session
from schemas.window import Window


@dataclass(frozen=True)
class WithRequests(Partitioning):
    """The partitions of a schedule, and those of requests. A request runs once, also when its run was undone."""

    scheduled: Partitioning
    requested: Requested

    def due(self) -> list[PartitionKey]:
        """Requests first: somebody waits."""
        return [*self._open(), *self.scheduled.due()]

    def due_windows(self) -> list[Window]:
        """The time that each of these is about."""
        return [*(partition.window for partition in self._open()), *self.scheduled.due_windows()]

    def left(self) -> list[PartitionKey]:
        """The same, with those that the settings leave to a back-fill."""
        return [*self._open(), *self.scheduled.left()]

    def within(self, days: Window) -> list[PartitionKey]:
        """Those of these days: of the requests the ones that are due."""
        asked = (partition for partition in self._open() if partition.window.start in days)
        return [*asked, *self.scheduled.within(days)]

    def at(self, moment: datetime) -> PartitionKey | None:
        """The partition of the schedule."""
        return self.scheduled.at(moment)

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether it has to run."""
        return self._is_open(partition) if self._is_asked(partition) else self.scheduled.is_due(partition, again=again)

    def slots(self, partition: PartitionKey) -> Slots:
        """The values of the braces."""
        return self._kind(partition).slots(partition)

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The transcripts of the schedule's partitions; a request has all that it needs."""
        return self._kind(partition).sessions(partition)

    def sight(self, partition: PartitionKey) -> Callable[[str], bool]:
        """Which of the files belong to the partition."""
        return self._kind(partition).sight(partition)

    def request(self, partition: PartitionKey) -> str:
        """The body of the request; empty of the schedule's partitions."""
        return self._kind(partition).request(partition)

    def cover(self, partition: PartitionKey, run_id: str, sessions: Sequence[Session]) -> None:
        """Note that it was dealt with."""
        self._kind(partition).cover(partition, run_id, sessions)

    def mark_undone(self, partition: PartitionKey, run_id: str) -> None:
        """Note that it was undone."""
        self._kind(partition).mark_undone(partition, run_id)

    def covered(self, span: Window) -> Sequence[Covered]:
        """All known partitions of a span, by time."""
        asked = {partition.key for partition in self.requested.present()}
        known = [covered for covered in self.scheduled.covered(span) if covered.partition.key not in asked]
        known += [covered for covered in self.requested.covered(span) if covered.partition.key in asked]
        return sorted(known, key=lambda covered: covered.partition.window.start)

    def mark_stale(self, span: Window | None = None) -> bool:
        """Let the schedule's partitions run again; a request runs once."""
        return self.scheduled.mark_stale(span)

    def _kind(self, partition: PartitionKey) -> Partitioning:
        return self.requested if self._is_asked(partition) else self.scheduled

    def _is_asked(self, partition: PartitionKey) -> bool:
        return self.engine.ledger.requests.find(partition.key) is not None

    def _open(self) -> list[PartitionKey]:
        return [partition for partition in self.requested.present() if self._is_open(partition)]

    def _is_open(self, partition: PartitionKey) -> bool:
        return self.engine.ledger.keyed.find(self.job.name, partition) is None
