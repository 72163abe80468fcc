"""The entries of one OpenClaw or Pi session, read in the order of the file."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from pipeline.adapters.sources.evidence import CallResult, by_status
from pipeline.adapters.sources.reading.assembly import SNIFFED, Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    clean,
    identifier,
    mapping,
    moment,
    one_line,
    texts,
    word,
)
from pipeline.adapters.sources.speakers import marks, tasks
from pipeline.adapters.sources.speakers.envelopes import KIND, Words, unwrap, unwrap_with_context, without_tags
from pipeline.adapters.sources.speakers.owner import Owner, tool_origin
from schemas.transcript import Message, Origin, Role

_NONE = -1  # the place of no entry: before the first one
_KINDS = frozenset(
    {
        "message",
        "thinking_level_change",
        "model_change",
        "compaction",
        "branch_summary",
        "custom",
        "custom_message",
        "label",
        "session_info",
    }
)


class Branches:
    """The entries noted so far, by their places from 0; ids and places alone are held.

    `branched` is set once an entry does not follow the last one.
    """

    def __init__(self, taken_back: frozenset[str] = frozenset()) -> None:
        """`taken_back` are ids of entries that are known to be on dead branches, from a later copy of the session."""
        self.branched = bool(taken_back)
        self._taken_back = taken_back
        self._places: dict[str, int] = {}
        self._parents: list[int] = []
        self._aside: set[int] = set()
        self._last = self._appended = _NONE
        self._lost = False

    def note(self, record: Record) -> None:
        """Take the next entry of the file; one without an id, or of an id that was there before, has no place."""
        entry_id = record.get("id")
        if not isinstance(entry_id, str) or entry_id in self._places or record.get("type") == "session":
            return
        if record.get("type") == "leaf":
            self._turn(entry_id, record)
            return
        side = record.get("appendMode") == "side"
        parent = self._parent(record, side=side)
        place = self._add(entry_id, parent)
        self._appended = place
        if side or word(record.get("type")) not in _KINDS:
            self._aside.add(place)
        else:
            self.branched = self.branched or parent != self._last
            self._last = place

    def dead(self) -> frozenset[str]:
        """The ids of the entries on dead branches; none of them when the parents of some are not in the file."""
        if self._lost:
            return self._taken_back
        alive, place = bytearray(len(self._parents)), self._last
        while place != _NONE:
            alive[place] = True
            place = self._parents[place]
        for place in sorted(self._aside):  # what is aside stands and falls with what it is about
            alive[place] = self._parents[place] == _NONE or alive[self._parents[place]]
        return self._taken_back.union(entry_id for entry_id, place in self._places.items() if not alive[place])

    def _add(self, entry_id: str, parent: int) -> int:
        self._places[entry_id] = len(self._parents)
        self._parents.append(parent)
        return len(self._parents) - 1

    def _parent(self, record: Record, *, side: bool) -> int:
        if "parentId" not in record:
            return self._last
        if record["parentId"] is None:
            return _NONE
        parent = self._place(record["parentId"])
        if parent is None:
            # The first entry may follow one of another file; where another one stood, there may be branches.
            self._lost = self._lost or bool(self._parents)
            self.branched = self.branched or self._lost
            return self._last
        return self._last if parent == self._appended and not side else parent

    def _turn(self, entry_id: str, record: Record) -> None:
        """Make the target of a `leaf` the last entry; one that names no entry of the file changes nothing."""
        target = self._place(record.get("targetId"))
        appended = self._place(record.get("appendParentId", record.get("targetId")))
        if target is None or appended is None or "targetId" not in record:
            self._aside.add(self._add(entry_id, self._last))
            return
        self._aside.add(self._add(entry_id, target))
        self.branched = self.branched or target != self._last
        self._last, self._appended = target, appended

    def _place(self, entry_id: object) -> int | None:
        """The place of an id, `_NONE` for no id, and `None` for one that is not known."""
        if entry_id is None:
            return _NONE
        return self._places.get(entry_id) if isinstance(entry_id, str) else None


# The stamp, or the channel's own id, of what a person sent once.
_SENT = re.compile(
    r'\[message_id: ([^\]\n]{1,200})\]|"message_id": ?"([^"\n]{1,200})"|'
    r"^\[[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d [^\]\n]{1,20})\]",
    re.MULTILINE,
)
_DIGEST = 8  # bytes


def identify_statement(message: Record) -> str:
    """The name of what a message says at its own time (ms); empty when it has none.

    A copy of a record has another id and is recorded at another time, but says the same at the same time.
    """
    time = message.get("timestamp")
    if not isinstance(time, int | float | str) or isinstance(time, bool):
        return ""
    parts = [message.get("role"), time, message.get("toolCallId"), texts(message.get("content"))]
    try:
        text = json.dumps(parts)
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

        `name` is that of `identify_statement`.
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

    def find_abandoned(self) -> frozenset[str]:
        """The ids of records whose message has no living one."""
        gone = (original for original in self._known.values() if not original.alive)
        return frozenset(name for original in gone for name in (original.entry_id, *original.copies))

    def count(self, skipped: Counter[str]) -> None:
        """Count the copies as `repeated`, and the records of messages without a living one as `abandoned`."""
        repeated = sum(len(original.copies) for original in self._known.values() if original.alive)
        for reason, number in (("repeated", repeated), ("abandoned", len(self.find_abandoned()))):
            if number:
                skipped[reason] += number


class Retries:
    """The messages that a person sent once and the agent recorded again: at a failed answer, or after a compaction."""

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

    def note_answer(self) -> None:
        """Note an answer of the assistant: the same words at the same time are said again."""
        self._open = False

    def note_compaction(self) -> None:
        """Note a compaction: it records the last message once more."""
        self._open = True


_SILENT = frozenset({"model_change", "thinking_level_change", "custom", "label", "session_info", "leaf"})
_BLOCKS = frozenset({"text", "thinking", "toolCall", "image"})
_DELIVERY = frozenset({"delivery-mirror", "gateway-injected"})
_MIRROR = "openclawDeliveryMirror"
_JOB = "[cron:"
HARNESS = "openclaw"
"""Its name in the table of tools; Pi has the same."""
_ROUTED = frozenset({"inter_session", "internal_system"})


Numbered = Iterator[tuple[int, Record]]

Records = Callable[[Counter[str]], Numbered]
"""Reads the records of a session from their beginning, with their numbers; what is passed over is counted."""


def read_entries(
    owner_ids: Sequence[str], records: Records, taken_back: frozenset[str] = frozenset(), *, sniffed: bool = True
) -> "OpenClawProgress | None":
    """A session after all its records; `None` when they show to be none of this format, unless not to be `sniffed`.

    A session with dead branches is read a second time, without them. `taken_back` are ids of entries on such.
    """
    reading, branches, end = OpenClawProgress(Owner(owner_ids)), Branches(taken_back), 0
    for number, record in _entries(records, reading.assembly, sniffed=sniffed):
        branches.note(record)
        end = number
        if not branches.branched:
            reading.take(number, record)
        elif reading.assembly.drafts:
            reading.assembly.drafts.clear()  # not to be held twice
    if branches.branched:
        reading = OpenClawProgress(Owner(owner_ids), branches.dead())
        for number, record in _entries(records, reading.assembly, sniffed=sniffed):
            if number <= end:  # the file may have grown
                reading.take(number, record)
    return reading if end or not sniffed else None


def _entries(records: Records, assembly: Assembly, *, sniffed: bool) -> Numbered:
    """The entries of this format; none as soon as the records show to be of another."""
    known = not sniffed
    for number, record in records(assembly.skipped):
        known = known or _is_entry(record)
        if known:
            yield number, record
        elif number >= SNIFFED or "uuid" in record or "sessionId" in record:
            return
        else:
            assembly.pass_over("unknown_record", record.get("type"))


class OpenClawProgress:
    """The state of a session after the entries read so far.

    `_copied_until` is set when the session was forked off another: older messages belong to that one, and count there.
    `_answers_machine` is set from a scheduler's turn up to the next person's. `_first_asked` came with the session's
    beginning, as a sub-agent's task does; `_bare`: it has all marks of one.
    `_unnamed` is the message before, if it names no speaker: the record behind it can.
    """

    def __init__(self, owner: Owner, dead: frozenset[str] | None = None) -> None:
        """`dead` are the ids of entries on dead branches; `None` of a session without branches."""
        self.assembly = Assembly()
        self.session_id = ""
        self.project = ""
        self.parent = ""
        self._owner = owner
        self._originals = None if dead is None else Originals(dead)
        self._retries = Retries()
        self._copied_until: datetime | None = None
        self._answers_machine = False
        self._began: datetime | None = None
        self._first_asked: DraftMessage | None = None
        self._bare = False
        self._unnamed: DraftMessage | None = None

    @property
    def abandoned_ids(self) -> frozenset[str]:
        """The ids of the records that were taken back."""
        return self._originals.find_abandoned() if self._originals else frozenset()

    def finish(self, *, grouped: bool, deleted: datetime | None = None) -> tuple[Message, ...]:
        """All messages with their origin; `grouped` means that the session is known to be a group's.

        `deleted` is the time at which the program put the session's file aside for good.
        """
        self._owner.settle(self.assembly.drafts, grouped=grouped)
        if self._bare or tasks.is_swept(self._began, deleted):
            tasks.settle(self.assembly.drafts, self._first_asked)
        if self._originals:
            self._originals.count(self.assembly.skipped)
            self.assembly.drafts.sort(key=lambda draft: draft.number)
        return self.assembly.messages()

    def take(self, number: int, record: Record) -> None:
        """Take the next record."""
        kind = word(record.get("type"))
        if kind == "session":
            self._header(record)
            return
        entry_id = self.assembly.admit(number, record, "id")
        if not entry_id:
            return
        if kind in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        elif self._originals is None:
            self._entry(number, entry_id, record)
        else:
            self._first(self._originals, number, entry_id, record)

    def _first(self, originals: Originals, number: int, entry_id: str, record: Record) -> None:
        """Take the first living record of a message, with the number, the id and the time of its original."""
        clock, drafts = self.assembly.clock, len(self.assembly.drafts)
        original = originals.take(number, entry_id, clock, identify_statement(mapping(record.get("message"))))
        if original is None:
            return
        self.assembly.clock = original.time
        self._entry(original.number, original.entry_id, record)
        self.assembly.clock = clock
        for draft in self.assembly.drafts[drafts:]:
            draft.aliases += original.copies
            original.draft = draft

    def _entry(self, number: int, entry_id: str, record: Record) -> None:
        kind = word(record.get("type"))
        if kind == "message":
            self._message(number, entry_id, mapping(record.get("message")))
        elif kind in ("compaction", "branch_summary"):
            self._retries.note_compaction()
            summary = record.get("summary")
            parts = [clean(summary)] if isinstance(summary, str) and summary.strip() else []
            # What was left for another branch was taken back, and so is what tells it again.
            origin = Origin.SUMMARY if kind == "compaction" else Origin.MEMORY
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, origin, parts))
        elif kind == "custom_message":
            parts = texts(record.get("content"))
            if record.get("customType") == KIND:
                self._name("\n".join(parts))
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, parts))
        else:
            self.assembly.pass_over("unknown_record", kind, record)

    def _header(self, record: Record) -> None:
        if self.session_id or self.project:
            self.assembly.skipped["repeated"] += 1
            return
        self.session_id = identifier(record.get("id"))
        self.project = one_line(record.get("cwd"))
        self.parent = one_line(record.get("parentSession"))
        self._began = self.assembly.clock = moment(record.get("timestamp"))
        if self.parent:
            self._copied_until = self.assembly.clock

    def _add(self, draft: DraftMessage) -> None:
        if draft.parts and self._is_copied():
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1
        self.assembly.add(draft)

    def _is_copied(self) -> bool:
        """Whether the clock stands before a fork: what was said then counts in the session that it was said in."""
        clock = self.assembly.clock
        return self._copied_until is not None and clock is not None and clock < self._copied_until

    def _message(self, number: int, entry_id: str, message: Record) -> None:
        role, content = message.get("role"), message.get("content")
        self._unnamed = None
        self.assembly.check(content, _BLOCKS)
        if role == "user":
            self._user(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, texts(content)), message)
        elif role == "assistant":
            self._assistant(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, texts(content)), message)
            self._note_calls(number, content)
        elif role == "toolResult":
            self.assembly.calls.take_result(message.get("toolCallId"), CallResult(_has_succeeded(message)))
            self._add(DraftMessage(number, [entry_id], Role.TOOL, tool_origin(message.get("toolName")), texts(content)))
        elif role == "bashExecution":
            self._add(DraftMessage(number, [entry_id], Role.TOOL, Origin.TOOL, texts(message.get("output"))))
        elif role == "system":
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, texts(content)))
        else:
            self.assembly.pass_over("unknown_role", role, message)

    def _note_calls(self, number: int, content: object) -> None:
        place = self.assembly.place(number)
        if self._is_copied() or self._answers_machine:
            return
        for block in blocks(content):
            if block.get("type") == "toolCall":
                name, given = word(block.get("name")), block.get("arguments")
                self.assembly.calls.take_call(HARNESS, name, block.get("id"), given, place)

    def _user(self, draft: DraftMessage, message: Record) -> None:
        text = "\n".join(draft.parts)
        delay = self.assembly.clock - self._began if self.assembly.clock and self._began else None
        if delay is not None and tasks.comes_at_once(text, delay):
            self._first_asked, self._bare = draft, tasks.is_bare_task(text, delay)
        parts = [*unwrap(text)]
        routed = word(mapping(message.get("provenance")).get("kind")) in _ROUTED
        starts = [_mark(words, routed=routed) for words in parts]
        words = self._owner.choose([part for part in parts if not marks.is_fixed(part.text)] or parts)
        draft.origin = words.origin
        draft.senders = () if words.origin is Origin.MACHINE else words.senders
        if words.origin is not Origin.MACHINE or not marks.is_notice(words.text):
            self._answers_machine = words.origin is Origin.MACHINE and any(starts)
        if words.text:
            draft.parts = [words.text]
        if words.origin is Origin.OWNER and self._retries.repeats(draft, text):
            self.assembly.skipped["repeated"] += 1
            return
        if words.origin is Origin.OWNER and not words.senders:
            self._unnamed = draft
        self._alias(draft, message)
        self._add(draft)

    def _name(self, context: str) -> None:
        """Read the speaker of the message before out of the record behind it."""
        draft, self._unnamed = self._unnamed, None
        if draft is None or not (parts := unwrap_with_context("\n".join(draft.parts), context)):
            return
        words = self._owner.choose(parts)
        draft.senders = words.senders
        if words.origin is not Origin.OWNER:
            draft.origin = Origin.OTHER

    def _assistant(self, draft: DraftMessage, message: Record) -> None:
        text = marks.without_thoughts(without_tags("\n".join(draft.parts)))
        if self._answers_machine or marks.is_failure(text) or _is_delivery(message, text):
            draft.origin = Origin.MACHINE
        else:
            text = marks.without_token(text)
        draft.parts = [text] if text.strip() else []
        if draft.parts and draft.origin is Origin.ASSISTANT:
            self._retries.note_answer()
        self._alias(draft, message)
        self._add(draft)

    def _alias(self, draft: DraftMessage, message: Record) -> None:
        """Give a message the name of what it says, by which it is known in another file of its session."""
        if draft.parts and (name := identify_statement(message)):
            draft.aliases.append(name)


def _has_succeeded(message: Record) -> bool | None:
    """Whether a call succeeded: by the status of a command, else by the program's mark of an error."""
    failed = message.get("isError")
    code = mapping(message.get("details")).get("exitCode")
    return by_status(code, otherwise=not failed if isinstance(failed, bool) else None)


def _is_delivery(message: Record, text: str) -> bool:
    """Whether an assistant's text was only brought here: a mirror of another answer, a scheduled job's output."""
    return word(message.get("model")) in _DELIVERY or _MIRROR in message or text.startswith(_JOB)


def _mark(words: Words, *, routed: bool) -> bool:
    """Mark a part as a machine's when its text shows it; whether a machine's turn starts with it."""
    words.text = marks.without_reset(words.text)
    starts = routed or marks.starts_machine_turn(words.text)
    if starts or marks.is_notice(words.text):
        words.origin, words.senders = Origin.MACHINE, ()
    return starts


def _is_entry(record: Record) -> bool:
    """Whether a record is surely of this format: its header, or an entry of its tree."""
    if "uuid" in record or "sessionId" in record:
        return False
    if record.get("type") == "session":
        return isinstance(record.get("id"), str) and "timestamp" in record
    return "parentId" in record and "id" in record and isinstance(record.get("type"), str)
