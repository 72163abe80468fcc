"""What the contract does not say of the index in a folder: other processes, threads, crashes, damage, settling."""

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeStore, copy_tree
from pipeline.adapters.index.edge.turn import LINGERING
from pipeline.errors import Held, WriteFailed
from pipeline.ports.index import IndexLayout, IndexPoint, Query
from pipeline.testing.search_contract import LAYOUT, Stored, named, numbers, terms, words
from tests.support.processes.edge_index import START, built, point, start

SEARCH = """
waited = 0.0
for _ in range(10):
    begun = time.monotonic()
    with store.reading() as index:
        waited = max(waited, time.monotonic() - begun)
        assert 5 == len(index.search(query))
print(waited)
"""

UPDATE = """
waited = 0.0
for batch in range(6):
    begun = time.monotonic()
    with store.writing() as index:
        waited = max(waited, time.monotonic() - begun)
        index.upsert([point(1000 + batch * 20 + each) for each in range(20)])
print(waited)
"""

WRITE = """
with store.writing() as index:
    for number in range(1000, 9000, 4):
        index.upsert([point(number), point(number + 1)])
        index.set_payload({named(number): {"kind": "changed"}})
        index.delete([named(number + 1)])
        print(number, flush=True)
"""

BUILD = """
with store.building(LAYOUT) as index:
    index.upsert([point(1)])
    print("built", flush=True)
    sys.stdin.read()
"""

HOLD = """
with store.reading() as index:
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def running(folder: Path, script: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that has said its first line and waits for the end of its input."""
    with start(folder, script) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process
        process.communicate()


def shards(folder: Path) -> int:
    """How many shards lie in an index's folder."""
    return len(list(folder.glob("shard-*")))


def test_its_name_tells_the_version_of_the_engine() -> None:
    """Another version may read the files otherwise, so the index is made anew then."""
    assert f"qdrant-edge-{version('qdrant-edge-py')}-2" == EdgeStore(Path("nowhere")).name


def test_the_engine_is_loaded_when_it_is_used(tmp_path: Path) -> None:
    """Not on import, and not to find that there is no index; nothing is made by looking."""
    script = """
with store.reading() as index:
    assert index is None
assert not folder.exists()
assert "qdrant_edge" not in sys.modules, "loaded"
"""
    ended = subprocess.run(
        [sys.executable, "-c", START + script, str(tmp_path / "index"), "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (ended.returncode, ended.stderr)


@pytest.mark.parametrize("linger", [0.0, 30.0])
def test_processes_take_turns(tmp_path: Path, linger: float) -> None:
    """Two that search and one that writes are all served, and none waits long, also where each would linger."""
    stored = built(tmp_path)
    scripts = [SEARCH, SEARCH, UPDATE]
    processes = [start(tmp_path, script, linger) for script in scripts]
    actual = [process.communicate(timeout=120) for process in processes]
    assert [(0, "")] * 3 == [(process.returncode, actual[place][1]) for place, process in enumerate(processes)]
    assert max(float(out) for out, _ in actual) < 20  # the disk may be slow; some 0.1 s are usual
    assert 50 + 6 * 20 == len(stored.all())


def test_who_lingers_makes_room_at_once(tmp_path: Path) -> None:
    """Another process gets the index long before the time is over, and the one that lingered gets it back."""
    stored = built(tmp_path, linger=600)
    for _ in range(2):
        assert [1, 2] == stored.ranked(words(1), limit=2)
        with start(tmp_path, SEARCH) as other:
            out, err = other.communicate(timeout=60)
        assert "" == err
        assert float(out) < 20


def test_who_lingers_lets_go_by_itself(tmp_path: Path) -> None:
    """After its time there is no thread left, and the index is free."""
    stored = built(tmp_path, linger=0.05)
    assert [1] == stored.ranked(words(1), limit=1)
    for thread in threading.enumerate():
        if thread.name == LINGERING:
            thread.join(30)
    assert LINGERING not in {thread.name for thread in threading.enumerate()}
    with EdgeStore(tmp_path, patience=0).reading() as index:
        assert index


def test_what_lingers_is_the_same_index(tmp_path: Path) -> None:
    """Writing, building and dropping in between are seen by the next to read in this process."""
    stored = built(tmp_path, linger=600)
    assert 50 == len(stored.all())
    with stored.store.writing() as index:
        index.delete([named(number) for number in range(2, 51)])
    assert [1] == numbers(stored.all())
    assert [7] == numbers(Stored(stored.store, [point(7)]).all())
    assert 1 == shards(tmp_path)
    stored.store.drop()
    assert 0 == shards(tmp_path)
    with stored.store.reading() as index_of_none:
        assert index_of_none is None


@pytest.mark.parametrize("linger", [0.0, 600.0])
def test_threads_take_turns(tmp_path: Path, linger: float) -> None:
    """All of them are served, whatever they do."""
    stored = built(tmp_path, linger=linger)

    def act(number: int) -> int:
        if number % 4 == 0:
            with stored.store.writing() as index:
                index.upsert([point(100 + number)])
        return len(stored.ranked(words(1), limit=5))

    with ThreadPoolExecutor(6) as pool:
        assert [5] * 24 == list(pool.map(act, range(24)))
    assert 56 == len(stored.all())


def test_waiting_ends(tmp_path: Path) -> None:
    """Who holds the index too long makes others give up, with a sentence, in other processes as in other threads."""
    stored = built(tmp_path)
    impatient = EdgeStore(tmp_path, patience=0.05)
    elsewhere = pytest.raises(Held, match="index is at work elsewhere")
    with running(tmp_path, HOLD), elsewhere, impatient.reading():
        pass
    with impatient.reading(), ThreadPoolExecutor(1) as pool, pytest.raises(Held, match="another thread"):
        pool.submit(lambda: impatient.reading().__enter__()).result()
    assert 50 == len(stored.all())


def killed(folder: Path, after: int) -> None:
    """What has returned by the time that a process is killed is there, and nothing is there by half."""
    stored = built(folder)
    with start(folder, WRITE) as process:
        assert process.stdout is not None
        said = [int(line) for line in islice(process.stdout, after)]
        process.kill()
        said += map(int, process.stdout.read().splitlines())
    read = {index_point.id: index_point.payload["kind"] for index_point in stored.all()}
    assert {"old"} == {read.pop(named(number)) for number in range(1, 51)}
    assert all("changed" == read[named(number)] for number in said)
    assert not {named(number + 1) for number in said} & read.keys()
    assert len(said) <= len(read) <= len(said) + 2
    assert len(stored.ranked(words(1))) == min(50 + len(read), 100)


@pytest.mark.parametrize("seed", range(10))
def test_a_kill_loses_nothing(tmp_path: Path, seed: int) -> None:
    """Wherever it strikes."""
    killed(tmp_path, random.Random(seed).randrange(60))  # noqa: S311 - a place, no secret


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 210))
def test_many_kills_lose_nothing(tmp_path: Path, seed: int) -> None:
    """The same, more often."""
    killed(tmp_path, random.Random(seed).randrange(300))  # noqa: S311 - a place, no secret


