"""The numbers of episodes, which are given once, and the sessions that may have an episode without one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.ledger.store import LedgerTable


@dataclass(frozen=True)
class EpisodeNumber:
    """The place of an episode: its `number` on its local day, and its `ordinal` among all of its subject, from 1."""

    day: date
    number: int
    ordinal: int


class EpisodeNumbers(LedgerTable):
    """The tables of numbers and of unsettled sessions. A number stays taken whatever becomes of its page."""

    def find(self, job: str, subject: str, key: str) -> EpisodeNumber | None:
        """The number of an episode; `None` when it has none yet."""
        query = "SELECT day, number, ordinal FROM episodes WHERE job = ? AND subject = ? AND key = ?"
        rows = self._store.rows(query, (job, subject, key))
        return next((EpisodeNumber(date.fromisoformat(row[0]), row[1], row[2]) for row in rows), None)

    def of_subject(self, job: str, subject: str) -> dict[str, EpisodeNumber]:
        """All numbers of a subject by key, in their order."""
        query = "SELECT key, day, number, ordinal FROM episodes WHERE job = ? AND subject = ? ORDER BY ordinal"
        rows = self._store.rows(query, (job, subject))
        return {row[0]: EpisodeNumber(date.fromisoformat(row[1]), row[2], row[3]) for row in rows}

    def keep(self, job: str, subject: str, key: str, given: EpisodeNumber) -> None:
        """Keep the number of an episode; a second one changes nothing."""
        values = (job, subject, key, given.day.isoformat(), given.number, given.ordinal)
        self._store.write("INSERT OR IGNORE INTO episodes VALUES (?, ?, ?, ?, ?, ?)", values)

    def next(self, job: str, subject: str, day: date, taken: Collection[int]) -> EpisodeNumber:
        """The number of a new episode; `taken` are those of the day that its files have."""
        mine = "FROM episodes WHERE job = ? AND subject = ?"
        ordinal = self._store.value(f"SELECT MAX(ordinal) {mine}", (job, subject)) or 0
        query = f"SELECT MAX(number) {mine} AND day = ?"
        last = self._store.value(query, (job, subject, day.isoformat())) or 0
        return EpisodeNumber(day, max(last, *taken, 0) + 1, ordinal + 1)

    def note_changed(self, session: str) -> None:
        """Note that a session was read anew. The caller holds a transaction."""
        self._store.write("INSERT OR IGNORE INTO unsettled VALUES (?)", (session,))

    def unsettled(self) -> set[str]:
        """The sessions that were read anew and may have messages in no episode."""
        return set(self._store.column("SELECT session FROM unsettled"))

    def settle(self, sessions: Sequence[str]) -> None:
        """Note that all messages of these sessions are in an episode."""
        for session in sessions:
            self._store.write("DELETE FROM unsettled WHERE session = ?", (session,))
