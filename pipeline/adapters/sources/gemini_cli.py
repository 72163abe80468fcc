"""The sessions of Gemini CLI: one file a session, lines of records or, before version 0.40, one JSON object."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pipeline.adapters.sources.evidence import CallResult, short
from pipeline.adapters.sources.kind import SourceKind, named_and_usual
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    decode_json,
    document,
    identifier,
    is_result,
    mapping,
    moment,
    one_line,
    part_texts,
    records,
    result_texts,
    unknown_parts,
    word,
)
from pipeline.adapters.sources.speakers.gemini import typed_parts
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.workspace.regular_files import read_regular
from schemas.evidence import EvidenceKind
from schemas.transcript import Origin, Role, Session

_AFTER_HEADER = 2  # the line of the first message, so that a file keeps its numbers when it is rewritten as lines


@dataclass(slots=True)
class StoredMessage:
    """A message's latest record, with the number of its first. `restated`: it came with a rewritten history."""

    number: int
    record: Record
    restated: bool


class StoredConversation:
    """A session's id, kind and start, and its messages by their ids, in the order of their numbers."""

    def __init__(self) -> None:
        self.session_id = ""
        self.kind = ""
        self.started: datetime | None = None
        self.skipped: Counter[str] = Counter()
        self.messages: dict[str, StoredMessage] = {}
        self._additional = 0

    def take_lines(self, stream: BinaryIO) -> None:
        """Read a file of records; it is none of this format when its first record has no session's id."""
        for number, record in records(stream, self.skipped):
            if not self.session_id and not self._read_header(record):
                return
            self._take(number + self._additional, record)

    def take_whole(self, value: object) -> None:
        """Read a file that is one object."""
        content = mapping(value)
        if not isinstance(content.get("messages"), list) or not self._read_header(content):
            return
        for place, message in enumerate(blocks(content["messages"])):
            self._store_message(place + _AFTER_HEADER, message)

    def _read_header(self, record: Record) -> bool:
        if "uuid" in record or "startTime" not in record:
            return False
        self.session_id = identifier(record.get("sessionId"))
        self.kind = word(record.get("kind"))
        self.started = moment(record.get("startTime"))
        return bool(self.session_id)

    def _take(self, number: int, record: Record) -> None:
        if "$rewindTo" in record:
            message_id = record["$rewindTo"]
            kept = list(self.messages)
            first = kept.index(message_id) if isinstance(message_id, str) and message_id in self.messages else 0
            for key in kept[first:]:  # the message and all after it; all, when it is not known
                del self.messages[key]
                self.skipped["rewound"] += 1
        elif isinstance(record.get("id"), str):
            self._store_message(number, record)
        elif "$set" in record:
            self._restate(number, blocks(mapping(record["$set"]).get("messages")))
        elif "sessionId" not in record:
            self.skipped["unknown_record:" + word(record.get("type"))[:40]] += 1

    def _store_message(self, number: int, record: Record, *, restated: bool = False) -> None:
        """Store a message. A record that comes again under its id replaces the one before, and keeps its number."""
        key = word(record.get("id")) or f" {number}"
        if known := self.messages.get(key):
            known.record = record if not restated else {**known.record, **record}
        else:
            self.messages[key] = StoredMessage(number, record, restated)

    def _restate(self, number: int, messages: list[Record]) -> None:
        """Take a history that the program wrote anew. What it left out was said, and stays."""
        before = bool(self.messages)
        new = [message for message in messages if word(message.get("id")) not in self.messages]
        for message in messages:
            self._store_message(number + (new.index(message) if message in new else 0), message, restated=before)
        self._additional += max(len(new) - 1, 0)


_SILENT = frozenset({"info", "error", "warning"})
_OUTCOMES = {"success": True, "error": False, "cancelled": False}
_DIALOGUE = ("ask_user", "Ask User")


def assemble_session(conversation: StoredConversation) -> Assembly:
    """The session that the messages make, in the order of their numbers.

    An answer of the owner's in a dialogue is a message of its own, with the next number.
    """
    assembly = Assembly(skipped=conversation.skipped, clock=conversation.started)
    said, added = set[str](), 0
    for message in sorted(conversation.messages.values(), key=lambda stored: stored.number):
        message.number += added
        if entry_id := assembly.admit(message.number, message.record, "id"):
            _add(assembly, message, entry_id, said)
            if not message.restated:
                for call in blocks(message.record.get("toolCalls")):
                    name, call_id = word(call.get("name")), call.get("id")
                    assembly.calls.take_call(KIND.name, name, call_id, call.get("args"), assembly.place(message.number))
                    assembly.calls.take_result(call_id, CallResult(_OUTCOMES.get(word(call.get("status")))))
                added += _add_answers(assembly, message)
    return assembly


def _add(assembly: Assembly, message: StoredMessage, entry_id: str, said: set[str]) -> None:
    draft = _draft(assembly, message, entry_id)
    if draft is None:
        return
    text = "\n".join(draft.parts)
    if message.restated:
        if text in said:
            assembly.skipped["repeated"] += 1
            return
        if draft.origin is not Origin.SUMMARY:  # what the program puts in front of a history that it wrote anew
            draft.origin = Origin.MEMORY
    said.add(text)
    assembly.add(draft)


