"""The sessions of Claude Code: one file a session, one file for each sub-agent."""

import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pipeline.adapters.sources.evidence import CallResult, plan_title, short
from pipeline.adapters.sources.kind import SourceKind, named_and_usual
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, open_stream
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    identifier,
    mapping,
    moment,
    one_line,
    records,
    texts,
    word,
)
from pipeline.adapters.sources.speakers import marks
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import strip_unseen_start, without_injections
from pipeline.entries.provenance import id_by_place
from schemas.evidence import EvidenceKind
from schemas.transcript import Origin, Role, Session

_TOOL = "AskUserQuestion"
_REFUSED = "User rejected tool use"
# The beginning of the program's own text. The first versions write it into `toolUseResult`, as they do the errors of
# tools: there it counts for tools whose errors are the program's words, and not a command's or a page's.
_REFUSAL = "The user doesn't want to proceed with this tool use."
_REASON = "the user said:\n"
_FAILED = "Error: Exit code "
_ANSWERED_BY_HAND = "user"
_OWN_ERRORS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "exit_plan_mode"})


def questions(call: Record) -> tuple[str, ...]:
    """The questions of a call, in order; none when another tool is called, or when the call brings answers along."""
    given = mapping(call.get("input"))
    if call.get("name") != _TOOL or given.get("answers"):
        return ()
    asked = (block.get("question") for block in blocks(given.get("questions")))
    return tuple(clean(question) for question in asked if isinstance(question, str) and question.strip())


def answers(outcome: object, asked: Sequence[str]) -> list[tuple[str, str]]:
    """The owner's answers in a line's `toolUseResult`, behind their questions; none when nobody answered in time."""
    fields = mapping(outcome)
    if not isinstance(fields.get("questions"), list):
        return []
    given = {clean(question): word(answer).strip() for question, answer in mapping(fields.get("answers")).items()}
    return [(question, given[question]) for question in asked if given.get(question)]


def refusal(record: Record, result: Record, tool: str) -> str:
    """The owner's words at the refusal of the call of a tool of that name; empty without words, or for an error."""
    text = "\n".join(texts(result.get("content")))
    return text.partition(_REASON)[2].strip() if is_refused(record, text, tool) else ""


def is_refused(record: Record, text: str, tool: str) -> bool:
    """Whether the owner refused the call of a tool of that name; `text` is its result."""
    outcome = record.get("toolUseResult")
    marked = record.get("toolDenialKind") == "user-rejected" or outcome == _REFUSED
    by_program = outcome == f"Error: {text}" and tool in _OWN_ERRORS
    return (marked or by_program) and text.startswith(_REFUSAL)


def has_approved(record: Record) -> bool:
    """Whether the program recorded that the owner allowed a call by an act of his own.

    A mode, a rule of the settings and a hook are other sources of a decision; older versions record none.
    """
    decision = mapping(record.get("permissionDecision"))
    return decision.get("decision") == "accept" and word(decision.get("source")).startswith(_ANSWERED_BY_HAND)


def has_succeeded(record: Record, result: Record) -> bool | None:
    """Whether a call succeeded, by the fields of the program: `None` where they say neither."""
    outcome = record.get("toolUseResult")
    if result.get("is_error") is True:
        return False if word(outcome).startswith(_FAILED) else None
    fields = mapping(outcome)
    return None if not fields or fields.get("interrupted") or fields.get("backgroundTaskId") else True


