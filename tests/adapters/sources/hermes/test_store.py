"""Whose word each message of Hermes' store is, and which sessions there are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.adapters.sources import hermes
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.ports.engine import TranscriptSource
from schemas.settings import OwnerSettings, SourceSettings
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.hermes_rows import START, HermesRows

SKILL = '[IMPORTANT: The user has invoked the "work" skill.]\n\nRules: never.'
ASKED = "\n\nThe user has provided the following instruction alongside the skill invocation:"


@pytest.fixture(name="rows")
def _rows(tmp_path: Path) -> Iterator[HermesRows]:
    rows = HermesRows(tmp_path / "profiles" / "architect" / "state.db")
    rows.session("s-1")
    yield rows
    rows.close()


def source(rows: HermesRows, owner: tuple[str, ...] = ()) -> TranscriptSource:
    """The source over the home folder of a store."""
    root = rows.file.parents[2]
    settings = SourceSettings(kind="hermes", path=str(root), owner=OwnerSettings(ids=owner))
    return hermes.KIND.source(SourcePlace(settings, root, "UTC"))


def read(rows: HermesRows, session_id: str = "s-1", owner: tuple[str, ...] = ()) -> Session:
    """One session of a store."""
    (session,) = source(rows, owner).read(f"profiles/architect/state.db/{session_id}")
    return session


def test_default_root_is_the_home_folder(tmp_path: Path) -> None:
    """Wherever it is."""
    assert (tmp_path / ".hermes",) == hermes.KIND.roots(tmp_path, {})
    assert (Path("/srv/hermes"),) == hermes.KIND.roots(tmp_path, {"HERMES_HOME": "/srv/hermes"})


def test_a_session_is_its_messages(rows: HermesRows) -> None:
    """The profile is the agent; times are seconds."""
    rows.message("s-1", "user", "one queue")
    rows.message("s-1", "assistant", None)
    rows.message("s-1", "tool", "x" * 5_000, tool_name="web_search")
    rows.message("s-1", "assistant", "One.")
    session = read(rows)
    assert said(session) == [("owner", "one queue"), ("web", "x" * 200), ("assistant", "One.")]
    assert [1, 3, 4] == [message.number for message in session.messages]
    assert session.messages[0].time.timestamp() == START + 60
    assert (session.agent, session.project, session.machine) == ("architect", "/home/tom/shop", False)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("hello", "hello"),
        ('\x00json:[{"type": "text", "text": "hello"}, {"type": "image_url"}]', "hello"),
        ('[Replying to: "a\n"]\n\nb"]\n\nhello', "hello"),
        ('[Replying to your previous message: "a"]\n\nhello', "hello"),
        ("[Triggering message id: `1` - use it.]\n\n[Note: model was just switched.]\n\nhello", "hello"),
        ("[The user sent an image~ Here's what I can see:\na cat [grey]]\n\nhello", "hello"),
        ("hello\n\n--- Attached Context ---\n@file", "hello"),
        ("<memory-context>tea</memory-context>\nhello", "hello"),
        (f"{SKILL}{ASKED} hello\n\n[Runtime note: x]", "hello"),
        ("[urgent] hello", "[urgent] hello"),
    ],
)
def test_words_come_out_of_what_the_program_adds(rows: HermesRows, content: str, words: str) -> None:
    """Notes, quotes, attachments and recalled memory are no words of the person."""
    rows.message("s-1", "user", content)
    assert said(read(rows)) == [("owner", words)]


@pytest.mark.parametrize(
    ("content", "fields", "origin"),
    [
        ("[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns", {}, "memory"),
        ("[PRIOR CONTEXT — for reference only; not a new message]\nhello", {}, "memory"),
        ("summary", {"_compressed_summary": 1}, "memory"),
        ("<recalled-memories>tea</recalled-memories>", {}, "memory"),
        ("Review the conversation above and consider saving to memory.", {}, "machine"),
        ("[System: a process ended]", {}, "machine"),
        ("[IMPORTANT: You are running as a scheduled cron job.]\n\nReport.", {}, "machine"),
        (SKILL, {}, "machine"),
        ('[Replying to: "a quote without its end', {}, "machine"),
        ("hello", {"display_kind": "hidden"}, "machine"),
        ("hello", {"observed": 1}, "other"),
    ],
)
def test_only_what_a_person_typed_is_the_owners(
    rows: HermesRows, content: str, fields: dict[str, object], origin: str
) -> None:
    """What stands in the person's place, and nobody typed, or somebody else did."""
    rows.message("s-1", "user", content, **fields)
    assert said(read(rows)) == [(origin, content)]


def test_the_answer_to_a_review_is_no_answer_to_a_person(rows: HermesRows) -> None:
    """Up to its text; the next answer is the person's again."""
    rows.message("s-1", "user", "Review the conversation above and update the skill library")
    rows.message("s-1", "assistant", "")
    rows.message("s-1", "assistant", "Saved a skill.")
    rows.message("s-1", "user", "thanks")
    rows.message("s-1", "assistant", "Gladly.")
    assert [origin for origin, _ in said(read(rows))] == ["machine", "machine", "owner", "assistant"]


