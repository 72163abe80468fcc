"""Whose word each message of Goose is, and which sessions there are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.adapters.sources import goose
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.goose_rows import START, GooseLines, GooseRows, text
from tests.support.sources import opened_source


@pytest.fixture(name="rows")
def _rows(tmp_path: Path) -> Iterator[GooseRows]:
    rows = GooseRows(tmp_path / "sessions.db")
    rows.session("s-1")
    yield rows
    rows.close()


def source(rows: GooseRows) -> TranscriptSource:
    """The source over the folder of a store."""
    return opened_source(goose, rows.file.parent)


def read(rows: GooseRows, session_id: str = "s-1") -> Session:
    """One session of a store."""
    (session,) = source(rows).read(f"sessions.db/{session_id}")
    return session


def test_default_root_is_in_the_data_folder(tmp_path: Path) -> None:
    """The folder of user data, or of Goose, wherever it is."""
    assert (tmp_path / ".local/share/goose/sessions",) == goose.KIND.roots(tmp_path, {})
    assert (Path("/srv/goose/sessions"),) == goose.KIND.roots(tmp_path, {"XDG_DATA_HOME": "/srv"})
    assert (Path("/srv/g/data/sessions"),) == goose.KIND.roots(tmp_path, {"GOOSE_PATH_ROOT": "/srv/g"})


def test_a_tools_answer_stands_where_a_person_speaks(rows: GooseRows) -> None:
    """It is the tool's; the name is in the request before it."""
    call = {"type": "toolRequest", "id": "t", "toolCall": {"status": "success", "value": {"name": "web__fetch"}}}
    result = {
        "type": "toolResponse",
        "id": "t",
        "toolResult": {"status": "success", "value": {"content": [text("ok")]}},
    }
    older = {"type": "toolResponse", "id": "u", "toolResult": {"status": "success", "value": [text("fine")]}}
    rows.message("s-1", "user", text("one queue"))
    rows.message("s-1", "assistant", {"type": "thinking", "thinking": "hm"}, call)
    rows.message("s-1", "user", result)
    rows.message("s-1", "user", older)
    rows.message("s-1", "user", older, text("I moved to Oslo"))
    rows.message("s-1", "assistant", text("One."))
    session = read(rows)
    tools = [("web", "ok"), ("tool", "fine"), ("tool", "fine\nI moved to Oslo")]
    assert said(session) == [("owner", "one queue"), *tools, ("assistant", "One.")]
    assert session.messages[0].time.timestamp() == START + 60
    assert (session.project, session.machine, session.skipped) == ("/home/tom/shop", False, {"no_text": 1})


def test_what_only_the_agent_sees_is_no_persons(rows: GooseRows) -> None:
    """Summaries and copies after a compaction; what only the person sees was said before it."""
    rows.message("s-1", "user", text("one queue"), metadata_json='{"userVisible": true, "agentVisible": false}')
    rows.message("s-1", "user", text("summary"), metadata_json='{"userVisible": false, "agentVisible": true}')
    rows.message("s-1", "assistant", text("I go on."), metadata_json='{"userVisible": false, "agentVisible": true}')
    rows.message("s-1", "user", text("<info-msg>\nIt is 9.\n</info-msg>"))
    rows.message("s-1", "user", text("<info-msg>\nIt is 9.\n</info-msg>"), text("and now?"))
    assert [origin for origin, _ in said(read(rows))] == ["owner", "memory", "memory", "machine", "owner"]


def test_messages_that_are_written_anew_keep_their_ids(rows: GooseRows) -> None:
    """With an id of their own, or by their place; the listing shows the change."""
    opened = source(rows)
    rows.message("s-1", "user", text("a"), message_id="m-1")
    rows.message("s-1", "user", text("b"))
    before, listed = read(rows), list(opened.files())
    rows.connection.execute("CREATE TEMP TABLE kept AS SELECT * FROM messages ORDER BY id")
    rows.connection.execute("DELETE FROM messages")
    rows.connection.execute("UPDATE kept SET id = id + 2, metadata_json = '{\"agentVisible\": false}'")
    rows.connection.execute("INSERT INTO messages SELECT * FROM kept")
    assert before.messages == read(rows).messages
    assert listed != list(opened.files())


@pytest.mark.parametrize(
    ("fields", "machine"),
    [
        ({"session_type": "user"}, False),
        ({"session_type": "terminal"}, False),
        ({"session_type": "scheduled"}, True),
        ({"session_type": "sub_agent"}, True),
        ({"session_type": "hidden"}, True),
        ({"schedule_id": "daily"}, True),
    ],
)
def test_schedules_and_sub_agents_are_machines(rows: GooseRows, fields: dict[str, object], machine: bool) -> None:  # noqa: FBT001 - of a table
    """By the type of the session."""
    rows.session("s-2", **fields)
    rows.message("s-2", "user", text("hello"))
    assert machine is read(rows, "s-2").machine


def test_a_session_that_was_imported_into_the_store_is_read_there(rows: GooseRows) -> None:
    """Its file stays on disk."""
    for name in ("s-1", "s-2"):
        lines = GooseLines(schedule_id="daily")
        lines.message("user", text("a"))
        lines.message("oracle", text("b"))
        (rows.file.parent / f"{name}.jsonl").write_bytes(b"".join(lines.lines))
    rows.message("s-1", "user", text("a"))
    opened = source(rows)
    assert ["s-2.jsonl", "sessions.db/s-1"] == [file.path for file in opened.files()]
    (session,) = opened.read("s-2.jsonl")
    assert (session.session_id, session.machine, session.project) == ("s-2", True, "/home/tom/shop")
    assert session.skipped == {"unknown_role:oracle": 1}