_BY_HAND = frozenset({"typed", "queued", "user"})
_PROGRAM = "sdk"
# What another session, a team mate, a channel or a sub-agent sent: in tags of its own, below one line of the program at
# most, or below a line of the program that ends so. What stands behind it is the program's remark, or in doubt.
_OF_OTHERS = re.compile(
    r"(?:[^\n<]{1,200}:[ \t]*+\n\s*+)?<[a-z]{1,40}(?:-[a-z]{1,40}){0,3}-(?:message|notification)[\s>]"
    r"|(?:(?:The (?!user )|An? |Another )[^\n]{1,100} sent a (?:new )?message|A message arrived from [^\n]{1,200})"
    r" while you were working:[ \t]*+\n"
    r"|(?:Another Claude session|A background agent) [^\n]{1,100}:[ \t]*+\n"
)
# Around a prompt that came while the agent was at work, in versions that write no mark of it.
_WISH = re.compile(
    r"<user-memory-input>(?P<noted>[^<]*)</user-memory-input>"
    r"|(?:<command-message>[^<]*</command-message>\s*)?<command-name>/remember</command-name>\s*"
    r"(?:<command-message>[^<]*</command-message>\s*)?<command-args>(?P<asked>[^<]*)</command-args>"
)
_MEANWHILE = re.compile(
    r"The user sent (?:a new|the following) message(?: while you were working)?:\n(?P<words>.*?)"
    r"(?:\n\n(?:IMPORTANT: After completing your current task|Please address this message)[^\n]*)?",
    re.DOTALL,
)


def is_typed(record: Record, *, headless: bool) -> bool:
    """Whether a line in a person's place is marked as a person's, or, as in older versions, has no mark.

    What a program asked, as with `claude -p`, is a person's with `headless` alone.
    """
    if record.get("isMeta") is True or record.get("isVisibleInTranscriptOnly") is True:
        return False
    source, turn = word(record.get("promptSource")), word(record.get("turnOrigin"))
    kind = mapping(record.get("origin")).get("kind")
    if kind not in (None, "human"):
        return False
    if kind == "human" or source in _BY_HAND or turn == "human":
        return True
    by_program = _PROGRAM in (source, turn) or (not source and word(record.get("entrypoint")).startswith(_PROGRAM))
    return headless if by_program else not source


def wish_in(parts: list[str]) -> str:
    """The words of a line that the person gave the program to remember: behind `#`, or behind `/remember`."""
    match = _WISH.fullmatch("\n".join(parts).strip())
    return (match["noted"] or match["asked"] or "").strip() if match else ""


def typed_words(parts: list[str]) -> tuple[Origin, list[str]]:
    """The words of a person in a line, and whose they are."""
    origin = Origin.MACHINE
    words = []
    for part in parts:
        if _OF_OTHERS.match(strip_unseen_start(part)):
            continue
        late = _MEANWHILE.fullmatch(part.strip()) if part.lstrip().startswith("The user sent ") else None
        typed = late["words"].strip() if late else part
        text, cut = without_injections(typed, any_tag=True, but=marks.TURN_TAGS)
        if text.startswith(marks.SUMMARY):
            return Origin.SUMMARY, parts
        if text.strip() and not marks.is_claude_machine(strip_unseen_start(text)):
            words.append(text)
        elif cut is Origin.MEMORY:
            origin = cut
    return (Origin.OWNER, words) if words else (origin, parts)


