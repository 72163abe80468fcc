"""A session while its records are being read."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import BinaryIO

from pipeline.adapters.sources.evidence import CallLog, RecordPlace
from pipeline.adapters.sources.reading.records import Record, blocks, identifier, moment, one_line, records
from pipeline.entries.provenance import id_by_place
from schemas.transcript import Message, Origin, Role

_SPEAKERS = frozenset({"user", "human", "person", "assistant", "model", "agent", "ai", "bot"})
_WORDS = ("text", "content", "message", "prompt", "body", "input")
_INSIDE = (*_WORDS, "parts", "payload", "data", "event", "item", "entry", "record")
_DEEPEST = 6
_OPEN = 2  # levels at which a whole sentence counts under any name
_MOST_TEXTS = 100
_LOOKED_AT = 20_000  # characters of a text: a picture is one without end
_PHRASE, _SENTENCE = (2, re.compile("[\u3400-\u9fff]{2}")), (5, re.compile("[\u3400-\u9fff]{6}"))
"""Words in a row, or Chinese characters; a name, an id, a path and a number have no spaces."""
_LETTER, _CODE = re.compile(r"\w"), re.compile("[<>{}]")
_BEGINNING = 80  # characters, since only the start is held of what is no conversation


def beginning(text: str) -> str:
    """The first characters of a text, whatever its white space is."""
    return " ".join(text[: 4 * _BEGINNING].split())[:_BEGINNING]


def words_in(record: Record) -> list[str]:
    """The words that stand in a record where a person or the assistant speaks: none of other roles, or of tools.

    What begins with a tag is the program's.
    """
    said = islice(_texts(record, 0), _MOST_TEXTS)
    return [text for text in said if not text.lstrip().startswith("<") and _has(text, _PHRASE)]


def _has(text: str, wanted: tuple[int, re.Pattern[str]]) -> bool:
    """Whether words stand in a text, one behind the other, or as much in Chinese."""
    words, characters = wanted
    begin, row = text[:_LOOKED_AT], 0
    for token in begin.split():
        row = row + 1 if _LETTER.search(token) and not _CODE.search(token) else 0
        if row == words:
            return True
    return characters.search(begin) is not None


def _texts(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < _DEEPEST:
        for part in value:
            yield from _texts(part, depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST and _is_spoken(value):
        for name, inside in value.items():
            if isinstance(inside, str):
                # Another name than those for words may be a new one for them.
                named = name in _WORDS or (depth < _OPEN and _has(inside, _SENTENCE))
                yield from (inside,) if named else ()
            elif name in _INSIDE:
                yield from _texts(inside, depth + 1)


def _is_spoken(record: Record) -> bool:
    """Whether an object can be a message: a role that it names is a speaker's, and no tool is named."""
    role, kind = record.get("role"), record.get("type")
    if isinstance(kind, str) and re.search(r"tool|think|reason|function", kind):
        return False
    return not isinstance(role, str) or role.lower() in _SPEAKERS


LONGEST_ASIDE = 2_000
"""Characters that are kept of what is not conversation."""
LONGEST_SUMMARY = 20_000
"""Characters that are kept of an agent's summary of its session."""
LONGEST_RESULT = 200
"""Characters that are kept of a message on the side of tools: nothing reads it, and there may be a million of them."""
SNIFFED = 20
"""Records at the beginning of a file, of which one has to be of the format."""

_WHOLE = {Origin.OWNER, Origin.ASSISTANT, Origin.OTHER}


@dataclass(slots=True)
class DraftMessage:
    """A message to be. `time` is unknown until some record before it, or after it, has one.

    `aliases` are other names of it, as in `Message`; `folder` is where the agent was at work then, if that is known.
    """

    number: int
    ids: list[str]
    role: Role
    origin: Origin
    parts: list[str]
    senders: tuple[str, ...] = ()
    time: datetime | None = None
    aliases: list[str] = field(default_factory=list)
    folder: str = ""

    @property
    def longest(self) -> int | None:
        """The characters that are kept of its text; `None` of what is conversation."""
        if self.origin in _WHOLE:
            return None
        if self.origin is Origin.SUMMARY:
            return LONGEST_SUMMARY
        return LONGEST_RESULT if self.role is Role.TOOL else LONGEST_ASIDE

    def message(self, time: datetime) -> Message:
        """The message; what is not conversation is cut to `longest` characters."""
        return Message(
            number=self.number,
            entry_ids=tuple(self.ids),
            role=self.role,
            origin=self.origin,
            time=time,
            text="\n".join(self.parts)[: self.longest],
            aliases=tuple(self.aliases),
            project=self.folder,
        )


