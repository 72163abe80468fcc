"""The sessions of GitHub Copilot's terminal program: one file of events a session."""

import re
from collections.abc import Sequence

from pipeline.adapters.sources.evidence import CallResult, by_status
from pipeline.adapters.sources.kind import SourceKind, named_and_usual
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import Record, identifier, mapping, one_line, texts, word
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import without_injections
from schemas.transcript import Origin, Role, Session

_NAME = "events.jsonl"
_OLD_FILE = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.jsonl", re.IGNORECASE)
# Events of these families that are no messages; a new family is counted as unknown.
_SILENT = re.compile(
    r"(?:abort|(?:session|assistant|tool|tool_search|subagent|hook|permission|user_input|elicitation|skill|command|commands|"
    r"binary_asset|mcp|model|todos|factory|canvas|extensions|exit_plan_mode|auto_mode_switch|sampling|external_tool)\..+)"
)
KIND = SourceKind(
    "copilot_cli",
    lambda place: FileSource(place, lambda name: name == _NAME or _OLD_FILE.fullmatch(name), _parse),
    lambda home, environment: tuple(
        folder / "session-state" for folder in named_and_usual(environment, "COPILOT_HOME", home / ".copilot")
    ),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    reading, number = CopilotProgress(), 0
    for number, record in reading.assembly.recognize(file.stream, _is_event):
        reading.take(number, record)
    if not number:
        return ()
    name = file.location.parent.name if file.location.name == _NAME else file.location.stem
    session = file.place.session(
        file.path,
        reading.session_id or name,
        reading.assembly,
        project=reading.project,
        parent=reading.parent or None,
        machine=bool(reading.parent),
    )
    return (session,)


class CopilotProgress:
    """The state of a session after the events read so far."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.session_id = ""
        self.project = ""
        self.parent = ""
        self._tools: dict[str, str] = {}
        self._numbers: dict[str, int] = {}

    def take(self, number: int, record: Record) -> None:
        """Read one event."""
        kind, data = word(record.get("type")), mapping(record.get("data"))
        entry_id = self.assembly.admit(number, record, "id")
        if not entry_id:
            return
        self._numbers[entry_id] = number
        draft = DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, texts(data.get("content")))
        if kind == "user.message":
            self.assembly.add(_request(draft, data, own="agentId" not in record))
        elif kind == "assistant.message":
            draft.role = Role.ASSISTANT
            draft.origin = Origin.MACHINE if "agentId" in record or data.get("parentToolCallId") else Origin.ASSISTANT
            self.assembly.add(draft)
        elif kind in ("system.message", "system.notification"):
            self.assembly.add(draft)
        elif kind == "tool.execution_complete":
            result = mapping(data.get("result"))
            self.assembly.calls.take_result(data.get("toolCallId"), CallResult(_has_succeeded(data)))
            name = self._tools.get(word(data.get("toolCallId"))) or data.get("toolName")
            draft.role, draft.origin = Role.TOOL, tool_origin(name)
            draft.parts = texts(result.get("content") or mapping(data.get("error")).get("message"))
            self.assembly.add(draft)
        elif kind == "session.compaction_complete":
            draft.origin, draft.parts = Origin.SUMMARY, texts(data.get("summaryContent"))
            self.assembly.add(draft)
        else:
            self._note(number, kind, data, own="agentId" not in record)

    def _note(self, number: int, kind: str, data: Record, *, own: bool) -> None:
        if kind == "session.start" and not self.session_id:
            self.session_id = identifier(data.get("sessionId"))
            context = mapping(data.get("context"))
            self.project = one_line(context.get("cwd")) or one_line(context.get("gitRoot"))
            self.assembly.folder = one_line(context.get("gitRoot"))
            self.parent = identifier(data.get("detachedFromSpawningParentSessionId"))
        elif kind == "tool.execution_start":
            self._tools[word(data.get("toolCallId"))] = word(data.get("toolName"))
            if own and not data.get("parentToolCallId"):
                call_id, place = data.get("toolCallId"), self.assembly.place(number)
                self.assembly.calls.take_call(
                    KIND.name, word(data.get("toolName")), call_id, data.get("arguments"), place
                )
        elif kind == "session.snapshot_rewind":
            drafts, first = self.assembly.drafts, self._numbers.get(word(data.get("upToEventId")))
            # The event is taken back, and all after it.
            kept = [draft for draft in drafts if first is None or draft.number < first]
            self.assembly.skipped["rewound"] += len(drafts) - len(kept)
            drafts[:] = kept
            if first is not None:
                self.assembly.calls.keep(lambda evidence: evidence.number < first)
        if _SILENT.fullmatch(kind):
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind, data)


def _request(draft: DraftMessage, data: Record, *, own: bool) -> DraftMessage:
    """A message in a person's place: a skill, a timer, another agent and the autopilot are named in `source`."""
    draft.role = Role.USER
    words = without_injections("\n".join(draft.parts), any_tag=True)[0]
    typed = word(data.get("source")) in ("", "user") and not data.get("isAutopilotContinuation")
    if own and typed and "inputOrigin" not in data and words.strip():
        draft.origin, draft.parts = Origin.OWNER, [words]
    return draft


def _has_succeeded(data: Record) -> bool | None:
    """Whether a call succeeded: by the status of a command, else by the program's mark."""
    done = data.get("success")
    code = mapping(data.get("shellExecution")).get("exitCode")
    return by_status(code, otherwise=done if isinstance(done, bool) else None)


def _is_event(record: Record) -> bool:
    """Whether a record is surely of this format."""
    return isinstance(record.get("data"), dict) and "." in word(record.get("type")) and "timestamp" in record
