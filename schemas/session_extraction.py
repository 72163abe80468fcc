"""What a reader of an agent's ended session, model or not, may answer. Nothing is believed before code checks it."""

from typing import Literal

from pydantic import Field

from schemas.base import Value
from schemas.memory_change import LONGEST, Operation

MOST_FACTS, MOST_SENTENCES = 8, 5


class SessionFact(Value):
    """One thing that the agent's memory should hold, replace or lose.

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
    """The facts of a session in the order of their messages, and what it was about, in a few sentences."""

    facts: tuple[SessionFact, ...] = ()
    sentences: tuple[str, ...] = ()
