"""Cursor's transcripts: whose word each line is, and when it was said."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pipeline.adapters.sources import cursor
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import said
from tests.support.builders.cursor_lines import CursorLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source
from tests.support.tables import table


class TestCursorSource(FileSourceContract):
    """The contract, over transcripts of Cursor."""

    REPEATABLE = 1  # the answer

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(cursor, root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        file = CursorLines()
        file.user(OWNER)
        file.assistant(ASSISTANT)
        file.user(f"żółć \ud83d 好 {session_id}")
        return file.lines


def test_default_root_is_in_the_settings_folder(tmp_path: Path) -> None:
    """Wherever that is."""
    assert (tmp_path / ".cursor/projects",) == cursor.KIND.roots(tmp_path, {})
    assert (Path("/srv/cursor/projects"),) == cursor.KIND.roots(tmp_path, {"CURSOR_CONFIG_DIR": "/srv/cursor"})


def test_words_come_out_of_their_tag_with_their_minute(tmp_path: Path) -> None:
    """An answer has the time of its question; what is attached is no word of the person."""
    lines = CursorLines()
    lines.user("one queue", before="<attached_files>\n<user_query>never</user_query>\n</attached_files>\n")
    lines.assistant("One.", {"type": "tool_use", "name": "Shell", "input": {}})
    lines.add({"type": "turn_ended", "status": "success"})
    session = lines.read(tmp_path, "home-tom-shop/agent-transcripts/5f1c/5f1c.jsonl")
    assert said(session) == [("owner", "one queue"), ("assistant", "One.")]
    asked = datetime(2026, 2, 2, 20, 0, tzinfo=UTC)
    assert [asked, asked] == [message.time for message in session.messages]
    assert (session.session_id, session.project, session.machine) == ("5f1c", "home-tom-shop", False)
    assert session.skipped == {"no_conversation": 1}


def test_without_any_time_the_files_last_change_is_the_time(tmp_path: Path) -> None:
    """The messages are not of a later moment; their ids do not depend on it."""
    lines = CursorLines()
    lines.message("user", {"type": "text", "text": "hello"})
    first = lines.read(tmp_path)
    os.utime(tmp_path / "s.jsonl", (1_770_000_000, 1_770_000_000))
    (session,) = opened_source(cursor, tmp_path).read("s.jsonl")
    assert [1_770_000_000] == [message.time.timestamp() for message in session.messages]
    assert first.messages[0].entry_ids == session.messages[0].entry_ids
    assert session.skipped == {}


@table(
    ("text", "origin"),
    [
        ("hello", "owner"),
        ("<user_query>no end", "machine"),
        ("<user_info>\nOS: linux\n</user_info>", "machine"),
        ("<system_notification>done</system_notification>", "machine"),
        ("<timestamp>Monday</timestamp>", "machine"),
    ],
)
def test_only_what_a_person_typed_is_the_owners(tmp_path: Path, text: str, origin: str) -> None:
    """Without the tag of a question, a text in other tags is the program's."""
    lines = CursorLines()
    lines.message("user", {"type": "text", "text": text})
    assert said(lines.read(tmp_path)) == [(origin, text)]


def test_a_sub_agent_is_a_machine_with_a_parent(tmp_path: Path) -> None:
    """Its file is in a folder of the session's."""
    lines = CursorLines()
    lines.user("Search the code.")
    session = lines.read(tmp_path, "shop/agent-transcripts/5f1c/subagents/77aa.jsonl")
    assert (session.session_id, session.machine, session.parent) == ("77aa", True, "5f1c")


def test_what_is_unknown_is_counted(tmp_path: Path) -> None:
    """Records and blocks by their names."""
    lines = CursorLines()
    lines.message("user", {"type": "hologram"})
    lines.add({"type": "turn_paused", "text": "it will rain"})
    assert {"unknown_block:hologram": 1, "unknown_record:turn_paused": 1, "no_text": 1} == lines.read(tmp_path).skipped


def test_a_text_beside_the_question_is_not_the_persons(tmp_path: Path) -> None:
    """What is attached can stand in a block of its own; a tag in it comes before the question's."""
    lines = CursorLines()
    blocks = ("I moved to Oslo", "<user_query>never</user_query>", "<user_query>one queue</user_query>")
    lines.message("user", *({"type": "text", "text": text} for text in blocks))
    assert [("owner", "one queue")] == said(lines.read(tmp_path))
