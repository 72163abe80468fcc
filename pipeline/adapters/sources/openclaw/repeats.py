"""Records that repeat a message: copies that a rewrite of the history made, and what was recorded again at a retry."""

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from pipeline.adapters.sources.reading.assembly import DraftMessage
from pipeline.adapters.sources.reading.records import Record, texts

# The stamp, or the channel's own id, of what a person sent once.
_SENT = re.compile(
    r'\[message_id: ([^\]\n]{1,200})\]|"message_id": ?"([^"\n]{1,200})"|'
    r"^\[[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d [^\]\n]{1,20})\]",
    re.MULTILINE,
)
_DIGEST = 8  # bytes


def said(message: Record) -> str:
    """A name for what a message says at its own time (ms); empty when it has none.

    A copy of a record has another id and is recorded at another time, but says the same at the same time.
    """
    time = message.get("timestamp")
    if not isinstance(time, int | float | str) or isinstance(time, bool):
        return ""
    what = [message.get("role"), time, message.get("toolCallId"), texts(message.get("content"))]
    try:
        text = json.dumps(what)
    except RecursionError:
        return ""
    return f"said-{hashlib.blake2b(text.encode(), digest_size=_DIGEST).hexdigest()}"


@dataclass(slots=True)
class Original:
    """The first record of a message, and the ids of `copies`; `draft` is the message that a living record gave."""

    number: int
    entry_id: str
    time: datetime | None
    copies: list[str]
    alive: bool = False
    draft: DraftMessage | None = None


class Originals:
    """The messages of a session with dead branches, by what they say.

    A record of the last entry's branch that repeats one of a dead branch is that message. A message of dead branches
    alone was taken back by the person.
    """

    def __init__(self, dead: frozenset[str]) -> None:
        self._dead = dead
        self._known: dict[str, Original] = {}

    def take(self, number: int, entry_id: str, time: datetime | None, name: str) -> Original | None:
        """The message that a living record is the first of; `None` for a dead record, and for the next ones.

        `name` is that of `said`.
        """
        original = self._known.get(name)
        if original is None:
            original = Original(number, entry_id, time, [])
            self._known[name or entry_id] = original
        else:
            original.copies.append(entry_id)
            if original.draft:
                original.draft.aliases.append(entry_id)
        if original.alive or entry_id in self._dead:
            return None
        original.alive = True
        return original

    def abandoned(self) -> frozenset[str]:
        """The ids of records whose message has no living one."""
        gone = (original for original in self._known.values() if not original.alive)
        return frozenset(name for original in gone for name in (original.entry_id, *original.copies))

    def count(self, skipped: Counter[str]) -> None:
        """Counts the copies as `repeated`, and the records of messages without a living one as `abandoned`."""
        repeated = sum(len(original.copies) for original in self._known.values() if original.alive)
        for reason, number in (("repeated", repeated), ("abandoned", len(self.abandoned()))):
            if number:
                skipped[reason] += number


class Retries:
    """What a person sent once and the agent recorded again: at a failed answer, or after a compaction."""

    def __init__(self) -> None:
        self._sent: tuple[str, str] | None = None
        self._first: DraftMessage | None = None
        self._open = False

    def repeats(self, draft: DraftMessage, raw: str) -> bool:
        """Whether the owner's message, recorded as `raw`, is the one before once more; that one then has both ids."""
        match = _SENT.search(raw)
        sent = (next(filter(None, match.groups())), "\n".join(draft.parts)) if match else None
        if sent and sent == self._sent and self._open and self._first:
            self._first.aliases += draft.ids
            return True
        self._sent, self._first, self._open = sent, draft, True
        return False

    def answered(self) -> None:
        """Notes that the assistant has answered: the same words at the same time are said again."""
        self._open = False

    def compacted(self) -> None:
        """Notes that a compaction has come: it records the last message once more."""
        self._open = True
