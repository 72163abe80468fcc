"""Bring an exported store back, into either kind of database. What is there already stays as it is."""

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.app.details.upkeep import list_details
from pipeline.details.placeholder import is_key
from pipeline.errors import PipelineError, ReadFailed, WriteFailed
from pipeline.errors.store import ExportDamaged
from pipeline.language.tokens import count_tokens
from pipeline.ports.engine import Redactor
from pipeline.store.conversations import ConversationFilter
from pipeline.store.opening import WorkspaceStore
from schemas.base import Value
from schemas.conversation import (
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ExtraContext,
    Preferences,
    StoredKind,
    StoredPreferences,
)
from schemas.detail import ALL_DETAILS, Detail, DetailFilter, storable
from schemas.reports.details import ExportedStore, ImportedStore

CONTENTS = "contents"
"""The folder of the texts, each under its hash."""
ROWS = "store.jsonl"
"""The file of the lines: details by their keys, conversations by their sessions, preferences by their users."""
EARLIER = "details.jsonl"
"""The lines of an export of earlier versions, which are all of details."""
_BLOCK = 262_144  # bytes of a text that are read at once
_Line = tuple[StoredKind, dict[str, Any]]


def write_text(store: WorkspaceStore, detail: Detail, folder: Path) -> None:
    """Write the text of a detail into an export, unless it has gone.

    Raises:
        OSError: the system refuses.
    """
    if not detail.active:
        return
    path = folder / CONTENTS / detail.sha256
    with path.open("wb") as file:
        path.chmod(0o600)
        for chunk in store.details.read(detail):
            file.write(chunk.content)


def bring_back(store: WorkspaceStore, detail: Detail, folder: Path) -> bool:
    """Bring a detail back under its key; whether it was not there."""
    path = folder / CONTENTS / detail.sha256
    if not is_key(detail.key):
        raise ExportDamaged(str(path))
    if detail.active:
        digest = hashlib.sha256()
        for block in _read(path):
            digest.update(block)
        if digest.hexdigest() != detail.sha256:
            raise ExportDamaged(str(path))
    standing = store.details.find(detail.key)
    if standing and (standing.active or not detail.active):
        return False
    store.details.add(detail, _read(path) if detail.active else ())
    return True


def _read(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_BLOCK), b"")
    except OSError as error:
        raise ReadFailed(str(path), error.strerror or str(error)) from error


def export_store(store: WorkspaceStore, folder: Path, choice: DetailFilter) -> ExportedStore:
    """Write a store into a folder, which must not be there. With an agent or a thread, what is theirs alone.

    Raises:
        WriteFailed: the folder is there, or the system refuses; of a broken export nothing is left.
        StoreError: it cannot be read now.
    """
    try:
        (folder / CONTENTS).mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
    try:
        return _write_store(store, folder, choice)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
    except PipelineError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _write_store(store: WorkspaceStore, folder: Path, choice: DetailFilter) -> ExportedStore:
    keys, sessions, preferences = list[str](), list[str](), 0
    with (folder / ROWS).open("w", encoding="utf-8") as file:
        (folder / ROWS).chmod(0o600)
        for kind, value in _values(store, choice) if store.exists else ():
            if isinstance(value, Detail):
                write_text(store, value, folder)
                keys.append(value.key)
            elif isinstance(value, ConversationRecord):
                sessions.append(value.session_id)
            preferences += isinstance(value, StoredPreferences)
            own = value.model_dump(mode="json", exclude={"id"})
            file.write(json.dumps({"kind": kind.value, **own}, ensure_ascii=False, sort_keys=True) + "\n")
    return ExportedStore(str(folder), tuple(keys), tuple(sessions), preferences)


def _values(store: WorkspaceStore, choice: DetailFilter) -> Iterator[tuple[StoredKind, Value]]:
    everything = choice == ALL_DETAILS
    details = store.details.every() if everything else list_details(store, choice)
    for detail in sorted(details, key=lambda detail: detail.key):
        yield StoredKind.DETAIL, detail
    table = store.conversations
    listed = table.list_conversations(ConversationFilter(agent_id=choice.agent_id or None))
    for conversation in sorted((counted.conversation for counted in listed), key=lambda talk: talk.session_id):
        if choice.thread_id in {"", conversation.session_id}:
            yield StoredKind.CONVERSATION, conversation
            for message in table.history(conversation, with_cleared=True):
                yield StoredKind.MESSAGE, message
            for summary in reversed(table.summaries(conversation)):
                yield StoredKind.SUMMARY, summary
    for stated in table.every_preference() if everything else ():
        yield StoredKind.PREFERENCES, stated


def has_conversations(folder: Path) -> bool:
    """Whether an export may hold the words of people, and not details alone."""
    return os.path.exists(folder / ROWS)


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
            StoreError: a line or a text is not what was exported, or cannot be stored; those before it are there.
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
            if self._talk is None:
                raise ExportDamaged(str(self.folder / ROWS))
            _, messages, summaries = self._talk
            if kind is StoredKind.MESSAGE:
                messages.append(self._clean_message(ConversationMessage.model_validate(record)))
            else:
                summaries.append(self._clean_summary(ConversationSummary.model_validate(record)))
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

    def _finish(self) -> None:
        """Keep the conversation whose lines have all been read."""
        if self._talk is None:
            return
        conversation, messages, summaries = self._talk
        numbers = [message.number for message in messages]
        # Of a session that a laptop shipped, messages may have gone with a new version of its file.
        whole = sorted({*numbers}) if conversation.transcript else list(range(1, len(numbers) + 1))
        if numbers != whole:
            raise ExportDamaged(str(self.folder / ROWS))
        added, present = self._sessions
        kept = self.store.conversations.restore(conversation, messages, summaries)
        (added if kept else present).append(conversation.session_id)
        self._talk = None

    def _prefer(self, stated: StoredPreferences) -> None:
        table = self.store.conversations
        if not any(preference.agent_id == stated.agent_id for preference in table.stated_preferences(stated.user_id)):
            wanted = self._clean_preferences(stated.preferences)
            table.prefer((stated.user_id, stated.agent_id), wanted, stated.changed_at)
            self._preferences += 1

    def _clean(self, text: str) -> str:
        return self.redactor.redact(storable(text))

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
                    try:
                        record = json.loads(line)
                        kind = StoredKind(record.pop("kind", StoredKind.DETAIL))
                    except (ValueError, AttributeError, TypeError, RecursionError) as error:
                        raise ExportDamaged(str(path)) from error
                    yield kind, record
    except OSError as error:
        raise ReadFailed(str(path), error.strerror or str(error)) from error
