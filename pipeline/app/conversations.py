"""The use cases about conversations, the same for every surface: begin, append, context, reset, delete, take away."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from pipeline.app.conversation_deletion import session_details, user_details, with_traces
from pipeline.app.conversation_summary import Summarizer
from pipeline.app.detail_index import taken_out
from pipeline.app.global_preferences import GlobalPreferences
from pipeline.app.recalling import recall_passages
from pipeline.app.redaction import open_redactor
from pipeline.app.requester import Requester
from pipeline.context.assembly import assemble
from pipeline.context.export import ExportedConversation, as_lines, as_markdown, from_lines
from pipeline.context.sections import ContextSections, RecalledText, Shortening
from pipeline.context.summary import is_due
from pipeline.details.redaction import WINDOW, redact_blocks
from pipeline.errors.store import (
    ConversationTaken,
    NotThatAgent,
    PinnedInTheWay,
    QuestionMissing,
    StatedByPerson,
    TranscriptKept,
    UnknownConversation,
)
from pipeline.events import Event
from pipeline.language.tokens import count_tokens
from pipeline.ports.engine import Redactor
from pipeline.process.context import ProcessContext
from pipeline.process.waiting_reader import while_waited_for
from pipeline.store.conversations import ConversationFilter, ConversationTable, StatedPreferences
from pipeline.store.details import DetailTable
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import (
    CLEAR,
    OWNER,
    AdjustedConversation,
    AppendedMessages,
    BegunConversation,
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ConversationView,
    DeletionPreview,
    DeletionReceipt,
    ExtraContext,
    ListedConversation,
    NewConversation,
    NewMessage,
    Preferences,
    ResetReceipt,
    SessionSettings,
    SettingsChange,
    SummaryReport,
)
from schemas.prompt_context import AssembledContext, ContextRequest
from schemas.settings import Settings
from schemas.transcript import Role

_AS_IT_WAS = "It has begun before: it goes on with the agent and the settings that it has."
BEFORE = 4
"""Messages before a new one that the redactor is shown: a secret may be the answer to a question."""

Recalling = Callable[[str, int, float], Sequence[RecalledText]]
"""From a question, a number and a floor to the passages of the memory."""


class ExportForm(StrEnum):
    """The form of an export of a conversation; `jsonl` can be imported."""

    MARKDOWN = "md"
    LINES = "jsonl"


@dataclass(frozen=True)
class Conversations:
    """The conversations of one workspace; from any thread.

    `shortening` makes placeholders of large blocks; the thread of its details is the session's id. `recalling` searches
    the memory; a front has to `ask` for changes of it, as acts. Methods raise `UnknownConversation` for one that is not
    there, or is not the requester's, and the errors of the store.
    """

    root: Path
    process: ProcessContext
    settings: Settings
    table: ConversationTable
    details: DetailTable
    redactor: Redactor
    recalling: Recalling
    shortening: Callable[[ConversationRecord], Shortening] | None = None
    ask: Callable[..., list[int]] | None = None

    def begin(self, who: Requester, wanted: NewConversation) -> BegunConversation:
        """A new conversation, or the requester's one of that session, whose settings stay.

        Raises:
            ConversationRefused: somebody else has a conversation of that session; an agent asks for a conversation with
                another one.
        """
        if not who.by_person and wanted.agent_id not in {"", who.agent_id}:
            raise NotThatAgent(wanted.agent_id)
        settings = self._without_secrets(wanted.settings)
        new = ConversationRecord(
            id=str(uuid.uuid4()),
            session_id=self.clean(wanted.session_id) or str(uuid.uuid4()),
            user_id=who.user_id,
            agent_id=wanted.agent_id or who.agent_id,
            by_person=who.by_person,
            settings=settings,
            created_at=self.process.clock.now(),
        )
        kept = self.table.begin(new)
        if not who.reaches(kept):
            raise ConversationTaken(kept.session_id)
        if kept.id != new.id:
            other = new.settings != kept.settings or new.agent_id != kept.agent_id
            return BegunConversation(conversation=kept, notice=_AS_IT_WAS if other else "")
        said = dict(settings.preferences) if settings.preferences.stated_by_name else {}
        return BegunConversation(conversation=kept, notice=self._global.state(who, new, said))

    def append(self, who: Requester, session_id: str, said: Sequence[NewMessage]) -> AppendedMessages:
        """Append messages, all or nothing, with their secrets masked.

        What comes before a `/clear` of the user is kept for the jobs, and is in no context, where the settings obey it.

        Raises:
            TranscriptKept: it holds a transcript, to which its machine alone adds.
        """
        conversation = self._mine(who, session_id)
        if conversation.transcript:
            raise TranscriptKept(session_id)
        last = self.table.summary(conversation)
        history = self.table.history(conversation, after=last.last_number if last else 0)
        before = [message.text for message in history[-BEFORE:]]
        clears = [place for place, message in enumerate(said, start=1) if _is_clear(message)]
        cleared = max(clears, default=0) if conversation.settings.clear_command else 0
        new = list[ConversationMessage]()
        for place, message in enumerate(while_waited_for(said)):
            if place >= cleared or not _is_clear(message):
                one = self._message(who, message, before)
                new.append(one.model_copy(update={"cleared": place < cleared}))
                before = [*before, message.text][-BEFORE:]
        if not cleared:
            kept = self.table.append(conversation, new)
            due = self._is_due(conversation, [*history, *kept], last)
            return AppendedMessages(messages=tuple(kept), summary_due=due)
        kept, (out, dropped) = self.table.clear_and_append(conversation, new)
        due = self._is_due(conversation, [message for message in kept if not message.cleared], None)
        reset = ResetReceipt(messages=out, summaries=dropped)
        return AppendedMessages(messages=tuple(kept), summary_due=due, reset=reset)

    def view(self, who: Requester, session_id: str) -> ConversationView:
        """A conversation as it stands, without what was cleared."""
        conversation = self._mine(who, session_id)
        history, last = self.table.history(conversation), self.table.summary(conversation)
        return ConversationView(
            conversation=conversation,
            messages=tuple(history),
            summary=last,
            summary_due=self._is_due(conversation, history, last),
        )

    def list_conversations(self, who: Requester) -> list[ListedConversation]:
        """The requester's conversations, the oldest first."""
        return self.table.list_conversations(who.conversation_filter)

    def person_of(self, session_id: str) -> Requester:
        """The person who looks after a conversation, of whichever user it is."""
        return Requester(user_id=self._conversation_named(session_id).user_id, by_person=True)

    def preferences(self, who: Requester) -> Sequence[StatedPreferences]:
        """The preferences of the requester's user in all sessions, by the user's own word and by that of agents."""
        return self.table.stated_preferences(who.user_id)

    def context(self, who: Requester, session_id: str, wanted: ContextRequest) -> AssembledContext:
        """The messages of a prompt for a question, with the last finished summary; nothing is waited for.

        Raises:
            ConversationRefused: what is never cut takes more than the budget; the question is empty.
        """
        if not wanted.question.strip():
            raise QuestionMissing
        conversation = self._mine(who, session_id)
        history, last = self.table.history(conversation), self.table.summary(conversation)
        question = self.clean(wanted.question, [message.text for message in history[-BEFORE:]])
        recall = wanted.recall and conversation.user_id == OWNER  # the memory is the owner's, and no other user's
        sections = ContextSections(
            system=wanted.system,
            global_preferences=self._global.preferences_of(conversation),
            standing_preferences=self._global.standing(conversation),
            session_preferences=conversation.settings.preferences,
            summary=last,
            recalled=self.recalling(question, wanted.recall, wanted.floor) if recall else (),
            history=history,
            recent=wanted.history,
        )
        shortening, budget = self._shortening(conversation), wanted.budget or conversation.settings.budget
        made = assemble(sections, question, budget, wanted.layout, shortening)
        numbers = made.receipt.model_dump(include={"budget", "tokens"}) | {"cut": len(made.receipt.cut)}
        self.process.emit(Event.CONTEXT_ASSEMBLED, session=session_id, **numbers)
        return made.model_copy(update={"summary_due": self._is_due(conversation, history, last, budget)})

    def summarize(self, session_id: str, budget: int | None = None) -> SummaryReport:
        """Make the summary of a conversation, when one is due. It may ask a model: call it in the background.

        `budget` is that of a context that was asked for; without it that of the settings counts.
        """
        conversation = self._conversation_named(session_id)
        return self._summarizer.summarize(conversation, budget or conversation.settings.budget)

    def adjust(self, who: Requester, session_id: str, change: SettingsChange) -> AdjustedConversation:
        """Change settings of a conversation; its last summary stays.

        Raises:
            StatedByPerson: an agent wants other preferences in a conversation that a person began.
        """
        conversation = self._mine(who, session_id)
        if change.preferences and conversation.by_person and not who.by_person:
            raise StatedByPerson(session_id)
        said = {name: self.clean(text) for name, text in change.preferences.items()}
        adjusted = self.table.adjust(conversation, change.model_copy(update=said))
        return AdjustedConversation(**dict(adjusted), notice=self._global.state(who, adjusted, said))

    def reset(self, who: Requester, session_id: str) -> ResetReceipt:
        """Take the history and the summary out of the context; preferences stay, and jobs still read what was said."""
        cleared, dropped = self.table.clear(self._mine(who, session_id))
        return ResetReceipt(messages=cleared, summaries=dropped)

    def deletion(self, who: Requester, session_id: str) -> DeletionPreview:
        """The records that `delete_session` would take, and those that would stay."""
        conversation = self._mine(who, session_id)
        said, summaries = self.table.extent(conversation)
        made = with_traces(DeletionReceipt(), self.root, self.process, (conversation, ()))
        more = {"messages": said, "summaries": summaries, "entries": made.entries, "facts": made.facts}
        return session_details(self.details, conversation).model_copy(update=more)

    def global_deletion(self, who: Requester) -> DeletionPreview:
        """The records that `delete_global` would take."""
        preferences = len(self.table.stated_preferences(who.user_id))
        return user_details(self.details, who.user_id).model_copy(update={"preferences": preferences})

    def delete_session(self, who: Requester, session_id: str, *, force: bool = False) -> DeletionReceipt:
        """Delete a conversation, its details and the cached answers about it; the entries made of it stay.

        Raises:
            PinnedInTheWay: it has pinned details, and `force` is not set.
        """
        conversation = self._mine(who, session_id)
        going = session_details(self.details, conversation)
        if going.pinned and not force:
            raise PinnedInTheWay(going.pinned)
        prose = [summary.prose for summary in self.table.summaries(conversation)]
        self.details.erase(going.details)  # before the conversation, without which a second try would not find them
        receipt = DeletionReceipt(messages=self.table.delete(conversation), details=going.details)
        self.details.database.compact()
        receipt = receipt.model_copy(update={"notice": taken_out(self.root, self.process, going.details)})
        return with_traces(receipt, self.root, self.process, (conversation, prose))

    def delete_global(self, who: Requester, *, force: bool = False) -> DeletionReceipt:
        """Delete what the requester's user wants in all sessions, and the details that are not of one session.

        Raises:
            PinnedInTheWay: pinned details would go, and `force` is not set.
        """
        going = user_details(self.details, who.user_id)
        if going.pinned and not force:
            raise PinnedInTheWay(going.pinned)
        self.details.erase(going.details)
        receipt = DeletionReceipt(preferences=self.table.forget_preferences(who.user_id), details=going.details)
        self.details.database.compact()
        return receipt.model_copy(update={"notice": taken_out(self.root, self.process, going.details)})

    def export(self, who: Requester, session_id: str, form: ExportForm = ExportForm.LINES) -> bytes:
        """A whole conversation, also what was cleared."""
        conversation = self._mine(who, session_id)
        said = tuple(self.table.history(conversation, with_cleared=True))
        exported = ExportedConversation(conversation, said, self.table.summary(conversation))
        return as_lines(exported) if form is ExportForm.LINES else as_markdown(exported)

    def restore(self, who: Requester, content: bytes) -> ConversationRecord:
        """A conversation from its exported lines. What an agent imports, or was another user's, is no person's word.

        Raises:
            ConversationRefused: the lines are not as they were exported; there is a conversation of that session.
        """
        exported = from_lines(content, str(uuid.uuid4()))
        vouched = who.by_person and exported.conversation.user_id == who.user_id
        own = {"user_id": who.user_id, "by_person": exported.conversation.by_person and vouched}
        agent = {} if who.by_person else {"agent_id": who.agent_id}
        conversation = exported.conversation.model_copy(update=own | agent)
        said = [self._clean_import(who, message, vouched=vouched) for message in exported.messages]
        conversation = conversation.model_copy(update={"settings": self._without_secrets(conversation.settings)})
        summed_up = [summary] if (summary := self._clean_summary(exported.summary)) else []
        if not self.table.restore(conversation, said, summed_up):
            raise ConversationTaken(conversation.session_id)
        return conversation

    def _is_due(
        self,
        conversation: ConversationRecord,
        history: Sequence[ConversationMessage],
        last: ConversationSummary | None,
        budget: int | None = None,
    ) -> bool:
        window = budget or conversation.settings.budget
        return self._summarizer.is_summarized(conversation) and is_due(history, last, window)

    def _clean_summary(self, summary: ConversationSummary | None) -> ConversationSummary | None:
        """A summary that somebody brings, without secrets."""
        if summary is None:
            return None
        notes = tuple(note.model_copy(update={"text": self.clean(note.text)}) for note in summary.ledger)
        return summary.model_copy(update={"prose": self.clean(summary.prose), "ledger": notes})

    def _clean_import(self, who: Requester, message: ConversationMessage, *, vouched: bool) -> ConversationMessage:
        again = self._message(who, NewMessage(**message.model_dump(include={"role", "text", "extra_context"})), [])
        return message.model_copy(
            update=again.model_dump(include={"text", "tokens"})
            | {"extra_context": again.extra_context, "by_person": message.by_person and vouched}
        )

    def _message(self, who: Requester, message: NewMessage, before: Sequence[str]) -> ConversationMessage:
        text = self.clean(message.text, before)
        extra = {name: tuple(map(self.clean, values)) for name, values in message.extra_context}
        return ConversationMessage(
            number=0,
            role=message.role,
            text=text,
            tokens=count_tokens(text),
            by_person=who.by_person and message.role is Role.USER,
            extra_context=ExtraContext.model_validate(extra),
            created_at=self.process.clock.now(),
        )

    def clean(self, text: str, before: Sequence[str] = ()) -> str:
        """The text with its secrets masked, and without what a database cannot keep."""
        kept = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-16-le", "surrogatepass")
        clean = kept.decode("utf-16-le", "replace")
        if len(clean) <= WINDOW:
            return self.redactor.redact(clean, before)
        return b"".join(while_waited_for(redact_blocks([clean.encode()], self.redactor))).decode()

    def _without_secrets(self, settings: SessionSettings) -> SessionSettings:
        clean = {name: self.clean(value) for name, value in settings.preferences}
        return settings.model_copy(update={"preferences": Preferences.model_validate(clean)})

    @property
    def _global(self) -> GlobalPreferences:
        return GlobalPreferences(self.root, self.process, self.settings, self.table, self.ask)

    @property
    def _summarizer(self) -> Summarizer:
        return Summarizer(self.root, self.process, self.table)

    def _shortening(self, conversation: ConversationRecord) -> Shortening:
        def is_stored(key: str) -> bool:
            detail = self.details.find(key)
            return detail is not None and detail.active and detail.placement.thread_id in {"", conversation.session_id}

        if self.shortening:
            made = self.shortening(conversation)
            return replace(made, is_stored=lambda key: made.is_stored(key) or is_stored(key))
        return Shortening(threshold=self.settings.store.threshold, is_stored=is_stored)

    def _mine(self, who: Requester, session_id: str) -> ConversationRecord:
        conversation = self._conversation_named(session_id)
        if not who.reaches(conversation):
            raise UnknownConversation(session_id)
        return conversation

    def _conversation_named(self, session_id: str) -> ConversationRecord:
        if (conversation := self.table.find(session_id)) is None:
            raise UnknownConversation(session_id)
        return conversation


