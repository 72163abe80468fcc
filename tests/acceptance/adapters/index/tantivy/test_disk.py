"""The index of words on a disk that is full, or may not be written."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.ports.search_contract import Stored
from tests.support.processes.preparation import largest_file, ordinary_rights
from tests.support.processes.word_index import COUNT, generation, live, made, run, start, store_in, write

CHECK = """
with store.reading() as index:
    print(generation(index))
"""

CHANGE = """
from pipeline.errors import WriteFailed
try:
    with store.{way}() as index:
        for number in range({count}):
            index.upsert([point(number, "a" * 100, text=os.urandom(40_000).hex())])
except WriteFailed as error:
    print(type(error).__name__)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of an index, which can be removed in the end."""
    place = tmp_path / "index"
    Stored(store_in(place), made(1))
    yield place
    for path in [place, *place.rglob("*")]:
        path.chmod(0o700)


def may_not_write(folder: Path) -> None:
    """Take away the right to write it."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.chmod(0o500 if path.is_dir() else 0o400)
    folder.chmod(0o500)


@pytest.mark.parametrize("locks", [True, False])
def test_what_may_not_be_written_is_searched(folder: Path, tmp_path: Path, locks: bool) -> None:  # noqa: FBT001
    """Also when the files are not there that the engine locks; nothing is left in the temporary folder."""
    if not locks:
        for lock in live(folder).glob(".*.lock"):
            lock.unlink()
    may_not_write(folder)
    (tmp_path / "temporary").mkdir()
    script = f"import tempfile\ntempfile.tempdir = {str(tmp_path / 'temporary')!r}\n{CHECK}"
    assert (0, "1\n", "") == run(folder, script, ordinary_rights())
    assert [] == [*(tmp_path / "temporary").iterdir()]


def test_a_reader_of_what_may_not_be_written_keeps_what_it_opened(folder: Path) -> None:
    """The links by which it opened it are gone then, and so may the files be."""
    may_not_write(folder)
    script = "with store.reading() as index:\n    print(flush=True)\n    sys.stdin.read()\n    print(generation(index))"
    with start(folder, script, ordinary_rights()) as process:
        assert process.stdout
        process.stdout.readline()
        folder.chmod(0o700)
        live(folder).chmod(0o700)
        store_in(folder).drop()
        assert ("1\n", "") == process.communicate()


@pytest.mark.parametrize("place", ["live", "words-*", "words-*/meta.json", "words-*/*.term"])
def test_what_may_not_be_read_is_an_error(folder: Path, place: str) -> None:
    """It says what to do, and that is not to build the index anew."""
    (path,) = folder.glob(place)
    path.chmod(0)
    code, _, err = run(folder, CHECK, ordinary_rights())
    assert code == 1
    assert "Give the right to read it." in err.splitlines()[-1]


@pytest.mark.parametrize("way", ["writing", "building"])
def test_what_may_not_be_written_is_not_changed(folder: Path, way: str) -> None:
    """The error is that of the disk."""
    may_not_write(folder)
    assert (0, "WriteFailed\n", "") == run(folder, CHANGE.format(way=way, count=1), ordinary_rights())


@pytest.mark.parametrize("way", ["writing", "building"])
@pytest.mark.parametrize("count", [20, 1000])
def test_a_disk_without_room_changes_nothing(folder: Path, way: str, count: int) -> None:
    """Whether the engine notices at the end or on the way; the next one goes well, and nothing is left of this one."""
    before = {path.name for path in folder.iterdir()}
    assert (0, "WriteFailed\n", "") == run(folder, CHANGE.format(way=way, count=count), largest_file(200_000))
    assert before == {path.name for path in folder.iterdir()}
    with store_in(folder).reading() as index:
        assert generation(index) == 1
    write(store_in(folder), 2)
    with store_in(folder).reading() as index:
        assert generation(index) == 2
    assert sum(path.stat().st_size for path in live(folder).iterdir()) < COUNT * 1000


def test_the_index_is_open_to_whom_its_folder_is(tmp_path: Path) -> None:
    """A group that shares a workspace searches it, whoever wrote the index."""
    folder = tmp_path / "index"
    folder.mkdir(mode=0o750)
    folder.chmod(0o750)
    Stored(store_in(folder), made(1))
    write(store_in(folder), 2)
    assert 0o750 == live(folder).stat().st_mode & 0o770
    closed = [path.name for path in live(folder).iterdir() if not path.stat().st_mode & 0o040]
    assert [".managed.json"] == closed