def test_a_session_after_a_compaction_does_not_repeat_the_one_before(rows: HermesRows) -> None:
    """It begins with copies, around the summary; what follows is its own, also when it was said before."""
    rows.add("sessions", id="s-2", source="cli", parent_session_id="s-1")
    rows.connection.execute("UPDATE sessions SET end_reason = 'compression' WHERE id = 's-1'")
    for session_id in ("s-1", "s-2"):
        rows.message(session_id, "user", "yes")
        if session_id == "s-2":
            rows.message("s-2", "user", "[CONTEXT SUMMARY]: all")
        rows.message(session_id, "assistant", "Done.")
    rows.message("s-2", "user", "one more")
    rows.message("s-2", "user", "yes")
    session = read(rows, "s-2")
    assert [origin for origin, _ in said(session)] == ["memory", "memory", "memory", "owner", "owner"]
    assert (session.machine, session.parent, session.skipped) == (False, "s-1", {"copied": 2})


def test_rows_that_a_compaction_wrote_once_more_count_once(rows: HermesRows) -> None:
    """They have the time of the first."""
    rows.message("s-1", "user", "hello")
    rows.message("s-1", "user", "hello", timestamp=rows.time)
    rows.message("s-1", "user", "hello")
    session = read(rows)
    assert [1, 3] == [message.number for message in session.messages]
    assert session.skipped == {"repeated": 1}


@pytest.mark.parametrize(
    ("fields", "machine"),
    [
        ({"source": "cron"}, True),
        ({"source": "tool"}, True),
        ({"source": "telegram"}, False),
        ({"parent_session_id": "s-1"}, True),
        ({"parent_session_id": "s-0"}, False),
        ({"parent_session_id": "s-0", "model_config": '{"_delegate_from": "s-0"}'}, True),
        ({"parent_session_id": "s-1", "model_config": '{"_branched_from": "s-1"}'}, False),
        ({"parent_session_id": "s-1", "model_config": "{"}, True),
    ],
)
def test_schedules_and_sub_agents_are_machines(rows: HermesRows, fields: dict[str, object], machine: bool) -> None:  # noqa: FBT001 - of a table
    """A child of a session that did not end is a sub-agent's; a compaction, a reset and a branch go on with it."""
    rows.session("s-0", end_reason="session_reset")
    rows.session("s-2", **fields)
    rows.message("s-2", "user", "hello")
    assert machine is read(rows, "s-2").machine


@pytest.mark.parametrize(
    ("chat", "owner", "origin"),
    [
        ({"chat_type": "dm", "user_id": "411"}, (), "owner"),
        ({"chat_type": "dm", "user_id": "411"}, ("411",), "owner"),
        ({"chat_type": "dm", "user_id": "9"}, ("411",), "other"),
        ({"chat_type": "group", "user_id": "411"}, (), "other"),
        ({"chat_type": "group", "user_id": "411"}, ("411",), "owner"),
        ({"chat_type": "group"}, ("411",), "other"),
    ],
)
def test_in_a_group_the_owner_is_known_by_an_id(
    rows: HermesRows, chat: dict[str, object], owner: tuple[str, ...], origin: str
) -> None:
    """With no ids set nobody confirms there; in a chat of two the other side is the owner."""
    rows.session("s-2", source="telegram", **chat)
    rows.message("s-2", "user", "hello")
    assert said(read(rows, "s-2", owner)) == [(origin, "hello")]


def test_a_name_before_the_words_is_no_id(rows: HermesRows) -> None:
    """The gateway puts it there in a session that several share: anybody can choose a name."""
    rows.session("s-2", source="slack", chat_type="group", user_id="411")
    rows.message("s-2", "user", "[Tom] hello")
    assert said(read(rows, "s-2", ("411",))) == [("other", "[Tom] hello")]


def test_every_change_shows_in_the_listing(rows: HermesRows) -> None:
    """A message that is added, and rows that are written anew at their old times."""
    opened = source(rows)
    rows.message("s-1", "user", "hello", timestamp=START)
    listed = [list(opened.files())]
    rows.connection.execute("DELETE FROM messages")
    rows.message("s-1", "user", "hello", timestamp=START)
    listed.append(list(opened.files()))
    rows.message("s-1", "user", "and?")
    listed.append(list(opened.files()))
    assert [1, 1, 1] == [len(files) for files in listed]
    assert len({files[0] for files in listed}) == 3


def test_an_unknown_kind_of_row_is_no_persons(rows: HermesRows) -> None:
    """It is counted, as unknown roles are."""
    rows.message("s-1", "user", "hello", display_kind="hologram")
    rows.message("s-1", "oracle", "hello")
    session = read(rows)
    assert said(session) == [("machine", "hello")]
    assert session.skipped == {"unknown_kind:hologram": 1, "unknown_role:oracle": 1}
