"""Entries that agents propose, kept until their session is read."""

from collections.abc import Callable, Iterable
from datetime import datetime

from pipeline.ledger.store import LedgerTable
from schemas.entry_proposal import EntryProposal


class EntryProposals(LedgerTable):
    """The table of proposals. The row of one that was judged stays for a while without its words, to be counted."""

    def keep(self, proposal: EntryProposal) -> None:
        """Keep a proposal. The caller holds a transaction."""
        values = (proposal.id, proposal.conversation, proposal.at, proposal.model_dump_json())
        self._store.write("INSERT OR IGNORE INTO entry_proposals VALUES (?, ?, ?, ?)", values)

    def waiting(self, until: datetime) -> list[EntryProposal]:
        """Those that were made before `until` and have not been judged, the oldest first."""
        query = "SELECT body FROM entry_proposals WHERE body <> '' AND at < ? ORDER BY at, id"
        return [EntryProposal.model_validate_json(body) for body in self._store.column(query, (until,))]

    def count(self, since: datetime, conversation: str = "") -> int:
        """How many were made after `since`, judged ones too: all, or those of a conversation."""
        query = "SELECT COUNT(*) FROM entry_proposals WHERE at >= ? AND ? IN ('', conversation)"
        return int(self._store.value(query, (since, conversation)))

    def judge(self, ids: Iterable[str]) -> None:
        """Drop the words of what was judged. The caller holds a transaction."""
        for key in ids:
            self._store.write("UPDATE entry_proposals SET body = '' WHERE id = ?", (key,))

    def drop_before(self, moment: datetime) -> None:
        """Drop those that were made before `moment`, judged or not. The caller holds a transaction."""
        self._store.write("DELETE FROM entry_proposals WHERE at < ?", (moment,))

    def scrub(self, is_meant: Callable[[str], bool]) -> int:
        """Drop those whose text or quote `is_meant` accepts; how many. The caller holds a transaction."""
        rows = self._store.rows("SELECT id, body FROM entry_proposals WHERE body <> ''")
        known = ((key, EntryProposal.model_validate_json(body)) for key, body in rows)
        hit = [key for key, one in known if is_meant(one.quote) or is_meant(one.text)]
        for key in hit:
            self._store.write("DELETE FROM entry_proposals WHERE id = ?", (key,))
        return len(hit)
