"""Bring an exported store back, into either kind of database. What is there already stays as it is."""

import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.app.details.transfer import bring_back
from pipeline.app.store_export import ROWS
from pipeline.errors import ReadFailed
from pipeline.errors.store import ExportDamaged
from pipeline.language.tokens import count_tokens
from pipeline.ports.engine import Redactor
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import (
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ExtraContext,
    Preferences,
)
from schemas.detail import Detail, storable
from schemas.reports.details import ImportedStore
from schemas.stored_line import StoredKind, StoredPreferences

EARLIER = "details.jsonl"
"""The lines of an export of earlier versions, which are all of details."""
_Line = tuple[StoredKind, dict[str, Any]]


def has_conversations(folder: Path) -> bool:
    """Whether an export may hold the words of people, and not details alone."""
    return (folder / ROWS).exists()


@dataclass
class StoreImport:
    """An import into a store, a line after the other; secrets that somebody put into a conversation are masked."""

    store: WorkspaceStore
    redactor: Redactor
    folder: Path
    _keys: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    _sessions: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    _preferences: int = 0
    _talk: tuple[ConversationRecord, list[ConversationMessage], list[ConversationSummary]] | None = None

    def done(self) -> ImportedStore:
        """Bring all of it back.

        Raises:
            ReadFailed: the folder is no export, or cannot be read.
            StoreError: a line or a text is not what was exported; the ones before it are there; nothing more was
                stored; the ones before it are there.
        """
        path = self.folder / (ROWS if has_conversations(self.folder) else EARLIER)
        for kind, record in _lines(path):
            try:
                self._take(kind, record)
            except (ValidationError, TypeError) as error:
                raise ExportDamaged(str(path)) from error
        self._finish()
        (added, present), (begun, known) = self._keys, self._sessions
        return ImportedStore(tuple(added), tuple(present), tuple(begun), tuple(known), self._preferences)

    def _take(self, kind: StoredKind, record: dict[str, Any]) -> None:
        if kind in {StoredKind.MESSAGE, StoredKind.SUMMARY}:
            self._add(kind, record)
            return
        self._finish()
        if kind is StoredKind.DETAIL:
            detail = Detail.model_validate({**record, "id": str(uuid.uuid4())})
            added, present = self._keys
            (added if bring_back(self.store, detail, self.folder) else present).append(detail.key)
        elif kind is StoredKind.CONVERSATION:
            begun = ConversationRecord.model_validate({**record, "id": str(uuid.uuid4())})
            preferences = self._clean_preferences(begun.settings.preferences)
            settings = begun.settings.model_copy(update={"preferences": preferences})
            self._talk = begun.model_copy(update={"settings": settings}), [], []
        else:
            self._prefer(StoredPreferences.model_validate(record))

    def _add(self, kind: StoredKind, record: dict[str, Any]) -> None:
        if self._talk is None:
            raise ExportDamaged(str(self.folder / ROWS))
        _, messages, summaries = self._talk
        if kind is StoredKind.MESSAGE:
            messages.append(self._clean_message(ConversationMessage.model_validate(record)))
        else:
            summaries.append(self._clean_summary(ConversationSummary.model_validate(record)))

    def _finish(self) -> None:
        """Keep the conversation whose lines have all been read."""
        if self._talk is None:
            return
        conversation, messages, summaries = self._talk
        if [one.number for one in messages] != list(range(1, len(messages) + 1)):
            raise ExportDamaged(str(self.folder / ROWS))
        added, present = self._sessions
        kept = self.store.conversations.restore(conversation, messages, summaries)
        (added if kept else present).append(conversation.session_id)
        self._talk = None

    def _prefer(self, stated: StoredPreferences) -> None:
        table = self.store.conversations
        if not any(one.agent_id == stated.agent_id for one in table.stated_preferences(stated.user_id)):
            wanted = self._clean_preferences(stated.preferences)
            table.prefer((stated.user_id, stated.agent_id), wanted, stated.changed_at)
            self._preferences += 1

    def _clean(self, text: str, before: Sequence[str] = ()) -> str:
        return self.redactor.redact(storable(text), before)

    def _clean_message(self, message: ConversationMessage) -> ConversationMessage:
        text = self._clean(message.text)
        extra = {name: tuple(map(self._clean, values)) for name, values in message.extra_context}
        tokens = message.tokens if text == message.text else count_tokens(text)
        clean = {"text": text, "tokens": tokens, "extra_context": ExtraContext.model_validate(extra)}
        return message.model_copy(update=clean)

    def _clean_summary(self, summary: ConversationSummary) -> ConversationSummary:
        notes = tuple(note.model_copy(update={"text": self._clean(note.text)}) for note in summary.ledger)
        return summary.model_copy(update={"prose": self._clean(summary.prose), "ledger": notes})

    def _clean_preferences(self, preferences: Preferences) -> Preferences:
        return Preferences.model_validate({name: self._clean(value) for name, value in preferences})


def _lines(path: Path) -> Iterator[_Line]:
    try:
        with path.open("rb") as file:
            for line in file:
                if line.strip():
                    yield _record(path, line)
    except OSError as error:
        raise ReadFailed(str(path), error.strerror or str(error)) from error


def _record(path: Path, line: bytes) -> _Line:
    try:
        record = json.loads(line)
        kind = StoredKind(record.pop("kind", StoredKind.DETAIL))
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ExportDamaged(str(path)) from error
    return kind, record
