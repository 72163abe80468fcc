"""Exports: each conversation is a file of its own, read by its place."""

import json
import os
import zipfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.sources import chatgpt, claude_ai
from pipeline.errors import ReadFailed
from tests.support.builders.claude_lines import said
from tests.support.builders.exported_chats import ChatGptConversation, ClaudeConversation, written
from tests.support.sources import opened_source
from tests.support.tables import table

source = partial(opened_source, chatgpt)


def chat(session_id: str, text: str = "one queue") -> dict[str, object]:
    """A conversation with a message."""
    conversation = ChatGptConversation(session_id)
    conversation.add("user", text)
    return conversation.value


def paths(root: Path) -> list[str]:
    """What a new source lists."""
    return [file.path for file in source(root).files()]


def texts(root: Path) -> list[str]:
    """All that is said in a new source."""
    opened = source(root)
    return [text for file in opened.files() for session in opened.read(file.path) for _, text in said(session)]


def test_files_and_zips_are_exports(tmp_path: Path) -> None:
    """A folder holds those that were unpacked, one or several files each, and those that were not."""
    written(tmp_path / "a/conversations.json", [chat("one")])
    written(tmp_path / "b/conversations-000.json", [chat("two"), chat("a/b")])
    written(tmp_path / "c.zip", [chat("three")])
    written(tmp_path / "a/projects.json", [chat("four")])
    assert ["a/conversations.json/one", "b/conversations-000.json/two", "c.zip/three"] == [
        path for path in paths(tmp_path) if "%2F" not in path
    ]


def test_a_zip_may_hold_several_files(tmp_path: Path) -> None:
    """In folders, too; a conversation that stands in two counts once."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("export/conversations-001.json", json.dumps([chat("two", "second"), chat("one", "again")]))
        archive.writestr("export/conversations-000.json", json.dumps([chat("one", "first")]))
        archive.writestr("export/__MACOSX/._conversations.json", b"\x00\x05")
    assert ["first", "second"] == texts(tmp_path)


def test_a_service_reads_its_own_exports(tmp_path: Path) -> None:
    """Their exports have the same names."""
    written(tmp_path / "a.zip", [chat("one")])
    claude = ClaudeConversation("two")
    claude.add("human", "hello")
    written(tmp_path / "b.zip", [claude.value])
    other = opened_source(claude_ai, tmp_path)
    assert ["a.zip/one"] == paths(tmp_path)
    assert ["b.zip/two"] == [file.path for file in other.files()]


def test_only_changed_conversations_of_a_new_export_are_new(tmp_path: Path) -> None:
    """A conversation that did not go on is listed as before."""
    opened, old, grown = source(tmp_path), chat("old"), ChatGptConversation("grown")
    grown.add("user", "one queue")
    written(tmp_path / "a.zip", [old, grown.value])
    before = {file.path: file for file in opened.files()}
    assert ["one queue"] == [text for _, text in said(opened.read("a.zip/grown")[0])]
    grown.add("assistant", "One.")
    os.utime(written(tmp_path / "a.zip", [grown.value, old]), ns=(1, 1))
    after = {file.path: file for file in opened.files()}
    assert before["a.zip/old"] == after["a.zip/old"]
    assert before["a.zip/grown"] != after["a.zip/grown"]
    assert ["one queue", "One."] == [text for _, text in said(opened.read("a.zip/grown")[0])]


def test_a_conversation_is_read_without_a_listing(tmp_path: Path) -> None:
    """By the path that an entry names."""
    written(tmp_path / "a.zip", [chat("one", "żółć"), chat("two", "好")])
    assert [("owner", "好")] == said(source(tmp_path).read("a.zip/two")[0])
    assert () == source(tmp_path).read("a.zip/gone")
    assert () == source(tmp_path).read("a.zip")


@table("name", ["a.zip", "conversations.json"])
def test_an_export_that_is_cut_is_an_error(tmp_path: Path, name: str) -> None:
    """It stands for itself, so that its conversations are not taken for deleted."""
    file = written(tmp_path / name, [chat("one"), chat("two")])
    file.write_bytes(file.read_bytes()[:-30])
    assert [name] == paths(tmp_path)
    for path in (name, f"{name}/one"):
        with pytest.raises(ReadFailed, match=name):
            source(tmp_path).read(path)


def test_an_encrypted_zip_is_an_error(tmp_path: Path) -> None:
    """Its password is not known."""
    file = written(tmp_path / "a.zip", [chat("one")])
    content = file.read_bytes()
    file.write_bytes(content.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"))
    with pytest.raises(ReadFailed, match="zip"):
        source(tmp_path).read("a.zip")


def test_a_zip_that_was_damaged_since_leaves_no_file_open(tmp_path: Path) -> None:
    """What was uncompressed of it takes no room on the disk any more."""
    file = written(tmp_path / "a.zip", [chat("one")])
    opened, listed = source(tmp_path), file.stat()
    assert ["a.zip/one"] == [conversation.path for conversation in opened.files()]
    with zipfile.ZipFile(file) as archive:
        check = archive.getinfo("conversations.json").CRC.to_bytes(4, "little")
    file.write_bytes(file.read_bytes().replace(check, bytes(4)))
    os.utime(file, ns=(listed.st_atime_ns, listed.st_mtime_ns))
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(ReadFailed, match="zip"):
            opened.read("a.zip/one")
    assert before == len(list(Path("/dev/fd").iterdir()))


def test_zips_of_others_have_no_conversations(tmp_path: Path) -> None:
    """A folder of downloads has many."""
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("photo.jpg", b"\xff\xd8")
    assert [] == paths(tmp_path)


def test_a_path_cannot_lead_out(tmp_path: Path) -> None:
    """Not even to an export."""
    root = tmp_path / "root"
    root.mkdir()
    written(tmp_path / "a.zip", [chat("one")])
    with pytest.raises(ReadFailed, match="not inside"):
        source(root).read("../a.zip/one")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data(), name=st.sampled_from(["a.zip", "conversations.json"]))
def test_any_byte_changed(tmp_path: Path, data: st.DataObject, name: str) -> None:
    """A damaged export is an error of the export, or read as far as it is whole."""
    file = written(tmp_path / name, [chat("one"), chat("two")])
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    file.write_bytes(bytes(content))
    opened = source(tmp_path)
    for listed in opened.files():
        try:
            sessions = opened.read(listed.path)
        except ReadFailed:
            continue
        for session in sessions:
            session.model_dump_json().encode("utf-8")
    file.unlink()