class PromptQueue:
    """The prompts that wait, and those that the program took out of the queue, by their places in the file."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._waiting: deque[DraftMessage] = deque()
        self._taken: list[tuple[DraftMessage, int]] = []

    def take(self, number: int, record: Record) -> None:
        """Read an operation."""
        operation = word(record.get("operation"))
        if operation == "enqueue":
            time = moment(record.get("timestamp"))
            origin, parts = typed_words(texts(record.get("content")))
            draft = DraftMessage(number, [id_by_place(number, time, record)], Role.USER, origin, parts, time=time)
            draft.folder = self._assembly.folder
            self._waiting.append(draft)
        elif operation == "popAll":
            self._waiting.clear()
        elif operation == "dequeue" and self._waiting:
            self._taken.append((self._waiting.popleft(), number))
        elif operation == "remove" and self._waiting:
            self._waiting.popleft()

    def settle(self) -> None:
        """Add what was lost on the way, if a person speaks in the session: a program's prompts wait there too.

        A message after the operation shows that the program went on without the prompt.
        """
        drafts = self._assembly.drafts
        if not self._taken or not any(draft.origin is Origin.OWNER for draft in drafts):
            return
        last = max(draft.number for draft in drafts)
        said = {"\n".join(draft.parts) for draft in drafts if draft.role is Role.USER}
        lost = [
            draft
            for draft, taken in self._taken
            if draft.origin is Origin.OWNER and draft.time and taken < last and "\n".join(draft.parts) not in said
        ]
        drafts += lost
        drafts.sort(key=lambda draft: draft.number)


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
        """Read a file to its end; `False` as soon as it shows to be none of this format."""
        number = 0
        for number, record in self.assembly.recognize(stream, _is_line, lambda record: record.get("type") == "session"):
            kind = word(record.get("type"))
            self.session_id = self.session_id or identifier(record.get("sessionId"))
            self._note_folder(record)
            self.agent = self.agent or identifier(record.get("agentId"))
            if kind in MESSAGES:
                self._add_message(number, record)
            elif kind == "queue-operation":
                self._queue.take(number, record)
                self.assembly.skipped["no_conversation"] += 1
            elif kind in _SILENT:
                self.assembly.skipped["no_conversation"] += 1
            else:
                self.assembly.pass_over("unknown_record", kind, record)
        self._queue.settle()
        return number > 0

    def _note_folder(self, record: Record) -> None:
        """Note the folder of the work; in a worktree that the program made, that is the folder which it made it of."""
        tree = mapping(record.get("worktreeSession"))
        made, of = one_line(tree.get("worktreePath")), one_line(tree.get("originalCwd"))
        if made and of:
            self._worktrees[made] = of
        folder = one_line(record.get("cwd"))
        inside = (of for made, of in self._worktrees.items() if folder == made or folder.startswith(f"{made}/"))
        self.assembly.folder = next(inside, folder) or self.assembly.folder
        self.project = self.project or folder

    def _add_message(self, number: int, record: Record) -> None:
        entry_id = self.assembly.admit(number, record, "uuid")
        if not entry_id:
            return
        if record.get("type") == "attachment":
            self._add_attachment(number, entry_id, record)
            return
        self._main = self._main or record.get("isSidechain") is not True
        self.sidechain = not self._main
        message = mapping(record.get("message"))
        content = message.get("content")
        self.assembly.check(content, _BLOCKS)
        if record.get("type") == "assistant":
            self._add_answer(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, texts(content)), record)
        else:
            self._add_user_message(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, texts(content)), record)

    def _add_answer(self, draft: DraftMessage, record: Record) -> None:
        """Add an answer. A message of the API can be split over several lines: all with its id make one message.

        What it asks the owner in a dialogue is a part of it.
        """
        message = mapping(record.get("message"))
        for block in blocks(message.get("content")):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                self._tools[block["id"]] = one_line(block.get("name"))
                self._asked[block["id"]] = questions(block)
                if self._is_own(record):
                    place = self.assembly.place(draft.number)
                    self.assembly.calls.take_call(
                        KIND.name, word(block.get("name")), block["id"], block.get("input"), place
                    )
                draft.parts += self._asked[block["id"]]
        message_id = message.get("id")
        known = self._split.get(message_id) if isinstance(message_id, str) else None
        if known:
            known.ids += draft.ids
            known.parts += [part for part in draft.parts if part not in known.parts]
            return
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            draft.origin = Origin.MACHINE
        self._disown(draft, record)
        self.assembly.add(draft)
        if isinstance(message_id, str):
            self._split[message_id] = draft

    def _add_user_message(self, draft: DraftMessage, record: Record) -> None:
        wish = wish_in(draft.parts) if is_typed(record, headless=self._headless) and self._is_own(record) else ""
        if wish:
            self.assembly.calls.take_act(EvidenceKind.REMEMBER, self.assembly.place(draft.number), short(wish))
        draft.origin, draft.parts = (Origin.OWNER, [wish]) if wish else typed_words(draft.parts)
        results = [
            block
            for block in blocks(mapping(record.get("message")).get("content"))
            if block.get("type") == "tool_result"
        ]
        if self._is_own(record):
            self._take_results(results, record)
            # A plan that the owner approved together with a new beginning opens the session.
            title = plan_title(record.get("planContent"))
            if title and is_typed(record, headless=self._headless):
                self.assembly.calls.take_act(EvidenceKind.PLAN_APPROVED, self.assembly.place(draft.number), title)
        if results and draft.origin is not Origin.OWNER and (said := self._answers(draft.number, results, record)):
            draft.origin, draft.parts = Origin.OWNER, [said]
        elif results and draft.origin is not Origin.OWNER:
            draft.role, draft.origin = Role.TOOL, tool_origin(self._tools.get(str(results[0].get("tool_use_id"))))
            draft.parts = [text for block in results for text in texts(block.get("content"))]
        elif record.get("isCompactSummary") is True:
            draft.role, draft.origin = Role.SYSTEM, Origin.SUMMARY
        elif not is_typed(record, headless=self._headless) or "planContent" in record:
            draft.origin = Origin.MACHINE
        self._disown(draft, record)
        self.assembly.add(draft)

    def _take_results(self, results: list[Record], record: Record) -> None:
        """Take the results of calls; a line with several has one outcome for all, which says nothing of each."""
        for result in results if len(results) == 1 else ():
            call = result.get("tool_use_id")
            approved = has_approved(record) and is_typed(record, headless=self._headless)
            refused = is_refused(record, "\n".join(texts(result.get("content"))), self._tools.get(word(call), ""))
            decided = True if approved else False if refused else None
            outcome = record.get("toolUseResult")
            self.assembly.calls.take_result(call, CallResult(has_succeeded(record, result), decided, outcome))

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
            self.assembly.calls.take_act(EvidenceKind.ANSWER, place, short(choice), short(question))
        return answer_text(choice for _, choice in given)

    def _add_attachment(self, number: int, entry_id: str, record: Record) -> None:
        """Add a prompt that was typed while the agent was busy: of all attachments that one alone is a message."""
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
        self._disown(draft, record)
        self.assembly.add(draft)

    def _disown(self, draft: DraftMessage, record: Record) -> None:
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
        elsewhere = self._elsewhere[session_id]
        return bool(elsewhere) and identifier(fork.get("messageUuid") or record.get("uuid")) in elsewhere


def _is_line(record: Record) -> bool:
    """Whether a record is surely of this format."""
    if not isinstance(record.get("type"), str) or "payload" in record:
        return False
    if "uuid" in record:
        return "sessionId" in record or "parentUuid" in record or "isSidechain" in record
    named = "sessionId" in record or "leafUuid" in record or "messageId" in record
    return record["type"] in _SILENT and named


_NO_SESSION = (".trajectory.jsonl", ".bak.jsonl")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
KIND = SourceKind(
    "claude_code",
    lambda place: FileSource(place, _is_session, _parse),
    lambda home, environment: tuple(
        folder / "projects" for folder in named_and_usual(environment, "CLAUDE_CONFIG_DIR", home / ".claude")
    ),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    stem, folder = PurePosixPath(file.path).stem, file.location.parent
    reading = ClaudeCodeProgress(
        lambda name: frozenset() if name == stem else _messages_in(folder / f"{name}.jsonl"),
        headless=file.place.settings.headless,
    )
    if not reading.take_all(file.stream):
        return ()
    parts = PurePosixPath(file.path).parts  # of a sub-agent: <session>/subagents/...
    place = parts.index("subagents") if "subagents" in parts else 0
    above = parts[place - 1] if place else ""
    sub_agent = reading.sidechain or stem.startswith("agent-") or bool(above)
    session = file.place.session(
        file.path,
        stem if sub_agent or _UUID.fullmatch(stem) else reading.session_id or stem,
        reading.assembly,
        agent=reading.agent,
        project=reading.project,
        parent=(above or reading.session_id or None) if sub_agent else None,
        machine=sub_agent,
    )
    return (session,)


def _messages_in(file: Path) -> frozenset[str]:
    """The ids of the messages in the file of another session; none when it cannot be read."""
    try:
        with open_stream(file) as stream:
            uuids = (record.get("uuid") for _, record in records(stream, Counter()) if record.get("type") in MESSAGES)
            return frozenset(map(identifier, uuids))
    except OSError:
        return frozenset()


def _is_session(name: str) -> bool:
    return name.endswith(".jsonl") and not name.endswith(_NO_SESSION) and ".checkpoint." not in name
