"""The sessions of Codex: one rollout file a session, plain or compressed, live or archived."""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import BinaryIO

from pipeline.adapters.sources.evidence import CallResult, by_status, short
from pipeline.adapters.sources.kind import SourceKind, named_and_usual
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    decode_json,
    identifier,
    mapping,
    moment,
    one_line,
    strings,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import leading_blocks, strip_unseen_start, without_injections
from schemas.evidence import EvidenceKind
from schemas.transcript import Message, Origin, Role, Session

_REQUEST = "## My request for Codex:"
_ENCLOSED = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_MACHINE = (
    "# AGENTS.md",
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<user_action>",
    "<subagent_notification>",
    "<skill>",
    "<hook_prompt",
    "<goal_context>",
    "You have exceeded the maximum number of tokens",
    "You are performing a CONTEXT CHECKPOINT COMPACTION",
    "Here is a list of plugins that are available but not installed.",
    "Warning: apply_patch was requested via",
    "Warning: The maximum number of unified exec",
    "Warning: Your account was flagged",
)
_SUMMARY = "Another language model started to solve this problem and produced a summary"
_IMAGE = re.compile(r"\s*</?(?:local_)?image\b[^<>]{0,500}>\s*")


def is_image_mark(text: str) -> bool:
    """Whether a text only stands before or after an image."""
    return _IMAGE.fullmatch(text) is not None


def request_in(text: str) -> str:
    """The request behind the context of an editor or an app, else the text as it is."""
    before, mark, request = text.rpartition(_REQUEST)
    return request.strip() if mark and (not before or before.endswith("\n")) else text


def attribute_text(text: str, *, surely: bool) -> tuple[Origin, str]:
    """The author of a text, and the author's words in it.

    `surely` says that the record itself is of a person's input. In others, a text that begins with a block in tags of
    any name was put there by Codex.
    """
    start = strip_unseen_start(text)
    if start.startswith(_SUMMARY):
        return Origin.SUMMARY, text
    if start.startswith(_MACHINE) or (not surely and leading_blocks(text, any_tag=True).end):
        return Origin.MACHINE, text
    text = request_in(text)
    start = strip_unseen_start(text)
    if not start or start.startswith(_ENCLOSED):
        return Origin.MACHINE, text
    words, cut = without_injections(text)
    return (Origin.OWNER, words) if words.strip() else (cut, text)


_PROGRAMS = frozenset({"mcp", "internal"})
_HEADLESS, _HEADLESS_PROGRAM = "exec", "codex_exec"
_PERSONAL = frozenset({"", "user", "cli", "vscode", "appServer", "app_server"})


@dataclass(frozen=True)
class RolloutHeader:
    """A session's id, folder and parent; `remote` is the address that the folder's repository comes from.

    `machine` says that a program started it, `forked` that it copied the history of its parent. `written` is when the
    header was, if the lines after it have times of their own.
    """

    session_id: str = ""
    project: str = ""
    remote: str = ""
    parent: str = ""
    machine: bool = False
    forked: bool = False
    written: datetime | None = None


def read_header(payload: Record, written: datetime | None, *, headless: bool = False) -> RolloutHeader:
    """The header in a `session_meta` of that time, or in the first line of an old file.

    With `headless` a person is taken to have asked what `codex exec` ran.
    """
    agent = mapping(mapping(payload.get("source")).get("subagent"))
    spawn = mapping(agent.get("thread_spawn"))
    spawned = identifier(payload.get("parent_thread_id")) or identifier(spawn.get("parent_thread_id"))
    fork = identifier(payload.get("forked_from_id"))
    return RolloutHeader(
        session_id=identifier(payload.get("id")) or identifier(payload.get("session_id")),
        project=one_line(payload.get("cwd")),
        remote=one_line(mapping(payload.get("git")).get("repository_url")),
        parent=spawned or fork,
        machine=bool(spawned) or _is_program(payload, headless=headless),
        forked=bool(fork),
        written=written,
    )


def _is_program(payload: Record, *, headless: bool) -> bool:
    source, thread = payload.get("source"), payload.get("thread_source")
    return (
        (isinstance(source, dict) and "custom" not in source)
        or word(source) in _PROGRAMS
        or (not headless and (word(source) == _HEADLESS or word(payload.get("originator")) == _HEADLESS_PROGRAM))
        or isinstance(thread, dict)
        or word(thread) not in _PERSONAL
        or bool(word(payload.get("agent_role")))
    )


