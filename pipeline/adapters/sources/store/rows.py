"""The conversations in a SQLite store, read as the stores of other programs are: whatever stands there."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, decoded, identifier, one_line, word
from pipeline.adapters.sources.reading.stores import Database, StoredSession, rows_of
from schemas.conversation import OWNER
from schemas.transcript import Message, Origin, Role, Session

_ORIGINS = {Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL, Role.SYSTEM: Origin.MACHINE}


def session_of(place: SourcePlace, path: str, about: Record, rows: Iterable[Record]) -> Session:
    """The session of a conversation; `about` is its row, and `rows` are those of its messages.

    What came along with a message (files, links, notes) is nobody's word, so it is left out.
    """
    assembly, name = Assembly(), str(about.get("session_id"))
    messages = tuple(_messages(about, rows, assembly))
    return place.session(path, name, assembly, agent=one_line(about.get("agent_id")), messages=messages)


def _messages(about: Record, rows: Iterable[Record], assembly: Assembly) -> Iterator[Message]:
    before, name = 0, str(about.get("session_id"))
    for row in rows:
        number, time, role = row.get("number"), moment_of(row.get("created_at")), _role(row.get("role"))
        if not isinstance(number, int) or number <= before or time is None or role is None:
            assembly.pass_over("bad_row", "")
            continue
        before = number
        yield Message(
            number=number,
            entry_ids=(f"{name}-{number}",),
            role=role,
            origin=_ORIGINS.get(role) or _user(about, row),
            time=time,
            text=word(row.get("text")),
        )


def _user(about: Record, row: Record) -> Origin:
    """The owner in the owner's own conversation and under a person's token alone: an agent only claims to be."""
    return Origin.OWNER if about.get("user_id") == OWNER and row.get("by_person") == 1 else Origin.OTHER


def _role(value: object) -> Role | None:
    return next((role for role in Role if role == value), None)


def moment_of(value: object) -> datetime | None:
    """A moment as a database gives it; without an offset it is in UTC."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC) if moment else None
    except (ValueError, OverflowError):
        return None


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
