"""An entry that an agent proposes in a session, which waits until that session is read."""

from pydantic import AwareDatetime, Field

from schemas.base import Value
from schemas.entry import Kind
from schemas.memory_change import LONGEST

LONGEST_QUOTE = 1_000
"""Characters of the owner's words."""


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
        """Who asked and how, in words."""
        return f"{self.asked_by} over {self.over}"