def _is_clear(message: NewMessage) -> bool:
    return message.role is Role.USER and message.text.strip() == CLEAR


def conversations_in(
    store: WorkspaceStore,
    context: ProcessContext,
    settings: Settings,
    *,
    recalling: Recalling | None = None,
    shortening: Callable[[ConversationRecord], Shortening] | None = None,
) -> Conversations:
    """The conversations of a workspace, in its store. Without `recalling` a search opens the index.

    Raises:
        StoreError: the store cannot be used.
    """

    def recall(question: str, most: int, floor: float) -> Sequence[RecalledText]:
        return recall_passages(store.root, context, question, (most, floor))

    return Conversations(
        root=store.root,
        process=context,
        settings=settings,
        table=store.conversations,
        details=store.details,
        redactor=open_redactor(settings),
        recalling=recalling or recall,
        shortening=shortening,
    )


def latest_conversations(
    store: WorkspaceStore, user_id: str, agent_id: str, *, skip: int, limit: int
) -> tuple[list[ListedConversation], int]:
    """Some of the conversations, first where something was said last, and how many there are; an empty name means any.

    Raises:
        StoreError: it cannot be read now.
    """
    if not store.exists:
        return [], 0
    return store.conversations.latest(ConversationFilter(user_id or None, agent_id or None), skip, limit)
