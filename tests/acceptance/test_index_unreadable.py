"""Files that cannot be indexed: each is told of and passed over, and the rest is found."""

import os
from pathlib import Path

import pytest

from tests.support.processes.preparation import ordinary_rights
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

SETTINGS = """
[[index.extra_paths]]
path = "../elsewhere"
name = "elsewhere"
[[index.extra_paths]]
path = "../missing"
name = "missing"
"""


@pytest.fixture
def searched(tmp_path: Path) -> Searched:
    """A workspace with one good file of each sort, and one bad file of each."""
    searched = new_searched(tmp_path / "w", SETTINGS, **WORDS_ALONE)
    searched.write("memory/2026-03-01.md", "# 2026-03-01\n\n- The heron nests on the jetty.\n")
    searched.write("../elsewhere/a/otters.md", "# Otters\n\nThe otter sleeps below the sauna.\n")
    memory = searched.root / "memory"
    (memory / "latin.md").write_bytes("# Łódki\n\nSowa śpi.\n".encode("iso-8859-2"))
    (memory / "zeros.txt").write_bytes(b"a heron\0of no text")
    searched.write("memory/closed.md", "# Closed\n\nA closed heron.\n").chmod(0)
    searched.write("memory/shut/inside.md", "# Shut\n\nA shut heron.\n").parent.chmod(0)
    (memory / "itself.md").symlink_to("itself.md")
    (memory / "nowhere.md").symlink_to("nothing.md")
    (memory / "up").symlink_to(".")
    with (memory / "huge.md").open("wb") as file:
        file.truncate(51_000_000)
    os.mkfifo(memory / "pipe.md")
    (Path(os.fsdecode(bytes(memory) + b"/caf\xe9.md"))).write_text("# Cafe\n\nA heron in a cafe.\n")
    return searched


def test_they_are_reported_and_the_rest_is_retrieved(searched: Searched) -> None:
    """By `reindex`, in one line each; by a search in a note; by `doctor` with what it means. None waits or fails."""
    report = searched.reindex(before=ordinary_rights())
    why = {item["path"].rpartition("/")[2]: item["why"] for item in report["unreadable"]}
    assert {
        "closed.md": "cannot be read: Permission denied",
        "shut": "cannot be read: Permission denied",
        "itself.md": "is a link that leads to itself",
        "nowhere.md": "is not there, or is a link that leads nowhere",
        "up": "is a link that leads back to a folder it is in",
        "huge.md": "has 51 MB; files of 50 MB and more are not indexed",
        "pipe.md": "is no ordinary file",
        "caf\ufffd.md": "has a name that is not UTF-8",
        "missing": "is not there, or is a link that leads nowhere",
    } == why
    heron = searched.ask("heron", before=ordinary_rights())
    assert ["memory/2026-03-01.md"] == [hit.path for hit in heron.hits]
    assert any(note.startswith("9 file(s) cannot be read and are left out, such as ") for note in heron.notes)
    otter = searched.ask("otter", before=ordinary_rights())
    assert ["elsewhere:a/otters.md"] == [hit.path for hit in otter.hits]
    doctor = searched.memory.memory("doctor", before=ordinary_rights())
    assert "so it is not found" in doctor.shown
    assert "Traceback" not in doctor.err


def test_they_are_retrieved_once_they_can_be_read(searched: Searched) -> None:
    """And what was found before stays found while its folder is closed for a while."""
    memory = searched.root / "memory"
    searched.reindex(before=ordinary_rights())
    (memory / "closed.md").chmod(0o644)
    (memory / "shut").chmod(0o755)
    (memory / "latin.md").write_text("# Łódki\n\nSowa śpi.\n", encoding="utf-8")
    closed, shut, owl = searched.ask_all(["closed heron", "shut heron", "sowa"])
    assert ("memory/closed.md", "memory/shut/inside.md") == (closed.hits[0].path, shut.hits[0].path)
    assert ["memory/latin.md"] == [hit.path for hit in owl.hits]
    (memory / "shut").chmod(0)
    assert 0 == searched.reindex(before=ordinary_rights())["gone"]
    (memory / "shut").chmod(0o755)
    assert "memory/shut/inside.md" == searched.ask("shut heron").hits[0].path
