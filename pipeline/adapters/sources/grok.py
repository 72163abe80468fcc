"""The sessions of Grok Build: the updates of the agent client protocol, line by line, and a summary beside them."""

from collections.abc import Sequence

from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, is_lines
from pipeline.adapters.sources.reading.records import (
    Record,
    companion,
    identifier,
    mapping,
    one_line,
    seconds_or_milliseconds,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.cursor import typed_parts
from schemas.transcript import Origin, Role, Session

_UPDATES = "updates.jsonl"
_SILENT = frozenset(
    {
        "agent_thought_chunk", "available_commands_update", "current_mode_update", "plan", "tool_call",
        "tool_call_update", "usage_update",
    }
)  # fmt: skip
KIND = SourceKind(
    "grok",
    lambda place: FileSource(place, is_lines, _parse),
    lambda home, environment: (named_folder(environment, "GROK_HOME", home / ".grok") / "sessions",),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    reading, number = _GrokProgress(), 0
    for number, record in reading.assembly.recognize(file.stream, _is_update):
        reading.take(number, record, _update(record))
    if not number:
        return ()
    reading.settle()
    in_folder = file.location.name == _UPDATES
    about = companion(file.location.parent / "summary.json") if in_folder else {}
    info = mapping(about.get("info"))
    name = file.location.parent.name if in_folder else file.location.stem
    session = file.place.session(
        file.path,
        identifier(info.get("id")) or identifier(name) or "session",
        reading.assembly,
        agent=one_line(about.get("agent_name")),
        project=one_line(info.get("cwd")),
        parent=identifier(about.get("parent_session_id")) or None,
        machine=word(about.get("session_kind")).startswith("subagent"),
    )
    return (session,)


def _update(record: Record) -> Record:
    return mapping(mapping(record.get("params")).get("update"))


def _is_update(record: Record) -> bool:
    """Whether a record is surely of this format."""
    return isinstance(_update(record).get("sessionUpdate"), str)


class _GrokProgress:
    """The state of a session after the updates read so far; a message comes in pieces."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self._open: tuple[str, object] | None = None

    def take(self, number: int, record: Record, update: Record) -> None:
        """Read an update: a piece goes on with the message before it when both are of one question."""
        kind = word(update.get("sessionUpdate"))
        if kind not in ("user_message_chunk", "agent_message_chunk"):
            if kind in _SILENT:
                self.assembly.skipped["no_conversation"] += 1
            else:
                self.assembly.pass_over("unknown_record", kind, update)
            self._open = None if kind.startswith("tool") else self._open
            return
        about = mapping(update.get("_meta"))
        time = seconds_or_milliseconds(record.get("timestamp") or about.get("agentTimestampMs"))
        if kind == "user_message_chunk":
            entry_id = self.assembly.admit_line(number, record, time)
        else:  # two pieces of an answer may be the same by chance
            entry_id = self.assembly.admit(number, record | {"timestamp": time}, "")
        if not entry_id:
            return
        content = update.get("content")
        said = texts(content if isinstance(content, list) else [content])
        question = about.get("promptIndex" if kind == "user_message_chunk" else "promptId")
        if self._open == (kind, question):
            draft = self.assembly.drafts[-1]
            draft.ids.append(entry_id)
            draft.parts = ["".join([*draft.parts, *said])] if said else draft.parts
            return
        self._open = kind, question
        role = Role.USER if kind == "user_message_chunk" else Role.ASSISTANT
        origin = Origin.OWNER if role is Role.USER else Origin.ASSISTANT
        self.assembly.add(DraftMessage(number, [entry_id], role, origin, said))

    def settle(self) -> None:
        """Find the words of the person, when all pieces are there."""
        for draft in self.assembly.drafts:
            if draft.role is Role.USER:
                draft.origin, draft.parts = typed_parts(draft.parts)
