"""Transcript files that could not be read at the last attempt, to be reported until they can be."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.ledger.store import LedgerTable, Store
from pipeline.ports.engine import Clock

WHOLE = ""
"""In place of a path: the source as a whole cannot be listed."""


@dataclass(frozen=True)
class UnreadableFile:
    """A file of a source, or the `WHOLE` source. `reason` is the system's message, `since` the moment it first came."""

    source: str
    path: str
    reason: str
    since: datetime


class UnreadableFiles(LedgerTable):
    """The table of unreadable files. It holds paths and reasons, and no messages.

    Nothing is written without a change: every command that refreshes would wait for the others.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self._clock = clock

    def of(self, source: str) -> dict[str, UnreadableFile]:
        """The unreadable files of a source, by path, the longest unreadable first."""
        rows = self._store.rows("SELECT * FROM unreadable WHERE source = ? ORDER BY since, path", (source,))
        files = (UnreadableFile(source, path, reason, datetime.fromisoformat(since)) for _, path, reason, since in rows)
        return {file.path: file for file in files}

    def note(self, source: str, path: str, reason: str) -> None:
        """Note an unreadable file; a known one keeps its `since`."""
        known = self._store.value("SELECT reason FROM unreadable WHERE source = ? AND path = ?", (source, path))
        if known != reason:
            self._store.write(
                "INSERT INTO unreadable VALUES (?, ?, ?, ?) "
                "ON CONFLICT (source, path) DO UPDATE SET reason = excluded.reason",
                (source, path, reason, self._clock.now()),
            )

    def clear(self, source: str, path: str) -> None:
        """Drop a file that can be read again, or is gone."""
        if self._store.rows("SELECT 1 FROM unreadable WHERE source = ? AND path = ?", (source, path)):
            self._store.write("DELETE FROM unreadable WHERE source = ? AND path = ?", (source, path))

    def sources(self) -> list[str]:
        """The sources with an unreadable file."""
        return self._store.column("SELECT DISTINCT source FROM unreadable ORDER BY source")
