"""What the contract does not say of the vectors in a folder: other processes, threads, crashes, settling."""

import random
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeVectors, bytes_taken
from pipeline.adapters.index.edge.turn import LINGERING
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.ports.index import Vector, VectorSpace
from tests.support.ports.vector_contract import EAST, NORTH, SPACE, built, keyed, listed, named, ranked, turned
from tests.support.processes.edge_vectors import fifty, start
from tests.support.tables import table

WRITE = """
with store.writing(SPACE) as index:
    for number in range(1000, 9000, 4):
        index.put_vectors({named(number): EAST, named(number + 1): EAST})
        index.put_vectors({named(number): NORTH, named(number % 50 + 1): EAST})
        index.delete([named(number + 1)])
        print(number, flush=True)
"""


def shards(folder: Path) -> int:
    """How many shards lie in a folder."""
    return len(list(folder.glob("shard-*")))


def test_its_name_tells_the_version_of_the_engine() -> None:
    """And that of how it is used."""
    assert f"qdrant-edge-{version('qdrant-edge-py')}-3" == EdgeVectors(Path("nowhere")).name


def test_who_lingers_lets_go_by_itself(tmp_path: Path) -> None:
    """After its time no thread of it is left, and the vectors are free."""
    others = set(threading.enumerate())  # what tests before this one have left lingering
    store = fifty(tmp_path, linger=0.05)
    assert [1] == ranked(store, EAST, limit=1)
    for thread in set(threading.enumerate()) - others:
        thread.join(30)
    assert LINGERING not in {thread.name for thread in set(threading.enumerate()) - others}
    with EdgeVectors(tmp_path, patience=0).reading(SPACE) as index:
        assert index


def test_without_named_pipes_nobody_lingers(tmp_path: Path) -> None:
    """No other process could ask for the vectors then; here a folder stands where the pipe should be."""
    store = fifty(tmp_path, linger=600)
    store.drop()
    (tmp_path / "bell").unlink(missing_ok=True)
    (tmp_path / "bell").mkdir()
    built(store, {1: EAST})
    assert [1] == ranked(store, EAST)
    with EdgeVectors(tmp_path, patience=0).reading(SPACE) as index:
        assert index


def test_what_lingers_is_the_same(tmp_path: Path) -> None:
    """Writing, building, another space and dropping in between are seen by the next to read in this process."""
    store = fifty(tmp_path, linger=600)
    assert [*range(1, 51)] == listed(store)
    with store.writing(SPACE) as index:
        index.delete([named(number) for number in range(2, 51)])
    assert [1] == listed(store)
    assert [7] == listed(built(store, {7: EAST}))
    assert 1 == shards(tmp_path)
    other = VectorSpace("another embedder", 3)
    with store.writing(other) as index:
        index.put_vectors(keyed({8: NORTH}))
    assert (None, [8], 1) == (listed(store), listed(store, other), shards(tmp_path))
    store.drop()
    assert (None, 0) == (listed(store, other), shards(tmp_path))


@table("linger", [0.0, 600.0])
def test_threads_take_turns(tmp_path: Path, linger: float) -> None:
    """All of them are served, whatever they do."""
    store = fifty(tmp_path, linger=linger)

    def act(number: int) -> int:
        if number % 4 == 0:
            with store.writing(SPACE) as index:
                index.put_vectors(keyed({100 + number: EAST}))
        return len(ranked(store, EAST, limit=5))

    with ThreadPoolExecutor(6) as pool:
        assert [5] * 24 == list(pool.map(act, range(24)))
    assert [*range(1, 51), *range(100, 124, 4)] == listed(store)


def killed(folder: Path, after: int) -> None:
    """What has returned by the time that a process is killed is there, and nothing is there by half."""
    store = fifty(folder)
    with start(folder, WRITE) as process:
        assert process.stdout is not None
        said = [int(process.stdout.readline()) for _ in range(after)]
        process.kill()
        said += map(int, process.stdout.read().splitlines())
    there = listed(store) or []
    next_one = 1000 + 4 * len(said)
    assert {*range(1, 51), *said} == {*there} - {next_one, next_one + 1}
    assert sorted(there) == sorted(ranked(store, EAST, 10_000))
    with store.reading(SPACE) as index:
        assert index
        assert len(there) == index.size()
        vectors = index.vectors([named(number) for number in there])
    assert {tuple(vectors[named(number)]) for number in range(1, 51)} == {EAST}
    assert {tuple(vectors[named(number)]) for number in said} <= {NORTH}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 210))
def test_many_kills_lose_nothing(tmp_path: Path, seed: int) -> None:
    """The same, more often."""
    killed(tmp_path, random.Random(seed).randrange(300))  # noqa: S311 - a place, no secret


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """Here a file stands where the folder should be."""
    (tmp_path / "vectors").write_text("")
    with pytest.raises(WriteFailed, match="vectors"), EdgeVectors(tmp_path / "vectors").writing(SPACE):
        pass


def test_an_error_of_who_reads_is_passed_on(tmp_path: Path) -> None:
    """And the vectors can be used afterwards, also where they would have lingered."""
    store = fifty(tmp_path, linger=600)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), store.reading(SPACE):
            raise ZeroDivisionError
    assert [*range(1, 51)] == listed(store)


def test_a_vector_of_another_length_is_refused(tmp_path: Path) -> None:
    """With what the engine says; nothing of it is left."""
    store = fifty(tmp_path)
    with pytest.raises(IndexUnavailable, match="Vector dimension error"), store.writing(SPACE) as index:
        index.put_vectors({named(99): (1.0, 0.0)})
    assert [*range(1, 51)] == listed(store)


def remains(folder: Path, vector: Vector) -> list[str]:
    """The names of the files that hold a vector."""
    numbers = struct.pack(f"<{len(vector)}e", *vector)
    return [path.name for path in folder.rglob("*") if path.is_file() and numbers in path.read_bytes()]


@table("count", [2, 3000])
def test_what_was_taken_out_leaves_the_disk_when_it_settles(tmp_path: Path, count: int) -> None:
    """Somebody may have asked to forget it."""
    store = built(EdgeVectors(tmp_path), {number: turned(number / 100) for number in range(count)})
    with store.writing(SPACE) as index:
        (vector,) = index.vectors([named(1)]).values()
        index.delete([named(1)])
    assert remains(tmp_path, vector)
    store.settle()
    assert [] == remains(tmp_path, vector)
    assert count - 1 == len(listed(store) or [])


def test_vectors_take_little_more_of_the_disk_than_their_numbers(tmp_path: Path) -> None:
    """Before they are settled, and after; what was taken out takes none then."""
    space = VectorSpace("an embedder", 256)
    numbers = 2 * 256 * 4000
    store = EdgeVectors(tmp_path)
    with store.writing(space) as index:
        index.put_vectors({named(number): (*turned(number), *(0.0,) * 253) for number in range(4000)})
    assert numbers <= bytes_taken(tmp_path) < numbers + 200 * 4000  # 200 bytes for the key of one
    with store.writing(space) as index:
        index.delete([named(number) for number in range(3000)])
    store.settle()
    assert bytes_taken(tmp_path) < numbers / 2
