"""Zed's threads: whose word each message is."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.sources import zed
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import said
from tests.support.builders.zed_rows import ZedRows
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source


def user(words: str, message_id: str = "u-1") -> dict[str, Any]:
    """A person's message."""
    return {"User": {"id": message_id, "content": [{"Text": words}, {"Mention": {"content": "a file"}}]}}


def agent(words: str) -> dict[str, Any]:
    """An answer."""
    return {"Agent": {"content": [{"Thinking": {"text": "hm"}}, {"Text": words}], "tool_results": {}}}


opened = partial(opened_source, zed)


class TestZedSource(SourceContract):
    """The contract, over threads of both generations."""

    def source(self, root: Path) -> TranscriptSource:
        """One of each."""
        older = [{"id": 1, "role": "user", "segments": [{"type": "text", "text": OWNER}]}]
        with closing(ZedRows(root / "threads.db")) as rows:
            rows.thread("t-1", user(OWNER), agent(ASSISTANT), user("żółć \ud83d 好", "u-2"))
            rows.thread("t-2", *older, data_type="json")
        return opened(root)


@pytest.fixture(name="rows")
def _rows(tmp_path: Path) -> Iterator[ZedRows]:
    rows = ZedRows(tmp_path / "threads.db")
    yield rows
    rows.close()


def test_default_roots_are_in_the_data_folder(tmp_path: Path) -> None:
    """Of Linux or of macOS."""
    assert (tmp_path / ".local/share/zed/threads") == zed.KIND.roots(tmp_path, {})[0]
    assert Path("/srv/zed/threads") == zed.KIND.roots(tmp_path, {"XDG_DATA_HOME": "/srv"})[0]


def test_every_message_has_the_time_of_the_threads_start(rows: ZedRows) -> None:
    """Thoughts, tools and mentioned files are no words; what is unknown is counted."""
    rows.thread("t-1", user("one queue"), agent("One."), "Resume", {"Oracle": {}}, 7)
    (session,) = opened(rows.file.parent).read("threads.db/t-1")
    assert said(session) == [("owner", "one queue"), ("assistant", "One.")]
    assert {"2026-02-02T09:00:00+00:00"} == {message.time.isoformat() for message in session.messages}
    assert (session.messages[0].entry_ids, session.project, session.machine) == (("u-1",), "/home/tom/shop", False)
    assert session.skipped == {"no_conversation": 1, "unknown_record:Oracle": 1, "unknown_record:": 1}


def test_older_threads_have_sides_and_segments(rows: ZedRows) -> None:
    """What the program said is its own."""
    text = {"type": "text", "text": "hello"}
    messages = [{"role": role, "segments": [text, {"type": "thinking", "text": "x"}]} for role in ("user", "system")]
    rows.thread("t-1", *messages, data_type="json")
    (session,) = opened(rows.file.parent).read("threads.db/t-1")
    assert said(session) == [("owner", "hello"), ("machine", "hello")]


def test_a_sub_agent_is_a_machine_with_a_parent(rows: ZedRows) -> None:
    """Its thread names the one above."""
    rows.thread("t-2", user("Search the code."), parent_id="t-1")
    (session,) = opened(rows.file.parent).read("threads.db/t-2")
    assert (session.machine, session.parent) == (True, "t-1")


def test_a_thread_that_cannot_be_read_costs_itself_alone(rows: ZedRows) -> None:
    """It is trouble of its own; one that is no thread is none."""
    rows.thread("t-1", user("hello"))
    rows.thread("t-2", data=b"no zstd")
    rows.thread("t-3", data="[]", data_type="json")
    source = opened(rows.file.parent)
    assert len(list(source.files())) == 3
    assert source.read("threads.db/t-1")
    assert source.read("threads.db/t-3") == ()
    with pytest.raises(ReadFailed, match=r"t-2.*uncompressed"):
        source.read("threads.db/t-2")
