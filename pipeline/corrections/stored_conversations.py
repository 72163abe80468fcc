"""Forgetting in conversations: those of the store, and those of transcripts.

Transcripts belong to their agents, but no search finds a message there any more. In the store words are masked in
messages; summaries and preferences with them go.

A mask has the length of what it stands for. So numbers, ids and the places of other words in a message stay as they
are, and with them the identities of the entries that rest on these.
"""

import json
from codecs import getincrementaldecoder
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from pipeline.corrections.forget_fact import fact_items
from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK, LOCK_SECONDS
from pipeline.entries.matcher import Matcher
from pipeline.entries.mentions import words_of
from pipeline.entries.provenance import Span
from pipeline.errors.store import UnknownConversation
from pipeline.language.tokens import count_tokens
from pipeline.reports.entries import list_entries
from pipeline.store.opening import WorkspaceStore
from pipeline.transcripts.kept_talk import kept_talk
from pipeline.workspace.forgotten import note_forgotten_messages
from pipeline.workspace.locks import Waiting
from schemas.conversation import (
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ExtraContext,
    Preferences,
    SettingsChange,
    StoredPreferences,
)
from schemas.detail import Detail
from schemas.said import ADDRESS
from schemas.transcript import MASK, Message, id_in_file

_OVERLAP = 4_096  # characters that two blocks share: nothing that is looked for is longer


def details_about(store: WorkspaceStore, subject: Matcher) -> list[Detail]:
    """The details with the words: in what is said of them, or anywhere in their texts; also of those that have gone."""
    if not store.exists:
        return []
    table, details = store.details, list[Detail]()
    for detail in table.every():
        metadata = map(str, detail.metadata.values())
        said = "\n".join((detail.description, detail.summary, detail.key.replace("-", " "), *metadata))
        if has_words(subject, said) or _is_in(subject, (chunk.content for chunk in table.read(detail))):
            details.append(detail)
    return details


def forget_details(store: WorkspaceStore, subject: Matcher) -> tuple[str, ...]:
    """Take the details with the words out without a trace; their keys."""
    keys = tuple(detail.key for detail in details_about(store, subject))
    if keys:
        store.details.erase(keys)
        store.database.compact()
    return keys


def has_words(subject: Matcher, text: str) -> bool:
    """Whether a text has the name, the quote or the words."""
    return subject.named_in(text) or subject.said_in(text) or subject.quoted_in(text)


def _is_in(subject: Matcher, blocks: Iterable[bytes]) -> bool:
    decoder, tail = getincrementaldecoder("utf-8")("replace"), ""
    for block in blocks:
        text = tail + decoder.decode(block)
        if has_words(subject, text) or subject.answered_in(text):
            return True
        tail = text[-_OVERLAP:]
    return False


@dataclass(frozen=True)
class ConversationTrace:
    """A conversation with the words: its messages as they are without them, and the summaries that would go.

    `preferences` are the names of those with the words, which would be taken back.
    """

    conversation: ConversationRecord
    messages: Sequence[ConversationMessage]
    summaries: Sequence[ConversationSummary]
    preferences: Sequence[str]

    @property
    def places(self) -> tuple[str, ...]:
        """The messages as `SESSION#NUMBER`, and the preferences as `SESSION#preferences`."""
        session = self.conversation.session_id
        messages = (f"{session}#{message.number}" for message in self.messages)
        return (*messages, *([f"{session}#preferences"] if self.preferences else []))


@dataclass(frozen=True)
class MaskedConversations:
    """The messages whose words were masked, as `SESSION#NUMBER`; how many summaries went, and their prose."""

    messages: tuple[str, ...] = ()
    summaries: int = 0
    prose: tuple[str, ...] = ()

    def is_source_of(self, answer: str) -> bool:
        """Whether one of these summaries was made of the answer of a model."""
        return any(json.dumps(prose, ensure_ascii=False)[1:-1] in answer for prose in self.prose)


