"""The messages of one session of Gemini CLI, as its records leave them."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from pipeline.adapters.sources.reading.records import Record, blocks, identifier, mapping, moment, records, word

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
        """Reads a file of records; it is none of this format when its first record has no session's id."""
        for number, record in records(stream, self.skipped):
            if not self.session_id and not self._head(record):
                return
            self._take(number + self._additional, record)

    def take_whole(self, value: object) -> None:
        """Reads a file that is one object."""
        content = mapping(value)
        if not isinstance(content.get("messages"), list) or not self._head(content):
            return
        for place, message in enumerate(blocks(content["messages"])):
            self._put(place + _AFTER_HEADER, message)

    def _head(self, record: Record) -> bool:
        if "uuid" in record or "startTime" not in record:
            return False
        self.session_id = identifier(record.get("sessionId"))
        self.kind = word(record.get("kind"))
        self.started = moment(record.get("startTime"))
        return bool(self.session_id)

    def _take(self, number: int, record: Record) -> None:
        if "$rewindTo" in record:
            self._rewind(record["$rewindTo"])
        elif isinstance(record.get("id"), str):
            self._put(number, record)
        elif "$set" in record:
            self._restate(number, blocks(mapping(record["$set"]).get("messages")))
        elif "sessionId" not in record:
            self.skipped["unknown_record:" + word(record.get("type"))[:40]] += 1

    def _put(self, number: int, record: Record, *, restated: bool = False) -> None:
        """Stores a message. A record that comes again under its id replaces the one before, and keeps its number."""
        key = word(record.get("id")) or f" {number}"
        if known := self.messages.get(key):
            known.record = record if not restated else {**known.record, **record}
        else:
            self.messages[key] = StoredMessage(number, record, restated)

    def _restate(self, number: int, messages: list[Record]) -> None:
        """Takes a history that the program wrote anew. What it left out was said, and stays."""
        before = bool(self.messages)
        new = [message for message in messages if word(message.get("id")) not in self.messages]
        for message in messages:
            self._put(number + (new.index(message) if message in new else 0), message, restated=before)
        self._additional += max(len(new) - 1, 0)

    def _rewind(self, message_id: object) -> None:
        """Takes back a message and all after it; all, when it is not known."""
        kept = list(self.messages)
        first = kept.index(message_id) if isinstance(message_id, str) and message_id in self.messages else 0
        for key in kept[first:]:
            del self.messages[key]
            self.skipped["rewound"] += 1
