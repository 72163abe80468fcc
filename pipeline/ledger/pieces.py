"""The pieces of sessions that were asked about, and the sessions with a piece that is still open."""

from collections.abc import Iterable
from datetime import datetime

from pipeline.ledger.store import LedgerTable, window_in
from schemas.window import Window


class KeptPieces(LedgerTable):
    """The tables of pieces: their times alone, no words."""

    def of(self, session: str) -> list[Window]:
        """The pieces of a session that were asked about, in order; each from its first message to its last one."""
        query = "SELECT start, end FROM pieces WHERE session = ? ORDER BY start"
        return [window_in(row) for row in self._store.rows(query, (session,))]

    def keep(self, session: str, pieces: Iterable[Window]) -> None:
        """Keep pieces of a session; those that are known stay as they are."""
        for piece in pieces:
            self._store.write(
                "INSERT INTO pieces SELECT ?1, ?2, ?3 "
                "WHERE NOT EXISTS (SELECT 1 FROM pieces WHERE session = ?1 AND start < ?3 AND end > ?2)",
                (session, piece.start, piece.end),
            )

    def note_open(self, session: str, over: datetime | None) -> None:
        """Note until when a piece of a session is open, at most; `None` when none is."""
        if over is None:
            self._store.write("DELETE FROM open_pieces WHERE session = ?", (session,))
        else:
            self._store.write("INSERT OR REPLACE INTO open_pieces VALUES (?, ?)", (session, over))

    def over(self, now: datetime) -> list[str]:
        """The sessions of which a piece that was open is over by now."""
        return self._store.column("SELECT session FROM open_pieces WHERE over <= ? ORDER BY session", (now,))
