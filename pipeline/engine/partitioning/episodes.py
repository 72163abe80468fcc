"""Jobs that run once for each episode of a session.

One job cuts a session into episodes, others follow it. A cut is made once: neither a new pause in the settings nor a
late message moves it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from pipeline.clock import local_day
from pipeline.engine.partitioning.base import NO_SUBJECT, KeyedPartitioning
from pipeline.ledger.coverage import State
from pipeline.ledger.episodes import EpisodeNumber
from pipeline.ledger.files import FileRecord
from pipeline.markdown.front_fields import front_fields
from pipeline.workspace.families import Slots
from pipeline.workspace.layout import glob_of
from schemas.partition import PartitionKey
from schemas.transcript import Origin, Session
from schemas.window import Window

_NUMBERED = "{number}"


@dataclass(frozen=True)
class OfEpisodes(KeyedPartitioning):
    """The methods of partitions that are an episode each; every message in the window of one belongs to it."""

    def inputs(self, partition: PartitionKey) -> None:
        """None: a late message is noticed when its file is read."""
        del partition

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The session of the episode, up to its end."""
        sessions = self.engine.catalog.sessions(partition.window)
        return [session for session in sessions if _is_of(partition, session.session_id)]

    def slots(self, partition: PartitionKey) -> Slots:
        """The day on which the episode begins, and its key."""
        return replace(super().slots(partition), episode=partition.key)


@dataclass(frozen=True)
class LaterEpisodes(OfEpisodes):
    """The episodes that another job, `of`, has cut and dealt with."""

    of: str

    def present(self) -> list[PartitionKey]:
        """Those that stand."""
        records = self.engine.ledger.keyed.of_job(self.of)
        return [record.partition for record in records if record.state is State.COVERED]

    def within(self, days: Window) -> list[PartitionKey]:
        """Those that begin in these days."""
        return [partition for partition in super().within(days) if partition.window.start in days]


@dataclass(frozen=True)
class Episodes(OfEpisodes):
    """The episodes that are over, the first that ended first. One that was run keeps its window and its number."""

    idle: timedelta

    def present(self) -> list[PartitionKey]:
        """The episodes that were run, and those that end after `start`; without a `start`, only the former."""
        known, start = self._known(), self.engine.settings.start
        if self.job.per_agent and not self.engine.settings.agents.named:
            return known
        return self._ordered([*known, *(self._changed(known, start) if start else ())])

    def within(self, days: Window) -> list[PartitionKey]:
        """The episodes that begin in these days, also before `start`."""
        known = self._known()
        listed = (record for record in self.engine.catalog.listing() if record.last and record.last >= days.start)
        new = [partition for record in _once(listed) for partition in self._new(record, known)]
        over = (partition for partition in new if partition.window.end <= self.engine.clock.now())
        keys = (partition for partition in self._ordered([*known, *over]) if partition.window.start in days)
        return [partition for partition in keys if self.is_due(partition, again=True)]

    def slots(self, partition: PartitionKey) -> Slots:
        """The day on which the episode begins, its key and, where its page has one, its number on that day."""
        slots = super().slots(partition)
        if _NUMBERED not in self.job.writes.family:
            return slots
        given = self._number(partition)
        return replace(slots, day=given.day, number=given.number)

    def ordinal(self, partition: PartitionKey) -> int:
        """The place of an episode with a number among all of its subject, from 1."""
        return self._number(partition).ordinal if _NUMBERED in self.job.writes.family else 0

    def standing(self, paths: Collection[str]) -> list[PartitionKey]:
        """The episodes of pages, by the front matter of these; without numbers, those that have a page."""
        if _NUMBERED not in self.job.writes.family:
            return super().standing(paths)
        return [partition for path in sorted(paths) if (partition := self._by_page(path))]

    def _by_page(self, path: str) -> PartitionKey | None:
        """The episode of a page; its number is kept."""
        slots = self.engine.family(self.job).slots_of(path)
        fields = front_fields(self.engine.workspace.read(path) or b"")
        if not slots or not slots.day or not fields.keys() >= {"episode", "start", "closed", "ordinal"}:
            return None
        key, start, closed = (fields[name] for name in ("episode", "start", "closed"))
        window = Window(start=datetime.fromisoformat(start), end=datetime.fromisoformat(closed))
        given = EpisodeNumber(slots.day, slots.number, int(fields["ordinal"]))
        self.engine.ledger.episodes.keep(self.job.name, slots.agent, key, given)
        return PartitionKey(key=key, window=window, subject=slots.agent)

    def _number(self, partition: PartitionKey) -> EpisodeNumber:
        """The number of an episode; a new one is kept at once, so that a killed run gets it again."""
        episodes, who = self.engine.ledger.episodes, (self.job.name, partition.subject)
        if given := episodes.find(*who, partition.key):
            return given
        day = local_day(partition.window.start, self.engine.zone)
        family = self.engine.family(self.job)
        pattern = glob_of(self.job.writes.family, keep=("day", "agent")).format(day=day, agent=partition.subject)
        taken = [slots.number for path in self.engine.workspace.select(pattern) if (slots := family.slots_of(path))]
        with self.engine.ledger.store.transaction():
            given = episodes.find(*who, partition.key) or episodes.next(*who, day, taken)
            episodes.keep(*who, partition.key, given)
        return given

    def _known(self) -> list[PartitionKey]:
        return [record.partition for record in self.engine.ledger.keyed.of_job(self.job.name)]

    def _ordered(self, partitions: Collection[PartitionKey]) -> list[PartitionKey]:
        return sorted(partitions, key=lambda partition: (partition.window.end, partition.key))

    def _changed(self, known: Sequence[PartitionKey], start: datetime) -> list[PartitionKey]:
        """The episodes that are over, were not run and end after `start`, of sessions that were read anew."""
        episodes, listing = self.engine.ledger.episodes, self.engine.catalog.listing()
        unsettled, settled, over = episodes.unsettled(), list[str](), list[PartitionKey]()
        listed = (record for record in listing if record.session in unsettled)
        for record in _once(record for record in listed if record.last and record.last >= start):
            new = [partition for partition in self._new(record, known) if partition.window.end > start]
            over += [partition for partition in new if partition.window.end <= self.engine.clock.now()]
            if not new and record.session and self._subject(record) is not None:
                settled.append(record.session)
        if settled:
            with self.engine.ledger.store.transaction():
                episodes.settle(settled)
        return over

    def _new(self, record: FileRecord, known: Sequence[PartitionKey]) -> list[PartitionKey]:
        """The episodes of a session that were not run, the last one also when it is not over."""
        subject, session_id = self._subject(record), record.session or ""
        session = None if subject is None else self.engine.catalog.session(session_id)
        if session is None or subject is None or session.machine:
            return []
        cut = [partition.window for partition in known if _is_of(partition, session_id)]
        return [
            PartitionKey(key=_key(session_id, window), window=window, subject=subject)
            for window in episodes_of(session, cut, self.idle)
        ]

    def _subject(self, record: FileRecord) -> str | None:
        """The agent whose memory the session belongs to; `None` when that is no agent's."""
        if not self.job.per_agent:
            return NO_SUBJECT
        return self.engine.settings.agents.of_session(record.source, record.agent) or None


def _once(records: Iterable[FileRecord]) -> list[FileRecord]:
    """One record of each session."""
    return list({record.session: record for record in records if record.session}.values())


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
