"""An index that is damaged, of another version, on a full disk, or without rights."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.index.schema import IDENTITY, LAYOUT, STAMP_ID
from pipeline.ports.index import IndexPoint
from tests.support.processes.preparation import largest_file, ordinary_rights
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

DAY = "memory/2026-03-01.md"
TEXT = "# 2026-03-01\n\n- The heron nests on the jetty.\n"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """A workspace of one file, indexed."""
    indexed = new_searched(tmp_path_factory.mktemp("indexed") / "w", **WORDS_ALONE)
    indexed.write(DAY, TEXT)
    indexed.reindex()
    return indexed


@pytest.fixture
def searched(indexed: Searched, tmp_path: Path) -> Searched:
    """A copy of it for one test."""
    return indexed.copied(tmp_path / "w")


def engine_folder(index: Path) -> Path:
    """The folder of the engine."""
    return next((index / "words").glob("words-*"))


def garble(index: Path) -> None:
    """Put something else into the file that names the engine's folder."""
    (index / "words" / "live").write_text("no name")


def lose(index: Path) -> None:
    """Lose the engine's folder."""
    shutil.rmtree(engine_folder(index))


def cut(index: Path) -> None:
    """Cut all of the engine's files short."""
    for path in engine_folder(index).rglob("*"):
        if path.is_file():
            os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("damage", [garble, lose, cut], ids=lambda item: str(item.__name__))
def test_a_damaged_index_is_made_anew(damage: Callable[[Path], None], searched: Searched) -> None:
    """By the next update as by the next search, which say so; no file of the workspace is touched."""
    damage(searched.index)
    assert "the old one was damaged" == searched.reindex()["rebuilt"]
    damage(searched.index)
    answer = searched.ask("heron")
    assert [DAY] == [hit.path for hit in answer.hits]
    assert "The index was built anew: the old one was damaged." in answer.notes
    assert "" == searched.reindex()["rebuilt"]
    assert (TEXT, 1) == ((searched.root / DAY).read_text(), len(list((searched.index / "words").glob("words-*"))))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"reading": 0}, "files are read in another way now"),
        ({"engine": "tantivy-0.1.0-1"}, "the engine changed from tantivy-0.1.0-1 to "),
        ({"colour": "red"}, "it does not say what it was made with, or was made by another version"),
    ],
)
def test_an_index_of_another_version_is_made_anew(change: dict[str, object], why: str, searched: Searched) -> None:
    """Beside the old one, at the next look; and it is told why."""
    restamp(searched, change)
    answer = searched.ask("heron")
    assert [DAY] == [hit.path for hit in answer.hits]
    assert any(why in note for note in answer.notes)
    assert "" == searched.reindex()["rebuilt"]


def restamp(searched: Searched, change: dict[str, object]) -> None:
    """Let the index say that it was made with something else."""
    store = TantivyStore(searched.index / "words", LAYOUT)
    with store.reading() as reader:
        stamp = reader.retrieve([STAMP_ID])[0].payload if reader else {}
    with store.writing() as indexer:
        indexer.upsert([IndexPoint(STAMP_ID, {**stamp, IDENTITY: stamp[IDENTITY] | change})])


def test_files_may_not_grow(searched: Searched) -> None:
    """A sentence and exit code 1, and what there was is still there."""
    searched.write("memory/otters.md", "# Animals\n\nThe otter sleeps below the sauna.\n")
    for size in (0, 1_000):
        said = searched.memory.memory("doctor", "reindex", "--full", before=largest_file(size))
        assert (1, True, False) == (said.code, "Cannot write " in said.shown, "Traceback" in said.err), said.shown
    assert [DAY] == [hit.path for hit in searched.ask("heron").hits]
    assert ("", 0) == (searched.reindex()["rebuilt"], searched.reindex()["added"])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 MB in memory, where the machine lets us have one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this process may not mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_real_full_disk(small_disk: Path) -> None:
    """What is known is found, and a sentence says that no more can be; with room again all is in, and nothing lost."""
    searched = new_searched(small_disk / "w", **WORDS_ALONE)
    searched.write(DAY, TEXT)
    searched.reindex()
    searched.write("memory/otters.md", "# Animals\n\nThe otter sleeps below the sauna.\n")
    filler = small_disk / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free))
    for words in (("reindex",), ("reindex", "--full")):
        said = searched.memory.memory(*words)
        assert (1, True, False) == (said.code, "Cannot write " in said.shown, "Traceback" in said.err), (words, said)
    answer = searched.ask("heron")
    assert [DAY] == [hit.path for hit in answer.hits]
    assert any("The index could not be brought up to date. Cannot write " in note for note in answer.notes)
    filler.unlink()
    assert (1, "") == (searched.reindex()["added"], searched.reindex()["rebuilt"])
    assert ["memory/otters.md"] == [hit.path for hit in searched.ask("otter").hits]


def test_no_right_to_write(searched: Searched) -> None:
    """A search answers, and says that it may not follow; a change, and a doctor, name the place."""
    for path in (searched.index, *searched.index.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    for words, code in ((("search", "heron"), 0), (("reindex",), 1), (("doctor",), 1)):
        said = searched.memory.memory(*words, before=ordinary_rights())
        assert (code, "Traceback" in said.err) == (said.code, False), said.shown
        assert f"Cannot write {searched.index}" in said.shown
    (searched.index / "words").chmod(0)
    said = searched.memory.memory("doctor", before=ordinary_rights())
    assert (1, True) == (said.code, "live cannot be read (Permission denied)" in said.shown), said
    for path in (searched.index, searched.index / "words", *searched.index.rglob("*")):
        path.chmod(path.stat().st_mode | (0o700 if path.is_dir() else 0o600))
    assert [DAY] == [hit.path for hit in searched.ask("heron").hits]


def test_an_index_that_cannot_follow_still_answers(searched: Searched) -> None:
    """When it may not be written anew, what it knows is found, and it is said that it is not up to date."""
    restamp(searched, {"reading": 0})
    (searched.index / "words").chmod(0o555)
    answer = searched.ask("heron", before=ordinary_rights())
    (searched.index / "words").chmod(0o755)
    assert [DAY] == [hit.path for hit in answer.hits]
    if os.getuid() == 0 or any("brought up to date" in note for note in answer.notes):
        assert any("The index could not be brought up to date. Cannot write " in note for note in answer.notes)


def test_no_index_can_be_made(tmp_path: Path) -> None:
    """Then there is nothing to answer from: that is no empty answer, but a sentence and exit code 1."""
    searched = new_searched(tmp_path / "w", **WORDS_ALONE)
    searched.write(DAY, TEXT)
    (searched.root / ".memory").mkdir(mode=0o555)
    said = searched.memory.memory("search", "heron", before=ordinary_rights())
    (searched.root / ".memory").chmod(0o755)
    assert (1, True) == (said.code, "Cannot write " in said.shown), said.shown
