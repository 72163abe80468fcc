"""What a reader of a piece of a session, model or not, may answer. Nothing is believed before code checks it."""

from pydantic import Field

from schemas.base import Value
from schemas.extraction import Candidate
from schemas.fact_extraction import MOST as MOST_RETAINED
from schemas.fact_extraction import FactCandidate
from schemas.session_extraction import MOST_FACTS, MOST_SENTENCES, SessionFact
from schemas.summary import Point


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
