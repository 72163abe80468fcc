"""Requests to jobs, kept before they are carried out."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import astuple, dataclass
from datetime import datetime

from pipeline.ledger.store import LedgerTable, Values, to_moment
from schemas.memory_change import EntryProposal


class EntryProposals(LedgerTable):
    """The table of proposals. The row of one that was judged stays for a while without its words, to be counted."""

    def keep(self, proposal: EntryProposal) -> None:
        """Keep a proposal. The caller holds a transaction."""
        values = (proposal.id, proposal.conversation, proposal.at, proposal.model_dump_json())
        self._store.write("INSERT OR IGNORE INTO entry_proposals VALUES (?, ?, ?, ?)", values)

    def waiting(self, until: datetime) -> list[EntryProposal]:
        """The proposals from before `until` that have not been judged, the oldest first."""
        query = "SELECT body FROM entry_proposals WHERE body <> '' AND at < ? ORDER BY at, id"
        return [EntryProposal.model_validate_json(body) for body in self._store.column(query, (until,))]

    def count(self, since: datetime, conversation: str = "") -> int:
        """The number of proposals after `since`, judged ones too: of all conversations, or of one."""
        query = "SELECT COUNT(*) FROM entry_proposals WHERE at >= ? AND ? IN ('', conversation)"
        return int(self._store.value(query, (since, conversation)))

    def judge(self, ids: Iterable[str]) -> None:
        """Drop the words of judged proposals. The caller holds a transaction."""
        for key in ids:
            self._store.write("UPDATE entry_proposals SET body = '' WHERE id = ?", (key,))

    def drop_before(self, moment: datetime) -> None:
        """Drop those that were made before `moment`, judged or not. The caller holds a transaction."""
        self._store.write("DELETE FROM entry_proposals WHERE at < ?", (moment,))

    def scrub(self, is_meant: Callable[[str], bool]) -> int:
        """Drop the proposals with a text or quote that `is_meant` accepts; the number. Needs a transaction."""
        rows = self._store.rows("SELECT id, body FROM entry_proposals WHERE body <> ''")
        known = ((key, EntryProposal.model_validate_json(body)) for key, body in rows)
        hit = [key for key, proposal in known if is_meant(proposal.quote) or is_meant(proposal.text)]
        for key in hit:
            self._store.write("DELETE FROM entry_proposals WHERE id = ?", (key,))
        return len(hit)


class DeclaredAgents(LedgerTable):
    """The table of declared agents."""

    def note(self, names: Collection[str], now: datetime) -> None:
        """Note the agents that the settings declare, and forget all others."""
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


_DONE = "EXISTS (SELECT 1 FROM keyed WHERE keyed.job = requests.job AND keyed.key = requests.id)"


@dataclass(frozen=True)
class Request:
    """A request to a job. `body` is for the job alone; `subject` is the agent it is about, or empty.

    `about` is the moment whose day it belongs to; without one it is the moment at which somebody `asked`.
    """

    id: str
    job: str
    subject: str
    body: str
    asked: datetime
    about: datetime | None = None


class Requests(LedgerTable):
    """The table of requests. A row is the receipt: it is there before the request is carried out, and stays.

    Without a body there is nothing to do.
    """

    def keep(self, request: Request) -> None:
        """Keep a request for good; a second one with the same id changes nothing."""
        self._store.write("INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?, ?)", astuple(request))

    def of_job(self, job: str) -> list[Request]:
        """All requests to a job, the oldest first."""
        return self._select("WHERE job = ? ORDER BY asked, id", (job,))

    def find(self, request_id: str) -> Request | None:
        """One request, by its id."""
        return next(iter(self._select("WHERE id = ?", (request_id,))), None)

    def beginning_with(self, prefix: str) -> list[Request]:
        """The requests whose ids begin so, the oldest first."""
        return self._select("WHERE substr(id, 1, ?) = ? ORDER BY asked, id", (len(prefix), prefix))

    def drop_bodies(self, moment: datetime) -> None:
        """Empty the bodies of finished requests from before `moment`. The caller holds a transaction."""
        self._store.write(f"UPDATE requests SET body = '' WHERE asked < ? AND {_DONE}", (moment,))  # noqa: S608 - fixed

    def drop_open(self, prefix: str) -> None:
        """Drop open requests by the beginning of their ids. The caller holds a transaction."""
        self._store.write(f"DELETE FROM requests WHERE substr(id, 1, ?) = ? AND NOT {_DONE}", (len(prefix), prefix))  # noqa: S608 - fixed

    def scrub(self, is_meant: Callable[[str], bool]) -> int:
        """Empty the bodies that `is_meant` accepts; how many. The caller holds a transaction."""
        hit = [key for key, body in self._store.rows("SELECT id, body FROM requests") if body and is_meant(body)]
        for key in hit:
            self._store.write("UPDATE requests SET body = '' WHERE id = ?", (key,))
        return len(hit)

    def _select(self, rest: str, values: Values) -> list[Request]:
        rows = self._store.rows(f"SELECT * FROM requests {rest}", values)  # noqa: S608 - `rest` is ours
        return [
            Request(
                id=row["id"],
                job=row["job"],
                subject=row["subject"],
                body=row["body"],
                asked=datetime.fromisoformat(row["asked"]),
                about=to_moment(row["about"]),
            )
            for row in rows
        ]
