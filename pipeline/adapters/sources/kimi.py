"""The sessions of Kimi Code: the wire protocol of an agent, line by line, and a file on the session above it."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources.evidence import CallLog, CallResult
from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, is_lines
from pipeline.adapters.sources.reading.records import (
    Record,
    clean,
    companion,
    identifier,
    mapping,
    moment,
    one_line,
    records,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin, Role, Session

_WIRE = "wire.jsonl"
_DEPTH = 3  # from a wire up to its session: agents/<agent>/wire.jsonl
_SILENT = (
    "metadata", "config.", "context.clear", "context.undo", "full_compaction.", "goal.", "llm.", "mcp.",
    "micro_compaction.", "permission.", "plan_mode.", "profile.", "swarm_mode.", "tools.", "turn.", "usage.",
)  # fmt: skip
_EVENTS = frozenset({"step.begin", "step.end", "tool.call", "tool.result", "llm.request"})
_PARTS = frozenset({"text", "think"})
_MACHINES = frozenset(
    {
        "background_task", "cron_job", "cron_missed", "hook_result", "injection", "plugin_command", "retry",
        "shell_command", "skill_activation", "system_trigger", "task",
    }
)  # fmt: skip
KIND = SourceKind(
    "kimi",
    lambda place: FileSource(place, is_lines, _parse),
    lambda home, environment: (named_folder(environment, "KIMI_CODE_HOME", home / ".kimi-code") / "sessions",),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    reading = _KimiProgress()
    if not all(reading.take(number, record) for number, record in records(file.stream, reading.assembly.skipped)):
        return ()
    if not reading.known:
        return ()
    session_id, agent, folder = _place(file.location)
    about = companion(folder / "state.json") if folder else {}
    sub_agent = agent != "main" and folder is not None
    session = file.place.session(
        file.path,
        f"{session_id}.{agent}" if sub_agent else session_id,
        reading.assembly,
        project=one_line(about.get("workDir")),
        parent=session_id if sub_agent else None,
        machine=sub_agent,
    )
    return (session,)


def _place(file: Path) -> tuple[str, str, Path | None]:
    """The ids of the session and of the agent, and the session's folder, of `<session>/agents/<agent>/wire.jsonl`."""
    parents = file.parents
    if file.name == _WIRE and len(parents) >= _DEPTH and parents[1].name == "agents":
        session_id, agent = identifier(parents[2].name), identifier(parents[0].name)
        if session_id and agent:
            return session_id, agent, parents[2]
    return identifier(file.stem) or "session", "main", None


class _KimiProgress:
    """The state of a session after the records read so far; `known`: the first record is of this format."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.known = False
        self._steps: dict[str, DraftMessage] = {}

    def take(self, number: int, record: Record) -> bool:
        """Read a record; `False` when the file is another program's."""
        kind = word(record.get("type"))
        if not self.known:
            self.known = kind == "metadata" and "protocol_version" in record
            return self.known
        if kind == "context.append_message":
            self._message(number, record)
        elif kind == "context.append_loop_event":
            self._event(number, record, mapping(record.get("event")))
        elif kind == "context.apply_compaction":
            entry_id = self.assembly.admit_line(number, record, record.get("time"))
            if entry_id:
                said = texts(record.get("summary"))
                self.assembly.add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.SUMMARY, said))
        elif kind == "forked":  # what stands before this mark was said in the session that it was copied from
            self.assembly.calls = CallLog()
            for draft in self.assembly.drafts:
                if draft.parts:
                    draft.origin = Origin.MEMORY
                    self.assembly.skipped["copied"] += 1
        elif kind.startswith(_SILENT):
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind, record)
        return True

    def _message(self, number: int, record: Record) -> None:
        message = mapping(record.get("message"))
        entry_id = self.assembly.admit_line(number, record, record.get("time"))
        if not entry_id:
            return
        said, role = texts(message.get("content")), message.get("role")
        if role == "user":
            self.assembly.add(self._user(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, said), message))
        elif role == "assistant":
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said))
        elif role == "tool":
            self.assembly.add(DraftMessage(number, [entry_id], Role.TOOL, Origin.TOOL, said))
        else:
            self.assembly.pass_over("unknown_role", role, message)

    def _user(self, draft: DraftMessage, message: Record) -> DraftMessage:
        """A message in the person's place: what the record says of its origin counts; older ones say nothing."""
        origin = mapping(message.get("origin"))
        kind = word(origin.get("kind", "user"))
        typed = clean(word(origin.get("skillArgs") or origin.get("commandArgs"))).strip()
        if kind == "compaction_summary":
            draft.role, draft.origin = Role.SYSTEM, Origin.SUMMARY
        elif kind == "user":
            draft.origin, draft.parts = typed_words(draft.parts)
        elif typed and origin.get("trigger") == "user-slash":
            draft.parts = [typed]
        else:
            draft.origin = Origin.MACHINE
            if kind not in _MACHINES:
                self.assembly.pass_over("unknown_kind", kind)
        return draft

    def _event(self, number: int, record: Record, event: Record) -> None:
        """Read an event. An answer comes in parts; all of one step are one message."""
        kind, part = word(event.get("type")), mapping(event.get("part"))
        if kind != "content.part":
            if kind in _EVENTS:
                self._note_call(number, kind, event, record.get("time"))
                self.assembly.skipped["no_conversation"] += 1
            else:
                self.assembly.pass_over("unknown_event", kind, event)
            return
        entry_id = self.assembly.admit(number, event | {"timestamp": record.get("time")}, "uuid")
        if not entry_id:
            return
        self.assembly.check([part], _PARTS)
        said, step = texts([part]), word(event.get("stepUuid"))
        known = self._steps.get(step) if step else None
        if known:
            known.ids.append(entry_id)
            known.parts = ["".join([*known.parts, *said])] if said else known.parts
            return
        draft = self._steps[step] = DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said)
        self.assembly.add(draft)

    def _note_call(self, number: int, kind: str, event: Record, time: object) -> None:
        calls, call_id, result = self.assembly.calls, event.get("toolCallId"), mapping(event.get("result"))
        if kind == "tool.call":
            place = self.assembly.place(number)._replace(time=moment(time))
            calls.take_call(KIND.name, word(event.get("name")), call_id, event.get("args"), place)
        elif kind == "tool.result":
            calls.take_result(call_id, CallResult(result.get("isError") is not True if result else None))
