"""What of the transcript sources could not be read when somebody looked last, so that it is told until it can be."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.ledger.store import LedgerTable, Store
from pipeline.ports.engine import Clock

WHOLE = ""
"""In place of a path: the source as a whole cannot be listed."""


@dataclass(frozen=True)
class UnreadableFile:
    """A file of a source, or `WHOLE` of it. `reason` is the system's own word, `since` when it was first met."""

    source: str
    path: str
    reason: str
    since: datetime


class UnreadableFiles(LedgerTable):
    """The table of what cannot be read. It holds paths and reasons, nothing of what was said.

    Nothing is written when nothing has changed: every command that looks would wait for every other one.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self._clock = clock

    def of(self, source: str) -> dict[str, UnreadableFile]:
        """What of a source cannot be read, by path; what is so for longest comes first."""
        rows = self._store.rows("SELECT * FROM unreadable WHERE source = ? ORDER BY since, path", (source,))
        files = (UnreadableFile(source, path, reason, datetime.fromisoformat(since)) for _, path, reason, since in rows)
        return {file.path: file for file in files}

    def note(self, source: str, path: str, reason: str) -> None:
        """Note what cannot be read; a trouble that is known keeps its beginning."""
        known = self._store.value("SELECT reason FROM unreadable WHERE source = ? AND path = ?", (source, path))
        if known != reason:
            self._store.write(
                "INSERT INTO unreadable VALUES (?, ?, ?, ?) "
                "ON CONFLICT (source, path) DO UPDATE SET reason = excluded.reason",
                (source, path, reason, self._clock.now()),
            )

    def clear(self, source: str, path: str) -> None:
        """Forget what can be read again, or is gone."""
        if self._store.rows("SELECT 1 FROM unreadable WHERE source = ? AND path = ?", (source, path)):
            self._store.write("DELETE FROM unreadable WHERE source = ? AND path = ?", (source, path))

    def sources(self) -> list[str]:
        """The sources of which something cannot be read."""
        return self._store.column("SELECT DISTINCT source FROM unreadable ORDER BY source")