def _add_answers(assembly: Assembly, message: StoredMessage) -> int:
    """Add the owner's answers to the questions of a message; give the number of messages that they are."""
    number, time = message.number, message.record.get("timestamp")
    for call in blocks(message.record.get("toolCalls")):
        given = _answers(call)
        if (said := answer_text(choice for _, choice in given)) and (
            entry_id := assembly.admit(number + 1, {"id": identifier(call.get("id")), "timestamp": time}, "id")
        ):
            number += 1
            assembly.add(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))
            for question, choice in given:
                assembly.calls.take_act(EvidenceKind.ANSWER, assembly.place(number), short(choice), short(question))
    return number - message.number


def _draft(assembly: Assembly, message: StoredMessage, entry_id: str) -> DraftMessage | None:
    record, kind = message.record, word(message.record.get("type"))
    content = record.get("content") or record.get("parts")
    for name in unknown_parts(content):
        assembly.pass_over("unknown_block", name)
    draft = DraftMessage(message.number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, part_texts(content))
    if kind == "user":
        _speak(draft, record)
    elif kind in ("gemini", "model"):
        _answer(draft, blocks(record.get("toolCalls")))
    elif kind in _SILENT:
        assembly.skipped["no_conversation"] += 1
        return None
    else:
        assembly.pass_over("unknown_record", kind, record)
        return None
    return draft


def _speak(draft: DraftMessage, record: Record) -> None:
    """A person's message. What was shown of it is what was typed; the content also has the files it refers to."""
    content = record.get("content") or record.get("parts")
    if is_result(content):
        draft.role, draft.origin, draft.parts = Role.TOOL, Origin.TOOL, [*result_texts(content), *draft.parts]
        return
    draft.role = Role.USER
    draft.origin, parts = typed_parts(draft.parts)
    shown = part_texts(record.get("displayContent"))
    draft.parts = shown if shown and draft.origin is Origin.OWNER else parts


def _answer(draft: DraftMessage, calls: list[Record]) -> None:
    """An answer, with what it asks in a dialogue; one without words is what its tools gave back."""
    draft.parts += [question for call in calls for question in _questions(call)]
    if draft.parts or not calls:
        return
    origins = [tool_origin(call.get("name")) for call in calls]
    draft.role = Role.TOOL
    draft.origin = next((origin for origin in origins if origin is not Origin.TOOL), Origin.TOOL)
    draft.parts = [text for call in calls for text in result_texts(call.get("result"))]


def _questions(call: Record) -> list[str]:
    asked = blocks(mapping(call.get("args")).get("questions")) if _is_dialogue(call) else []
    return [clean(text) for question in asked if (text := word(question.get("question"))).strip()]


def _answers(call: Record) -> list[tuple[str, str]]:
    """The answers behind the questions of a call; none when the dialogue was closed, or sent empty."""
    results = result_texts(call.get("result")) if _is_dialogue(call) and call.get("status") == "success" else []
    given = [mapping(mapping(decode_json(text)).get("answers")) for text in results]
    asked = {str(place): question for place, question in enumerate(_questions(call))}
    said = [(asked.get(place, ""), word(answer).strip()) for answers in given for place, answer in answers.items()]
    return [(question, answer) for question, answer in said if answer]


def _is_dialogue(call: Record) -> bool:
    return (call.get("name"), call.get("displayName")) == _DIALOGUE


_FILE = re.compile(r".+\.jsonl|session-.+\.json")
_HASH = re.compile(r"[0-9a-f]{64}")
_PERSONAL = frozenset({"", "main", "chat"})
_ROOT_FILE = ".project_root"
_LONGEST_PATH = 4096  # bytes
KIND = SourceKind(
    "gemini_cli",
    lambda place: FileSource(place, _FILE.fullmatch, _parse),
    lambda home, environment: tuple(
        folder / ".gemini" / "tmp" for folder in named_and_usual(environment, "GEMINI_CLI_HOME", home)
    ),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    conversation, lines = StoredConversation(), file.path.endswith(".jsonl")
    if lines:
        conversation.take_lines(file.stream)
    else:
        conversation.take_whole(document(file.stream, b'"sessionId"'))
    if not conversation.session_id:
        return ()
    assembly = assemble_session(conversation)
    machine = conversation.kind not in _PERSONAL
    session = file.place.session(
        file.path,
        conversation.session_id,
        assembly,
        project=_project(file.location),
        parent=PurePosixPath(file.path).parent.name or None if machine else None,
        machine=machine,
        archived=not lines and file.location.with_suffix(".jsonl").exists(),
    )
    return (session,)


def _project(location: Path) -> str:
    """The working folder of the sessions of a project, or its name; empty when there is only a checksum of it."""
    above = next((folder for folder in location.parents[:3] if folder.name == "chats"), None)
    if above is None:
        return ""
    try:
        return one_line(read_regular(above.parent / _ROOT_FILE, _LONGEST_PATH).decode("utf-8", "replace"))
    except OSError:
        return "" if _HASH.fullmatch(above.parent.name) else above.parent.name
