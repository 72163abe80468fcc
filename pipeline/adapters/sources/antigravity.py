"""The sessions of Antigravity: one transcript a session, one step a line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import Record, texts, word
from pipeline.adapters.sources.speakers.gemini import request_words
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import without_injections
from schemas.transcript import Origin, Role, Session

_GENERATED = ".system_generated"
_ANSWERS = frozenset({"", "PLANNER_RESPONSE", "NOTIFY_USER"})
_HISTORY = frozenset({"CHECKPOINT", "CONVERSATION_HISTORY", "KNOWLEDGE_ARTIFACTS"})
_PAGES = frozenset({"READ_URL_CONTENT", "VIEW_CONTENT_CHUNK"})


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:  # noqa: ARG001 - as every kind; no variable is known
    """The folders of the app, of its terminal program, and of other versions."""
    known = [home / ".gemini" / name / "brain" for name in ("antigravity", "antigravity-cli")]
    others = sorted((home / ".gemini").glob("antigravity*/brain"))
    return tuple(dict.fromkeys([*known, *others]))


KIND = SourceKind(
    "antigravity", lambda place: FileSource(place, lambda name: name == "transcript.jsonl", _parse), _roots
)


def _parse(file: SourceFile) -> Sequence[Session]:
    assembly, number = Assembly(), 0
    for number, record in assembly.recognize(file.stream, _is_step):
        source = word(record.get("source"))
        if not source:
            assembly.pass_over("unknown_record", record.get("type"), record)
        elif entry_id := assembly.admit_line(number, record, record.get("created_at")):
            assembly.add(_draft(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, []), record, source))
    if not number:
        return ()
    folders = file.location.parts[:-1]  # SESSION/.system_generated/logs
    place = folders.index(_GENERATED) if _GENERATED in folders else len(folders)
    return (file.place.session(file.path, folders[place - 1], assembly),)


def _draft(draft: DraftMessage, record: Record, source: str) -> DraftMessage:
    """A step. Only what a person gave explicitly is a person's; a step of the model can be a tool's."""
    content, kind = record.get("content"), word(record.get("type"))
    draft.parts = texts(content.get("text") if isinstance(content, dict) else content)
    if source == "USER_EXPLICIT":
        words = without_injections(request_words("\n".join(draft.parts)))[0]
        draft.role = Role.USER
        if words.strip():
            draft.origin, draft.parts = Origin.OWNER, [words]
    elif source == "MODEL" and kind in _ANSWERS:
        draft.role, draft.origin = Role.ASSISTANT, Origin.ASSISTANT
    elif source == "MODEL":
        draft.role, draft.origin = Role.TOOL, Origin.WEB if kind in _PAGES else tool_origin(kind)
    elif kind in _HISTORY:
        draft.origin = Origin.MEMORY
    return draft


def _is_step(record: Record) -> bool:
    """Whether a record is surely of this format."""
    return isinstance(record.get("source"), str) and ("created_at" in record or "step_index" in record)
