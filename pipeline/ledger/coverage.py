"""Coverage: the stretches of UTC time that a job has dealt with, and the messages that it saw in them.

Intervals, not windows, are stored, so that a changed schedule or zone makes no time missing.
"""

import hashlib
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from pipeline.entries.provenance import earlier_id
from pipeline.ledger.store import LedgerTable, to_moment, window_in
from schemas.window import PartitionKey, Window


def merge(windows: Iterable[Window]) -> list[Window]:
    """Merge windows that touch or overlap; the result is in order."""
    merged: list[Window] = []
    for window in sorted(windows, key=lambda window: window.start):
        if window.start >= window.end:
            continue
        if merged and window.start <= merged[-1].end:
            merged[-1] = Window(start=merged[-1].start, end=max(merged[-1].end, window.end))
        else:
            merged.append(window)
    return merged


def span_of(windows: Iterable[Window]) -> Window:
    """The time from the start of the first of some windows to the end of the last."""
    some = list(windows)
    return Window(start=min(window.start for window in some), end=max(window.end for window in some))


def subtract(whole: Window, covered: Iterable[Window]) -> list[Window]:
    """The parts of `whole` that no window of `covered` covers, in order."""
    left, start = [], whole.start
    for window in merge(covered):
        if window.end <= start:
            continue
        if window.start >= whole.end:
            break
        if window.start > start:
            left.append(Window(start=start, end=window.start))
        start = max(start, window.end)
    if start < whole.end:
        left.append(Window(start=start, end=whole.end))
    return left


def cut_window(window: Window, moments: Sequence[datetime]) -> list[Window]:
    """Cut a window at the moments inside it."""
    inside = sorted({moment for moment in moments if window.start < moment < window.end})
    edges = [window.start, *inside, window.end]
    return [Window(start=first, end=last) for first, last in pairwise(edges)]


class State(StrEnum):
    """The state of a stretch. `unknown` time (the ledger was lost) and `undone` time are run by a back-fill alone."""

    COVERED = "covered"
    UNKNOWN = "unknown"
    UNDONE = "undone"


@dataclass(frozen=True)
class Covered:
    """A partition that was run: its state, its run, and whether it has to run again."""

    partition: PartitionKey
    state: State
    run_id: str
    stale: bool


@dataclass(frozen=True)
class Stretch:
    """A covered interval. A stale one has messages that its run did not see."""

    number: int
    window: Window
    state: State
    run_id: str
    stale: bool


