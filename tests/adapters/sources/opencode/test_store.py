"""Whose word each message of OpenCode's store is, and which sessions there are."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.sources import opencode
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.opencode_rows import NEWER, OLDER, START, OpenCodeRows, text
from tests.support.sources import opened_source
from tests.support.tables import table


@pytest.fixture(name="rows")
def _rows(tmp_path: Path) -> Iterator[OpenCodeRows]:
    rows = OpenCodeRows(tmp_path / "opencode.db")
    rows.session("ses_1")
    yield rows
    rows.close()


def source(rows: OpenCodeRows) -> TranscriptSource:
    """The source over the folder of a store."""
    return opened_source(opencode, rows.file.parent)


def read(rows: OpenCodeRows, session_id: str = "ses_1") -> Session:
    """One session of a store."""
    (session,) = source(rows).read(f"opencode.db/{session_id}")
    return session


def test_default_root_is_in_the_data_folder(tmp_path: Path) -> None:
    """The folder of user data, wherever it is."""
    assert (tmp_path / ".local/share/opencode",) == opencode.KIND.roots(tmp_path, {})
    assert (Path("/srv/data/opencode"),) == opencode.KIND.roots(tmp_path, {"XDG_DATA_HOME": "/srv/data"})


def test_the_texts_of_a_message_are_its_parts(rows: OpenCodeRows) -> None:
    """In their order; thoughts, tools and files are no words."""
    first = rows.message("ses_1", "user", text("one queue"), {"type": "file", "url": "x"}, text("or two?"))
    rows.message("ses_1", "assistant", {"type": "reasoning", "text": "hm"}, text("One."), {"type": "tool"})
    session = read(rows)
    assert said(session) == [("owner", "one queue\nor two?"), ("assistant", "One.")]
    assert (1, (first,)) == (session.messages[0].number, session.messages[0].entry_ids)
    assert session.project == "/home/tom/shop"
    assert session.skipped == {}


@pytest.mark.parametrize(
    ("role", "part", "info", "origin"),
    [
        ("user", text("Called the Read tool", synthetic=True), {}, "machine"),
        ("user", text("a plugin's notice", ignored=True), {}, "machine"),
        ("user", text("Create or update `AGENTS.md` for this repository.\nMore."), {}, "machine"),
        ("user", text("[SYSTEM DIRECTIVE: A PLUGIN - TODO CONTINUATION]\n\nGo on."), {}, "machine"),
        ("user", text("<system-reminder>done</system-reminder>\n<!-- OMO_INTERNAL_INITIATOR -->"), {}, "machine"),
        ("user", text("Work on the plan.\n<!-- OMO_INTERNAL_INITIATOR -->"), {}, "machine"),
        ("user", text("Wake up.\n<!-- SLIM_INTERNAL_INITIATOR -->"), {}, "machine"),
        ("user", text("## Relevant Memories from Previous Sessions\n\n- tea"), {}, "machine"),
        ("user", text("[search-mode]\nSEARCH ALL."), {}, "machine"),
        ("user", text("[urgent] hello\n---\nor later"), {}, "owner"),
        ("user", text("<recalled-memories>tea</recalled-memories>"), {}, "memory"),
        ("user", text("hello"), {"summary": {"title": "Hello", "diffs": []}}, "owner"),
        ("assistant", text("## Goal"), {"summary": True}, "memory"),
        ("assistant", text("Command failed.", synthetic=True), {}, "machine"),
    ],
)
def test_only_what_a_person_typed_is_the_owners(
    rows: OpenCodeRows, role: str, part: dict[str, Any], info: dict[str, Any], origin: str
) -> None:
    """What the program or a plugin put in the person's place, and summaries, confirm nothing."""
    rows.message("ses_1", role, part, **info)
    ((spoken, words),) = said(read(rows))
    assert (spoken, words) == (origin, part["text"])


def test_injected_parts_are_cut(rows: OpenCodeRows) -> None:
    """What stands beside the person's words in the same message."""
    rows.message("ses_1", "user", text("see @notes.md"), text("<file>rm -rf</file>", synthetic=True))
    assert said(read(rows)) == [("owner", "see @notes.md")]


