"""The conversations of the workspace's own store, in SQLite or PostgreSQL, as sessions."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from pydantic import ValidationError

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, decode_json, identifier, one_line, word
from pipeline.adapters.sources.reading.stores import Database, StoredSession, StoreSource, rows_of
from pipeline.errors import PipelineError, ReadFailed
from pipeline.ports.engine import TranscriptSource
from pipeline.store.opening import FILE
from schemas.conversation import OWNER, ListedConversation
from schemas.evidence import RecordEvidence
from schemas.shipment import KeptTranscript, TranscriptRecord
from schemas.transcript import Message, Origin, Role, Session, TranscriptFile

if TYPE_CHECKING:
    from pipeline.store.conversations import ConversationTable

_ORIGINS = {Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL, Role.SYSTEM: Origin.MACHINE}


def session_of(place: SourcePlace, path: str, about: Record, rows: Iterable[Record]) -> Session:
    """The session of a conversation; `about` is its row, and `rows` are those of its messages.

    What came along with a message (files, links, notes) is nobody's word, so it is left out. A session that the owner
    has sent from another machine is as it was there.
    """
    if about.get("transcript"):
        return _shipped_session(about, rows)
    assembly, name = Assembly(), str(about.get("session_id"))
    messages = tuple(_messages(about, rows, assembly))
    return place.session(path, name, assembly, agent=one_line(about.get("agent_id")), messages=messages)


def _messages(about: Record, rows: Iterable[Record], assembly: Assembly) -> Iterator[Message]:
    before, name = 0, str(about.get("session_id"))
    for row in rows:
        number, time = row.get("number"), moment_of(row.get("created_at"))
        role = next((role for role in Role if role == row.get("role")), None)
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


def _shipped_session(about: Record, rows: Iterable[Record]) -> Session:
    """The session that a conversation holds for another machine, in the order of its records.

    Raises:
        ValidationError: it was not written by us.
    """
    said = list[tuple[Message, tuple[RecordEvidence, ...]]]()
    for row in rows:
        if (time := moment_of(row.get("created_at"))) and (held := _decode_value(row.get("record"))):
            record, vouched = TranscriptRecord.model_validate(held), row.get("by_person") == 1
            message = record.message(Role(word(row.get("role"))), time, word(row.get("text")), vouched=vouched)
            said.append((message, record.evidence))
    said.sort(key=lambda pair: pair[0].number)
    messages = tuple(message for message, _ in said)
    evidence = tuple(proven for _, records in said for proven in records)
    return KeptTranscript.model_validate(_decode_value(about.get("transcript"))).session(messages, evidence)


def _decode_value(value: object) -> object:
    """A value of JSON, which SQLite holds as a text."""
    return decode_json(value) if isinstance(value, str) else value


def _user(about: Record, row: Record) -> Origin:
    """The owner in the owner's own conversation and under a person's token alone: an agent only claims to be."""
    return Origin.OWNER if about.get("user_id") == OWNER and row.get("by_person") == 1 else Origin.OTHER


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
    """The conversations in a database, row by row."""

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
                change = int(last.timestamp() * _MICROSECONDS) * 1000 if last else 0
                yield StoredSession(session_id, row["records"], change + _revision(row.get("transcript")))

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """A conversation; `None` when it is gone, or no job may read it."""
        about = next(rows_of(store, _ABOUT, session_id), None)
        if about is None or not _may_be_read(about):
            return None
        try:
            return session_of(self._place, path, about, rows_of(store, _MESSAGES, str(about["id"])))
        except ValueError as error:
            raise ReadFailed(path, str(error)) from error


def _revision(transcript: object) -> int:
    """A number that differs after each shipment of a session; 0 for a conversation that was held here."""
    held = _decode_value(transcript)
    revision = held.get("revision") if isinstance(held, dict) else 0
    return revision if isinstance(revision, int) else 0


def _may_be_read(about: Record) -> bool:
    """Whether a conversation is the owner's, and its settings say explicitly that knowledge may be kept of it.

    The session of a transcript is read where the owner has sent it alone: an agent may have made up another.
    """
    if about.get("transcript") and about.get("by_person") != 1:
        return False
    settings = decode_json(word(about.get("settings")))
    return about.get("user_id") == OWNER and isinstance(settings, dict) and settings.get("store_knowledge") is True


class ConversationServer:
    """The conversations of one workspace on a server. A connection is held for no longer than a question takes."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    @property
    def name(self) -> str:
        """The name of this root in entries."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """The conversations of the owner that have messages, and that jobs may read, in the order of their paths."""
        try:
            with self._table() as table:
                listed = table.list_conversations()
        except PipelineError as error:
            raise ReadFailed(FILE, str(error)) from error
        files = [_file(counted) for counted in listed if counted.messages and counted.conversation.may_be_read]
        yield from sorted(files, key=lambda file: file.path)

    def read(self, path: str) -> Sequence[Session]:
        """The conversation of one path."""
        folder, _, name = path.partition("/")
        try:
            with self._table() as table:
                about = table.find(unquote(name)) if folder == FILE and name else None
                said = table.history(about, with_cleared=True) if about else []
        except (PipelineError, ValidationError) as error:
            raise ReadFailed(path, str(error)) from error
        if about is None:
            raise ReadFailed(path, "there is no such conversation")
        if not about.may_be_read:
            return ()
        rows = (message.model_dump(mode="json") for message in said)
        return (session_of(self._place, path, about.model_dump(mode="json"), rows),)

    @contextmanager
    def _table(self) -> Iterator["ConversationTable"]:
        with closing(self._conversations.database):  # which opens again at the next question
            yield self._conversations

    @cached_property
    def _conversations(self) -> "ConversationTable":
        """The conversations in a database whose version was looked at."""
        from pipeline.store.conversations import ConversationTable
        from pipeline.store.database import open_database

        return ConversationTable(open_database(self._place.root, self._place.store), self._place.store.workspace)


def _file(listed: ListedConversation) -> TranscriptFile:
    last = listed.last or listed.conversation.created_at
    path = f"{FILE}/{quote(listed.conversation.session_id, safe='')}"
    transcript = listed.conversation.transcript
    revision = transcript.revision if transcript else 0
    change = int(last.timestamp() * _MICROSECONDS) * 1000 + revision
    return TranscriptFile(path=path, size=listed.messages, mtime_ns=change)


def _source(place: SourcePlace) -> TranscriptSource:
    """The source over the store's folder, or over the server that the place names."""
    if place.store.url.get_secret_value():
        return ConversationServer(place)
    return StoreSource(place, lambda name: name == FILE, ConversationRows(place))


KIND = SourceKind("store", _source)
