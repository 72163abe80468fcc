"""Which lines of an agent's memory new facts take the place of: the question, and what may be answered."""

from pydantic import Field

from schemas.base import Value

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


class BrainQuestion(Value):
    """What the agent knows, and what a session adds to it."""

    lines: tuple[BrainLine, ...]
    facts: tuple[NewFact, ...]


class ReplacedLine(Value):
    """The answer that a fact takes the place of a line."""

    fact: int
    line: str


class BrainAnswer(Value):
    """All such pairs; most sessions have none."""

    replaced: tuple[ReplacedLine, ...] = Field(default=(), max_length=MOST_REPLACED)
