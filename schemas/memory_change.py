"""A change of an agent's memory, with its word and its requester."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import AwareDatetime, Field

from schemas.base import Value
from schemas.entry import Kind

LONGEST = 400
"""The most characters of the text of a change; a longer text is no single thing to remember."""


class Operation(StrEnum):
    """The operation of a change. The first four add a line, each to a section of its own.

    `CONFIRM` gives the owner's words to a line that was only asked for, `WITHDRAW` takes such a line back. `PIN` puts a
    line first for good, `UNPIN` ends that.
    """

    CORE = "CORE"
    PREFERENCE = "PREFERENCE"
    DECISION = "DECISION"
    PROJECT = "PROJECT"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    CONFIRM = "CONFIRM"
    WITHDRAW = "WITHDRAW"
    PIN = "PIN"
    UNPIN = "UNPIN"

    @property
    def adds(self) -> bool:
        """Whether it adds a line to a section."""
        return self in SECTIONS

    @property
    def rewrites(self) -> bool:
        """Whether it replaces or removes an existing line."""
        return self in {Operation.UPDATE, Operation.DELETE}

    @property
    def pins(self) -> bool:
        """Whether it is about the place of a line, of which only a person decides."""
        return self in {Operation.PIN, Operation.UNPIN}


class BrainSection(StrEnum):
    """The sections of a brain, in their order."""

    USER = "user"
    PREFERENCES = "preferences"
    AGREEMENTS = "agreements"
    CURRENT = "current"


SECTIONS = {
    Operation.CORE: BrainSection.USER,
    Operation.PREFERENCE: BrainSection.PREFERENCES,
    Operation.DECISION: BrainSection.AGREEMENTS,
    Operation.PROJECT: BrainSection.CURRENT,
}


class ChangeWord(StrEnum):
    """The word that a change rests on.

    `OWNER`: a message of the owner in a transcript has its quote. `PERSON`: a person typed it at a terminal.
    `ACCEPTED`: a person accepted it as a suggestion. `NOT_CONFIRMED`: a tool asked for it, which is nobody's word.
    """

    OWNER = "owner"
    PERSON = "person"
    ACCEPTED = "accepted"
    NOT_CONFIRMED = "not confirmed"

    @property
    def is_decision(self) -> bool:
        """Whether it is the decision of a person."""
        return self in {ChangeWord.PERSON, ChangeWord.ACCEPTED}


class MemoryChange(Value):
    """A change of the memory of an agent.

    `id` names its line in the journal, `target` the line that it replaces, removes, confirms or pins, and `before` is
    the text of that line when the change was made. `quote` are the owner's words in the message `number` of a session.
    `asked_by` is the agent that asked, and `over` the way, such as `mcp`. `importance` is 1 to 5, `at` the moment at
    which it was said or asked for.
    """

    id: str
    operation: Operation
    text: str
    at: AwareDatetime
    word: ChangeWord
    target: str = ""
    before: str = ""
    quote: str = ""
    session_id: str = ""
    number: int = 0
    importance: int = Field(default=3, ge=1, le=5)
    asked_by: str = ""
    over: str = ""


class ChangeRequest(Value):
    """The request of a tool or a person for a change.

    `line` is the id of the line that is meant, by all that add none; without one, `DELETE` means what has the text.
    """

    operation: Operation
    text: str = Field(default="", max_length=LONGEST)
    line: str = ""
    asked_by: str = ""
    over: str = ""
    word: ChangeWord = ChangeWord.NOT_CONFIRMED
    importance: int = Field(default=3, ge=1, le=5)


class AcceptedChange(Value):
    """The request of a person who accepts a suggested change. `text` is the person's own, or empty to keep it.

    `identity` makes the line the same again.
    """

    change: MemoryChange
    identity: str
    text: str = ""


LONGEST_QUOTE = 1_000
"""Characters of the owner's words."""


@dataclass(frozen=True)
class ProposedWords:
    """The proposal of an agent for an entry: the name of its kind, and the owner's words; both may be empty.

    `conversation` is of the process that asks, and `over` its way.
    """

    kind: str
    quote: str
    conversation: str = ""
    over: str = "mcp"


class EntryProposal(Value):
    """The proposal of the agent `asked_by`, which came `over` a way such as `mcp` at the moment `at`.

    `quote` are the owner's words as the agent gives them, which nobody has looked up yet, and `text` is what they come
    to. `waits` is the rule of the gate by which a person decides about it in any case, or empty. `conversation` is of
    the process that asked: all that one conversation proposes has the same.
    """

    id: str
    kind: Kind
    quote: str = Field(min_length=1, max_length=LONGEST_QUOTE)
    text: str = Field(min_length=1, max_length=LONGEST)
    at: AwareDatetime
    asked_by: str
    over: str = "mcp"
    conversation: str = ""
    waits: str = ""

    @property
    def asker(self) -> str:
        """The requester and the way of the request, in words."""
        return f"{self.asked_by} over {self.over}"
