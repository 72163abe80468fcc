"""Taking a whole store away and bringing it back: conversations, summaries, preferences and details."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.app.store_transfer import ROWS, StoreImport, export_store, has_conversations
from pipeline.errors.store import ExportDamaged
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import (
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ExtraContext,
    Preferences,
    SessionSettings,
)
from schemas.detail import DetailFilter
from schemas.store_settings import StoreSettings
from schemas.transcript import MASK, Role
from tests.store.conftest import store_settings
from tests.support.builders.details import detail_of
from tests.support.workspaces.conversing import NOW

__all__ = ["store_settings"]
KEY = "AKIAIOSFODNN7EXAMPLQ"
ALL = DetailFilter()


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Iterator[WorkspaceStore]:
    """A store with a little of everything."""
    opened = WorkspaceStore(tmp_path / "work", StoreSettings())
    opened.root.mkdir()
    detail_of(opened)
    table = opened.conversations
    for name, agent in (("s-1", "main"), ("S-2", ""), ("ą", "main")):
        settings = SessionSettings(preferences=Preferences(tone="dry"), store_knowledge=agent == "")
        record = ConversationRecord(
            id=name, session_id=name, user_id="u", agent_id=agent, by_person=True, settings=settings, created_at=NOW
        )
        begun = table.begin(record)
        table.append(begun, [message("zażółć"), message("你好")])
        table.clear(begun)
        table.append(begun, [message(str(turn)) for turn in range(3)])
        for last in (4, 5):
            assert table.keep_summary(begun, summary(last))
    for agent in ("b", "B", ""):
        table.prefer(("u", agent), Preferences(style_notes="short"), NOW)
    yield opened
    opened.close()


def message(text: str) -> ConversationMessage:
    """A message of a person, with something beside it."""
    notes = ExtraContext(notes=("a note",))
    return ConversationMessage(
        number=0, role=Role.USER, text=text, tokens=2, by_person=True, extra_context=notes, created_at=NOW
    )


def summary(last: int) -> ConversationSummary:
    """A summary up to a message."""
    return ConversationSummary(first_number=3, last_number=last, prose="Numbers.", made_by="small", created_at=NOW)


def files(folder: Path) -> dict[str, bytes]:
    """The files of an export."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def moved(store: WorkspaceStore, folder: Path) -> StoreImport:
    """An import of an export."""
    return StoreImport(store, SecretRedactor(), folder)


def test_a_store_moves_there_and_back(store: WorkspaceStore, store_settings: StoreSettings, tmp_path: Path) -> None:
    """From a file into either kind of store, and into a file again: each export is the same to the byte."""
    written = export_store(store, tmp_path / "first", ALL)
    assert (1, ("S-2", "s-1", "ą"), 3) == (len(written.keys), written.conversations, written.preferences)
    before = files(tmp_path / "first")
    for name, settings in (("second", store_settings), ("third", StoreSettings())):
        target = WorkspaceStore(tmp_path / f"in-{name}", settings)
        target.root.mkdir()
        done = moved(target, tmp_path / "first").done()
        assert (written.keys, written.conversations, 3) == (done.added, done.conversations, done.preferences)
        again = moved(target, tmp_path / "first").done()
        assert (written.keys, written.conversations, 0) == (
            again.present,
            again.present_conversations,
            again.preferences,
        )
        export_store(target, tmp_path / name, ALL)
        assert before == files(tmp_path / name)
        target.close()


def test_a_part_of_it(store: WorkspaceStore, tmp_path: Path) -> None:
    """What is of one agent or one session, and no preferences."""
    assert ("s-1", "ą") == export_store(store, tmp_path / "agent", DetailFilter(agent_id="main")).conversations
    written = export_store(store, tmp_path / "thread", DetailFilter(thread_id="S-2"))
    assert ((), ("S-2",), 0) == (written.keys, written.conversations, written.preferences)


def test_secrets_that_somebody_put_in_are_masked(store: WorkspaceStore, tmp_path: Path) -> None:
    """In messages, in what came with them, in summaries and preferences."""
    export_store(store, tmp_path / "out", ALL)
    rows = tmp_path / "out" / ROWS
    text = rows.read_text(encoding="utf-8")
    for word in ("zażółć", "a note", "Numbers.", "short", "dry"):
        text = text.replace(word, f"my key is {KEY}")
    rows.write_text(text, encoding="utf-8")
    other = WorkspaceStore(tmp_path / "other", StoreSettings())
    other.root.mkdir()
    moved(other, tmp_path / "out").done()
    export_store(other, tmp_path / "again", ALL)
    again = (tmp_path / "again" / ROWS).read_text(encoding="utf-8")
    assert (text.count(KEY), 0) == (again.count(MASK * len(KEY)), again.count(KEY))
    other.close()


def test_what_is_not_what_was_exported(store: WorkspaceStore, tmp_path: Path) -> None:
    """A line that is none, of no kind, out of its order, or with another field: nothing of its talk comes in."""
    export_store(store, tmp_path / "out", ALL)
    rows = tmp_path / "out" / ROWS
    detail, head, first, second, *_ = rows.read_text(encoding="utf-8").splitlines()
    other = WorkspaceStore(tmp_path / "other", StoreSettings())
    other.root.mkdir()
    broken = (
        [first],
        [head, "{"],
        [head, "[]"],
        [head, second],
        [head, first.replace('"message"', '"other"')],
        [head, first.replace('"tokens"', '"token"')],
    )
    for lines in broken:
        rows.write_text("\n".join([detail, *lines]), encoding="utf-8")
        with pytest.raises(ExportDamaged):
            moved(other, tmp_path / "out").done()
    assert [] == other.conversations.list_conversations()
    other.close()


def test_a_folder_at_which_nobody_may_look(tmp_path: Path) -> None:
    """It has no conversations; what reads it says why."""
    assert not has_conversations(tmp_path / ("x" * 300))
