"""Take all that a store holds away: a line of JSON for each thing with its kind, and the texts of details in files.

The same store is the same bytes, whichever kind of database it is in.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from pipeline.app.details.transfer import CONTENTS, write_text
from pipeline.app.details.upkeep import DetailChoice, list_details
from pipeline.errors import PipelineError, WriteFailed
from pipeline.store.conversations import ConversationFilter, ConversationTable
from pipeline.store.opening import WorkspaceStore
from schemas.base import Value
from schemas.conversation import ConversationRecord
from schemas.detail import Detail
from schemas.reports.details import ExportedStore
from schemas.stored_line import StoredKind, StoredPreferences

ROWS = "store.jsonl"
"""The file of the lines: details by their keys, conversations by their sessions, preferences by their users."""


def export_store(store: WorkspaceStore, folder: Path, choice: DetailChoice) -> ExportedStore:
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
        return _written(store, folder, choice)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
    except PipelineError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _written(store: WorkspaceStore, folder: Path, choice: DetailChoice) -> ExportedStore:
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
            file.write(_line(kind, value))
    return ExportedStore(str(folder), tuple(keys), tuple(sessions), preferences)


def _values(store: WorkspaceStore, choice: DetailChoice) -> Iterator[tuple[StoredKind, Value]]:
    everything = choice == DetailChoice()
    details = store.details.every() if everything else list_details(store, choice)
    for detail in sorted(details, key=lambda detail: detail.key):
        yield StoredKind.DETAIL, detail
    yield from _conversations(store.conversations, choice)
    for stated in store.conversations.every_preference() if everything else ():
        yield StoredKind.PREFERENCES, stated


def _conversations(table: ConversationTable, choice: DetailChoice) -> Iterator[tuple[StoredKind, Value]]:
    listed = [one.conversation for one in table.listed(ConversationFilter(agent_id=choice.agent_id or None))]
    for conversation in sorted(listed, key=lambda one: one.session_id):
        if choice.thread_id in {"", conversation.session_id}:
            yield StoredKind.CONVERSATION, conversation
            for message in table.history(conversation, with_cleared=True):
                yield StoredKind.MESSAGE, message
            for summary in reversed(table.summaries(conversation)):
                yield StoredKind.SUMMARY, summary


def _line(kind: StoredKind, value: Value) -> str:
    own = value.model_dump(mode="json", exclude={"id"})
    return json.dumps({"kind": kind.value, **own}, ensure_ascii=False, sort_keys=True) + "\n"