def test_a_killed_build_leaves_the_old_index(tmp_path: Path) -> None:
    """What it left is removed by the next build."""
    stored = built(tmp_path)
    with running(tmp_path, BUILD) as process:
        process.kill()
    assert 50 == len(stored.all())
    assert 2 == shards(tmp_path)
    with stored.store.building(LAYOUT):
        assert 2 == shards(tmp_path)
    assert 1 == shards(tmp_path)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """Here a file stands where the folder should be."""
    (tmp_path / "index").write_text("")
    with pytest.raises(WriteFailed, match="index"), EdgeStore(tmp_path / "index").building(LAYOUT):
        pass


def test_an_error_of_who_reads_is_passed_on(tmp_path: Path) -> None:
    """And the index can be used afterwards, also where it would have lingered."""
    stored = built(tmp_path, linger=600)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), stored.store.reading():
            raise ZeroDivisionError
    assert 50 == len(stored.all())


def test_settling_makes_it_as_if_built_anew(tmp_path: Path) -> None:
    """Deleted points stop counting in the weights of terms; what is written meanwhile is not lost."""
    layout = IndexLayout(1024, ("words",), ())
    wide = (1.0,) + (0.5,) * 1023
    points = [IndexPoint(named(number), {}, {"words": terms(1, 2 + number % 2)}, wide) for number in range(1, 2701)]
    stored = Stored(EdgeStore(tmp_path / "one"), points, layout)
    gone = [
        index_point.id for index_point in points if index_point.id < named(2000) and index_point.id[-1] in "02468ace"
    ]
    with stored.store.writing() as index:
        index.delete(gone)
    fresh = Stored(
        EdgeStore(tmp_path / "two"), [index_point for index_point in points if index_point.id not in gone], layout
    )
    score, expected = (store.search(Query([words(2)], 1))[0].score for store in (stored, fresh))
    assert score != pytest.approx(expected, rel=1e-3)
    stored.store.settle()
    assert 1 == shards(tmp_path / "one")
    assert pytest.approx(expected, rel=1e-3) == stored.search(Query([words(2)], 1))[0].score


def test_what_is_written_while_it_settles_is_kept(tmp_path: Path) -> None:
    """The compact copy is thrown away then."""
    layout = IndexLayout(1024, ("words",), ())
    wide = (1.0,) + (0.5,) * 1023
    store = EdgeStore(tmp_path)
    stored = Stored(store, [], layout)
    with store.writing() as index:
        index.upsert([IndexPoint(named(number), {}, {}, wide) for number in range(1, 2701)])
    with ThreadPoolExecutor(1) as pool:
        settled = pool.submit(store.settle)
        written = 0
        while not settled.done():
            written += 1
            with store.writing() as index:
                index.upsert([IndexPoint(named(5000 + written))])
        settled.result()
    assert 2700 + written == len(stored.all())


def test_a_copy_is_the_same_and_takes_no_more_room(tmp_path: Path) -> None:
    """Most of what the engine sets aside is not used."""
    built(tmp_path / "index")
    copy_tree(tmp_path / "index", tmp_path / "copy")
    files = [path.relative_to(tmp_path / "index") for path in (tmp_path / "index").rglob("*") if path.is_file()]
    assert [True] * len(files) == [
        (tmp_path / "index" / path).read_bytes() == (tmp_path / "copy" / path).read_bytes() for path in files
    ]
    assert sum((tmp_path / "copy" / path).stat().st_blocks * 512 for path in files) < 20_000_000
    assert sum((tmp_path / "copy" / path).stat().st_size for path in files) > 100_000_000