@dataclass(slots=True)
class Assembly:
    """The part of a session read so far: drafts in the order of the file, what was seen, counts of skipped records.

    `folder` is where the agent is at work, in a format whose records say so again and again. `calls` are the calls of
    tools, of which the evidence comes.
    """

    skipped: Counter[str] = field(default_factory=Counter)
    drafts: list[DraftMessage] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    clock: datetime | None = None
    folder: str = ""
    unplaced: list[tuple[str, list[str]]] = field(default_factory=list)
    calls: CallLog = field(default_factory=CallLog)

    def recognize(
        self,
        stream: BinaryIO,
        is_ours: Callable[[Record], bool],
        is_foreign: Callable[[Record], bool] = lambda _: False,
    ) -> Iterator[tuple[int, Record]]:
        """The records of a stream from the first that is surely of the format, with their numbers.

        Those before it are counted. There are none when it is not among the first `SNIFFED`, or one before it is surely
        of another format.
        """
        known = False
        for number, record in records(stream, self.skipped):
            known = known or is_ours(record)
            if known:
                yield number, record
            elif number >= SNIFFED or is_foreign(record):
                return
            else:
                self.pass_over("unknown_record", record.get("type"))

    def admit(self, number: int, record: Record, key: str) -> str:
        """Take a record's id and move the clock; give the id, empty when the record was there before.

        `key` names the field of the id; the time is in `timestamp`. A record without an id of its own goes by its
        number and its contents (`id_by_place`).
        """
        time = moment(record.get("timestamp"))
        entry_id = identifier(record.get(key)) or id_by_place(number, time or self.clock, record)
        if entry_id in self.seen:
            self.skipped["repeated"] += 1
            return ""
        self.seen.add(entry_id)
        if time is None:
            self.skipped["no_time"] += 1
        else:
            self.clock = time
        return entry_id

    def admit_line(self, number: int, record: Record, time: object, *, may_repeat: bool = False) -> str:
        """Take a record that has no id; give one, empty when the very same line was there before.

        `time` is the value of the record's time, or none. Without a time two lines may be the same by chance, and so
        with `may_repeat`.
        """
        line = id_by_place(0, None, record)
        if time and line in self.lines and not may_repeat:
            self.skipped["repeated"] += 1
            return ""
        self.lines.add(line)
        return self.admit(number, {"line": line, "timestamp": time}, "")

    def pass_over(self, reason: str, detail: object, record: Record | None = None) -> None:
        """Count something that is not known; of a `record`, only one that holds words that are nowhere else."""
        key = f"{reason}:{one_line(detail)[:40]}"
        if record is None:
            self.skipped[key] += 1
        elif words := words_in(record):
            self.unplaced.append((key, words))
        else:
            self.skipped["no_conversation"] += 1

    def place(self, number: int) -> RecordPlace:
        """The place of the record of this number."""
        return RecordPlace(number, self.clock, self.folder)

    def _count_unplaced(self) -> None:
        """Count the records of unknown kinds with words, when all messages are known."""
        known = {beginning(part) for draft in self.drafts for part in draft.parts} if self.unplaced else set()
        for key, words in self.unplaced:
            self.skipped["no_conversation" if known.issuperset(map(beginning, words)) else key] += 1
        self.unplaced = []

    def check(self, content: object, known: frozenset[str]) -> None:
        """Count the blocks of a content that are not known."""
        for block in blocks(content):
            kind = block.get("type")
            if not isinstance(kind, str) or kind not in known:
                self.pass_over("unknown_block", kind)

    def add(self, draft: DraftMessage) -> None:
        """Add a message at the clock's time; of what is not conversation only the start is held."""
        if draft.longest:
            draft.parts = [part[: draft.longest] for part in draft.parts]
        draft.time, draft.folder = self.clock, self.folder
        self.drafts.append(draft)

    def messages(self) -> tuple[Message, ...]:
        """All messages. Those before the first known time take that one; with no time at all there are none.

        They take the place of the drafts, so that a long session is not held twice.
        """
        self._count_unplaced()
        spoken = [draft for draft in self.drafts if draft.parts]
        if silent := len(self.drafts) - len(spoken):
            self.skipped["no_text"] += silent
        self.drafts = []
        self._disown_summaries(spoken)
        first = next((draft.time for draft in spoken if draft.time), self.clock)
        if first is None:
            self.skipped.update({"undated": len(spoken)} if spoken else {})
            return ()
        spoken.reverse()
        return tuple(_take_messages(spoken, first))

    def _disown_summaries(self, spoken: Sequence[DraftMessage]) -> None:
        """Make a summary of what another session holds no note of this one, and one that says nothing new.

        Only in the other session it is known what of it the owner asked not to keep. Some agents sum up every few
        minutes, whether anything was said or not.
        """
        new, last = False, list[str]()
        for draft in spoken:
            if draft.origin is Origin.SUMMARY:
                tells = new and draft.parts != last and not self.skipped["copied"]
                draft.origin = Origin.SUMMARY if tells else Origin.MEMORY
                new, last = False, draft.parts
            else:
                new = new or draft.origin in (Origin.OWNER, Origin.ASSISTANT)


def _take_messages(drafts: list[DraftMessage], first: datetime) -> Iterator[Message]:
    """The messages of drafts from the last to the first of the list, which is empty then."""
    while drafts:
        draft = drafts.pop()
        yield draft.message(draft.time or first)
