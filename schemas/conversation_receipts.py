"""What came of a request about a conversation."""

from pydantic import AwareDatetime

from schemas.base import Value
from schemas.conversation import ConversationMessage, ConversationRecord, ConversationSummary


class BegunConversation(Value):
    """A conversation that began, or the one that stood. `notice` says what became of preferences for all sessions."""

    conversation: ConversationRecord
    notice: str = ""


class AdjustedConversation(ConversationRecord):
    """A conversation with its settings as they are now. `notice` is that of `BegunConversation`."""

    notice: str = ""


class ListedConversation(Value):
    """A conversation in a list, with the number of its messages and the moment of the last.

    `summary_by` is the name of the model that wrote its last summary, or `heuristic`; empty without a summary.
    """

    conversation: ConversationRecord
    messages: int
    last: AwareDatetime | None = None
    summary_by: str = ""


class ConversationView(Value):
    """A conversation with its messages and its last summary. `summary_due` says that a new one is to be made."""

    conversation: ConversationRecord
    messages: tuple[ConversationMessage, ...]
    summary: ConversationSummary | None = None
    summary_due: bool = False


class ResetReceipt(Value):
    """What a reset took out of the context; preferences stay."""

    messages: int
    summaries: int


class AppendedMessages(Value):
    """The messages as they were kept. `summary_due` says that a summary is to be made, which takes a while.

    `reset` is what a `/clear` among them took out of the context; `None` without one that the settings obey.
    """

    messages: tuple[ConversationMessage, ...]
    summary_due: bool = False
    reset: ResetReceipt | None = None


class DeletionReceipt(Value):
    """What was deleted. `details` are keys. `entries` and `facts` are the ids of those made of it, which stay.

    `notice` says what is left to the next update of the index; empty when nothing is.
    """

    messages: int = 0
    preferences: int = 0
    details: tuple[str, ...] = ()
    answers: int = 0
    entries: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    notice: str = ""


class DeletionPreview(Value):
    """What a deletion would take. Of its `details`, the `pinned` are in the way; `entries` and `facts` stay."""

    messages: int = 0
    summaries: int = 0
    preferences: int = 0
    details: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class SummaryReport(Value):
    """What came of a look for a due summary. `refused` is why a model's answer was not used, or why none came."""

    summary: ConversationSummary | None = None
    made: bool = False
    refused: str = ""
