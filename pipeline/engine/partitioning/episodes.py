"""Jobs that run once for each episode of a session.

One job cuts a session into episodes, others follow it. A cut is made once: neither a new pause in the settings nor a
late message moves it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from pipeline.clock import local_day
from pipeline.engine.partitioning.base import NO_SUBJECT, KeyedPartitioning
from pipeline.ledger.coverage import KeyedRecord, State
from pipeline.ledger.transcripts import EpisodeNumber, FileRecord
from pipeline.markdown.front_matter import front_fields
from pipeline.transcripts.pieces import cut_pieces
from pipeline.workspace.families import Slots
from pipeline.workspace.layout import glob_of
from schemas.transcript import Session
from schemas.window import PartitionKey, Window

_NUMBERED = "{number}"

Cuts = dict[str, list[Window]]
"""The windows of the episodes that were run, by session."""


@dataclass(frozen=True)
class OfEpisodes(KeyedPartitioning):
    """The methods of partitions that are an episode each; every message in the window of one belongs to it."""

    def inputs(self, partition: PartitionKey) -> None:
        """The inputs to watch: `None`, as a late message is noticed when its file is read."""
        del partition

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The session of the episode, up to its end."""
        sessions, wanted = self.engine.catalog.sessions(partition.window), partition.key.rpartition("@")[0]
        return [session for session in sessions if session.session_id == wanted]

    def due(self) -> list[PartitionKey]:
        """The episodes that are not known, or are stale; years of them are looked up together."""
        known = self._records()
        return [
            partition for partition in self.present() if (record := known.get(_id(partition))) is None or record.stale
        ]

    def slots(self, partition: PartitionKey) -> Slots:
        """The day on which the episode begins, and its key."""
        return replace(super().slots(partition), episode=partition.key)

    def _open(self, partitions: Iterable[PartitionKey]) -> list[PartitionKey]:
        """The partitions that have to run when a person asks for it."""
        known = self._records()
        records = ((key, known.get(_id(key))) for key in partitions)
        return [key for key, record in records if record is None or record.stale or record.state is not State.COVERED]

    def _records(self) -> dict[tuple[str, str], KeyedRecord]:
        """The records of the partitions in the ledger, by subject and key."""
        return {_id(record.partition): record for record in self.records()}


@dataclass(frozen=True)
class LaterEpisodes(OfEpisodes):
    """The episodes that another job, `of`, has cut and dealt with."""

    of: str

    def present(self) -> list[PartitionKey]:
        """The episodes that the other job has covered."""
        records = self.engine.ledger.keyed.of_schedule(self.of)
        return [record.partition for record in records if record.state is State.COVERED]

    def within(self, days: Window) -> list[PartitionKey]:
        """The open episodes that begin in these days."""
        return self._open(partition for partition in self.present() if partition.window.start in days)


