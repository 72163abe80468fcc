"""The lines of one Claude Code session, read in the order of the file."""

from collections.abc import Callable
from typing import BinaryIO

from pipeline.adapters.sources.claude_code.questions import answers, questions
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    identifier,
    mapping,
    one_line,
    texts,
    word,
)
from pipeline.adapters.sources.speakers import marks
from pipeline.adapters.sources.speakers.injections import bare, without_injections
from pipeline.adapters.sources.speakers.owner import tool_origin
from schemas.transcript import Origin, Role

# Lines that hold no message, as far as they are known.
_SILENT = frozenset(
    {
        "summary", "ai-title", "custom-title", "agent-name", "agent-color", "agent-setting", "last-prompt", "tag",
        "file-history-snapshot", "progress", "queue-operation", "mode", "permission-mode", "pr-link", "worktree-state",
        "relocated", "bridge-session", "started", "result", "frame-link", "atis-latch", "system", "task-summary",
        "content-replacement", "saved_hook_context", "speculation-accept", "marble-origami-commit",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "text",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "tool_result",
        "image",
        "document",
        "fallback",
        "server_tool_use",
    }
)


class ClaudeCodeProgress:
    """The state of a session after the lines read so far. `sidechain`: no line of a main chain has come."""

    def __init__(self, is_known_elsewhere: Callable[[str], bool]) -> None:
        self.assembly = Assembly()
        self.session_id = ""
        self.project = ""
        self.agent = ""
        self.sidechain = False
        self._main = False
        self._is_known_elsewhere = is_known_elsewhere
        self._elsewhere: dict[str, bool] = {}
        self._split: dict[str, DraftMessage] = {}
        self._tools: dict[str, str] = {}
        self._asked: dict[str, tuple[str, ...]] = {}

    def take_all(self, stream: BinaryIO) -> bool:
        """Reads a file to its end; `False` as soon as it shows to be none of this format."""
        number = 0
        for number, record in self.assembly.recognized(stream, _is_line, _is_foreign):
            self._take(number, record)
        return number > 0

    def _take(self, number: int, record: Record) -> None:
        kind = word(record.get("type"))
        self.session_id = self.session_id or identifier(record.get("sessionId"))
        self.project = self.project or one_line(record.get("cwd"))
        self.agent = self.agent or identifier(record.get("agentId"))
        if kind in ("user", "assistant", "attachment"):
            self._said(number, record)
        elif kind in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind)

    def _said(self, number: int, record: Record) -> None:
        entry_id = self.assembly.admit(number, record, "uuid")
        if not entry_id:
            return
        if record.get("type") == "attachment":
            self._attachment(number, entry_id, record)
            return
        self._main = self._main or record.get("isSidechain") is not True
        self.sidechain = not self._main
        message = mapping(record.get("message"))
        content = message.get("content")
        self.assembly.check(content, _BLOCKS)
        if record.get("type") == "assistant":
            self._assistant(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, texts(content)), record)
        else:
            self._user(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, texts(content)), record)

    def _assistant(self, draft: DraftMessage, record: Record) -> None:
        """One message of the API can be split over several lines: all that bear its id make one message.

        What it asks the owner in a dialogue is a part of it.
        """
        message = mapping(record.get("message"))
        for block in blocks(message.get("content")):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                self._tools[block["id"]] = one_line(block.get("name"))
                self._asked[block["id"]] = questions(block)
                draft.parts += self._asked[block["id"]]
        message_id = message.get("id")
        known = self._split.get(message_id) if isinstance(message_id, str) else None
        if known:
            known.ids += draft.ids
            known.parts += [part for part in draft.parts if part not in known.parts]
            return
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            draft.origin = Origin.MACHINE
        self._place(draft, record)
        self.assembly.add(draft)
        if isinstance(message_id, str):
            self._split[message_id] = draft

    def _user(self, draft: DraftMessage, record: Record) -> None:
        draft.origin, draft.parts = _words(draft.parts)
        results = [
            block
            for block in blocks(mapping(record.get("message")).get("content"))
            if block.get("type") == "tool_result"
        ]
        if results and draft.origin is not Origin.OWNER and (said := self._answers(results, record)):
            # Lines below one another would look like a text under its title.
            draft.origin, draft.parts = Origin.OWNER, ["; ".join(said)]
        elif results and draft.origin is not Origin.OWNER:
            draft.role, draft.origin = Role.TOOL, tool_origin(self._tools.get(str(results[0].get("tool_use_id"))))
            draft.parts = [text for block in results for text in texts(block.get("content"))]
        elif record.get("isCompactSummary") is True:
            draft.role, draft.origin = Role.SYSTEM, Origin.MEMORY
        elif not _typed(record) or "planContent" in record:
            draft.origin = Origin.MACHINE
        self._place(draft, record)
        self.assembly.add(draft)

    def _answers(self, results: list[Record], record: Record) -> list[str]:
        """What the owner answered, if this line is the result of a question to the owner and of nothing else."""
        asked = self._asked.get(str(results[0].get("tool_use_id")), ())
        if len(results) > 1 or results[0].get("is_error") is True or not _typed(record):
            return []
        return answers(record.get("toolUseResult"), asked)

    def _attachment(self, number: int, entry_id: str, record: Record) -> None:
        """Of all attachments only a prompt that was typed while the agent was busy is a message."""
        attachment = mapping(record.get("attachment"))
        if attachment.get("type") != "queued_command":
            self.assembly.skipped["no_conversation"] += 1
            return
        if identifier(attachment.get("source_uuid")) in self.assembly.seen:
            self.assembly.skipped["repeated"] += 1
            return
        origin, parts = _words(texts(attachment.get("prompt")))
        if attachment.get("commandMode", "prompt") != "prompt" or not (_typed(attachment) and _typed(record)):
            origin = Origin.MACHINE
        draft = DraftMessage(number, [entry_id], Role.USER, origin, parts)
        self._place(draft, record)
        self.assembly.add(draft)

    def _place(self, draft: DraftMessage, record: Record) -> None:
        """A line of a sub-agent, or of another session's history, is no message of this session."""
        if record.get("isSidechain") is True:
            if draft.origin in (Origin.OWNER, Origin.ASSISTANT):
                draft.origin = Origin.MACHINE
        elif self._is_copied(record):
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1

    def _is_copied(self, record: Record) -> bool:
        """Whether a line was copied here by a resume or a fork: it counts in the file it was written to."""
        if isinstance(mapping(record.get("forkedFrom")).get("messageUuid"), str):
            return True
        session_id = identifier(record.get("sessionId"))
        if session_id not in self._elsewhere:
            self._elsewhere[session_id] = bool(session_id) and self._is_known_elsewhere(session_id)
        return self._elsewhere[session_id]


