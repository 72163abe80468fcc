"""The sessions of Qwen Code, one file a session: records as Claude Code's, contents as Gemini's."""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.evidence import CallResult
from pipeline.adapters.sources.kind import SourceKind, named_and_usual
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, is_lines
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    identifier,
    is_result,
    mapping,
    one_line,
    part_texts,
    result_texts,
    unknown_parts,
    word,
)
from pipeline.adapters.sources.speakers.gemini import typed_parts
from pipeline.adapters.sources.speakers.owner import tool_origin
from schemas.transcript import Origin, Role, Session

_OUTCOMES = {"success": True, "error": False, "cancelled": False}
_TYPED = frozenset({"", "mid_turn_user_message"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool_result": Role.TOOL}


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    variable = "QWEN_RUNTIME_DIR" if environment.get("QWEN_RUNTIME_DIR") else "QWEN_HOME"
    return tuple(folder / "projects" for folder in named_and_usual(environment, variable, home / ".qwen"))


KIND = SourceKind("qwen", lambda place: FileSource(place, is_lines, _parse), _roots)


def _parse(file: SourceFile) -> Sequence[Session]:
    reading, number = QwenProgress(), 0
    for number, record in reading.assembly.recognize(file.stream, _is_record, lambda record: "parentId" in record):
        reading.take(number, record)
    if not number:
        return ()
    reading.leave_out_branches()
    stem = PurePosixPath(file.path).stem
    owner = reading.session_id if reading.sidechain and reading.session_id != stem else ""
    parent = reading.parent or owner
    session = file.place.session(
        file.path,
        stem,
        reading.assembly,
        project=reading.project,
        parent=parent or None,
        machine=bool(parent) or reading.sidechain,
    )
    return (session,)


class QwenProgress:
    """The state of a session after the records read so far."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.session_id = ""
        self.project = ""
        self.parent = ""
        self.sidechain = False
        self._above: dict[str, str] = {}
        self._last = ""
        self._rewound = False

    def take(self, number: int, record: Record) -> None:
        """Read one record."""
        kind = word(record.get("type"))
        self.session_id = self.session_id or identifier(record.get("sessionId"))
        self.assembly.folder = one_line(record.get("cwd")) or self.assembly.folder
        self.project = self.project or self.assembly.folder
        self.sidechain = self.sidechain or record.get("isSidechain") is True
        if kind not in _ROLES and kind != "system":
            self.assembly.pass_over("unknown_record", kind, record)
            return
        entry_id = self.assembly.admit(number, record, "uuid")
        if not entry_id:
            return
        self._above[entry_id], self._last = identifier(record.get("parentUuid")), entry_id
        if kind == "system":
            payload, subtype = mapping(record.get("systemPayload")), word(record.get("subtype"))
            if subtype == "parent_session":
                self.parent = identifier(payload.get("parentSessionId"))
            self._rewound = self._rewound or subtype == "rewind"
            self.assembly.skipped["no_conversation"] += 1
        else:
            self._say(DraftMessage(number, [entry_id], _ROLES[kind], Origin.MACHINE, []), record)

    def _say(self, draft: DraftMessage, record: Record) -> None:
        parts = mapping(record.get("message")).get("parts")
        for name in unknown_parts(parts):
            self.assembly.pass_over("unknown_block", name)
        draft.parts = part_texts(parts)
        if not _is_copied(record) and "agentId" not in record:
            self._note_calls(draft, blocks(parts), mapping(record.get("toolCallResult")))
        if draft.role is Role.ASSISTANT:
            draft.origin = Origin.ASSISTANT
        elif draft.role is Role.TOOL:
            names = [mapping(part.get("functionResponse")).get("name") for part in blocks(parts)]
            draft.origin, draft.parts = tool_origin(names[0] if names else None), result_texts(parts)
        else:
            _speak(draft, record)
        if _is_copied(record):
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1
        self.assembly.add(draft)

    def _note_calls(self, draft: DraftMessage, parts: list[Record], outcome: Record) -> None:
        for part in parts:
            if call := mapping(part.get("functionCall")):
                place = self.assembly.place(draft.number)
                self.assembly.calls.take_call(
                    KIND.name, word(call.get("name")), call.get("id"), call.get("args"), place
                )
        if call_id := outcome.get("callId"):
            self.assembly.calls.take_result(call_id, CallResult(_OUTCOMES.get(word(outcome.get("status")))))

    def leave_out_branches(self) -> None:
        """After a rewind the records go on from an earlier one: those beside the way to the last are taken back."""
        if not self._rewound:
            return
        way, entry_id = set[str](), self._last
        while entry_id in self._above and entry_id not in way:
            way.add(entry_id)
            entry_id = self._above[entry_id]
        if entry_id:  # the way leads out of the file: what was taken back cannot be known
            return
        kept = [draft for draft in self.assembly.drafts if draft.ids[0] in way]
        self.assembly.skipped["rewound"] += len(self.assembly.drafts) - len(kept)
        self.assembly.drafts = kept
        stays = {draft.number for draft in kept}
        self.assembly.calls.keep(lambda evidence: evidence.number in stays)


def _is_copied(record: Record) -> bool:
    return isinstance(mapping(record.get("forkedFrom")).get("messageUuid"), str)


def _speak(draft: DraftMessage, record: Record) -> None:
    """A record in a person's place: a person's unless it is marked as a notice, a timer's, a goal's or a tool's."""
    marked = word(record.get("subtype")) not in _TYPED or word(record.get("provenance")) not in ("", "real_user")
    marked = marked or is_result(mapping(record.get("message")).get("parts"))
    if marked or "externalInputKind" in record or "agentId" in record:
        return
    draft.origin, parts = typed_parts(draft.parts)
    shown = part_texts(mapping(record.get("systemPayload")).get("displayText"))
    draft.parts = shown if shown and draft.origin is Origin.OWNER else parts


def _is_record(record: Record) -> bool:
    """Whether a record is surely of this format."""
    if "sessionId" not in record:
        return False
    return isinstance(mapping(record.get("message")).get("parts"), list) or "systemPayload" in record
