"""Goose's SQLite store."""

from collections.abc import Iterator

from pipeline.adapters.sources.goose.messages import GooseProgress
from pipeline.adapters.sources.reading.database import Database, rows_of
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, decoded, identifier, nanoseconds, one_line, word
from pipeline.adapters.sources.reading.stores import StoredSession
from schemas.transcript import Session

# A compaction writes all messages of a session anew, at their old times: the largest id shows it.
_LISTING = """
SELECT sessions.id, sessions.updated_at AS time, count(messages.id) AS records, max(messages.id) % 1000 AS last
FROM sessions JOIN messages ON messages.session_id = sessions.id GROUP BY sessions.id
"""
_MESSAGES = "SELECT * FROM messages WHERE session_id = ? ORDER BY id"
_ABOUT = "SELECT * FROM sessions WHERE id = ?"

_MACHINES = frozenset({"hidden", "scheduled", "sub_agent"})


class GooseStore:
    """Goose's sessions in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """Sessions and messages; what else they have depends on the version."""
        return {
            "sessions": frozenset({"id", "working_dir", "updated_at"}),
            "messages": frozenset({"id", "session_id", "role", "content_json", "created_timestamp"}),
        }

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions that have messages."""
        for row in rows_of(store, _LISTING):
            if session_id := identifier(row["id"]):
                last = row["last"] if isinstance(row["last"], int) else 0
                yield StoredSession(session_id, row["records"], nanoseconds(row["time"]) + last)

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """One session; `None` when it is gone."""
        about = next(rows_of(store, _ABOUT, session_id), None)
        if about is None:
            return None
        reading = GooseProgress()
        for number, row in enumerate(rows_of(store, _MESSAGES, session_id), start=1):
            reading.take(number, _record(row))
        return self._place.session(
            path,
            session_id,
            reading.assembly,
            project=one_line(about["working_dir"]),
            machine=about.get("session_type") in _MACHINES or bool(about.get("schedule_id")),
        )


def _record(row: Record) -> Record:
    """A row as a message of the files; its number in the table is none of the message's."""
    return {
        "id": row.get("message_id"),
        "role": row["role"],
        "created": row["created_timestamp"],
        "content": decoded(word(row["content_json"])),
        "metadata": decoded(word(row.get("metadata_json"))),
    }