def _typed(record: Record) -> bool:
    """Whether a line in a person's place is marked as typed by a person, or has no mark."""
    kind = mapping(record.get("origin")).get("kind")
    return (
        kind in (None, "human")
        and record.get("isMeta") is not True
        and record.get("isVisibleInTranscriptOnly") is not True
    )


def _words(parts: list[str]) -> tuple[Origin, list[str]]:
    """The words of a person in a user line, and whose they are."""
    origin = Origin.MACHINE
    words = []
    for part in parts:
        text, cut = without_injections(part, any_tag=True, but=marks.TURN_TAGS)
        if text.startswith(marks.SUMMARY):
            return Origin.MEMORY, parts
        if text.strip() and not marks.is_claude_machine(bare(text)):
            words.append(text)
        elif cut is Origin.MEMORY:
            origin = cut
    return (Origin.OWNER, words) if words else (origin, parts)


def _is_foreign(record: Record) -> bool:
    return record.get("type") == "session"


def _is_line(record: Record) -> bool:
    """Whether a record is surely of this format."""
    if not isinstance(record.get("type"), str) or "payload" in record:
        return False
    if "uuid" in record:
        return "sessionId" in record or "parentUuid" in record or "isSidechain" in record
    named = "sessionId" in record or "leafUuid" in record or "messageId" in record
    return record["type"] in _SILENT and named
