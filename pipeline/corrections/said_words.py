"""Forgetting in what was said: the transcripts are their agents', but no search finds a message there any more."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.corrections.stored_details import has_words
from pipeline.engine.context import Engine
from pipeline.engine.deleted_entries import LOCK, LOCK_SECONDS
from pipeline.entries.matcher import Matcher
from pipeline.workspace.forgotten_messages import note_forgotten_messages
from pipeline.workspace.locks import Waiting
from schemas.said import ADDRESS
from schemas.transcript import Message


@dataclass(frozen=True)
class SaidWords:
    """The messages of transcripts with some words."""

    engine: Engine
    subject: Matcher

    def places(self) -> tuple[str, ...]:
        """Their addresses, such as `said:SESSION#41`."""
        return tuple(f"{ADDRESS}{session}#{message.number}" for session, message in self._messages())

    def forget(self) -> tuple[str, ...]:
        """List them in `memory/forgotten.md`, so that nothing finds them; their addresses.

        Raises:
            Held: another process is at work on the list.
            WriteFailed: the system refuses.
        """
        engine, messages = self.engine, list(self._messages())
        listed = [(session, name) for session, message in messages for name in message.names]
        if listed:
            with engine.locks.hold([LOCK], "forget", engine.clock.now(), Waiting(LOCK_SECONDS)):
                note_forgotten_messages(engine.workspace, listed, engine.local_now().date())
        return tuple(f"{ADDRESS}{session}#{message.number}" for session, message in messages)

    def _messages(self) -> Iterator[tuple[str, Message]]:
        if self.engine.settings.search.said:
            yield from self.engine.catalog.messages_with(self._has)

    @property
    def _has(self) -> Callable[[Message], bool]:
        return lambda message: has_words(self.subject, message.text) or any(map(self._cites, message.entry_ids))

    def _cites(self, name: str) -> bool:
        return self.subject.cites(name)
