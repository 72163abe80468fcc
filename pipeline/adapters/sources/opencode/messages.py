"""The messages of one OpenCode session, whichever way they are stored.

The owner's answers in the program's dialogue of questions stand in the state of its own tool; a server's tool has the
server's name before its own.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pipeline.adapters.sources.evidence.calls import CallResult, by_status
from pipeline.adapters.sources.evidence.readings import short
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    decoded,
    identifier,
    mapping,
    strings,
    texts,
    word,
)
from pipeline.adapters.sources.speakers import opencode as marks
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.evidence import EvidenceKind
from schemas.transcript import Origin, Role

_PARTS = frozenset(
    {
        "text", "reasoning", "tool", "file", "step-start", "step-finish", "compaction", "patch", "snapshot", "agent",
        "subtask", "retry",
    }
)  # fmt: skip
# The commands that come with the program: their whole text stands in the person's place, without a mark.
_TEMPLATES = (
    "Please analyze this codebase and create an AGENTS.md",
    "Create or update `AGENTS.md` for this repository",
    "You are a code reviewer. Your job is to review code changes",
)
_ROLES = {
    "synthetic": (Role.USER, Origin.MACHINE),
    "skill": (Role.USER, Origin.MACHINE),
    "system": (Role.SYSTEM, Origin.MACHINE),
    "shell": (Role.TOOL, Origin.TOOL),
    "compaction": (Role.SYSTEM, Origin.SUMMARY),
}
"""The side and the speaker of records that say it by their own name."""
_OUTCOMES = {"completed": True, "error": False}
HARNESS = "opencode"
"""Its name in the table of tools."""
_SILENT = frozenset({"agent-switched", "model-switched"})


class OpenCodeProgress:
    """The state of a session after the messages read so far.

    A fork is a session with copies of an older one's messages, at their old times: what is older than `begin`, the
    beginning of this session, counts in the session it was said in.
    """

    def __init__(self, begin: datetime | None) -> None:
        self.assembly = Assembly()
        self._begin = begin
        self._answers = 0

    def take(self, number: int, record: Record, parts: Sequence[Record]) -> None:
        """Adds a message: `id`, `timestamp`, `role` and `summary` of the record, and its parts in their order.

        An answer of the owner's in a dialogue is a message of its own, with the next number.
        """
        number += self._answers
        entry_id = self.assembly.admit(number, record, "id")
        if not entry_id:
            return
        self.assembly.check(list(parts), _PARTS)
        role, ids = word(record.get("role")), [entry_id]
        typed, injected = _texts(parts, injected=False), _texts(parts, injected=True)
        if role == "user":
            words = [text for text in map(marks.typed, typed) if text]
            origin, said = typed_words(words, _is_template)
            self._add(DraftMessage(number, ids, Role.USER, origin, said or typed or injected))
        elif role == "assistant" and record.get("summary"):
            self._add(DraftMessage(number, ids, Role.SYSTEM, Origin.SUMMARY, typed))
        elif role == "assistant":
            typed += [question for part in parts for question in _questions(part)]
            origin = Origin.ASSISTANT if typed or not injected else Origin.MACHINE
            self._add(DraftMessage(number, ids, Role.ASSISTANT, origin, typed or injected))
            if not self._is_copied():
                self._note_calls(number, parts)
            self._add_answers(number, record, parts)
        elif role in _ROLES:
            self._add(DraftMessage(number, ids, *_ROLES[role], typed))
        elif role in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", role)

    def _add_answers(self, number: int, record: Record, parts: Sequence[Record]) -> None:
        asked = [(identifier(part.get("id")), given) for part in parts if (given := _answers(part))]
        for part_id, given in asked:
            entry_id = self.assembly.admit(number + 1, {"id": part_id, "timestamp": record.get("timestamp")}, "id")
            if entry_id:
                number += 1
                self._answers += 1
                said = answer_text(choice for _, choice in given)
                self._add(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))
                for question, choice in given if not self._is_copied() else ():
                    place = self.assembly.place(number)
                    self.assembly.calls.stated(EvidenceKind.ANSWER, place, short(choice), short(question))

    def _note_calls(self, number: int, parts: Sequence[Record]) -> None:
        calls, place = self.assembly.calls, self.assembly.place(number)
        for part in parts:
            if part.get("type") == "tool":
                state, call_id = _state(part), part.get("callID")
                calls.called(HARNESS, word(part.get("tool")), call_id, state.get("input"), place)
                calls.returned(call_id, CallResult(_has_succeeded(state)))

    def _is_copied(self) -> bool:
        clock = self.assembly.clock
        return self._begin is not None and clock is not None and clock < self._begin

    def _add(self, draft: DraftMessage) -> None:
        if draft.parts and self._is_copied():
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1
        self.assembly.add(draft)


def _texts(parts: Sequence[Record], *, injected: bool) -> list[str]:
    """The texts of a message: those that the program or a plugin put in, or the others."""
    return list(_matching(parts, injected))


def _matching(parts: Sequence[Record], injected: bool) -> Iterator[str]:  # noqa: FBT001 - a private step
    for part in parts:
        if bool(part.get("synthetic") or part.get("ignored")) is injected:
            yield from texts([part])


def _is_template(text: str) -> bool:
    return text.startswith(_TEMPLATES)


def _questions(part: Record) -> list[str]:
    asked = (
        word(question.get("question")) for question in blocks(mapping(_dialogue(part).get("input")).get("questions"))
    )
    return [clean(question) for question in asked if question.strip()]


def _answers(part: Record) -> list[tuple[str, str]]:
    """The owner's answers of a dialogue, behind their questions."""
    given, asked = mapping(_dialogue(part).get("metadata")).get("answers"), _questions(part)
    lists = given if isinstance(given, list) else []
    said = [(place, answer.strip()) for place, chosen in enumerate(lists) for answer in strings(chosen)]
    return [(asked[place] if place < len(asked) else "", answer) for place, answer in said if answer]


def _dialogue(part: Record) -> Record:
    """The state of a call of the program's tool for questions."""
    return _state(part) if part.get("type") == "tool" and part.get("tool") == "question" else {}


def _state(part: Record) -> Record:
    """The state of a call: an object in a file, and its text from a store."""
    state = part.get("state")
    return mapping(decoded(state) if isinstance(state, str) else state)


def _has_succeeded(state: Record) -> bool | None:
    """Whether a call succeeded: by the status of a command, else by the program's mark."""
    return by_status(mapping(state.get("metadata")).get("exit"), otherwise=_OUTCOMES.get(word(state.get("status"))))
