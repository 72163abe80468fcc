"""Coverage: which stretches of UTC time a job has dealt with, and which messages it saw in them.

Intervals, not windows, are stored, so that a changed schedule or zone makes no time missing.
"""

import hashlib
from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pipeline.entries.provenance import earlier_id
from pipeline.ledger.store import Store, to_moment, to_text
from schemas.window import Window


class State(StrEnum):
    """Why a stretch is not due. A back-fill runs what is `unknown` (the ledger was lost) or `undone` by a person."""

    COVERED = "covered"
    UNKNOWN = "unknown"
    UNDONE = "undone"


@dataclass(frozen=True)
class Stretch:
    """A covered interval. A stale one has messages that its run did not see."""

    number: int
    window: Window
    state: State
    run_id: str
    stale: bool


class Coverage:
    """The tables of covered time and of seen messages."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def jobs(self) -> list[str]:
        """The jobs that have covered any time."""
        return [str(job) for (job,) in self._store.rows("SELECT DISTINCT job FROM coverage ORDER BY job")]

    def subjects(self, job: str) -> list[str]:
        """The subjects of which a job has covered any time."""
        query = "SELECT DISTINCT subject FROM coverage WHERE job = ? ORDER BY subject"
        return [str(subject) for (subject,) in self._store.rows(query, (job,))]

    def last_covered(self, before: datetime) -> datetime | None:
        """The start of the last stretch before a moment that any job has dealt with."""
        [(start,)] = self._store.rows(
            "SELECT MAX(start) FROM coverage WHERE state = 'covered' AND start < ?", (to_text(before),)
        )
        return to_moment(start) if start else None

    def stretches(self, job: str, within: Window | None = None, subject: str = "") -> list[Stretch]:
        """A job's stretches of one subject that overlap `within`, in order of time."""
        where, values = "WHERE job = ? AND subject = ?", [job, subject]
        if within:
            where += " AND end > ? AND start < ?"
            values += [to_text(within.start), to_text(within.end)]
        query = f"SELECT id, start, end, state, run, stale FROM coverage {where} ORDER BY start"  # noqa: S608 - fixed texts
        return [
            Stretch(
                number=int(str(number)),
                window=Window(start=to_moment(start), end=to_moment(end)),
                state=State(str(state)),
                run_id=str(run),
                stale=bool(stale),
            )
            for number, start, end, state, run, stale in self._store.rows(query, values)
        ]

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
        """Note a stretch in place of what it overlaps; `seen` maps session ids to the ids of all messages inside it."""
        for old in self.stretches(job, window, subject):
            self._shorten(job, subject, old, window)
        number = self._store.write(
            "INSERT INTO coverage (job, subject, start, end, state, run) VALUES (?, ?, ?, ?, ?, ?)",
            (job, subject, to_text(window.start), to_text(window.end), state.value, run_id),
        )
        for session, ids in seen.items():
            self._store.write("INSERT INTO seen VALUES (?, ?, ?)", (number, session, pack(ids)))

    def _shorten(self, job: str, subject: str, old: Stretch, window: Window) -> None:
        """Keep the parts of an old stretch that stick out, with what was seen there."""
        kept = [
            Window(start=old.window.start, end=window.start) if old.window.start < window.start else None,
            Window(start=window.end, end=old.window.end) if old.window.end > window.end else None,
        ]
        for part in filter(None, kept):
            number = self._store.write(
                "INSERT INTO coverage (job, subject, start, end, state, run, stale) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (job, subject, to_text(part.start), to_text(part.end), old.state.value, old.run_id, int(old.stale)),
            )
            # The ids are not told apart by time: a superset only means that nothing seen is called new.
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
        rows = self._store.rows("SELECT ids FROM seen WHERE coverage = ? AND session = ?", (stretch.number, session))
        known = unpack(rows[0][0]) if rows else frozenset()
        # What an earlier version saw stands there under the id that it gave.
        return any(
            known.isdisjoint((fingerprint(message_id), fingerprint(earlier_id(message_id)))) for message_id in ids
        )


def fingerprint(message_id: str) -> int:
    """64 bits of a message id: enough to tell the messages of one session apart."""
    return int.from_bytes(hashlib.sha256(message_id.encode(errors="replace")).digest()[:8], "big")


def pack(ids: Iterable[str]) -> bytes:
    """Message ids as sorted fingerprints, 8 bytes each."""
    return array("Q", sorted(fingerprint(message_id) for message_id in ids)).tobytes()


def unpack(blob: object) -> frozenset[int]:
    """The fingerprints in a blob that `pack` made."""
    packed = array("Q")
    packed.frombytes(blob if isinstance(blob, bytes) else b"")
    return frozenset(packed)
