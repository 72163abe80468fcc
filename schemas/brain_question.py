"""Which lines of an agent's memory new facts take the place of: the question, and what may be answered."""

from collections.abc import Sequence

from pydantic import Field

from schemas.base import Value
from schemas.divisible_input import DivisibleInput, halves

MOST_REPLACED = 24


class BrainLine(Value):
    """A line that the agent knows, by its id and the day on which it was said."""

    id: str
    day: str
    text: str


class NewFact(Value):
    """A fact of the session that has ended, by its number in the question, with the owner's words."""

    number: int
    day: str
    text: str
    quote: str


class BrainQuestion(DivisibleInput):
    """The lines that the agent knows, and the facts that a session adds."""

    lines: tuple[BrainLine, ...]
    facts: tuple[NewFact, ...]

    def parts(self) -> "Sequence[BrainQuestion]":
        """All facts beside each half of the lines."""
        return [BrainQuestion(lines=self.lines[half], facts=self.facts) for half in halves(self.lines)]


class ReplacedLine(Value):
    """The answer that a fact takes the place of a line."""

    fact: int
    line: str


class BrainAnswer(Value):
    """All such pairs; most sessions have none."""

    replaced: tuple[ReplacedLine, ...] = Field(default=(), max_length=MOST_REPLACED)
