"""The lines of one Claude Code session, read in the order of the file."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import BinaryIO

from pipeline.adapters.sources.claude_code.questions import (
    answers,
    has_approved,
    has_succeeded,
    is_refused,
    questions,
    refusal,
)
from pipeline.adapters.sources.claude_code.queue import PromptQueue
from pipeline.adapters.sources.claude_code.words import is_typed, typed_words, wish_in
from pipeline.adapters.sources.evidence.calls import CallResult
from pipeline.adapters.sources.evidence.readings import plan_title, short
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    identifier,
    mapping,
    one_line,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.owner import tool_origin
from schemas.evidence import EvidenceKind
from schemas.transcript import Origin, Role

HARNESS = "claude_code"
"""Its name in the table of tools."""
MESSAGES = frozenset({"user", "assistant", "attachment"})
"""The types of lines that may hold a message."""

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

    def __init__(self, messages_of: Callable[[str], AbstractSet[str]], *, headless: bool = False) -> None:
        """`messages_of` gives the ids of the messages in another session's file.

        With `headless` the prompts of a program are read as a person's.
        """
        self.assembly = Assembly()
        self.session_id = ""
        self.project = ""
        self.agent = ""
        self.sidechain = False
        self._main = False
        self._messages_of = messages_of
        self._headless = headless
        self._elsewhere: dict[str, AbstractSet[str]] = {}
        self._queue = PromptQueue(self.assembly)
        self._worktrees: dict[str, str] = {}
        self._split: dict[str, DraftMessage] = {}
        self._tools: dict[str, str] = {}
        self._asked: dict[str, tuple[str, ...]] = {}

    def take_all(self, stream: BinaryIO) -> bool:
        """Reads a file to its end; `False` as soon as it shows to be none of this format."""
        number = 0
        for number, record in self.assembly.recognized(stream, _is_line, _is_foreign):
            self._take(number, record)
        self._queue.settle()
        return number > 0

    def _take(self, number: int, record: Record) -> None:
        kind = word(record.get("type"))
        self.session_id = self.session_id or identifier(record.get("sessionId"))
        self._move(record)
        self.agent = self.agent or identifier(record.get("agentId"))
        if kind in MESSAGES:
            self._said(number, record)
        elif kind == "queue-operation":
            self._queue.take(number, record)
            self.assembly.skipped["no_conversation"] += 1
        elif kind in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind, record)

    def _move(self, record: Record) -> None:
        """Notes where the program is at work; in a worktree that it made, that is the folder which it made it of."""
        tree = mapping(record.get("worktreeSession"))
        made, of = one_line(tree.get("worktreePath")), one_line(tree.get("originalCwd"))
        if made and of:
            self._worktrees[made] = of
        folder = one_line(record.get("cwd"))
        inside = (of for made, of in self._worktrees.items() if folder == made or folder.startswith(f"{made}/"))
        self.assembly.folder = next(inside, folder) or self.assembly.folder
        self.project = self.project or folder

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
                if self._is_own(record):
                    place = self.assembly.place(draft.number)
                    self.assembly.calls.called(HARNESS, word(block.get("name")), block["id"], block.get("input"), place)
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
        wish = wish_in(draft.parts) if is_typed(record, headless=self._headless) and self._is_own(record) else ""
        if wish:
            self.assembly.calls.stated(EvidenceKind.REMEMBER, self.assembly.place(draft.number), short(wish))
        draft.origin, draft.parts = (Origin.OWNER, [wish]) if wish else typed_words(draft.parts)
        results = [
            block
            for block in blocks(mapping(record.get("message")).get("content"))
            if block.get("type") == "tool_result"
        ]
        if self._is_own(record):
            self._settle(results, record)
            self._approve(draft.number, record)
        if results and draft.origin is not Origin.OWNER and (said := self._answers(draft.number, results, record)):
            draft.origin, draft.parts = Origin.OWNER, [said]
        elif results and draft.origin is not Origin.OWNER:
            draft.role, draft.origin = Role.TOOL, tool_origin(self._tools.get(str(results[0].get("tool_use_id"))))
            draft.parts = [text for block in results for text in texts(block.get("content"))]
        elif record.get("isCompactSummary") is True:
            draft.role, draft.origin = Role.SYSTEM, Origin.SUMMARY
        elif not is_typed(record, headless=self._headless) or "planContent" in record:
            draft.origin = Origin.MACHINE
        self._place(draft, record)
        self.assembly.add(draft)

    def _settle(self, results: list[Record], record: Record) -> None:
        """Takes the results of calls; a line with several has one outcome for all, which says nothing of each."""
        for result in results if len(results) == 1 else ():
            call = result.get("tool_use_id")
            approved = has_approved(record) and is_typed(record, headless=self._headless)
            refused = is_refused(record, "\n".join(texts(result.get("content"))), self._tools.get(word(call), ""))
            decided = True if approved else False if refused else None
            outcome = record.get("toolUseResult")
            self.assembly.calls.returned(call, CallResult(has_succeeded(record, result), decided, outcome))

    def _approve(self, number: int, record: Record) -> None:
        """Takes a plan that the owner approved together with a new beginning: it opens the session."""
        title = plan_title(record.get("planContent"))
        if title and is_typed(record, headless=self._headless):
            self.assembly.calls.stated(EvidenceKind.PLAN_APPROVED, self.assembly.place(number), title)

    def _answers(self, number: int, results: list[Record], record: Record) -> str:
        """The owner's words, if this line is the result of one question to the owner, or of one refusal."""
        call = str(results[0].get("tool_use_id"))
        if len(results) > 1 or not is_typed(record, headless=self._headless):
            return ""
        if results[0].get("is_error") is True:
            return refusal(record, results[0], self._tools.get(call, ""))
        given = answers(record.get("toolUseResult"), self._asked.get(call, ()))
        for question, choice in given if self._is_own(record) else ():
            place = self.assembly.place(number)
            self.assembly.calls.stated(EvidenceKind.ANSWER, place, short(choice), short(question))
        return answer_text(choice for _, choice in given)

    def _attachment(self, number: int, entry_id: str, record: Record) -> None:
        """Of all attachments only a prompt that was typed while the agent was busy is a message."""
        attachment = mapping(record.get("attachment"))
        if attachment.get("type") != "queued_command":
            self.assembly.skipped["no_conversation"] += 1
            return
        if identifier(attachment.get("source_uuid")) in self.assembly.seen:
            self.assembly.skipped["repeated"] += 1
            return
        origin, parts = typed_words(texts(attachment.get("prompt")))
        marked = (is_typed(attachment, headless=self._headless), is_typed(record, headless=self._headless))
        if attachment.get("commandMode", "prompt") != "prompt" or not all(marked):
            origin = Origin.MACHINE
        draft = DraftMessage(number, [entry_id], Role.USER, origin, parts)
        self._place(draft, record)
        self.assembly.add(draft)

    def _place(self, draft: DraftMessage, record: Record) -> None:
        """A line of a sub-agent, or of another session's history, is no message of this session."""
        if record.get("isSidechain") is True:
            if draft.origin in (Origin.OWNER, Origin.ASSISTANT, Origin.SUMMARY):
                draft.origin = Origin.MACHINE
        elif self._is_copied(record):
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1

    def _is_own(self, record: Record) -> bool:
        """Whether a line is of this session's main chain, and not of a sub-agent or another session's history."""
        return record.get("isSidechain") is not True and not self._is_copied(record)

    def _is_copied(self, record: Record) -> bool:
        """Whether a resume or a fork copied a line from a file that still holds it: there it counts.

        What stands in no other file, because that was cut or removed, counts here.
        """
        fork = mapping(record.get("forkedFrom"))
        session_id = identifier(fork.get("sessionId") or record.get("sessionId"))
        if session_id not in self._elsewhere:
            self._elsewhere[session_id] = self._messages_of(session_id) if session_id else frozenset()
        return identifier(fork.get("messageUuid") or record.get("uuid")) in self._elsewhere[session_id]


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
