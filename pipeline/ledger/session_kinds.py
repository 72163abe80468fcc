"""The kind of source that has the id of a session for itself, so that no other kind can take it."""

from pipeline.ledger.store import LedgerTable


class SessionKinds(LedgerTable):
    """The table of the ids of sessions. A row stays when the files are gone: entries cite the id."""

    def of(self, session: str) -> str | None:
        """The kind that has an id; `None` when no kind has it yet."""
        kind: str | None = self._store.value("SELECT kind FROM session_kinds WHERE session = ?", (session,))
        return kind

    def hold(self, session: str, kind: str) -> str:
        """The kind that has an id: the given one when no other came before. The caller holds a transaction."""
        holder = self.of(session)
        if holder is None:
            self._store.write("INSERT INTO session_kinds VALUES (?, ?)", (session, kind))
        return kind if holder is None else holder

    def empty(self) -> bool:
        """Whether no id is known: the ledger is new, or an older program made it."""
        return not self._store.rows("SELECT 1 FROM session_kinds LIMIT 1")
