"""The lines of one rollout of Codex, read in the order of the file.

The owner's answers in the program's dialogue of questions stand in the result of its own tool; a server's tool stands
in a namespace, so it cannot take that name.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import BinaryIO

from pipeline.adapters.sources.codex.header import RolloutHeader, read_header
from pipeline.adapters.sources.codex.spoken import EVENT, ITEM, RESPONSE, SpokenTexts
from pipeline.adapters.sources.evidence.calls import CallResult, by_status
from pipeline.adapters.sources.evidence.readings import short
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    decoded,
    mapping,
    moment,
    one_line,
    strings,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.owner import tool_origin
from schemas.evidence import EvidenceKind
from schemas.transcript import Message, Origin, Role

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
HARNESS = "codex"
"""Its name in the table of tools."""
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
        """Reads a file to its end; `False` as soon as it shows to be none of this format."""
        number = 0
        for number, record in self.assembly.recognized(stream, _is_line, _is_foreign):
            self._take(number, record)
        return number > 0

    def finish(self) -> tuple[Message, ...]:
        """All messages; what was copied here when the session began is not said here once more."""
        if self.header.written:
            self._mark_copied(self.header.written + _COPIED_WITHIN)
        return self.assembly.messages()

    def _mark_copied(self, until: datetime) -> None:
        """Marks what was written with the header, but the words there that still wait for their answer.

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

    def _take(self, number: int, record: Record) -> None:
        kind, payload = word(record.get("type")), record.get("payload")
        if kind == "session_meta" or _is_old_header(record):
            self._head(mapping(payload) or record, record)
        elif kind == "response_item" or not isinstance(payload, dict):
            self._item(number, record, payload if isinstance(payload, dict) else record)
        elif kind == "event_msg":
            self._event(number, record, payload)
        elif kind == "compacted":
            self._compacted(number, record, payload)
        elif kind in _SILENT_LINES:
            if kind == "turn_context":
                self.assembly.folder = one_line(payload.get("cwd")) or self.assembly.folder
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind, payload)

    def _head(self, payload: Record, record: Record) -> None:
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

    def _item(self, number: int, record: Record, payload: Record) -> None:
        kind = word(payload.get("type")) or ("message" if "role" in payload else "")
        if kind in _CALLS:
            self._call(number, record, payload)
        elif kind in _SILENT_ITEMS or "record_type" in record:
            self._spoken.settle()
            self.assembly.skipped["no_conversation"] += 1
        elif kind in _OUTPUTS:
            self._output(number, record, payload)
        elif kind == "message":
            self._message(number, record, payload)
        elif kind == "agent_message":
            self._aside(number, record, payload)
        else:
            self.assembly.pass_over("unknown_record", kind, payload)

    def _message(self, number: int, record: Record, payload: Record) -> None:
        content = payload.get("content") or payload.get("message")
        self.assembly.check(content, _BLOCKS)
        role = word(payload.get("role"))
        if role == "assistant" and mapping(record.get("metadata")).get("compaction_output") is True:
            self._aside(number, record, payload, Origin.SUMMARY)
            self._summarized = True
        elif role == "user" and _is_harness(payload):
            self._aside(number, record, payload)
        elif role in ("user", "assistant"):
            self._say(number, record, Role(role), texts(content, _TEXT), RESPONSE)
        elif role in ("developer", "system"):
            self._aside(number, record, payload)
        else:
            self.assembly.pass_over("unknown_role", role, payload)

    def _say(self, number: int, record: Record, role: Role, said: list[str], kind: str) -> None:
        if role is Role.ASSISTANT:
            self._spoken.settle()
        entry_id = self._admit(number, record)
        if entry_id:
            origin = Origin.OWNER if role is Role.USER else Origin.ASSISTANT
            self._spoken.add(DraftMessage(number, [entry_id], role, origin, said), kind)

    def _aside(self, number: int, record: Record, payload: Record, origin: Origin = Origin.MACHINE) -> None:
        """Instructions to the model, what agents write to each other, and summaries."""
        if entry_id := self._admit(number, record):
            said = texts(payload.get("content"), _TEXT)
            self.assembly.add(DraftMessage(number, [entry_id], Role.SYSTEM, origin, said))

    def _compacted(self, number: int, record: Record, payload: Record) -> None:
        """A history written anew. Its summary stands before it too, but in older versions."""
        if self._summarized or not word(payload.get("message")).strip():
            self.assembly.skipped["no_conversation"] += 1
        else:
            self._aside(number, record, {"content": payload["message"]}, Origin.SUMMARY)
        self._summarized = False

    def _call(self, number: int, record: Record, payload: Record) -> None:
        """A call of a tool is no message, but for the questions that it asks the owner in a dialogue."""
        self._spoken.settle()
        call, asked = word(payload.get("call_id")), _questions(payload)
        self._tools[call] = f"{word(payload.get('namespace'))}:{word(payload.get('name'))}"
        if not payload.get("namespace"):
            place = self.assembly.place(number)
            self.assembly.calls.called(HARNESS, word(payload.get("name")), call, _arguments(payload), place)
        if asked and (entry_id := self._admit(number, record)):
            self._asked[call] = asked
            said = [question for question in asked.values() if question]
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said))
        else:
            self.assembly.skipped["no_conversation"] += 1

    def _output(self, number: int, record: Record, payload: Record) -> None:
        self._spoken.settle()
        call = word(payload.get("call_id"))
        self.assembly.calls.returned(call, CallResult(_has_succeeded(payload.get("output"))))
        given = _answers(payload.get("output"), self._asked.pop(call, {}))
        said = answer_text(choice for _, choice in given)
        for question, choice in given:
            self.assembly.calls.stated(EvidenceKind.ANSWER, self.assembly.place(number), short(choice), short(question))
        if not said:
            self._tool(number, record, tool_origin(self._tools.get(call) or payload.get("name")), _output(payload))
        elif entry_id := self._admit(number, record):
            self._spoken.add_answer(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))

    def _tool(self, number: int, record: Record, origin: Origin, said: list[str]) -> None:
        if entry_id := self._admit(number, record):
            self.assembly.add(DraftMessage(number, [entry_id], Role.TOOL, origin, said))

    def _event(self, number: int, record: Record, payload: Record) -> None:
        kind, item = word(payload.get("type")), mapping(payload.get("item"))
        shown = word(item.get("type"))
        if kind == "item_completed" and shown in _SPOKEN:
            self._say(number, record, _SPOKEN[shown], texts(item.get("content"), _TEXT), ITEM)
        elif kind in _SPOKEN:
            self._say(number, record, _SPOKEN[kind], texts(payload.get("message")), EVENT)
        elif kind == "thread_rolled_back":
            turns = payload.get("num_turns")
            self._spoken.roll_back(turns if isinstance(turns, int) else 1)
        elif kind in _SILENT_EVENTS:
            self._pages(number, record, payload.get("results") or item.get("results"))
        else:
            self.assembly.pass_over("unknown_record", f"event_msg.{kind}", payload)

    def _pages(self, number: int, record: Record, results: object) -> None:
        """What a search of the web showed, if the event says so."""
        said = [page["snippet"] for page in blocks(results) if isinstance(page.get("snippet"), str)]
        if said:
            self._tool(number, record, Origin.WEB, texts("\n".join(said)))
        else:
            self.assembly.skipped["no_conversation"] += 1


