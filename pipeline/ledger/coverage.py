"""Coverage: the stretches of UTC time that a job has dealt with, and the messages that it saw in them.

Intervals, not windows, are stored, so that a changed schedule or zone makes no time missing.
"""

import hashlib
from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pipeline.entries.provenance import earlier_id
from pipeline.ledger.intervals import subtract
from pipeline.ledger.store import LedgerTable, to_moment, window_in
from schemas.partition import PartitionKey
from schemas.window import Window


class State(StrEnum):
    """The state of a stretch. `unknown` time (the ledger was lost) and `undone` time are run by a back-fill alone."""

    COVERED = "covered"
    UNKNOWN = "unknown"
    UNDONE = "undone"


@dataclass(frozen=True)
class Covered:
    """A partition that was dealt with: its state, by which run, and whether it has to run again."""

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
    """64 bits of a message id: enough to distinguish the messages of one session."""
    return int.from_bytes(hashlib.sha256(message_id.encode(errors="replace")).digest()[:8], "big")


def pack(ids: Iterable[str]) -> bytes:
    """Message ids as sorted fingerprints, 8 bytes each."""
    return array("Q", sorted(fingerprint(message_id) for message_id in ids)).tobytes()


def unpack(blob: bytes | None) -> frozenset[int]:
    """The fingerprints in a blob that `pack` made; none without one."""
    return frozenset(array("Q", blob or b""))
