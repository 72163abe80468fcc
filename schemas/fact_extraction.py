"""What a reader of a session, model or not, may answer about facts. Nothing is believed before code checks it."""

from typing import Literal

from pydantic import Field

from schemas.base import Value
from schemas.fact import LONGEST, FactKind

MOST = 5
"""The most facts of one session."""


class FactCandidate(Value):
    """One thing that may be retained.

    `quote_number` is the number of the message that holds `quote` verbatim: the owner's, or of `EXPERIENCE` the
    assistant's. `entities` are names as they stand in that message, or `Owner`. With `asked` the owner asks to remember
    it. `confidence` is 0 to 1.
    """

    kind: Literal[FactKind.WORLD, FactKind.OPINION, FactKind.EXPERIENCE]
    entities: tuple[str, ...] = ()
    text: str = Field(min_length=1, max_length=LONGEST)
    quote: str = Field(min_length=1)
    quote_number: int
    asked: bool = False
    confidence: float = Field(ge=0, le=1)


class FactExtraction(Value):
    """The facts of one session, in the order of their messages; of most sessions there are none."""

    facts: tuple[FactCandidate, ...] = Field(default=(), max_length=MOST)