class Coverage(LedgerTable):
    """The tables of covered time and of seen messages."""

    def jobs(self) -> list[str]:
        """The jobs that have covered any time."""
        return self._store.column("SELECT DISTINCT job FROM coverage ORDER BY job")

    def subjects(self, job: str) -> list[str]:
        """The subjects of which a job has covered any time."""
        return self._store.column("SELECT DISTINCT subject FROM coverage WHERE job = ? ORDER BY subject", (job,))

    def first_covered(self) -> datetime | None:
        """The start of the first covered stretch of any job that a clock starts."""
        # A fold covers all time, so its stretch says nothing of the first day.
        query = "SELECT MIN(start) FROM coverage WHERE state = 'covered' AND start > '1971'"
        return to_moment(self._store.value(query))

    def last_covered(self, before: datetime) -> datetime | None:
        """The start of the last covered stretch of any job before a moment."""
        query = "SELECT MAX(start) FROM coverage WHERE state = 'covered' AND start < ?"
        return to_moment(self._store.value(query, (before,)))

    def stretches(self, job: str, within: Window | None = None, subject: str = "") -> list[Stretch]:
        """A job's stretches of one subject that overlap `within`, in order of time."""
        where, values = "job = ? AND subject = ?", [job, subject, *((within.start, within.end) if within else ())]
        where += " AND end > ? AND start < ?" if within else ""
        rows = self._store.rows(f"SELECT * FROM coverage WHERE {where} ORDER BY start", values)  # noqa: S608 - fixed texts
        return [Stretch(row["id"], window_in(row), State(row["state"]), row["run"], bool(row["stale"])) for row in rows]

    def in_state(self, job: str, state: State) -> list[Window]:
        """The stretches of a job in one state, of all subjects, in order of time."""
        query = "SELECT start, end FROM coverage WHERE job = ? AND state = ? ORDER BY start"
        return [window_in(row) for row in self._store.rows(query, (job, state))]

    def cover(  # noqa: PLR0913 - a row has these
        self,
        job: str,
        window: Window,
        state: State,
        run_id: str,
        seen: Mapping[str, Collection[str]],
        *,
        subject: str = "",
    ) -> None:
        """Note a stretch, and shorten those that it overlaps; `seen` has the ids of all its messages, by session id."""
        for old in self.stretches(job, window, subject):
            self._shorten(job, subject, old, window)
        number = self._store.write(
            "INSERT INTO coverage (job, subject, start, end, state, run) VALUES (?, ?, ?, ?, ?, ?)",
            (job, subject, window.start, window.end, state, run_id),
        )
        for session, ids in seen.items():
            self._store.write("INSERT INTO seen VALUES (?, ?, ?)", (number, session, pack(ids)))

    def cover_all(self, job: str, runs: Mapping[Window, str], *, subject: str = "") -> None:
        """Note stretches in which no message was seen, each with its run, as `cover` does; they do not overlap."""
        if self.stretches(job, span_of(runs), subject):
            for window, run_id in runs.items():
                self.cover(job, window, State.COVERED, run_id, {}, subject=subject)
            return
        self._store.write_all(
            "INSERT INTO coverage (job, subject, start, end, state, run) VALUES (?, ?, ?, ?, ?, ?)",
            [(job, subject, window.start, window.end, State.COVERED, run_id) for window, run_id in runs.items()],
        )

    def _shorten(self, job: str, subject: str, old: Stretch, window: Window) -> None:
        """Keep the parts of an old stretch outside of a window, with their messages."""
        for part in subtract(old.window, [window]):
            number = self._store.write(
                "INSERT INTO coverage (job, subject, start, end, state, run, stale) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (job, subject, part.start, part.end, old.state, old.run_id, old.stale),
            )
            # The ids have no times: with a superset, no message that was seen counts as new.
            self._store.write(
                "INSERT INTO seen SELECT ?, session, ids FROM seen WHERE coverage = ?", (number, old.number)
            )
        self._store.write("DELETE FROM seen WHERE coverage = ?", (old.number,))
        self._store.write("DELETE FROM coverage WHERE id = ?", (old.number,))

    def mark_stale(self, stretch: Stretch) -> None:
        """Note that a stretch has messages that its run did not see."""
        self._store.write("UPDATE coverage SET stale = 1 WHERE id = ?", (stretch.number,))

    def unseen(self, stretch: Stretch, session: str, ids: Collection[str]) -> bool:
        """Whether any of `ids`, all inside the stretch, was not there when it was covered."""
        query = "SELECT ids FROM seen WHERE coverage = ? AND session = ?"
        known = unpack(self._store.value(query, (stretch.number, session)))
        # Messages that an earlier version saw have the ids of that version.
        return any(
            known.isdisjoint((fingerprint(message_id), fingerprint(earlier_id(message_id)))) for message_id in ids
        )


def fingerprint(message_id: str) -> int:
    """64 bits of the hash of a message id: enough to distinguish the messages of a session."""
    return int.from_bytes(hashlib.sha256(message_id.encode(errors="replace")).digest()[:8], "big")


def pack(ids: Iterable[str]) -> bytes:
    """Message ids as sorted fingerprints, 8 bytes each."""
    return array("Q", sorted(fingerprint(message_id) for message_id in ids)).tobytes()


def unpack(blob: bytes | None) -> frozenset[int]:
    """The fingerprints in a blob of `pack`; empty without a blob."""
    return frozenset(array("Q", blob or b""))


@dataclass(frozen=True)
class KeyedRecord(Covered):
    """A partition with the digest of its inputs at its run; a stale one has inputs that its run did not see.

    The mark is set by the reader of new inputs; the digest is compared by the reader of the partition.
    """

    number: int
    digest: str


