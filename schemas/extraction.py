"""What a reader of a session, model or not, may answer. Nothing of it is believed before code has checked it."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from schemas.base import Value
from schemas.entry import NOT_STATED, Kind
from schemas.transcript import Message


class Conversation(Value):
    """A piece of a session to read: conversational messages in order, redacted, with what precedes as context.

    Only what the owner confirmed in a message numbered `first_new` or above is asked for; earlier messages explain it.
    """

    session_id: str
    first_new: int
    messages: tuple[Message, ...]


class Candidate(Value):
    """One thing that may deserve an entry.

    `quote_number` is the number of the owner's message that holds `quote` verbatim. `support_numbers` are the other
    messages it rests on (a proposal that the owner accepts, a correction). `confirmation` tells how the owner settled
    it.
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


class WordsDoubt(StrEnum):
    """Why a candidate that was read without a model waits for a person, however sure its words are."""

    TAKEN_BACK = "perhaps_taken_back"
    OF_OTHERS = "perhaps_of_others"
    NOT_UNDERSTOOD = "not_understood"


class DoubtedCandidate(Candidate):
    """A candidate that only a person can decide about."""

    doubt: WordsDoubt


class Extraction(Value):
    """All candidates of one piece, in the order of their messages."""

    candidates: tuple[Candidate, ...] = ()
