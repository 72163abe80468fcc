"""Forgetting in what was said: the transcripts are their agents', but no search finds a message there any more."""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.corrections.stored_conversations import has_words
from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK, LOCK_SECONDS
from pipeline.entries.matcher import Matcher
from pipeline.transcripts.kept_talk import kept_talk
from pipeline.workspace.forgotten import note_forgotten_messages
from pipeline.workspace.locks import Waiting
from schemas.said import ADDRESS
from schemas.transcript import Message


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
        for one in talk.sessions(without=there):
            kept = talk.read(one.session_id)
            yield from ((one.session_id, message) for message in (kept.messages if kept else ()) if self._has(message))

    def _has(self, message: Message) -> bool:
        return has_words(self.subject, message.text) or any(map(self.subject.cites, message.entry_ids))