@dataclass(frozen=True)
class ConversationMasking:
    """Looks for words in the conversations of a workspace, and masks them.

    With `as_a_whole` a message that names it goes as a whole, as a topic does: no job reads such a message either. What
    an entry or a fact that stays quotes of a message is never masked.
    """

    engine: Engine
    subject: Matcher
    as_a_whole: bool = False

    def traces(self) -> Iterator[ConversationTrace]:
        """The conversations with the words."""
        if (store := self._store) is None:
            return
        for listed in store.conversations.list_conversations():
            conversation = listed.conversation
            said = store.conversations.history(conversation, with_cleared=True)
            changed = [now for one in said if (now := self._without(conversation, one)) != one]
            numbers = [one.number for one in changed]
            gone = [one for one in store.conversations.summaries(conversation) if self._is_outdated(one, numbers)]
            preferences = self._with_words(conversation.settings.preferences)
            if changed or gone or preferences:
                yield ConversationTrace(conversation, changed, gone, preferences)

    def places(self) -> tuple[str, ...]:
        """The messages in which words would be masked, and the preferences that would go; errors as of `traces`."""
        own = tuple(place for trace in self.traces() for place in trace.places)
        return own + tuple(_place_of(stated) for stated in self._in_all_sessions())

    def done(self) -> MaskedConversations:
        """Mask the words; what was masked."""
        if (store := self._store) is None:
            return MaskedConversations()
        done = list[ConversationTrace]()
        for trace in self.traces():
            with suppress(UnknownConversation):  # deleted meanwhile
                numbers = [summary.last_number for summary in trace.summaries]
                store.conversations.rewrite(trace.conversation, trace.messages, numbers)
                if trace.preferences:
                    change = SettingsChange.model_validate(dict.fromkeys(trace.preferences, ""))
                    store.conversations.adjust(trace.conversation, change)
                done.append(trace)
        everywhere = self._in_all_sessions()
        for stated in everywhere:
            without = stated.preferences.model_copy(update=dict.fromkeys(self._with_words(stated.preferences), ""))
            store.conversations.prefer((stated.user_id, stated.agent_id), without, stated.changed_at)
        if done or everywhere:
            store.database.compact()
        return MaskedConversations(
            tuple(place for trace in done for place in trace.places) + tuple(map(_place_of, everywhere)),
            sum(len(trace.summaries) for trace in done),
            tuple(summary.prose for trace in done for summary in trace.summaries if summary.prose),
        )

    @property
    def _store(self) -> WorkspaceStore | None:
        store = self.engine.store
        return store if store and store.exists else None

    def _with_words(self, wanted: Preferences) -> list[str]:
        """The names of the preferences with the words."""
        return [name for name, text in wanted if has_words(self.subject, text)]

    def _in_all_sessions(self) -> list[StoredPreferences]:
        """The preferences of users in all sessions that have the words."""
        stated = self._store.conversations.every_preference() if self._store else []
        return [one for one in stated if self._with_words(one.preferences)]

    def _without(self, conversation: ConversationRecord, message: ConversationMessage) -> ConversationMessage:
        text = self._mask_text(message.text, message.names(conversation))
        tokens = message.tokens if text == message.text else count_tokens(text)
        extra = {kind: tuple(map(self._mask_text, values)) for kind, values in message.extra_context}
        record = message.record and message.record.with_words(self._mask_text)
        now = {"text": text, "tokens": tokens, "extra_context": ExtraContext.model_validate(extra), "record": record}
        return message.model_copy(update=now)

    def _mask_text(self, text: str, names: Sequence[str] = ()) -> str:
        """The text of a message, or what came with it, without the words; `names` are the ids of the message."""
        if not has_words(self.subject, text) and not any(map(self.subject.cites, names)):
            return text
        spans = [span for name in names or ("",) for span in self.subject.places(text, name)]
        quotes = {quote for name in names for quote in self._kept_quotes.get(name, ())}
        kept = [span for quote in quotes for span in _places(text, quote)]
        everything = self.as_a_whole or has_words(self.subject, _without_spans(text, [*spans, *kept], ()))
        return _without_spans(text, [(0, len(text))] if everything else spans, kept)

    def _is_outdated(self, summary: ConversationSummary, masked: Sequence[int]) -> bool:
        """Whether a summary goes: it may tell in other words what was masked."""
        texts = [summary.prose, *(line.text for line in summary.ledger)]
        in_range = any(summary.first_number <= number <= summary.last_number for number in masked)
        return in_range or has_words(self.subject, "\n".join(texts))

    @cached_property
    def _kept_quotes(self) -> Mapping[str, set[str]]:
        """The quotes of entries and facts that stay, by the ids of the messages."""
        kept = defaultdict[str, set[str]](set)
        for place in list_entries(self.engine):
            goes = self.as_a_whole and self.subject.named_in(words_of(place.entry))
            if place.entry.id != self.subject.entry_id and not goes:
                for name in place.entry.source.entry_ids:
                    kept[name].add(place.entry.quote)
        for block, fact in fact_items(self.engine).values():
            if not self.subject.is_of(block.text, block.name):
                for number in range(fact.numbers[0], fact.numbers[1] + 1):
                    kept[f"{id_in_file(fact.session_id)}-{number}"].add(fact.quote)
        return kept


@dataclass(frozen=True)
class SaidWords:
    """The messages with some words, of transcripts and of what is kept of those that are gone."""

    engine: Engine
    subject: Matcher

    def places(self) -> tuple[str, ...]:
        """Their addresses, such as `said:SESSION#41`."""
        return tuple(f"{ADDRESS}{session}#{message.number}" for session, message in self._messages())

    def forget(self) -> tuple[str, ...]:
        """List them in `memory/forgotten.md`, so that nothing finds them; their addresses."""
        engine, messages = self.engine, list(self._messages())
        listed = [(session, name) for session, message in messages for name in message.names]
        if listed:
            with engine.locks.hold([LOCK], "forget", engine.clock.now(), Waiting(LOCK_SECONDS)):
                note_forgotten_messages(engine.workspace, listed, engine.local_now().date())
        return tuple(f"{ADDRESS}{session}#{message.number}" for session, message in messages)

    def _messages(self) -> Iterator[tuple[str, Message]]:
        engine = self.engine
        if not engine.settings.search.said:
            return
        yield from engine.catalog.messages_with(self._has)
        talk = kept_talk(engine.workspace, engine.settings, engine.clock)
        there = [file.session_id for file in engine.ledger.files.by_session()]
        for session in talk.sessions(without=there):
            kept = talk.read(session.session_id)
            yield from (
                (session.session_id, message) for message in (kept.messages if kept else ()) if self._has(message)
            )

    def _has(self, message: Message) -> bool:
        return has_words(self.subject, message.text) or any(map(self.subject.cites, message.entry_ids))


def _place_of(stated: StoredPreferences) -> str:
    return f"{stated.user_id or 'owner'}, all sessions#preferences"


def _places(text: str, quote: str) -> Iterator[Span]:
    start = text.find(quote) if quote else -1
    while start >= 0:
        yield start, start + len(quote)
        start = text.find(quote, start + 1)


def _without_spans(text: str, spans: Sequence[Span], kept: Sequence[Span]) -> str:
    """The text with a mask for every character of some spans, but for line ends and for what is kept."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = [letter if letter == "\n" else MASK for letter in letters[start:end]]
    for start, end in kept:
        letters[start:end] = text[start:end]
    return "".join(letters)
