"""The vectors in a folder among processes: turns, kills, and what is loaded when."""

import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.errors import Held
from tests.adapters.index.edge.test_store import killed, shards
from tests.support.ports.vector_contract import EAST, NORTH, SPACE, listed, named, ranked
from tests.support.processes.edge_vectors import START, fifty, start
from tests.support.tables import table

SEARCH = """
for _ in range(10):
    with store.reading(SPACE) as index:
        assert 5 == len(index.nearest(EAST, 5))
"""


UPDATE = """
for batch in range(6):
    with store.writing(SPACE) as index:
        index.put_vectors({named(1000 + batch * 20 + number): EAST for number in range(20)})
"""


SETTLE = """
number = 1000
while True:
    with store.writing(SPACE) as index:
        index.put_vectors({named(number + place): NORTH for place in range(1000)})
    number += 1000
    print(number, flush=True)
    store.settle()
    with store.writing(SPACE) as index:
        index.delete([named(number - 1 - place) for place in range(0, 1000, 2)])
"""


BUILD = """
with store.building(SPACE) as index:
    index.put_vectors({named(1): EAST})
    print("built", flush=True)
    sys.stdin.read()
"""


HOLD = """
with store.reading(SPACE) as index:
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


def test_the_engine_is_loaded_when_it_is_used(tmp_path: Path) -> None:
    """Not on import, and not to find that there are no vectors; nothing is made by looking."""
    script = """
with store.reading(SPACE) as index:
    assert index is None
store.settle()
store.drop()
assert not folder.exists()
assert "qdrant_edge" not in sys.modules, "loaded"
"""
    ended = subprocess.run(
        [sys.executable, "-c", START + script, str(tmp_path / "vectors"), "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (ended.returncode, ended.stderr)


@table("linger", [0.0, 600.0])
def test_processes_take_turns(tmp_path: Path, linger: float) -> None:
    """Two that search and one that writes are all served, also where each would linger far longer than others wait."""
    store = fifty(tmp_path)
    scripts = [SEARCH, SEARCH, UPDATE]
    processes = [start(tmp_path, script, linger) for script in scripts]
    actual = [process.communicate(timeout=120) for process in processes]
    assert [(0, "")] * 3 == [(process.returncode, actual[place][1]) for place, process in enumerate(processes)]
    assert [*range(1, 51), *range(1000, 1120)] == listed(store)


def test_who_lingers_makes_room_at_once(tmp_path: Path) -> None:
    """Another process gets the vectors long before the time is over, and the one that lingered gets them back."""
    store = fifty(tmp_path, linger=600)
    for _ in range(2):
        assert [1, 2] == ranked(store, EAST, limit=2)
        with start(tmp_path, SEARCH) as other:
            _, err = other.communicate(timeout=120)
        assert (0, "") == (other.returncode, err)


def test_waiting_ends(tmp_path: Path) -> None:
    """Who holds the vectors too long makes others give up, with a sentence, in other processes as in other threads."""
    store = fifty(tmp_path)
    impatient = EdgeVectors(tmp_path, patience=0.05)
    elsewhere = pytest.raises(Held, match="index is at work elsewhere")
    with running(tmp_path, HOLD), elsewhere, impatient.reading(SPACE):
        pass
    with impatient.reading(SPACE), ThreadPoolExecutor(1) as pool, pytest.raises(Held, match="another thread"):
        pool.submit(lambda: impatient.reading(SPACE).__enter__()).result()
    assert [*range(1, 51)] == listed(store)


@table("seed", range(10))
def test_a_kill_loses_nothing(tmp_path: Path, seed: int) -> None:
    """Wherever it strikes, what was put in again included."""
    killed(tmp_path, random.Random(seed).randrange(60))  # noqa: S311 - a place, no secret


def killed_while_it_settles(folder: Path, chance: random.Random) -> None:
    """The vectors are there, once each, and those that were taken out stay out; the store can be written."""
    store = fifty(folder)
    with start(folder, SETTLE) as process:
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 4)):
            last = int(process.stdout.readline())
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(chance.random() / 20)  # some place of what takes 0.05 s
        process.kill()
        last = max([last, *map(int, process.stdout.read().splitlines())])
    hits = ranked(store, NORTH, 100_000)
    earlier, late = [*range(1000, last - 1000, 2)], {*range(last - 1000, last)}
    assert sorted(hits) == listed(store)
    assert [*range(1, 51), *earlier] == sorted({*hits} - late - {*range(last, last + 1000)})
    assert {*range(last - 1000, last, 2)} <= {*hits}
    store.settle()
    with store.writing(SPACE) as index:
        assert len(hits) == index.size()
        index.delete([named(number) for number in hits])
        assert [] == [*index.keys()]


@table("seed", range(5))
def test_a_kill_while_it_settles_loses_nothing(tmp_path: Path, seed: int) -> None:
    """Nor does it bring back what was taken out before."""
    killed_while_it_settles(tmp_path, random.Random(seed))  # noqa: S311 - a place, no secret


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 210))
def test_many_kills_while_it_settles_lose_nothing(tmp_path: Path, seed: int) -> None:
    """The same, more often."""
    killed_while_it_settles(tmp_path, random.Random(seed))  # noqa: S311 - a place, no secret


def test_a_killed_build_leaves_the_old_vectors(tmp_path: Path) -> None:
    """What it left is removed by the next build."""
    store = fifty(tmp_path)
    with running(tmp_path, BUILD) as process:
        process.kill()
    assert [*range(1, 51)] == listed(store)
    assert 2 == shards(tmp_path)
    with store.building(SPACE):
        assert 2 == shards(tmp_path)
    assert 1 == shards(tmp_path)