RESPONSE, EVENT, ITEM = "response", "event", "item"
"""The records that a text stands in: an item of the model's input or output, an event, an item of the turn."""

_NEAR = 12  # texts between the two records of one


@dataclass(slots=True)
class _SpokenText:
    draft: DraftMessage
    text: str
    records: set[str]


class SpokenTexts:
    """The texts of a session in the order of the file; of each the first record's place is kept."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._recent: deque[_SpokenText] = deque(maxlen=_NEAR)
        self._doubtful: list[DraftMessage] = []
        self._answers: set[int] = set()

    def add(self, draft: DraftMessage, record: str) -> None:
        """Add a text of the person or the assistant that stands in a record of the kind `record`."""
        draft.parts = [part for part in draft.parts if not is_image_mark(part)]
        text = "".join(request_in("".join(draft.parts)).split())
        recent = reversed(self._recent)
        same = (near for near in recent if near.draft.role is draft.role and near.text == text)
        twin = next((near for near in same if record not in near.records), None)
        if twin:
            twin.records.add(record)
            twin.draft.ids += draft.ids
        else:
            self._assembly.add(draft)
            self._recent.append(_SpokenText(draft, text, {record}))
        if draft.role is Role.USER:
            self._speak(twin.draft if twin else draft, draft.parts, surely=record != RESPONSE)

    def _speak(self, draft: DraftMessage, parts: list[str], *, surely: bool) -> None:
        """Set a user text's origin: what stands right before a person's input was put there by Codex.

        An item alone is a person's only as far as its text shows: early versions wrote no other record of words typed
        while the agent was busy.
        """
        if surely:
            for other in self._doubtful:
                other.origin = Origin.MACHINE if other.origin is Origin.OWNER else other.origin
            self._doubtful.clear()
        elif draft.origin is Origin.OWNER and parts:
            self._doubtful.append(draft)
        judged = [attribute_text(part, surely=surely) for part in parts]
        said = [text for origin, text in judged if origin is Origin.OWNER]
        draft.origin = Origin.OWNER if said or not judged else judged[0][0]
        draft.parts = said or parts

    def add_answer(self, draft: DraftMessage) -> None:
        """Add what the person answered within a turn: it begins no other turn, and is taken back with its own."""
        self._assembly.add(draft)
        self._answers.add(draft.number)

    def settle(self) -> None:
        """The turn goes on: what was said so far stays as it is."""
        self._doubtful.clear()

    def roll_back(self, turns: int) -> None:
        """Take back the last turns of the person, with all that answers them."""
        drafts = self._assembly.drafts
        begun = [draft.origin is Origin.OWNER and draft.number not in self._answers for draft in drafts]
        spoken = [place for place, begins in enumerate(begun) if begins]
        if turns < 1 or not spoken:
            return
        gone = drafts[spoken[-min(turns, len(spoken))] :]
        del drafts[len(drafts) - len(gone) :]
        self._assembly.calls.keep(lambda evidence: evidence.number < gone[0].number)
        self._recent.clear()
        self._doubtful.clear()
        self._assembly.skipped["rolled_back"] += len(gone)


_TEXT = frozenset({"text", "Text", "input_text", "output_text"})
_BLOCKS = _TEXT | {"input_image", "input_audio", "encrypted_content", "refusal", "image", "local_image", "skill"}
_SILENT_LINES = frozenset(
    {
        "turn_context", "world_state", "inter_agent_communication", "inter_agent_communication_metadata",
        "rollout_reference",
    }
)  # fmt: skip
_SILENT_ITEMS = frozenset(
    {
        "reasoning", "web_search_call", "local_shell_call", "tool_search_call", "tool_search_output", "ghost_snapshot",
        "image_generation_call", "compaction", "context_compaction", "additional_tools", "tool_call", "error",
    }
)  # fmt: skip
_CALLS = frozenset({"function_call", "custom_tool_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "function_result", "tool_result"})
_SPOKEN = {
    "user_message": Role.USER,
    "UserMessage": Role.USER,
    "agent_message": Role.ASSISTANT,
    "AgentMessage": Role.ASSISTANT,
}
# The events of a turn that hold no words, and those of tools, whose results are items of their own.
_SILENT_EVENTS = frozenset(
    {
        "task_started", "task_complete", "turn_started", "turn_complete", "turn_aborted", "token_count", "error",
        "agent_reasoning", "agent_reasoning_raw_content", "context_compacted", "undo_completed", "warning",
        "thread_settings_applied", "thread_goal_updated", "thread_name_updated", "entered_review_mode",
        "exited_review_mode", "exec_command_end", "mcp_tool_call_end", "patch_apply_end", "view_image_tool_call",
        "image_generation_end", "dynamic_tool_call_request", "dynamic_tool_call_response", "guardian_assessment",
        "sub_agent_activity", "collab_agent_spawn_end", "collab_agent_interaction_end", "collab_waiting_end",
        "collab_close_end", "collab_resume_end", "item_completed", "web_search_end",
    }
)  # fmt: skip
_DIALOGUE = "request_user_input"
_NOTE = "user_note: "  # before the words that were typed beside a choice
_EXIT = re.compile(
    r"(?:Chunk ID: [^\n]{1,40}\n)?(?:Wall time: [^\n]{1,40}\n)?Process exited with code (?P<code>\d{1,3})\n"
)
_COPIED_WITHIN = timedelta(seconds=2)  # the lines of a copied history have the time of the copying


class CodexProgress:
    """The state of a session after the lines read so far."""

    def __init__(self, *, headless: bool = False) -> None:
        """With `headless` a session that was run without a person at the terminal is read as a person's."""
        self.assembly = Assembly()
        self.header = RolloutHeader()
        self._headless = headless
        self._spoken = SpokenTexts(self.assembly)
        self._tools: dict[str, str] = {}
        self._asked: dict[str, dict[str, str]] = {}
        self._summarized = False

    def take_all(self, stream: BinaryIO) -> bool:
        """Read a file to its end; `False` as soon as it shows to be none of this format."""
        number = 0
        recognized = self.assembly.recognize(
            stream, _is_line, lambda record: "uuid" in record or record.get("type") == "session"
        )
        for number, record in recognized:
            kind, payload = word(record.get("type")), record.get("payload")
            if kind == "session_meta" or _is_old_header(record):
                self._read_header(mapping(payload) or record, record)
            elif kind == "response_item" or not isinstance(payload, dict):
                self._read_item(number, record, payload if isinstance(payload, dict) else record)
            elif kind == "event_msg":
                self._read_event(number, record, payload)
            elif kind == "compacted":  # a history written anew; its summary stands before it too, but in older versions
                if self._summarized or not word(payload.get("message")).strip():
                    self.assembly.skipped["no_conversation"] += 1
                else:
                    self._add_aside(number, record, {"content": payload["message"]}, Origin.SUMMARY)
                self._summarized = False
            elif kind in _SILENT_LINES:
                if kind == "turn_context":
                    self.assembly.folder = one_line(payload.get("cwd")) or self.assembly.folder
                self.assembly.skipped["no_conversation"] += 1
            else:
                self.assembly.pass_over("unknown_record", kind, payload)
        return number > 0

    def finish(self) -> tuple[Message, ...]:
        """All messages; what was copied here when the session began is not said here once more."""
        if self.header.written:
            self._mark_copied(self.header.written + _COPIED_WITHIN)
        return self.assembly.messages()

    def _mark_copied(self, until: datetime) -> None:
        """Mark what was written with the header, but the words there that still wait for their answer.

        Versions of 2025 copied a resumed session without a word: there, nobody can have asked twice in that time.
        """
        drafts = [draft for draft in self.assembly.drafts if draft.time and draft.time < until]
        asked = sum(draft.origin is Origin.OWNER for draft in drafts)
        while drafts and drafts[-1].origin is not Origin.ASSISTANT:
            if drafts.pop().origin is Origin.OWNER:
                break
        answered = any(draft.origin is Origin.ASSISTANT for draft in drafts)
        if self.header.forked or (answered and asked > 1):
            self.assembly.calls.keep(lambda evidence: evidence.time >= until)
            for draft in drafts:
                draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += len(drafts)

    def _read_header(self, payload: Record, record: Record) -> None:
        """The first header is the session's; others came with a copied history."""
        time = moment(record.get("timestamp"))
        if self.header.session_id:
            self.assembly.skipped["repeated"] += 1
        else:
            self.header = read_header(payload, None if payload is record else time, headless=self._headless)
        self.assembly.clock = self.assembly.clock or time

    def _admit(self, number: int, record: Record) -> str:
        """The id of a record; empty of one that is written twice.

        The lines of a copied history all have the time of the copying: two equal answers in it are two.
        """
        value = record.get("timestamp") or record.get("created_at")
        time, written = moment(value), self.header.written
        copied = time is not None and written is not None and time < written + _COPIED_WITHIN
        return self.assembly.admit_line(number, record, value, may_repeat=copied)

    def _read_item(self, number: int, record: Record, payload: Record) -> None:
        kind = word(payload.get("type")) or ("message" if "role" in payload else "")
        if kind in _CALLS:
            self._read_call(number, record, payload)
        elif kind in _SILENT_ITEMS or "record_type" in record:
            self._spoken.settle()
            self.assembly.skipped["no_conversation"] += 1
        elif kind in _OUTPUTS:
            self._output(number, record, payload)
        elif kind == "message":
            self._read_message(number, record, payload)
        elif kind == "agent_message":
            self._add_aside(number, record, payload)
        else:
            self.assembly.pass_over("unknown_record", kind, payload)

    def _read_message(self, number: int, record: Record, payload: Record) -> None:
        content = payload.get("content") or payload.get("message")
        self.assembly.check(content, _BLOCKS)
        role = word(payload.get("role"))
        if role == "assistant" and mapping(record.get("metadata")).get("compaction_output") is True:
            self._add_aside(number, record, payload, Origin.SUMMARY)
            self._summarized = True
        elif role == "user" and _is_harness(payload):
            self._add_aside(number, record, payload)
        elif role in ("user", "assistant"):
            self._add_spoken(number, record, Role(role), texts(content, _TEXT), RESPONSE)
        elif role in ("developer", "system"):
            self._add_aside(number, record, payload)
        else:
            self.assembly.pass_over("unknown_role", role, payload)

    def _add_spoken(self, number: int, record: Record, role: Role, said: list[str], kind: str) -> None:
        if role is Role.ASSISTANT:
            self._spoken.settle()
        entry_id = self._admit(number, record)
        if entry_id:
            origin = Origin.OWNER if role is Role.USER else Origin.ASSISTANT
            self._spoken.add(DraftMessage(number, [entry_id], role, origin, said), kind)

    def _add_aside(self, number: int, record: Record, payload: Record, origin: Origin = Origin.MACHINE) -> None:
        """Instructions to the model, what agents write to each other, and summaries."""
        if entry_id := self._admit(number, record):
            said = texts(payload.get("content"), _TEXT)
            self.assembly.add(DraftMessage(number, [entry_id], Role.SYSTEM, origin, said))

    def _read_call(self, number: int, record: Record, payload: Record) -> None:
        """A call of a tool is no message, but for the questions that it asks the owner in a dialogue."""
        self._spoken.settle()
        call, asked = word(payload.get("call_id")), _questions(payload)
        self._tools[call] = f"{word(payload.get('namespace'))}:{word(payload.get('name'))}"
        if not payload.get("namespace"):
            place = self.assembly.place(number)
            self.assembly.calls.take_call(KIND.name, word(payload.get("name")), call, _arguments(payload), place)
        if asked and (entry_id := self._admit(number, record)):
            self._asked[call] = asked
            said = [question for question in asked.values() if question]
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said))
        else:
            self.assembly.skipped["no_conversation"] += 1

    def _output(self, number: int, record: Record, payload: Record) -> None:
        self._spoken.settle()
        call = word(payload.get("call_id"))
        self.assembly.calls.take_result(call, CallResult(_has_succeeded(payload.get("output"))))
        given = _answers(payload.get("output"), self._asked.pop(call, {}))
        said = answer_text(choice for _, choice in given)
        for question, choice in given:
            self.assembly.calls.take_act(
                EvidenceKind.ANSWER, self.assembly.place(number), short(choice), short(question)
            )
        if not said:
            self._add_tool_result(
                number, record, tool_origin(self._tools.get(call) or payload.get("name")), _output(payload)
            )
        elif entry_id := self._admit(number, record):
            self._spoken.add_answer(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))

    def _add_tool_result(self, number: int, record: Record, origin: Origin, said: list[str]) -> None:
        if entry_id := self._admit(number, record):
            self.assembly.add(DraftMessage(number, [entry_id], Role.TOOL, origin, said))

    def _read_event(self, number: int, record: Record, payload: Record) -> None:
        kind, item = word(payload.get("type")), mapping(payload.get("item"))
        shown = word(item.get("type"))
        if kind == "item_completed" and shown in _SPOKEN:
            self._add_spoken(number, record, _SPOKEN[shown], texts(item.get("content"), _TEXT), ITEM)
        elif kind in _SPOKEN:
            self._add_spoken(number, record, _SPOKEN[kind], texts(payload.get("message")), EVENT)
        elif kind == "thread_rolled_back":
            turns = payload.get("num_turns")
            self._spoken.roll_back(turns if isinstance(turns, int) else 1)
        elif kind in _SILENT_EVENTS:
            results = payload.get("results") or item.get("results")  # the pages that a search of the web showed
            said = [page["snippet"] for page in blocks(results) if isinstance(page.get("snippet"), str)]
            if said:
                self._add_tool_result(number, record, Origin.WEB, texts("\n".join(said)))
            else:
                self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", f"event_msg.{kind}", payload)


