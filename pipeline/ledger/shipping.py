"""The tables of `memory ship`: what of each session a server has, and how the last shipment ended. No words."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.ledger.store import LedgerTable, to_moment


@dataclass(frozen=True)
class SentSession:
    """A session at a server.

    `stamp` is that of its files when all of it was sent, else empty. `conversation` is its id there, with so many
    messages when it `has` answered last. `head` is a digest of what was sent about the session; `digests` are those of
    its first `messages`, a digest for each block of them.
    """

    stamp: str = ""
    conversation: str = ""
    head: str = ""
    messages: int = 0
    has: int = 0
    digests: bytes = b""


@dataclass(frozen=True)
class ShippingState:
    """The state of shipping: to which `workspace` at which `url`, and when it went well last.

    `failure` is the sentence of the error with which the last one ended, `failed` since when; empty where it went well.
    `machine` is the id of this machine there, which is made once.
    """

    url: str = ""
    workspace: str = ""
    looked: datetime | None = None
    failed: datetime | None = None
    failure: str = ""
    machine: str = ""


class Shipping(LedgerTable):
    """The tables. A row stays when the files of its session are gone."""

    def stamps(self) -> dict[str, str]:
        """The stamps of the sessions that were sent, by their ids."""
        return {row["session"]: row["stamp"] for row in self._store.rows("SELECT session, stamp FROM shipped")}

    def of(self, session: str) -> SentSession:
        """The session at the server."""
        query = "SELECT stamp, conversation, head, messages, has, digests FROM shipped WHERE session = ?"
        return next((SentSession(*row) for row in self._store.rows(query, (session,))), SentSession())

    def note(self, session: str, sent: SentSession) -> None:
        """Note what the server has of a session."""
        values = (session, sent.stamp, sent.conversation, sent.head, sent.messages, sent.has, sent.digests)
        self._store.write("INSERT OR REPLACE INTO shipped VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def begin_anew(self) -> None:
        """Note that the server has nothing."""
        self._store.write("DELETE FROM shipped")

    @property
    def state(self) -> ShippingState:
        """The state of shipping."""
        rows = self._store.rows("SELECT url, workspace, looked, failed, failure, machine FROM shipping")
        for url, workspace, looked, failed, failure, machine in rows:
            return ShippingState(url, workspace, to_moment(looked), to_moment(failed), failure, machine)
        return ShippingState()

    def note_state(self, state: ShippingState) -> None:
        """Note where shipping stands."""
        values = (state.url, state.workspace, state.looked, state.failed, state.failure, state.machine)
        self._store.write("INSERT OR REPLACE INTO shipping VALUES (1, ?, ?, ?, ?, ?, ?)", values)
