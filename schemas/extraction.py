"""The answers of a reader of a session, model or not. Code checks them before anything is believed."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from enum import StrEnum
from itertools import accumulate
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from schemas.base import Value
from schemas.divisible_input import DivisibleInput
from schemas.entry import NOT_STATED, Kind
from schemas.transcript import Message, Origin

NEW_MARK = "--- new ---"
"""Stands above the first new row of a conversation, below its context."""

_CONTEXT_SHARE = 4
"""A part of a conversation carries at most this fraction of it as context."""


class Conversation(DivisibleInput):
    """A piece of a session to read: conversational messages in order, redacted, with what precedes as context.

    A summary that the agent made of what was before may be in the context.
    Only what the owner confirmed in a message numbered `first_new` or above is asked for; earlier messages explain it.
    """

    session_id: str
    first_new: int
    messages: tuple[Message, ...]
    project: str = ""

    def render_for_question(self) -> str:
        """The conversation as rows: `[number speaker hour:minute] text`, under their days.

        What a message says cannot pass for a row, a day or a mark: all its lines but the first are indented.
        """
        lines, day = [f"project: {self.project}"] if self.project else [], ""
        for place, message in enumerate(self.messages):
            if place and message.number >= self.first_new > self.messages[place - 1].number:
                lines.append(NEW_MARK)
            if day != (day := f"{message.time:%Y-%m-%d %A}"):
                lines.append(day)
            head, *rest = message.text.splitlines() or [""]
            lines += [
                f"[{message.number} {message.origin} {message.time:%H:%M}] {head}",
                *(f"  {line}" for line in rest),
            ]
        return "\n".join(lines)

    @property
    def smallest(self) -> str:
        """The single message of the question."""
        return f"message {self.first_new} of session {self.session_id}"

    def parts(self) -> "Sequence[Conversation]":
        """Two halves of what is new, each with less context; of a single new message, the same with half the context.

        The second half begins where the owner speaks, if it can.
        """
        new = next(
            (at for at, message in enumerate(self.messages) if message.number >= self.first_new), len(self.messages)
        )
        later = range(new + 1, len(self.messages))
        if not later:
            return (self._part((new + 1) // 2, new, len(self.messages)),) if 0 < new < len(self.messages) else ()
        sizes = list(accumulate(len(message.text) for message in self.messages[new:]))
        begins = [at for at in later if self.messages[at].origin is Origin.OWNER] or later
        middle = min(begins, key=lambda at: abs(2 * sizes[at - new - 1] - sizes[-1]))
        bounds = ((new, middle), (middle, len(self.messages)))
        return [self._part(self._context_of(start), start, stop) for start, stop in bounds]

    def _context_of(self, start: int) -> int:
        """The place where the context of a part begins that has its first new message at `start`."""
        room = sum(len(message.text) for message in self.messages) // _CONTEXT_SHARE
        sizes = accumulate(len(message.text) for message in reversed(self.messages[:start]))
        return start - sum(1 for size in sizes if size <= room)

    def _part(self, first: int, start: int, stop: int) -> "Conversation":
        changes = {"first_new": self.messages[start].number, "messages": self.messages[first:stop]}
        return self.model_copy(update=changes)


def _day_or_none(value: object) -> date | None:
    with suppress(ValueError, TypeError):
        return value if isinstance(value, date) else date.fromisoformat(str(value))
    return None


LastDay = Annotated[date | None, BeforeValidator(_day_or_none)]
"""The last day on which something holds. What is no day costs no item: it is not known then."""


class Candidate(Value):
    """A statement that may deserve an entry.

    `quote_number` is the number of the owner's message that holds `quote` verbatim. `support_numbers` are the other
    messages it rests on (a proposal that the owner accepts, a correction). `confirmation` tells how the owner settled
    it. `until` and `goal` are as in an entry.
    """

    kind: Kind
    title: str = Field(min_length=1, max_length=120)
    quote: str = Field(min_length=1)
    quote_number: int
    support_numbers: tuple[int, ...] = ()
    confirmation: Literal["stated", "accepted"] = "stated"
    why: str = NOT_STATED
    finding: str = NOT_STATED
    conclusion: str = Field(min_length=1)
    impact: str = NOT_STATED
    confidence: float = Field(ge=0, le=1)
    until: LastDay = None
    goal: bool = False


class WordsDoubt(StrEnum):
    """Why a candidate that was read without a model waits for a person, however sure its words are."""

    TAKEN_BACK = "perhaps_taken_back"
    OF_OTHERS = "perhaps_of_others"
    NOT_UNDERSTOOD = "not_understood"


class DoubtedCandidate(Candidate):
    """A candidate that only a person can decide about."""

    doubt: WordsDoubt


class WishedCandidate(Candidate):
    """A clear request of the owner to remember something, read by code besides a model, which may miss it."""


class NotedCandidate(Candidate):
    """Words of the owner that an agent noted, perhaps long after they were said: only a person can decide."""


class ProposedCandidate(Candidate):
    """A candidate that the agent of the session proposed. `waits` is the rule by which a person decides, or empty."""

    waits: str = ""


class Extraction(Value):
    """All candidates of one piece, in the order of their messages."""

    candidates: tuple[Candidate, ...] = ()
