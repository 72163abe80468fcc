"""The messages of one OpenCode session, whichever way they are stored."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pipeline.adapters.sources.opencode.questions import answers, questions
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import Record, identifier, texts, word
from pipeline.adapters.sources.speakers import opencode as marks
from pipeline.adapters.sources.speakers.typed import typed_words
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
    "compaction": (Role.SYSTEM, Origin.MEMORY),
}
"""The side and the speaker of records that say it by their own name."""
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
            self._add(DraftMessage(number, ids, Role.SYSTEM, Origin.MEMORY, typed))
        elif role == "assistant":
            typed += [question for part in parts for question in questions(part)]
            origin = Origin.ASSISTANT if typed or not injected else Origin.MACHINE
            self._add(DraftMessage(number, ids, Role.ASSISTANT, origin, typed or injected))
            self._answer(number, record, parts)
        elif role in _ROLES:
            self._add(DraftMessage(number, ids, *_ROLES[role], typed))
        elif role in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", role)

    def _answer(self, number: int, record: Record, parts: Sequence[Record]) -> None:
        given = [(identifier(part.get("id")), said) for part in parts if (said := answers(part))]
        for part_id, said in given:
            entry_id = self.assembly.admit(number + 1, {"id": part_id, "timestamp": record.get("timestamp")}, "id")
            if entry_id:
                number += 1
                self._answers += 1
                self._add(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))

    def _add(self, draft: DraftMessage) -> None:
        clock = self.assembly.clock
        if self._begin and clock and clock < self._begin and draft.parts:
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
