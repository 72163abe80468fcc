"""The answers of a reader of a piece of a session, model or not. Code checks them before anything is believed."""

from typing import Literal

from pydantic import Field

from schemas.base import Value
from schemas.extraction import Candidate
from schemas.fact import MOST as MOST_RETAINED
from schemas.fact import FactCandidate
from schemas.memory_change import LONGEST, Operation
from schemas.summary import Point

MOST_FACTS, MOST_SENTENCES = 8, 5


class SessionFact(Value):
    """A thing that the agent's memory should hold, replace or lose.

    `quote_number` is the number of the owner's message that holds `quote` verbatim; `support_numbers` and
    `confirmation` are those of a `Candidate`. `replaces` are the words that name the line which an `UPDATE` replaces or
    a `DELETE` removes.
    """

    operation: Literal[
        Operation.CORE,
        Operation.PREFERENCE,
        Operation.DECISION,
        Operation.PROJECT,
        Operation.UPDATE,
        Operation.DELETE,
    ]
    text: str = Field(min_length=1, max_length=LONGEST)
    quote: str = Field(min_length=1)
    quote_number: int
    support_numbers: tuple[int, ...] = ()
    confirmation: Literal["stated", "accepted"] = "stated"
    importance: int = Field(default=3, ge=1, le=5)
    confidence: float = Field(ge=0, le=1)
    replaces: str = ""


class SessionExtraction(Value):
    """The facts of a session in the order of their messages, and its topic, in a few sentences."""

    facts: tuple[SessionFact, ...] = ()
    sentences: tuple[str, ...] = ()


class SessionAnswer(Value):
    """All that a memory keeps of a piece, each list in the order of its messages.

    `candidates` are for entries of the day's file, `points` for the summary of the day, `facts` and `sentences` for the
    memory of the agent that spoke, `retained` for the pages of facts.
    """

    candidates: tuple[Candidate, ...] = ()
    points: tuple[Point, ...] = ()
    facts: tuple[SessionFact, ...] = Field(default=(), max_length=MOST_FACTS)
    retained: tuple[FactCandidate, ...] = Field(default=(), max_length=MOST_RETAINED)
    sentences: tuple[str, ...] = Field(default=(), max_length=MOST_SENTENCES)
