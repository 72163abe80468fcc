"""A store, and the files of older versions beside it."""

from pathlib import Path

import pytest

from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from tests.adapters.sources.goose.test_contract import opened
from tests.support.builders.goose_rows import GooseLines, GooseRows, text
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract


def filled(root: Path) -> None:
    """A session in a store, another in a file, and one in both."""
    rows = GooseRows(root / "sessions.db")
    for session_id in ("s-1", "s-2"):
        rows.session(session_id)
        rows.message(session_id, "user", text(OWNER))
        rows.message(session_id, "assistant", text(ASSISTANT))
    rows.close()
    for session_id in ("s-2", "s-3"):
        lines = GooseLines()
        lines.message("user", text(OWNER))
        (root / f"{session_id}.jsonl").write_bytes(b"".join(lines.lines))


class TestJoinedSource(SourceContract):
    """The contract, over a store and files."""

    def source(self, root: Path) -> TranscriptSource:
        """Three sessions, one of them twice."""
        filled(root)
        return opened(root)


def test_what_a_store_holds_is_read_there_alone(tmp_path: Path) -> None:
    """Where the ids of messages are not the same in both."""
    filled(tmp_path)
    joined = opened(tmp_path)
    assert ["s-3.jsonl", "sessions.db/s-1", "sessions.db/s-2"] == [file.path for file in joined.files()]


def test_a_store_that_cannot_be_read_hides_no_file(tmp_path: Path) -> None:
    """Its trouble is its own."""
    filled(tmp_path)
    (tmp_path / "sessions.db").write_bytes(b"no database at all" * 100)
    joined = opened(tmp_path)
    assert ["s-2.jsonl", "s-3.jsonl", "sessions.db"] == [file.path for file in joined.files()]
    with pytest.raises(ReadFailed, match=r"sessions\.db"):
        joined.read("sessions.db")
    assert joined.name == SourceSettings(kind="goose", path="x").root_name