def _questions(call: Record) -> dict[str, str]:
    """The questions of a call by their ids, but for those for a secret; none of a dialogue that can answer itself."""
    if word(call.get("name")) != _DIALOGUE or call.get("namespace"):
        return {}
    given = mapping(decode_json(word(call.get("arguments"))))
    if any(given.get(name) is not None for name in ("autoResolutionMs", "auto_resolution_ms")):
        return {}
    asked = [block for block in blocks(given.get("questions")) if not (block.get("isSecret") or block.get("is_secret"))]
    return {word(block.get("id")): clean(word(block.get("question"))).strip() for block in asked if block.get("id")}


def _answers(output: object, asked: Mapping[str, str]) -> list[tuple[str, str]]:
    """The owner's answers in the output of a call, behind the questions, which have ids."""
    given = mapping(mapping(decode_json(word(output))).get("answers"))
    lists = [(question, mapping(given.get(name)).get("answers")) for name, question in asked.items()]
    said = [(question, word(choice).removeprefix(_NOTE)) for question, chosen in lists for choice in strings(chosen)]
    return [(question, choice.strip()) for question, choice in said if choice.strip()]


def _arguments(call: Record) -> object:
    """The arguments of a call: JSON, or the text itself of a tool that takes a text."""
    if word(call.get("type")) == "custom_tool_call" and not mapping(decode_json(word(call.get("input")))):
        return {"input": call.get("input")}
    return decode_json(word(call.get("arguments") or call.get("input")))