def _questions(call: Record) -> dict[str, str]:
    """The questions of a call by their ids, but for those for a secret; none of a dialogue that can answer itself."""
    if word(call.get("name")) != _DIALOGUE or call.get("namespace"):
        return {}
    given = mapping(decoded(word(call.get("arguments"))))
    if any(given.get(name) is not None for name in ("autoResolutionMs", "auto_resolution_ms")):
        return {}
    asked = [one for one in blocks(given.get("questions")) if not (one.get("isSecret") or one.get("is_secret"))]
    return {word(one.get("id")): clean(word(one.get("question"))).strip() for one in asked if one.get("id")}


def _answers(output: object, asked: Mapping[str, str]) -> list[tuple[str, str]]:
    """The owner's answers in the output of a call, behind the questions, which have ids."""
    given = mapping(mapping(decoded(word(output))).get("answers"))
    lists = [(question, mapping(given.get(name)).get("answers")) for name, question in asked.items()]
    said = [(question, word(one).removeprefix(_NOTE)) for question, chosen in lists for one in strings(chosen)]
    return [(question, choice.strip()) for question, choice in said if choice.strip()]


def _arguments(call: Record) -> object:
    """The arguments of a call: JSON, or the text itself of a tool that takes a text."""
    if word(call.get("type")) == "custom_tool_call" and not mapping(decoded(word(call.get("input")))):
        return {"input": call.get("input")}
    return decoded(word(call.get("arguments") or call.get("input")))


def _has_succeeded(output: object) -> bool | None:
    """Whether a command succeeded, by what the program writes around or above its output; `None` where it is silent."""
    head = _EXIT.match(word(output))
    return by_status(
        int(head["code"]) if head else mapping(mapping(decoded(word(output))).get("metadata")).get("exit_code")
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


def _is_foreign(record: Record) -> bool:
    return "uuid" in record or record.get("type") == "session"


def _is_line(record: Record) -> bool:
    """Whether a record is surely of this format."""
    if "uuid" in record or "parentId" in record:
        return False
    if isinstance(record.get("payload"), dict):
        return word(record.get("type")) in {"session_meta", "response_item", "event_msg", *_SILENT_LINES}
    if _is_old_header(record):
        return "instructions" in record or "git" in record
    return "role" in record and ("timestamp" in record or "created_at" in record)
