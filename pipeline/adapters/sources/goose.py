"""The sessions of Goose: a SQLite store, and before version 1.10 a file of JSON lines a session."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace, is_lines
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    decode_json,
    identifier,
    mapping,
    nanoseconds,
    one_line,
    records,
    seconds_or_milliseconds,
    texts,
    word,
)
from pipeline.adapters.sources.reading.stores import Database, JoinedSource, StoredSession, StoreSource, rows_of
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin, Role, Session

_BLOCKS = frozenset(
    {
        "text", "image", "toolRequest", "toolResponse", "toolConfirmationRequest", "frontendToolRequest", "thinking",
        "redactedThinking", "reasoning", "contextLengthExceeded", "summarizationRequested", "conversationCompacted",
        "systemNotification", "actionRequired",
    }
)  # fmt: skip


class GooseProgress:
    """The state of a session after the messages read so far."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self._tools: dict[str, str] = {}

    def take(self, number: int, record: Record) -> None:
        """Add a message: `id`, `role`, `created` in seconds, `content` in blocks, and `metadata` on who sees it."""
        timed = record | {"timestamp": seconds_or_milliseconds(record.get("created"))}
        timed.pop("metadata", None)  # it changes when a conversation is compacted
        entry_id = self.assembly.admit(number, timed, "id")
        if not entry_id:
            return
        content, role = record.get("content"), record.get("role")
        self.assembly.check(content, _BLOCKS)
        hidden = mapping(record.get("metadata")).get("userVisible") is False
        if role == "user":
            draft = DraftMessage(number, [entry_id], Role.USER, Origin.MEMORY if hidden else Origin.OWNER, [])
            self.assembly.add(self._user(draft, content))
        elif role == "assistant":
            for block in blocks(content):
                if block.get("type") == "toolRequest":
                    name = mapping(mapping(block.get("toolCall")).get("value")).get("name")
                    self._tools[one_line(block.get("id"))] = one_line(name).rpartition("__")[2]
            origin = Origin.MEMORY if hidden else Origin.ASSISTANT
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, origin, texts(content)))
        else:
            self.assembly.pass_over("unknown_role", role)

    def _user(self, draft: DraftMessage, content: object) -> DraftMessage:
        """A message in the person's place; one that only the agent sees is a summary, or a copy made for it."""
        draft.parts = texts(content)
        answers = [block for block in blocks(content) if block.get("type") == "toolResponse"]
        if draft.origin is Origin.MEMORY:
            return draft
        if answers:  # nobody types into the answer of a tool
            draft.role = Role.TOOL
            draft.origin = tool_origin(self._tools.get(one_line(answers[0].get("id"))))
            draft.parts = [text for answer in answers for text in texts(_result(answer))] + draft.parts
        else:
            draft.origin, draft.parts = typed_words(draft.parts)
        return draft


def _result(answer: Record) -> object:
    """The blocks of a tool's result; in older versions they are the value itself."""
    value = mapping(answer.get("toolResult")).get("value")
    return value.get("content") if isinstance(value, dict) else value


def parse(file: SourceFile) -> Sequence[Session]:
    """The session of a file; none when its first record is not on a session."""
    reading, about = GooseProgress(), dict[str, object]()
    for number, record in records(file.stream, reading.assembly.skipped):
        if not about:
            if not _is_about(record):
                return ()
            about = record
        elif _is_about(record):
            reading.assembly.skipped["repeated"] += 1
        else:
            reading.take(number, record)
    if not about:
        return ()
    session = file.place.session(
        file.path,
        identifier(PurePosixPath(file.path).stem) or "session",
        reading.assembly,
        project=one_line(about.get("working_dir")),
        machine=bool(about.get("schedule_id")),
    )
    return (session,)


def _is_about(record: Record) -> bool:
    return "role" not in record and "working_dir" in record


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
        """A session; `None` when it is gone."""
        about = next(rows_of(store, _ABOUT, session_id), None)
        if about is None:
            return None
        reading = GooseProgress()
        for number, row in enumerate(rows_of(store, _MESSAGES, session_id), start=1):
            record = {
                "id": row.get("message_id"),  # its number in the table is none of the message's
                "role": row["role"],
                "created": row["created_timestamp"],
                "content": decode_json(word(row["content_json"])),
                "metadata": decode_json(word(row.get("metadata_json"))),
            }
            reading.take(number, record)
        return self._place.session(
            path,
            session_id,
            reading.assembly,
            project=one_line(about["working_dir"]),
            machine=about.get("session_type") in _MACHINES or bool(about.get("schedule_id")),
        )


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    data = named_folder(environment, "XDG_DATA_HOME", home / ".local" / "share") / "goose"
    if environment.get("GOOSE_PATH_ROOT"):
        data = named_folder(environment, "GOOSE_PATH_ROOT", home) / "data"
    return (data / "sessions",)


KIND = SourceKind(
    "goose",
    lambda place: JoinedSource(
        StoreSource(place, lambda name: name == "sessions.db", GooseStore(place)),
        FileSource(place, is_lines, parse),
        lambda path: PurePosixPath(path).stem,
    ),
    _roots,
)
