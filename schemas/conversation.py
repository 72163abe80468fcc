"""A conversation in progress: its settings, its messages and their summaries."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, model_validator

from schemas.base import Moment, Value
from schemas.prompt_context import BUDGET, Budget
from schemas.shipment import KeptTranscript, TranscriptRecord
from schemas.store_settings import SummaryWay
from schemas.transcript import Role

LONGEST_NAME = 200
"""Characters of the name of a user or an agent."""
OWNER = ""
"""The id of the user who owns the workspace; every other user is a guest."""
SESSION_ID = r"^[\w.:@+-]{0,200}$"
"""A name of a session that an entry can hold."""
LONGEST_PREFERENCE = 2_000
CLEAR = "/clear"
"""The message of a user that resets the conversation, where its settings say so."""
_Number = Annotated[int, Field(ge=0, lt=2**31)]


class PreferenceScope(StrEnum):
    """The scope of preferences: their own session, or all sessions of their user."""

    SESSION = "session"
    GLOBAL = "global"


class Preferences(Value):
    """The wishes of a user to an agent, each in the user's words; empty without a wish."""

    preferred_language: str = Field(default="", max_length=LONGEST_PREFERENCE)
    tone: str = Field(default="", max_length=LONGEST_PREFERENCE)
    style_notes: str = Field(default="", max_length=LONGEST_PREFERENCE)

    @property
    def stated_by_name(self) -> Mapping[str, str]:
        """The preferences that are not empty, by name."""
        named = {"language": self.preferred_language, "tone": self.tone, "style": self.style_notes}
        return {name: value for name, value in named.items() if value.strip()}


class SessionSettings(Value):
    """The settings of one conversation. Without `store_knowledge` no job reads it.

    `budget` is that of its contexts, in tokens: a summary is due by it. With `clear_command` a message of the user that
    is `/clear` resets the conversation.
    """

    preferences: Preferences = Preferences()
    preference_scope: PreferenceScope = PreferenceScope.SESSION
    store_knowledge: bool = True
    summary: SummaryWay = SummaryWay.LLM_WITH_FALLBACK
    budget: Budget = BUDGET
    clear_command: bool = False


_WAYS = ("summary", "budget", "clear_command")
"""The settings that are no preferences."""


class SettingsChange(Value):
    """A change of some settings of a conversation; an empty preference is taken back.

    `preference_scope` says where the preferences beside it are in force; without it, where those of before are.
    """

    preferred_language: str | None = Field(default=None, max_length=LONGEST_PREFERENCE)
    tone: str | None = Field(default=None, max_length=LONGEST_PREFERENCE)
    style_notes: str | None = Field(default=None, max_length=LONGEST_PREFERENCE)
    preference_scope: PreferenceScope | None = None
    summary: SummaryWay | None = None
    budget: Budget | None = None
    clear_command: bool | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        """Refuse a scope alone: it would move preferences that the request does not name."""
        if self.preference_scope and not self.preferences:
            message = "say the preferences too that are to be in force there"
            raise ValueError(message)
        if not self.preferences and all(getattr(self, name) is None for name in _WAYS):
            message = "name at least one setting that changes"
            raise ValueError(message)
        return self

    @property
    def preferences(self) -> Mapping[str, str]:
        """The preferences that change, by the names of their fields."""
        own = {name: getattr(self, name) for name in Preferences.model_fields}
        return {name: value for name, value in own.items() if value is not None}

    def apply_to(self, before: SessionSettings) -> SessionSettings:
        """The settings after the change."""
        new = {name: getattr(self, name) for name in ("preference_scope", *_WAYS)}
        changed = {name: value for name, value in new.items() if value is not None}
        preferences = before.preferences.model_copy(update=self.preferences)
        return before.model_copy(update={"preferences": preferences, **changed})


class NewConversation(Value):
    """A conversation that is to begin, with an agent where `agent_id` names one. Without a `session_id` it gets one."""

    session_id: str = Field(default="", pattern=SESSION_ID)
    agent_id: str = Field(default="", max_length=LONGEST_NAME)
    settings: SessionSettings = SessionSettings()


def _is_none(value: object) -> bool:
    return value is None