class Keyed(LedgerTable):
    """The tables of keyed partitions and of their inputs."""

    def of_job(self, job: str) -> list[KeyedRecord]:
        """The records of a job, by time."""
        return self._select("job = ?", (job,))

    def of_schedule(self, job: str) -> list[KeyedRecord]:
        """The records of a job without those of requests, by time."""
        return self._select("job = ? AND key NOT IN (SELECT id FROM requests)", (job,))

    def of_requests(self, job: str) -> list[KeyedRecord]:
        """The records of the requests to a job, by time."""
        return self._select("job = ? AND key IN (SELECT id FROM requests)", (job,))

    def find(self, job: str, partition: PartitionKey) -> KeyedRecord | None:
        """The record of one partition."""
        records = self._select("job = ? AND subject = ? AND key = ?", (job, partition.subject, partition.key))
        return next(iter(records), None)

    def with_input(self, job: str, name: str) -> list[KeyedRecord]:
        """The records of a job with an input: a session by its id, or a file by its path."""
        return self._select("job = ? AND id IN (SELECT keyed FROM inputs WHERE name = ?)", (job, name))

    def inputs(self, record: KeyedRecord) -> list[str]:
        """The names of the inputs of a partition."""
        return self._store.column("SELECT name FROM inputs WHERE keyed = ?", (record.number,))

    def inputs_of(self, job: str, subject: str) -> set[str]:
        """The names of the inputs of all partitions of a subject."""
        query = "SELECT name FROM inputs WHERE keyed IN (SELECT id FROM keyed WHERE job = ? AND subject = ?)"
        return set(self._store.column(query, (job, subject)))

    def done(self, job: str, subject: str) -> set[str]:
        """The keys of the covered partitions of a subject."""
        query = "SELECT key FROM keyed WHERE job = ? AND subject = ? AND state = ?"
        return set(self._store.column(query, (job, subject, State.COVERED)))

    def cover(
        self, job: str, partition: PartitionKey, state: State, run_id: str, inputs: Mapping[str, Collection[str]]
    ) -> None:
        """Note a partition in place of its old record; `inputs` are the ids seen of each session or file."""
        if old := self.find(job, partition):
            self._store.write("DELETE FROM inputs WHERE keyed = ?", (old.number,))
            self._store.write("DELETE FROM keyed WHERE id = ?", (old.number,))
        subject, key, window = partition.subject, partition.key, partition.window
        number = self._store.write(
            "INSERT INTO keyed (job, subject, key, start, end, digest, state, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (job, subject, key, window.start, window.end, digest_of(inputs), state, run_id),
        )
        for name, ids in inputs.items():
            self._store.write("INSERT INTO inputs VALUES (?, ?, ?)", (number, name, pack(ids)))

    def mark_stale(self, record: KeyedRecord) -> None:
        """Note that a partition has to be run again."""
        self._store.write("UPDATE keyed SET stale = 1 WHERE id = ?", (record.number,))

    def unseen(self, record: KeyedRecord, name: str, ids: Collection[str]) -> bool:
        """Whether any of the ids of an input was not there when the partition was run."""
        query = "SELECT ids FROM inputs WHERE keyed = ? AND name = ?"
        return not unpack(self._store.value(query, (record.number, name))).issuperset(map(fingerprint, ids))

    def _select(self, where: str, values: tuple[str, ...]) -> list[KeyedRecord]:
        rows = self._store.rows(f"SELECT * FROM keyed WHERE {where} ORDER BY start, key", values)  # noqa: S608 - fixed texts
        return [
            KeyedRecord(
                number=row["id"],
                partition=PartitionKey(key=row["key"], window=window_in(row), subject=row["subject"]),
                digest=row["digest"],
                state=State(row["state"]),
                run_id=row["run"],
                stale=bool(row["stale"]),
            )
            for row in rows
        ]


def digest_of(inputs: Mapping[str, Collection[str]]) -> str:
    """16 hex digits of all names with their ids, whatever the order."""
    texts = (f"{name}\0{input_id}" for name in sorted(inputs) for input_id in sorted(inputs[name]))
    return f"{fingerprint(chr(10).join(texts)):016x}"


class Sights(LedgerTable):
    """The moment of the last look at the daily files; earlier changes of them were dealt with."""

    def note(self, now: datetime) -> None:
        """Note a look that began at this moment."""
        with self._store.transaction():
            self._store.write("DELETE FROM sights")
            self._store.write("INSERT INTO sights VALUES (?)", (now,))

    def last(self) -> datetime | None:
        """The moment; `None` before the first look."""
        return to_moment(self._store.value("SELECT at FROM sights"))