def test_the_mode_of_a_plugin_is_cut(rows: OpenCodeRows) -> None:
    """It stands before the person's words, in the same text."""
    rows.message("ses_1", "user", text("[search-mode]\nSEARCH ALL.\n---\nNever stop.\n\n---\n\none queue"))
    assert said(read(rows)) == [("owner", "one queue")]


def test_a_sub_agent_is_a_machine_with_a_parent(rows: OpenCodeRows) -> None:
    """Its task stands where a person speaks."""
    rows.session("ses_2", parent_id="ses_1")
    rows.message("ses_2", "user", text("Search the code."))
    session = read(rows, "ses_2")
    assert (session.machine, session.parent) == (True, "ses_1")


def test_a_fork_does_not_repeat_what_it_copied(rows: OpenCodeRows) -> None:
    """Messages that are older than their session were said in another."""
    rows.session("ses_2", time_created=START + 90_000)
    rows.message("ses_2", "user", text("said before"))
    rows.message("ses_2", "user", text("said here"))
    assert said(read(rows, "ses_2")) == [("memory", "said before"), ("owner", "said here")]


def test_records_of_the_newer_generation_say_what_they_are(rows: OpenCodeRows) -> None:
    """By their type; an assistant's words are blocks among those of its tools."""
    rows.record("ses_3", "user", text="one queue")
    rows.record("ses_3", "synthetic", text="a file")
    rows.record("ses_3", "system", text="the date")
    rows.record("ses_3", "shell", command="ls", output="x" * 5_000)
    rows.record("ses_3", "assistant", content=[text("One."), {"type": "tool", "state": {}}, text("Or two.")])
    rows.record("ses_3", "compaction", summary="## Goal", reason="auto")
    rows.record("ses_3", "model-switched", model={})
    rows.record("ses_3", "hologram")
    session = read(rows, "ses_3")
    assert said(session) == [
        ("owner", "one queue"),
        ("machine", "a file"),
        ("machine", "the date"),
        ("tool", "x" * 200),
        ("assistant", "One.\nOr two."),
        ("summary", "## Goal"),
    ]
    assert session.skipped == {"no_conversation": 1, "unknown_record:hologram": 1}


def test_a_session_that_went_on_in_the_newer_table_is_one(rows: OpenCodeRows) -> None:
    """Messages that are in both tables count once, and the older ones keep their numbers."""
    rows.message("ses_1", "user", text("before"))
    before = read(rows)
    rows.time -= 60_000
    rows.record("ses_1", "user", text="before")
    rows.time += 60_000
    rows.record("ses_1", "user", text="after")
    session = read(rows)
    assert said(session) == [("owner", "before"), ("owner", "after")]
    assert before.messages == session.messages[:1]
    assert session.skipped == {"repeated": 1}


@table("tables", [OLDER, NEWER])
def test_either_generation_alone_is_a_store(tmp_path: Path, tables: tuple[str, ...]) -> None:
    """A store has one of the two schemas, or both."""
    rows = OpenCodeRows(tmp_path / "opencode.db", *tables)
    if tables == OLDER:
        rows.message("ses_1", "user", text("hello"))
    else:
        rows.record("ses_1", "user", text="hello")
    assert ["opencode.db/ses_1"] == [file.path for file in source(rows).files()]
    assert said(read(rows)) == [("owner", "hello")]
    rows.close()


def test_every_change_shows_in_the_listing(rows: OpenCodeRows) -> None:
    """A message that is added, and one that is written again in place when its answer is complete."""
    opened = source(rows)
    message = rows.message("ses_1", "assistant", text("On"))
    listed = [list(opened.files())]
    rows.connection.execute("UPDATE message SET time_updated = time_updated + 5 WHERE id = ?", (message,))
    listed.append(list(opened.files()))
    rows.record("ses_1", "user", text="and?")
    listed.append(list(opened.files()))
    assert [1, 1, 1] == [len(files) for files in listed]
    assert len({files[0] for files in listed}) == 3


def test_broken_json_is_an_empty_message(rows: OpenCodeRows) -> None:
    """It keeps its number, and the others are read."""
    rows.add("message", id="msg_0", session_id="ses_1", time_created=START, time_updated=START, data="{")
    rows.message("ses_1", "user", text("hello"))
    session = read(rows)
    assert [2] == [message.number for message in session.messages]
    assert session.skipped == {"unknown_record:": 1}
