"""Hermes' files of older versions."""

from contextlib import closing
from functools import partial
from pathlib import Path

from pipeline.adapters.sources import hermes
from tests.support.builders.claude_lines import said
from tests.support.builders.hermes_rows import HermesRows, session_file
from tests.support.sources import opened_source
from tests.support.tables import table

source = partial(opened_source, hermes)


@table(
    ("start", "time"),
    [("2026-02-02T10:00:00", "2026-02-02T09:00:00+00:00"), ("2026-02-02T10:00:00Z", "2026-02-02T10:00:00+00:00")],
)
def test_every_message_has_the_time_of_the_sessions_start(tmp_path: Path, start: str, time: str) -> None:
    """Local time, unless it names its offset."""
    session_file(
        tmp_path, "s-1", {"role": "user", "content": "a"}, {"role": "user", "content": "b"}, session_start=start
    )
    (session,) = source(tmp_path, "Europe/Warsaw").read("sessions/session_s-1.json")
    assert [time, time] == [message.time.isoformat() for message in session.messages]
    assert (session.agent, session.project, session.skipped) == ("default", "/home/tom/shop", {})


def test_a_file_that_is_written_anew_keeps_its_ids(tmp_path: Path) -> None:
    """As long as its messages stay the same."""
    first = {"role": "user", "content": "a"}
    session_file(tmp_path, "s-1", first)
    (before,) = source(tmp_path).read("sessions/session_s-1.json")
    session_file(tmp_path, "s-1", first, {"role": "assistant", "content": "b"}, last_updated="2026-02-03T10:00:00")
    (after,) = source(tmp_path).read("sessions/session_s-1.json")
    assert before.messages == after.messages[:1]
    assert len(after.messages) == 2


def test_a_session_that_was_imported_into_the_store_is_read_there(tmp_path: Path) -> None:
    """Only the store has times."""
    session_file(tmp_path, "s-1", {"role": "user", "content": "a"})
    session_file(tmp_path, "s-2", {"role": "user", "content": "b"})
    with closing(HermesRows(tmp_path / "state.db")) as rows:
        rows.message("s-1", "user", "a")
    assert ["sessions/session_s-2.json", "state.db/s-1"] == [file.path for file in source(tmp_path).files()]


def test_a_time_that_is_none_is_passed_over(tmp_path: Path) -> None:
    """Whatever stands in its place."""
    session_file(tmp_path, "s-1", {"role": "user", "content": "a", "timestamp": {}})
    (session,) = source(tmp_path).read("sessions/session_s-1.json")
    assert [("owner", "a")] == said(session)


def test_unknown_messages_are_counted(tmp_path: Path) -> None:
    """And those that are none; a scheduler's session is a machine's."""
    session_file(tmp_path, "s-1", {"role": "session_meta"}, {"role": "user", "content": "a"}, platform="cron")
    file = session_file(tmp_path, "s-2")
    file.write_text('{"session_id": "s-2", "session_start": "x", "messages": [1, {"role": "user", "content": "a"}]}')
    opened = source(tmp_path)
    (scheduled,), (undated,) = (opened.read(file.path) for file in opened.files())
    assert (scheduled.machine, said(scheduled)) == (True, [("owner", "a")])
    assert (undated.messages, undated.skipped) == ((), {"bad_record": 1, "undated": 1})


@table("content", ["", "[]", "{}", '{"session_id": "s", "messages": {}}', "{"])
def test_files_of_others_are_passed_over(tmp_path: Path, content: str) -> None:
    """In silence."""
    session_file(tmp_path, "s-1").write_text(content)
    assert source(tmp_path).read("sessions/session_s-1.json") == ()


def test_a_profile_is_named_by_the_folder_above_its_sessions(tmp_path: Path) -> None:
    """Wherever the home folder is: one of that name above it names no profile."""
    home = tmp_path / "profiles" / "tom" / ".hermes"
    for folder in (home, home / "profiles" / "work"):
        session_file(folder, "s-1", {"role": "user", "content": "a"})
    opened = source(home)
    assert ["work", "default"] == [opened.read(file.path)[0].agent for file in opened.files()]
