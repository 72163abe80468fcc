"""An index that is damaged, of another version, on a full disk, or without rights."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeStore
from pipeline.index.schema import IDENTITY, STAMP_ID
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


def shard(index: Path) -> Path:
    """The folder of the engine."""
    return next(index.glob("shard-*"))


def garble(index: Path) -> None:
    """Put something else into the file that names the engine's folder."""
    (index / "live.json").write_text("no JSON")


def lose(index: Path) -> None:
    """Lose the engine's folder."""
    shutil.rmtree(shard(index))


def cut(index: Path) -> None:
    """Cut all of the engine's files short."""
    for path in shard(index).rglob("*"):
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
    assert (TEXT, 1) == ((searched.root / DAY).read_text(), len(list(searched.index.glob("shard-*"))))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"reading": 0}, "files are read in another way now"),
        ({"engine": "qdrant-edge-0.1.0-1"}, "the engine changed from qdrant-edge-0.1.0-1 to "),
        ({"colour": "red"}, "it does not say what it was made with, or was made by another version"),
    ],
)
def test_an_index_of_another_version_is_made_anew(change: dict[str, object], why: str, searched: Searched) -> None:
    """Beside the old one, at the next look; and it is told why."""
    with EdgeStore(searched.index).writing() as indexer:
        stamp = indexer.retrieve([STAMP_ID])[0].payload[IDENTITY]
        indexer.set_payload({STAMP_ID: {IDENTITY: stamp | change}})
    answer = searched.ask("heron")
    assert [DAY] == [hit.path for hit in answer.hits]
    assert any(why in note for note in answer.notes)
    assert "" == searched.reindex()["rebuilt"]


def test_files_may_not_grow(searched: Searched) -> None:
    """A sentence and exit code 1, and what there was is still there."""
    searched.write("memory/otters.md", "# Animals\n\nThe otter sleeps below the sauna.\n")
    for size in (0, 10_000):
        said = searched.memory.memory("reindex", "--full", before=largest_file(size))
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


@pytest.mark.parametrize("free", [pytest.param(0, marks=pytest.mark.soak), 4_000_000])
def test_a_real_full_disk(free: int, small_disk: Path) -> None:
    """The engine maps its files, so a full disk would kill the process: a sentence comes first, and nothing is lost."""
    searched = new_searched(small_disk / "w", **WORDS_ALONE)
    searched.write(DAY, TEXT)
    searched.reindex()
    searched.write("memory/otters.md", "# Animals\n\nThe otter sleeps below the sauna.\n")
    filler = small_disk / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free - free))
    for words in (("search", "heron"), ("reindex",), ("reindex", "--full")):
        said = searched.memory.memory(*words)
        assert (1, True) == (said.code, " MB are free on its disk." in said.shown), (words, said)
    filler.unlink()
    assert (1, "") == (searched.reindex()["added"], searched.reindex()["rebuilt"])
    assert [DAY] == [hit.path for hit in searched.ask("heron").hits]


def test_no_right_to_write(searched: Searched) -> None:
    """The engine has to write even to read: a sentence that names the place, from a search as from a doctor."""
    for path in (searched.index, *searched.index.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    for words in (("search", "heron"), ("reindex",), ("doctor",)):
        said = searched.memory.memory(*words, before=ordinary_rights())
        assert (1, "Traceback" in said.err) == (said.code, False), said.shown
        assert f"Cannot write {searched.index}" in said.shown
    searched.index.chmod(0)
    said = searched.memory.memory("doctor", before=ordinary_rights())
    assert (1, True) == (said.code, "live.json cannot be read (Permission denied)" in said.shown), said
    for path in (searched.index, *searched.index.rglob("*")):
        path.chmod(path.stat().st_mode | (0o700 if path == searched.index or path.is_dir() else 0o600))
    assert [DAY] == [hit.path for hit in searched.ask("heron").hits]


def test_an_index_that_cannot_follow_still_answers(searched: Searched) -> None:
    """When it may not be written anew, what it knows is found, and it is said that it is not up to date."""
    with EdgeStore(searched.index).writing() as indexer:
        stamp = indexer.retrieve([STAMP_ID])[0].payload[IDENTITY]
        indexer.set_payload({STAMP_ID: {IDENTITY: stamp | {"reading": 0}}})
    searched.index.chmod(0o555)
    answer = searched.ask("heron", before=ordinary_rights())
    searched.index.chmod(0o755)
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
