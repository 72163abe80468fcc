"""A fact: one sentence about the world, what an agent did, or what somebody holds, with the words it rests on."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from schemas.base import Value

LONGEST = 400
"""Characters of the sentence of a fact; what is longer is no single fact."""

UNVERIFIED_CONFIDENCE = 50
"""The highest confidence, in hundredths, of a fact that nobody vouches for."""


class FactKind(StrEnum):
    """What a fact is about; the value is its letter in a file.

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
    """Whose word a fact rests on.

    `ASKED`: the owner asked to have it remembered. `OWNER`: the owner said it. `ACCEPTED`: a person accepted it.
    `AGENT`: the assistant said that it did it. `UNVERIFIED`: it stands in a file, and nobody knows who wrote it.
    """

    ASKED = "owner asked"
    OWNER = "owner"
    ACCEPTED = "accepted"
    AGENT = "agent"
    UNVERIFIED = "unverified"

    @property
    def trusted(self) -> bool:
        """Whether the owner or a person stands behind it."""
        return self in {FactWord.ASKED, FactWord.OWNER, FactWord.ACCEPTED}


class Fact(Value):
    """A fact as it stands in a file.

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

    def unverified(self) -> "Fact":
        """The fact without what only an item of ours can say."""
        return Fact(
            kind=self.kind,
            entities=self.entities,
            text=self.text,
            stated=self.stated,
            day=self.day,
            path=self.path,
            line=self.line,
        )
