"""OpenCode's files of versions before 1.2."""

from contextlib import closing
from functools import partial
from pathlib import Path

from pipeline.adapters.sources import opencode
from pipeline.transcripts.catalog import merge
from tests.support.builders.claude_lines import said
from tests.support.builders.opencode_rows import OpenCodeRows, folder, text
from tests.support.sources import opened_source

source = partial(opened_source, opencode)


def test_a_session_is_put_together_from_its_files(tmp_path: Path) -> None:
    """Messages and parts lie in folders of their own, which are not listed."""
    folder(tmp_path, "ses_1", ("user", "one queue"), ("assistant", "One."), parentID="ses_0")
    (file,) = source(tmp_path).files()
    (session,) = source(tmp_path).read(file.path)
    assert file.path == "storage/session/prj_1/ses_1.json"
    assert (session.machine, session.parent, session.project) == (True, "ses_0", "/home/tom/shop")
    assert said(session) == [("owner", "one queue"), ("assistant", "One.")]


def test_a_session_that_was_imported_into_the_store_is_one(tmp_path: Path) -> None:
    """The files stay on disk; the ids are the same."""
    folder(tmp_path, "ses_1", ("user", "one queue"))
    with closing(OpenCodeRows(tmp_path / "opencode.db")) as rows:
        rows.message("ses_1", "user", text("one queue"))
        rows.message("ses_1", "assistant", text("One."))
    opened = source(tmp_path)
    parts = [session for file in opened.files() for session in opened.read(file.path)]
    assert len(parts) == 2
    assert said(merge(parts)) == [("owner", "one queue"), ("assistant", "One.")]


def test_files_of_others_are_passed_over(tmp_path: Path) -> None:
    """Of the same name elsewhere, or with other contents."""
    folder(tmp_path, "ses_1").write_text("[]")
    (tmp_path / "ses_2.json").write_text('{"id": "ses_2", "time": {"created": 1}}')
    opened = source(tmp_path)
    assert [] == [session for file in opened.files() for session in opened.read(file.path)]


def test_a_broken_message_is_counted(tmp_path: Path) -> None:
    """The others are read; a name cannot lead out of the folder of parts."""
    folder(tmp_path, "ses_1", ("user", "one"), ("user", "two"))
    first, second = sorted((tmp_path / "storage/message/ses_1").iterdir())
    first.write_text("{")
    second.write_text(second.read_text().replace(second.stem, ".."))
    (tmp_path / "storage/stray.json").write_text('{"type": "text", "text": "stray"}')
    (session,) = source(tmp_path).read("storage/session/prj_1/ses_1.json")
    assert (session.messages, session.skipped) == ((), {"bad_record": 1, "no_text": 1})
