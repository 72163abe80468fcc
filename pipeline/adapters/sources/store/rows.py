"""The conversations in a SQLite store, read as the stores of other programs are: whatever stands there."""

from collections.abc import Iterator

from pipeline.adapters.sources.reading.database import Database, rows_of
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, decoded, identifier, word
from pipeline.adapters.sources.reading.stores import StoredSession
from pipeline.adapters.sources.store.said import moment_of, session_of
from schemas.conversation import OWNER
from schemas.transcript import Session

_LISTING = """
SELECT conversations.*, count(number) AS records, max(conversation_messages.created_at) AS last
FROM conversations JOIN conversation_messages ON conversation_id = conversations.id GROUP BY conversations.id
"""
_MESSAGES = "SELECT * FROM conversation_messages WHERE conversation_id = ? ORDER BY number"
_ABOUT = "SELECT * FROM conversations WHERE session_id = ? AND workspace = ''"
_MICROSECONDS = 1_000_000


class ConversationRows:
    """How conversations stand in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """Conversations and their messages."""
        return {
            "conversations": frozenset({"id", "workspace", "session_id", "user_id", "agent_id", "settings"}),
            "conversation_messages": frozenset(
                {"conversation_id", "number", "role", "text", "by_person", "created_at"}
            ),
        }

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The conversations of the owner that have messages, and that jobs may read."""
        for row in rows_of(store, _LISTING):
            if (session_id := identifier(row["session_id"])) and row["workspace"] == "" and _may_be_read(row):
                last = moment_of(row["last"])
                yield StoredSession(
                    session_id, row["records"], int(last.timestamp() * _MICROSECONDS) * 1000 if last else 0
                )

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """One conversation; `None` when it is gone, or no job may read it."""
        about = next(rows_of(store, _ABOUT, session_id), None)
        if about is None or not _may_be_read(about):
            return None
        return session_of(self._place, path, about, rows_of(store, _MESSAGES, str(about["id"])))


def _may_be_read(about: Record) -> bool:
    """Whether it is the owner's, and its settings say so in so many words: of what cannot be read nothing is."""
    settings = decoded(word(about.get("settings")))
    return about.get("user_id") == OWNER and isinstance(settings, dict) and settings.get("store_knowledge") is True
