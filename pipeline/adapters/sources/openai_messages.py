"""Conversations as messages of OpenAI's API: one a line, a list of them a line, or a list that is the whole file."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.assembly import SNIFFED, Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    document,
    identifier,
    mapping,
    records,
    seconds_or_milliseconds,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.envelopes import Words
from pipeline.adapters.sources.speakers.headers import sender_name
from pipeline.adapters.sources.speakers.owner import Owner, tool_origin
from pipeline.adapters.sources.speakers.typed import own_words
from schemas.transcript import Origin, Role, Session

_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
_TEXT = frozenset({"text", "input_text", "output_text"})
_BLOCKS = _TEXT | {"image_url", "input_image", "input_audio", "file", "input_file", "refusal"}
_TIMES = ("timestamp", "created_at", "createdAt", "create_time", "time", "ts", "date")
_SESSIONS = ("session_id", "sessionId", "conversation_id", "thread_id", "chat_id")
_IDS = ("id", "message_id", "uuid")
_OTHERS = frozenset({"parentId", "parentUuid", "payload", "message"})
_DATE = re.compile(r"(?<!\d)(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")

_Located = tuple[str, int, Record]
"""The id of the session, the message's number in it, and the message."""
KIND = SourceKind(
    "openai_messages",
    lambda place: FileSource(place, lambda name: name.endswith((".jsonl", ".json", ".jsonl.zst")), _parse),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    stem, unread, conversations = PurePosixPath(file.path).name.partition(".json")[0], Assembly(), _SessionsOfFile(file)
    if file.path.endswith(".json"):
        located = _messages_in_value(document(file.stream, b'"role"'), stem)
    else:
        located = _messages_in_lines(file, stem, unread)
    for session_id, number, message in located:
        conversations.take(session_id, number, message)
    return conversations.sessions(unread)


def _messages_in_lines(file: SourceFile, stem: str, unread: Assembly) -> Iterator[_Located]:
    known = False
    for number, record in records(file.stream, unread.skipped):
        listed = _messages(record)
        known = known or bool(listed) or _is_message(record)
        if not known and number >= SNIFFED:
            return
        if listed:
            yield from _number_messages(_first_id(record, _SESSIONS + _IDS) or f"{stem}-{number}", listed)
        elif _is_message(record):
            yield _first_id(record, _SESSIONS) or stem, number, record
        else:
            unread.pass_over("unknown_record", record.get("type"))


def _messages_in_value(value: object, stem: str) -> Iterator[_Located]:
    """The messages of a whole file: a list of them, an object with one, or a list of such objects."""
    if isinstance(value, dict):
        yield from _number_messages(_first_id(value, _SESSIONS + _IDS) or stem, _messages(value))
    for place, record in enumerate(value if isinstance(value, list) else [], start=1):
        listed = _messages(mapping(record))
        if listed:
            yield from _number_messages(_first_id(record, _SESSIONS + _IDS) or f"{stem}-{place}", listed)
        elif _is_message(mapping(record)):
            yield _first_id(record, _SESSIONS) or stem, place, record


def _messages(record: Record) -> list[Record]:
    return [message for message in blocks(record.get("messages")) if _is_message(message)]


def _number_messages(session_id: str, messages: list[Record]) -> Iterator[_Located]:
    return ((session_id, number, message) for number, message in enumerate(messages, start=1))


def _is_message(record: Record) -> bool:
    spoken = "content" in record or "tool_calls" in record
    return isinstance(record.get("role"), str) and spoken and not _OTHERS.intersection(record)


def _first_id(record: Record, names: Sequence[str]) -> str:
    """The first id under one of the names."""
    return next((value for name in names if (value := identifier(record.get(name)))), "")


class _SessionsOfFile:
    """The sessions of a file while its messages are being read."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._owner = Owner(file.place.settings.owner.ids)
        self._assemblies = defaultdict[str, Assembly](Assembly)
        self._tools: dict[str, str] = {}

    def take(self, session_id: str, number: int, message: Record) -> None:
        """Add a message to its session."""
        assembly = self._assemblies[session_id]
        for call in blocks(message.get("tool_calls")):
            self._tools[word(call.get("id"))] = word(mapping(call.get("function")).get("name"))
        role, content = _ROLES.get(word(message.get("role"))), message.get("content")
        assembly.check(content, _BLOCKS)
        time = seconds_or_milliseconds(next((message[name] for name in _TIMES if message.get(name)), None))
        if own := _first_id(message, _IDS):
            entry_id = assembly.admit(number, {"timestamp": time, "id": own}, "id")
        else:
            entry_id = assembly.admit_line(number, message, time)
        if role is None:
            assembly.pass_over("unknown_role", message.get("role"))
        elif entry_id:
            draft = DraftMessage(number, [entry_id], role, Origin.MACHINE, texts(content, _TEXT))
            name = message.get("name")
            if draft.role is Role.USER:
                # A user with a name is one of several speakers.
                draft.senders = (sender_name(name),) if isinstance(name, str) and name else ()
                draft.origin = self._owner.origin(Words("", draft.senders))
            elif draft.role is Role.ASSISTANT:
                draft.origin = Origin.ASSISTANT
            elif draft.role is Role.TOOL:
                draft.origin = tool_origin(name or self._tools.get(word(message.get("tool_call_id"))))
            assembly.add(own_words(draft))

    def sessions(self, unread: Assembly) -> Sequence[Session]:
        """All sessions; the counts of what belongs to none of them stand at the first."""
        for assembly in self._assemblies.values():
            assembly.skipped.update(unread.skipped)
            unread.skipped.clear()
            self._owner.settle(assembly.drafts, grouped=False)
            assembly.clock = assembly.clock or _day_of(self._file)
        place, path = self._file.place, self._file.path
        return [place.session(path, session_id, assembly) for session_id, assembly in self._assemblies.items()]


def _day_of(file: SourceFile) -> datetime:
    """The beginning of the day in the file's name, else of the day the file was written, where its owner lives."""
    zone = ZoneInfo(file.place.zone)
    for year, month, day in _DATE.findall(PurePosixPath(file.path).name):
        try:
            return datetime(int(year), int(month), int(day), tzinfo=zone).astimezone(UTC)
        except ValueError:
            continue
    written = datetime.fromtimestamp(file.location.stat().st_mtime, zone)
    return written.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
