"""A fact: a sentence about the world, a deed of an agent, or an opinion, with the words it rests on."""

from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import Field

from schemas.base import Value

LONGEST = 400
"""The most characters of the sentence of a fact; a longer sentence is no single fact."""

UNVERIFIED_CONFIDENCE = 50
"""The highest confidence, in hundredths, of a fact without a trusted word."""


class FactKind(StrEnum):
    """The kind of a fact; the value is its letter in a file.

    `WORLD`: what is so. `EXPERIENCE`: what the agent did. `OPINION`: what somebody prefers or thinks. `OBSERVATION`:
    what several facts have in common.
    """

    WORLD = "W"
    EXPERIENCE = "B"
    OPINION = "O"
    OBSERVATION = "S"

    @property
    def term(self) -> str:
        """The kind in a word, as searches have it: `world`, `experience`, `opinion`, `observation`."""
        return self.name.lower()


class FactWord(StrEnum):
    """The word that a fact rests on.

    `ASKED`: the owner asked to have it remembered. `OWNER`: the owner said it. `ACCEPTED`: a person accepted it.
    `AGENT`: the assistant said that it did it. `UNVERIFIED`: it stands in a file, and nobody knows who wrote it.
    """

    ASKED = "owner asked"
    OWNER = "owner"
    ACCEPTED = "accepted"
    AGENT = "agent"
    UNVERIFIED = "unverified"

    @property
    def is_trusted(self) -> bool:
        """Whether it is the word of the owner or of a person."""
        return self in {FactWord.ASKED, FactWord.OWNER, FactWord.ACCEPTED}


class Fact(Value):
    """A fact of a file.

    `id` is empty for one that we did not write. `entities` are the names behind `@` as written. `stated` is the
    confidence that the line states, in hundredths. `numbers` are the first and the last message of the quote's
    exchange; of what a person accepted, `session_id` is the path of the file and they are its line. `supports`,
    `contradicts` and `replaces` are ids of earlier facts; `supported_by`, `contradicted_by` and `replaced_by` are ids
    of later ones, in a fact that was written down after these. `day` is when it was said, `path` and `line` (from 1)
    where it stands.
    """

    id: str = ""
    kind: FactKind
    entities: tuple[str, ...] = ()
    text: str = Field(min_length=1)
    stated: int | None = Field(default=None, ge=0, le=100)
    word: FactWord = FactWord.UNVERIFIED
    quote: str = ""
    session_id: str = ""
    numbers: tuple[int, int] = (0, 0)
    supports: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    supported_by: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()
    replaced_by: tuple[str, ...] = ()
    day: date
    path: str = ""
    line: int = 0

    def as_unverified(self) -> "Fact":
        """The fact without the fields that only an item of ours can prove."""
        return Fact(
            kind=self.kind,
            entities=self.entities,
            text=self.text,
            stated=self.stated,
            day=self.day,
            path=self.path,
            line=self.line,
        )


MOST = 5
"""The most facts of one session."""


class FactCandidate(Value):
    """A statement that may be retained.

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
