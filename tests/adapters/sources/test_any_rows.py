"""No value in a store, and no bytes in its place, make a source fail with anything but a sentence."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.sources import goose, hermes, opencode, store, zed
from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.errors import ReadFailed
from schemas.settings import SourceSettings
from schemas.transcript import Session
from tests.adapters.sources.test_any_bytes import JSON, NO_SHARING, check
from tests.support.builders import goose_rows
from tests.support.builders.conversation_rows import ConversationRows
from tests.support.builders.goose_rows import GooseRows
from tests.support.builders.hermes_rows import HermesRows
from tests.support.builders.opencode_rows import OpenCodeRows, text
from tests.support.builders.store_rows import cells, changed
from tests.support.builders.zed_rows import ZedRows
from tests.support.tables import table

VALUES = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.binary(max_size=20)
    | st.text(st.characters(codec="utf-8"), max_size=20)
    | JSON.map(json.dumps)
)


def _opencode(file: Path) -> None:
    with closing(OpenCodeRows(file)) as rows:
        rows.session("ses_1")
        rows.message("ses_1", "user", text("hello"), text("x", synthetic=True))
        rows.message("ses_1", "assistant", text("hi"), summary=True)
        rows.session("ses_2", table="session_v2", parent_id="ses_1")
        rows.record("ses_2", "user", text="hello")
        rows.record("ses_2", "assistant", content=[text("hi")])
        rows.record("ses_2", "shell", output="x")


def _hermes(file: Path) -> None:
    with closing(HermesRows(file)) as rows:
        rows.session("a", chat_type="group", user_id="411", end_reason="compression")
        rows.message("a", "user", '[Replying to: "x"]\n\n[Tom] hello')
        rows.message("a", "assistant", "hi")
        rows.session("b", parent_session_id="a", model_config="{}")
        rows.message("b", "user", "[CONTEXT SUMMARY]: x")
        rows.message("b", "user", '\x00json:[{"type": "text", "text": "hello"}]')
        rows.message("b", "tool", "ok", tool_name="web_search")


def _goose(file: Path) -> None:
    with closing(GooseRows(file)) as rows:
        rows.session("s-1")
        rows.message("s-1", "user", goose_rows.text("hello"), {"type": "toolResponse", "id": "t", "toolResult": {}})
        rows.message("s-1", "assistant", goose_rows.text("hi"), {"type": "toolRequest", "id": "t", "toolCall": {}})
        rows.message("s-1", "user", {"type": "toolResponse", "id": "t"}, metadata_json='{"userVisible": false}')


def _zed(file: Path) -> None:
    with closing(ZedRows(file)) as rows:
        rows.thread(
            "t-1", {"User": {"id": "u", "content": [{"Text": "hello"}]}}, {"Agent": {"content": [{"Text": "hi"}]}}
        )
        rows.thread("t-2", {"role": "user", "segments": [{"type": "text", "text": "hello"}]}, data_type="json")


def _store(file: Path) -> None:
    with closing(ConversationRows(file)) as rows:
        rows.conversation("s-1", ("user", "hello"), ("assistant", "hi"), ("tool", "x"))
        rows.conversation("s-2", ("user", "hello"), by_person=False)


STORES: dict[str, tuple[SourceKind, str, Callable[[Path], None]]] = {
    "opencode": (opencode.KIND, "opencode.db", _opencode),
    "hermes": (hermes.KIND, "state.db", _hermes),
    "goose": (goose.KIND, "sessions.db", _goose),
    "store": (store.KIND, "memory.db", _store),
    "zed": (zed.KIND, "threads.db", _zed),
}


def written(kind: str, root: Path) -> Path:
    """A copy of a good store, with nothing left in its write-ahead log; the store is made once a folder."""
    name, make = STORES[kind][1:]
    good = root / "good" / name
    if not good.exists():
        make(good)
        with closing(sqlite3.connect(good)) as store:
            store.execute("PRAGMA journal_mode = DELETE")
    folder = root / "case"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return Path(shutil.copy(good, folder / name))


def read(kind: str, file: Path) -> list[Session]:
    """What a folder with this store gives."""
    source = STORES[kind][0].source(SourcePlace(SourceSettings(kind=kind, path="x"), file.parent, "UTC"))
    sessions = list[Session]()
    with suppress(ReadFailed):
        for listed in source.files():
            sessions += source.read(listed.path)
    for session in sessions:
        check(session)
    return sessions


@pytest.mark.parametrize("kind", STORES)
@NO_SHARING
@given(data=st.data())
def test_any_value_in_a_cell(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    """Whatever a column holds, the store is read as far as it goes."""
    file = written(kind, tmp_path)
    cell = data.draw(st.sampled_from(sorted(cells(file))))
    changed(file, cell, data.draw(VALUES))
    read(kind, file)


@pytest.mark.parametrize("kind", STORES)
@NO_SHARING
@given(data=st.data())
def test_any_bytes_of_a_store(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    """A damaged database is trouble, or is read as far as it goes."""
    file = written(kind, tmp_path)
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    file.write_bytes(content)
    read(kind, file)


@table("kind", STORES)
def test_a_good_store_has_sessions(tmp_path: Path, kind: str) -> None:
    """What is changed above is read when it is not."""
    assert read(kind, written(kind, tmp_path))