def _has_succeeded(output: object) -> bool | None:
    """Whether a command succeeded, by what the program writes around or above its output; `None` where it is silent."""
    head = _EXIT.match(word(output))
    return by_status(
        int(head["code"]) if head else mapping(mapping(decode_json(word(output))).get("metadata")).get("exit_code")
    )


def _is_harness(payload: Record) -> bool:
    """Whether the program wrote all parts of a text in a person's place, by what newer versions record of each."""
    parts = blocks(mapping(payload.get("internal_chat_message_metadata_passthrough")).get("content_item_metadata"))
    writers = {word(mapping(part.get("provenance")).get("type")) for part in parts} - {""}
    return bool(writers) and "user" not in writers


def _output(payload: Record) -> list[str]:
    """The text that a tool gave back: a string, blocks, or an object with one of them."""
    output = payload.get("output") or payload.get("result")
    if isinstance(output, dict):
        output = output.get("content") or output.get("text") or output.get("output") or output.get("stdout")
    return texts(output, _TEXT)


def _is_old_header(record: Record) -> bool:
    """The first line of a file of mid 2025, whose records stand in their lines without a payload."""
    return "type" not in record and "id" in record and "timestamp" in record and "role" not in record


def _is_line(record: Record) -> bool:
    """Whether a record is surely of this format."""
    if "uuid" in record or "parentId" in record:
        return False
    if isinstance(record.get("payload"), dict):
        return word(record.get("type")) in {"session_meta", "response_item", "event_msg", *_SILENT_LINES}
    if _is_old_header(record):
        return "instructions" in record or "git" in record
    return "role" in record and ("timestamp" in record or "created_at" in record)


_FILE = re.compile(r"rollout-.+\.jsonl(?:\.zst)?")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
KIND = SourceKind(
    "codex",
    lambda place: FileSource(place, _FILE.fullmatch, _parse),
    lambda home, environment: named_and_usual(environment, "CODEX_HOME", home / ".codex"),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    reading = CodexProgress(headless=file.place.settings.headless)
    if not reading.take_all(file.stream):
        return ()
    session = file.place.session(
        file.path,
        reading.header.session_id or _id_in_name(file.path),
        reading.assembly,
        project=reading.header.project,
        remote=reading.header.remote,
        parent=reading.header.parent or None,
        machine=reading.header.machine,
        archived="archived_sessions" in file.location.parts,
        messages=reading.finish(),
    )
    return (session,)


def _id_in_name(path: str) -> str:
    """The id in a file's name, or else the name itself."""
    name = PurePosixPath(path).name.partition(".")[0]
    ids = _UUID.findall(name)
    return ids[-1] if ids else name
