"""Facts and decisions that are recalled, for programs."""

from datetime import date
from enum import StrEnum

from schemas.base import Value


class Basis(StrEnum):
    """The basis of a fact.

    `SAID`: the words of whoever holds it. `ACCEPTED`: words of others, such as a proposal, that a person accepted.
    `INFERRED`: what several facts have in common. `UNKNOWN`: nothing that is known.
    """

    SAID = "said"
    ACCEPTED = "accepted"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


class RecalledFact(Value):
    """A fact, or a decision, with where it stands.

    `kind` is `world`, `experience`, `opinion` or `observation`, or the kind of an entry. `timestamp` is the day it was
    said, and `range` the first and the last day that it speaks of. `sureness` is the confidence of a fact in a word:
    `firm`, `likely`, `tentative` or `contested`; empty of an entry. `source` is a place as `memory show lines` takes
    it. `status` is as of the day that was asked about. `holder` is whose view it is: `owner`, `agent`, or empty.
    `trust` is as that of a hit. `id` is empty for what we did not write. `basis` is what it rests on. `project` is the
    name of that in which it was said, empty where none is known.
    """

    kind: str
    timestamp: date | None
    range: tuple[date, date | None] | None
    entities: tuple[str, ...]
    content: str
    source: str
    confidence: float
    status: str
    holder: str
    trust: str
    id: str
    basis: Basis
    sureness: str = ""
    project: str = ""


class Recalled(Value):
    """The facts that answer, best first; those that nobody vouches for last. `notes` are sentences about the answer."""

    facts: tuple[RecalledFact, ...]
    notes: tuple[str, ...] = ()
