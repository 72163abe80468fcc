"""Jobs that run once for each episode of a session."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from pipeline.engine.partitioning.base import KeyedPartitioning
from pipeline.workspace.families import Slots
from schemas.partition import PartitionKey
from schemas.transcript import Origin, Session
from schemas.window import Window


@dataclass(frozen=True)
class Episodes(KeyedPartitioning):
    """The episodes that are over. One that was run keeps its window; every message in the window belongs to it."""

    idle: timedelta

    def present(self) -> list[PartitionKey]:
        """The episodes that were run, and those that end after `start`; without a `start`, only the former."""
        start = self.engine.settings.start
        return self._since(start) if start else self._known()

    def within(self, days: Window) -> list[PartitionKey]:
        """The episodes that begin in these days, also before `start`."""
        keys = (partition for partition in self._since(days.start) if partition.window.start in days)
        return [partition for partition in keys if self.is_due(partition, again=True)]

    def inputs(self, partition: PartitionKey) -> None:
        """None: a late message is noticed when its file is read."""
        del partition

    def slots(self, partition: PartitionKey) -> Slots:
        """The day on which the episode begins, and its key."""
        return replace(super().slots(partition), episode=partition.key)

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The session of the episode, up to its end."""
        sessions = self.engine.catalog.sessions(partition.window)
        return [session for session in sessions if _is_of(partition, session.session_id)]

    def _known(self) -> list[PartitionKey]:
        return [record.partition for record in self.engine.ledger.keyed.of_job(self.job.name)]

    def _since(self, moment: datetime) -> list[PartitionKey]:
        """The episodes that were run, and those that end after a moment."""
        known = self._known()
        new = (partition for partition in self._new(known, moment) if partition.window.end > moment)
        return sorted([*known, *new], key=lambda partition: (partition.window.start, partition.key))

    def _new(self, known: Sequence[PartitionKey], moment: datetime) -> Iterator[PartitionKey]:
        """The episodes that are over and were not run, of sessions with messages after a moment."""
        late = (record for record in self.engine.catalog.listing() if record.last and record.last >= moment)
        for session_id in dict.fromkeys(record.session for record in late if record.session):
            session = self.engine.catalog.session(session_id)
            cut = [partition.window for partition in known if _is_of(partition, session_id)]
            for window in episodes_of(session, cut, self.idle) if session else ():
                if session and window.end <= self.engine.clock.now():
                    subject = session.agent if self.job.per_agent else ""
                    yield PartitionKey(key=_key(session_id, window), window=window, subject=subject)


def episodes_of(session: Session, cut: Sequence[Window], idle: timedelta) -> Iterator[Window]:
    """The episodes of a session outside of the windows `cut`; an episode ends `idle` after its last message.

    Messages that an agent copied out of another session belong to no episode.
    """
    messages = (
        message for message in session.messages if message.conversational and message.origin is not Origin.MEMORY
    )
    times = sorted(message.time for message in messages if not any(message.time in window for window in cut))
    while times:
        last = next(
            (place for place, (one, other) in enumerate(pairwise(times)) if other - one > idle),
            len(times) - 1,
        )
        later = [window.start for window in cut if window.start > times[0]]
        inside = [time for time in times[: last + 1] if not later or time < min(later)]
        yield Window(start=inside[0], end=min([inside[-1] + idle, *later]))
        times = times[len(inside) :]


def _key(session_id: str, window: Window) -> str:
    return f"{session_id}@{window.start.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _is_of(partition: PartitionKey, session_id: str) -> bool:
    return partition.key.rpartition("@")[0] == session_id
