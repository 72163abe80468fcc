"""The entries of one OpenClaw or Pi session, read in the order of the file."""

from datetime import datetime
from typing import BinaryIO

from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import (
    Record,
    clean,
    identifier,
    mapping,
    moment,
    one_line,
    records,
    texts,
    word,
)
from pipeline.adapters.sources.speakers import marks, tasks
from pipeline.adapters.sources.speakers.channels import contexts
from pipeline.adapters.sources.speakers.channels.envelopes import Words, unwrap
from pipeline.adapters.sources.speakers.channels.tidying import without_tags
from pipeline.adapters.sources.speakers.owner import Owner, tool_origin
from schemas.transcript import Message, Origin, Role

SNIFFED = 20

_SILENT = frozenset({"model_change", "thinking_level_change", "custom", "label", "session_info", "leaf"})
_BLOCKS = frozenset({"text", "thinking", "toolCall", "image"})
_DELIVERY = frozenset({"delivery-mirror", "gateway-injected"})
_ROUTED = frozenset({"inter_session", "internal_system"})


class OpenClawProgress:
    """The state of a session after the entries read so far.

    `_copied_until` is set when the session was forked off another: older messages belong to that one, and count there.
    `_answers_machine` is set from a scheduler's turn up to the next person's. `_task` has the marks of a sub-agent's.
    `_unnamed` is the message before, if it names no speaker: the record behind it can.
    """

    def __init__(self, owner: Owner) -> None:
        self.assembly = Assembly()
        self.session_id = ""
        self.project = ""
        self.parent = ""
        self._owner = owner
        self._copied_until: datetime | None = None
        self._answers_machine = False
        self._began: datetime | None = None
        self._task: DraftMessage | None = None
        self._unnamed: DraftMessage | None = None

    def take_all(self, stream: BinaryIO) -> bool:
        """Reads a file to its end; `False` as soon as it shows to be none of this format."""
        known = False
        for number, record in records(stream, self.assembly.skipped):
            known = known or _is_entry(record)
            if known:
                self._take(number, record)
            elif number >= SNIFFED or "uuid" in record or "sessionId" in record:
                return False
            else:
                self.assembly.pass_over("unknown_record", record.get("type"))
        return known

    def finish(self, *, grouped: bool) -> tuple[Message, ...]:
        """All messages with their origin; `grouped` means that the session is known to be a group's."""
        self._owner.settle(self.assembly.drafts, grouped=grouped)
        tasks.settle(self.assembly.drafts, self._task)
        return self.assembly.messages()

    def _take(self, number: int, record: Record) -> None:
        kind = word(record.get("type"))
        if kind == "session":
            self._header(record)
            return
        entry_id = self.assembly.admit(number, record, "id")
        if not entry_id:
            return
        if kind == "message":
            self._message(number, entry_id, mapping(record.get("message")))
        elif kind in ("compaction", "branch_summary"):
            summary = record.get("summary")
            said = [clean(summary)] if isinstance(summary, str) and summary.strip() else []
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MEMORY, said))
        elif kind == "custom_message":
            said = texts(record.get("content"))
            if record.get("customType") == contexts.KIND:
                self._name("\n".join(said))
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, said))
        elif kind in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind)

    def _header(self, record: Record) -> None:
        if self.session_id or self.project:
            self.assembly.skipped["repeated"] += 1
            return
        self.session_id = identifier(record.get("id"))
        self.project = one_line(record.get("cwd"))
        self.parent = one_line(record.get("parentSession"))
        self._began = self.assembly.clock = moment(record.get("timestamp"))
        if self.parent:
            self._copied_until = self.assembly.clock

    def _add(self, draft: DraftMessage) -> None:
        clock = self.assembly.clock
        if self._copied_until and clock and clock < self._copied_until and draft.parts:
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1
        self.assembly.add(draft)

    def _message(self, number: int, entry_id: str, message: Record) -> None:
        role, content = message.get("role"), message.get("content")
        self._unnamed = None
        self.assembly.check(content, _BLOCKS)
        if role == "user":
            self._user(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, texts(content)), message)
        elif role == "assistant":
            self._assistant(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, texts(content)), message)
        elif role == "toolResult":
            self._add(DraftMessage(number, [entry_id], Role.TOOL, tool_origin(message.get("toolName")), texts(content)))
        elif role == "bashExecution":
            self._add(DraftMessage(number, [entry_id], Role.TOOL, Origin.TOOL, texts(message.get("output"))))
        elif role == "system":
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, texts(content)))
        else:
            self.assembly.pass_over("unknown_role", role)

    def _user(self, draft: DraftMessage, message: Record) -> None:
        text = "\n".join(draft.parts)
        if self._began and self.assembly.clock and tasks.is_bare_task(text, self.assembly.clock - self._began):
            self._task = draft
        parts = [*unwrap(text)]
        routed = word(mapping(message.get("provenance")).get("kind")) in _ROUTED
        starts = [_mark(words, routed=routed) for words in parts]
        words = self._owner.choose([part for part in parts if not marks.is_fixed(part.text)] or parts)
        draft.origin = words.origin
        draft.senders = () if words.origin is Origin.MACHINE else words.senders
        if words.origin is not Origin.MACHINE or not marks.is_notice(words.text):
            self._answers_machine = words.origin is Origin.MACHINE and any(starts)
        if words.text:
            draft.parts = [words.text]
        if words.origin is Origin.OWNER and not words.senders:
            self._unnamed = draft
        self._add(draft)

    def _name(self, context: str) -> None:
        """Reads the speaker of the message before out of the record behind it."""
        draft, self._unnamed = self._unnamed, None
        if draft is None or not (parts := contexts.named("\n".join(draft.parts), context)):
            return
        words = self._owner.choose(parts)
        draft.senders = words.senders
        if words.origin is not Origin.OWNER:
            draft.origin = Origin.OTHER

    def _assistant(self, draft: DraftMessage, message: Record) -> None:
        text = marks.without_thoughts(without_tags("\n".join(draft.parts)))
        if self._answers_machine or marks.is_failure(text) or word(message.get("model")) in _DELIVERY:
            draft.origin = Origin.MACHINE
        else:
            text = marks.without_token(text)
        draft.parts = [text] if text.strip() else []
        self._add(draft)


def _mark(words: Words, *, routed: bool) -> bool:
    """Marks a part as a machine's when its text shows it; whether a machine's turn starts with it."""
    words.text = marks.without_reset(words.text)
    starts = routed or marks.starts_machine_turn(words.text)
    if starts or marks.is_notice(words.text):
        words.origin, words.senders = Origin.MACHINE, ()
    return starts


def _is_entry(record: Record) -> bool:
    """Whether a record is surely of this format: its header, or an entry of its tree."""
    if "uuid" in record or "sessionId" in record:
        return False
    if record.get("type") == "session":
        return isinstance(record.get("id"), str) and "timestamp" in record
    return "parentId" in record and "id" in record and isinstance(record.get("type"), str)