class ConversationRecord(Value):
    """A conversation. `by_person` says that it was begun under a person's token.

    `transcript` is the session of a transcript that it holds, where a laptop has sent it.
    """

    id: str
    session_id: str = Field(pattern=SESSION_ID, min_length=1)
    user_id: str = Field(default=OWNER, max_length=LONGEST_NAME)
    agent_id: str = Field(default="", max_length=LONGEST_NAME)
    by_person: bool = False
    settings: SessionSettings = SessionSettings()
    created_at: Moment
    transcript: KeptTranscript | None = Field(default=None, exclude_if=_is_none)

    @property
    def cited_id(self) -> str:
        """The id of the session that entries made of it name."""
        return self.transcript.session_id if self.transcript else self.session_id

    @property
    def is_owners(self) -> bool:
        """Whether the owner of the workspace began it, for himself."""
        return self.by_person and self.user_id == OWNER

    @property
    def may_be_read(self) -> bool:
        """Whether jobs may read it: the words of other users stay in the store, and so do transcripts of no person."""
        is_vouched = self.by_person or self.transcript is None
        return self.user_id == OWNER and self.settings.store_knowledge and is_vouched


class ExtraContext(Value):
    """Content that came with a message and has no author: contents of files, links, paths, notes."""

    files: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class NewMessage(Value):
    """A message that is to be appended."""

    role: Role
    text: str
    extra_context: ExtraContext = ExtraContext()


class ConversationMessage(Value):
    """A message of a conversation.

    `number` counts from 1 and never changes; `text` has its secrets masked, `tokens` are exact. What is `cleared` is in
    no context any more. `by_person` says that it came under a person's token. `record` is that of the transcript in
    which it stands, where a laptop has sent it: only there numbers may be left out.
    """

    number: _Number
    role: Role
    text: str
    tokens: _Number
    by_person: bool = False
    extra_context: ExtraContext = ExtraContext()
    cleared: bool = False
    created_at: Moment
    record: TranscriptRecord | None = Field(default=None, exclude_if=_is_none)

    def names(self, conversation: ConversationRecord) -> tuple[str, ...]:
        """The ids by which entries name it in its conversation."""
        return self.record.entry_ids if self.record else (f"{conversation.session_id}-{self.number}",)


class NoteKind(StrEnum):
    """The reason for a line in the ledger of a conversation, the most important first."""

    DENIAL = "denial"
    CORRECTION = "correction"
    DECISION = "decision"
    IDENTIFIER = "identifier"
    PATH = "path"
    DATE = "date"
    NUMBER = "number"
    STATEMENT = "statement"


class NotedLine(Value):
    """A line of a message, word for word, with the number of its message; it is never summed up again."""

    number: _Number
    role: Role
    kind: NoteKind
    text: str


class ConversationSummary(Value):
    """A summary of the messages from `first_number` to `last_number`, both inside.

    `ledger` are their lines worth keeping, word for word. `made_by` is the name of the model that wrote the `prose`, or
    `heuristic`.
    """

    first_number: _Number
    last_number: _Number
    prose: str
    ledger: tuple[NotedLine, ...] = ()
    made_by: str
    created_at: Moment


class ConversationProse(Value):
    """The answer of a model that sums up a stretch of a conversation."""

    prose: str


class ConversationExcerpt(Value):
    """The question: the messages of a stretch, each with its number and its speaker, and the language of the talk."""

    language: str
    messages: tuple[str, ...]


class BegunConversation(Value):
    """A new or existing conversation. `notice` is about preferences for all sessions."""

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
    """The content that a reset took out of the context; preferences stay."""

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
    """The deleted content. `details` are keys. `entries` and `facts` are the ids of those made of it, which stay.

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
    """The content that a deletion would take. Its `pinned` details prevent it; `entries` and `facts` stay."""

    messages: int = 0
    summaries: int = 0
    preferences: int = 0
    details: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class SummaryReport(Value):
    """The result of a check for a due summary. `refused` is why a model's answer was not used, or why none came."""

    summary: ConversationSummary | None = None
    made: bool = False
    refused: str = ""


class StoredKind(StrEnum):
    """The kind of a line. Messages and summaries follow their conversation."""

    DETAIL = "detail"
    CONVERSATION = "conversation"
    MESSAGE = "message"
    SUMMARY = "summary"
    PREFERENCES = "preferences"


class StoredPreferences(Value):
    """The preferences of a user for all sessions; with an `agent_id`, as that agent reports them."""

    user_id: str
    agent_id: str
    preferences: Preferences
    changed_at: Moment
