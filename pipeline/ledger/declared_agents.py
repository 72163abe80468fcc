"""Since when each agent has been declared: what it said before is archived by a back-fill alone."""

from collections.abc import Collection
from datetime import datetime

from pipeline.ledger.store import LedgerTable


class DeclaredAgents(LedgerTable):
    """The table of declared agents."""

    def note(self, names: Collection[str], now: datetime) -> None:
        """Note the agents that the settings declare; one that they declare no more is forgotten."""
        known = self.since()
        if set(names) != known.keys():
            with self._store.transaction():
                for name in known.keys() - set(names):
                    self._store.write("DELETE FROM agents WHERE name = ?", (name,))
                for name in set(names) - known.keys():
                    self._store.write("INSERT OR IGNORE INTO agents VALUES (?, ?)", (name, now))

    def since(self) -> dict[str, datetime]:
        """The moment at which each agent was first seen in the settings."""
        return {row[0]: datetime.fromisoformat(row[1]) for row in self._store.rows("SELECT name, since FROM agents")}