@dataclass(frozen=True)
class Episodes(OfEpisodes):
    """The episodes that are over, the first that ended first. One that was run keeps its window and its number."""

    idle: timedelta

    def present(self) -> list[PartitionKey]:
        """The episodes that were run, and those that end after `start`; without a `start`, only the former.

        Of an agent it is those that end after it was declared: years of sessions are archived by a back-fill alone.
        """
        known, start = self._known_keys(), self.engine.settings.start
        if self.job.per_agent and not self.engine.settings.agents.by_name:
            return known
        return self._by_end([*known, *(self._changed_episodes(_cuts(known), self._begins(start)) if start else ())])

    def within(self, days: Window) -> list[PartitionKey]:
        """The episodes that begin in these days, also before `start`."""
        known, listing = self._known_keys(), _merge_records(self.engine.catalog.listing())
        cuts, now = _cuts(known), self.engine.clock.now()
        near = (
            record
            for record in listing
            if record.first and record.last and record.last >= days.start and record.first < days.end
        )
        new = [partition for record in near for partition in self._new(record, cuts) or ()]
        over = (partition for partition in new if partition.window.end <= now)
        return self._open(partition for partition in self._by_end([*known, *over]) if partition.window.start in days)

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

    def find_by_pages(self, paths: Collection[str]) -> list[PartitionKey]:
        """The episodes of pages, by the front matter of these; without numbers, those that have a page."""
        if _NUMBERED not in self.job.writes.family:
            return super().find_by_pages(paths)
        return [partition for path in sorted(paths) if (partition := self._by_page(path))]

    def _paths_done(self, subject: str) -> list[str]:
        if _NUMBERED not in self.job.writes.family:
            return super()._paths_done(subject)
        done, family = self.engine.ledger.keyed.done(self.job.name, subject), self.engine.family(self.job)
        given = self.engine.ledger.episodes.of_subject(self.job.name, subject).items()
        numbered = ((key, number) for key, number in given if key in done)
        return [family.path(Slots(number.day, subject, key, number.number)) for key, number in numbered]

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

    def _known_keys(self) -> list[PartitionKey]:
        return [record.partition for record in self.records()]

    def _by_end(self, partitions: Collection[PartitionKey]) -> list[PartitionKey]:
        return sorted(partitions, key=lambda partition: (partition.window.end, partition.key))

    def _begins(self, start: datetime) -> dict[str, datetime]:
        """The moment of each subject after which its episodes run by themselves."""
        if not self.job.per_agent:
            return {NO_SUBJECT: start}
        since, now = self.engine.ledger.agents.since(), self.engine.clock.now()
        return {name: max(start, since.get(name, now)) for name in self.engine.settings.agents.by_name}

    def _changed_episodes(self, cuts: Cuts, begins: Mapping[str, datetime]) -> list[PartitionKey]:
        """The episodes that are over, were not run and end after their beginning, of sessions that were read anew."""
        episodes, listing = self.engine.ledger.episodes, self.engine.catalog.listing()
        unsettled, settled, over = episodes.sessions_to_number(), list[str](), list[PartitionKey]()
        listed = _merge_records(record for record in listing if record.session in unsettled)
        for record in listed:
            subject = self._subject(record)
            begin = None if subject is None else begins.get(subject)
            if begin is None or record.last is None or record.last + self.idle <= begin:
                continue
            new = self._new(record, cuts)
            if new is None:
                continue
            later = [partition for partition in new if partition.window.end > begin]
            over += [partition for partition in later if partition.window.end <= self.engine.clock.now()]
            if not later and record.session:
                settled.append(record.session)
        if settled:
            with self.engine.ledger.store.transaction():
                episodes.settle(settled)
        return over

    def _new(self, record: FileRecord, cuts: Cuts) -> list[PartitionKey] | None:
        """The episodes of a session that were not run, also one that is not over; `None` if it cannot be read."""
        subject, session_id = self._subject(record), record.session or ""
        cut = cuts.get(session_id, [])
        if subject is None or _is_whole(record, cut):
            return []
        session = self.engine.catalog.session(session_id)
        if session is None:
            return None
        if session.machine:
            return []
        return [
            PartitionKey(
                key=f"{session_id}@{window.start.astimezone(UTC):%Y%m%dT%H%M%SZ}", window=window, subject=subject
            )
            for window in episodes_of(session, cut, self.idle)
        ]

    def _subject(self, record: FileRecord) -> str | None:
        """The agent whose memory the session belongs to; `None` when that is no agent's."""
        if not self.job.per_agent:
            return NO_SUBJECT
        return self.engine.settings.agents.of_session(record.source, record.agent) or None


def _id(partition: PartitionKey) -> tuple[str, str]:
    return partition.subject, partition.key


def _cuts(known: Iterable[PartitionKey]) -> Cuts:
    """The windows of known episodes by session."""
    cuts: Cuts = {}
    for partition in known:
        cuts.setdefault(partition.key.rpartition("@")[0], []).append(partition.window)
    return cuts


def _is_whole(record: FileRecord, cut: Sequence[Window]) -> bool:
    """Whether one known episode holds the whole session, which then need not be read."""
    return any(record.first in window and record.last in window for window in cut if record.first and record.last)


def _merge_records(records: Iterable[FileRecord]) -> list[FileRecord]:
    """A record of each session, with the first and the last message of all its files."""
    once = dict[str, FileRecord]()
    for record in records:
        name = record.session or ""
        if other := once.get(name):
            firsts, lasts = filter(None, (other.first, record.first)), filter(None, (other.last, record.last))
            once[name] = replace(record, first=min(firsts, default=None), last=max(lasts, default=None))
        elif name:
            once[name] = record
    return list(once.values())


def episodes_of(session: Session, taken: Sequence[Window], idle: timedelta) -> Iterator[Window]:
    """The episodes of a session outside of the windows `taken`; an episode ends `idle` after its last message.

    Messages that an agent copied out of another session belong to no episode.
    """
    times = sorted(message.time for message in session.conversation)
    return (
        Window(start=piece.first, end=piece.over)
        for piece in cut_pieces(times, idle, sorted(taken, key=lambda window: window.start))
    )
