"""What the contract does not say of the index in a folder: other processes, threads, crashes, damage, settling."""

import os
import random
import signal
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

from pipeline.adapters.index.edge.opening import NOTE
from pipeline.adapters.index.edge.store import EdgeStore, copy_tree
from pipeline.adapters.index.edge.turn import LINGERING
from pipeline.errors import Held, IndexUnavailable, WriteFailed
from pipeline.ports.index import Layout, Point, Query
from pipeline.testing.search_contract import EAST, LAYOUT, Stored, named, numbers, terms, words

START = """
import sys, time
from pathlib import Path
from pipeline.adapters.index.edge.store import EdgeStore
from pipeline.ports.index import EVERYTHING, Point, Query
from pipeline.testing.search_contract import EAST, LAYOUT, named, terms, towards, words
folder, linger = Path(sys.argv[1]), float(sys.argv[2])
store = EdgeStore(folder, patience=30, linger=linger)
query = Query([words(1), towards(*EAST)], 5)
def point(number):
    return Point(named(number), {"kind": "new"}, {"words": terms(1)}, EAST)
"""

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

USE = """
from pipeline.errors import IndexUnavailable
try:
    with store.reading() as index:
        if index:
            index.search(query)
    with store.writing() as index:
        index.upsert([point(90)])
        list(index.scroll(EVERYTHING))
    print("fine")
except IndexUnavailable as error:
    print(error)
"""

LITTLE_MEMORY = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))
"""

HOLD = """
with store.reading() as index:
    print("held", flush=True)
    sys.stdin.read()
"""


def start(folder: Path, script: str, linger: float = 0.0) -> "subprocess.Popen[str]":
    """A process of its own that works with the index of a folder."""
    command = [sys.executable, "-c", START + script, str(folder), str(linger)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def running(folder: Path, script: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that has said its first line and waits for the end of its input."""
    with start(folder, script) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process
        process.communicate()


def point(number: int) -> Point:
    """A point that `words(1)` and `EAST` find."""
    return Point(named(number), {"kind": "old", "day": number}, {"words": terms(1)}, EAST)


def built(folder: Path, count: int = 50, *, linger: float = 0.0) -> Stored:
    """An index of so many points."""
    return Stored(EdgeStore(folder, patience=30, linger=linger), [point(each) for each in range(1, count + 1)])


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
    told = [process.communicate(timeout=120) for process in processes]
    assert [(0, "")] * 3 == [(process.returncode, told[place][1]) for place, process in enumerate(processes)]
    assert max(float(out) for out, _ in told) < 20  # the disk may be slow; some 0.1 s are usual
    assert 50 + 6 * 20 == len(stored.all())


def test_who_lingers_makes_room_at_once(tmp_path: Path) -> None:
    """Another process gets the index long before the time is over, and the one that lingered gets it back."""
    stored = built(tmp_path, linger=600)
    for _ in range(2):
        assert [1, 2] == stored.found(words(1), limit=2)
        with start(tmp_path, SEARCH) as other:
            out, err = other.communicate(timeout=60)
        assert "" == err
        assert float(out) < 20


def test_who_lingers_lets_go_by_itself(tmp_path: Path) -> None:
    """After its time there is no thread left, and the index is free."""
    stored = built(tmp_path, linger=0.05)
    assert [1] == stored.found(words(1), limit=1)
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
        index.delete([named(each) for each in range(2, 51)])
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
        return len(stored.found(words(1), limit=5))

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
    read = {each.id: each.payload["kind"] for each in stored.all()}
    assert {"old"} == {read.pop(named(each)) for each in range(1, 51)}
    assert all("changed" == read[named(number)] for number in said)
    assert not {named(number + 1) for number in said} & read.keys()
    assert len(said) <= len(read) <= len(said) + 2
    assert len(stored.found(words(1))) == min(50 + len(read), 100)


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


def used(folder: Path) -> tuple[int, str]:
    """How a process of its own ends that uses the index, and what it says last."""
    with start(folder, USE) as process:
        out, err = process.communicate(timeout=300)
    return process.returncode, out if not process.returncode else err


def damage(folder: Path, chance: random.Random) -> None:
    """Cut one of the index's files short, or overwrite a part of it."""
    file = chance.choice(sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"))
    if chance.random() < 1 / 2:
        os.truncate(file, chance.randrange(max(file.stat().st_size, 1)))
    else:
        with file.open("r+b") as opened:
            opened.seek(chance.randrange(max(min(file.stat().st_size, 4096), 1)))
            opened.write(chance.randbytes(64))


def damaged(folder: Path, seed: int) -> None:
    """A damaged index works, or says that it cannot be used, to the second process at the latest; it can be healed."""
    stored = built(folder)
    with stored.store.writing() as index:
        index.delete([named(1)])
    damage(folder, random.Random(seed))  # noqa: S311 - a place, no secret
    ended, said = used(folder)
    if ended < 0:
        ended, said = used(folder)
    assert 0 == ended, said
    assert said in {"", "fine\n"} or "memory reindex --full" in said
    assert 50 == len(built(folder).all())


@pytest.mark.parametrize("seed", range(5))
def test_damage_is_told(tmp_path: Path, seed: int) -> None:
    """No damage ends more than one process."""
    damaged(tmp_path, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 210))
def test_much_damage_is_told(tmp_path: Path, seed: int) -> None:
    """The same, more often."""
    damaged(tmp_path, seed)


def overgrown(folder: Path) -> None:
    """Give the first point of the index a place so far away that the engine dies for want of memory."""
    (file,) = (path for path in folder.rglob("mutable_id_tracker.mappings") if path.stat().st_size)
    with file.open("r+b") as opened:
        opened.seek(17)  # after a byte for the sort of change and an id of 16
        opened.write(b"\xf0\xff\xff\xff")


def test_an_engine_that_dies_takes_one_process_with_it(tmp_path: Path) -> None:
    """The next one says that the index is damaged, as long as it is; built anew, it is whole."""
    built(tmp_path)
    overgrown(tmp_path)
    with start(tmp_path, LITTLE_MEMORY + USE) as process:
        process.communicate(timeout=300)
    assert -signal.SIGABRT == process.returncode
    for _ in range(2):
        with start(tmp_path, LITTLE_MEMORY + USE) as process:
            out, err = process.communicate(timeout=300)
        assert (0, "") == (process.returncode, err)
        assert out.startswith("The index cannot be used: its engine dies when it opens it. `memory reindex --full`")
    assert 50 == len(built(tmp_path).all())
    assert (0, "fine\n") == used(tmp_path)
    assert not (tmp_path / NOTE).exists()


def test_a_process_that_was_killed_while_it_opened_the_index_harms_nobody(tmp_path: Path) -> None:
    """It left its note; the next one looks whether the engine dies of it, and takes the note away."""
    stored = built(tmp_path)
    (shard,) = tmp_path.glob("shard-*")
    (tmp_path / NOTE).write_text(shard.name)
    assert 50 == len(stored.all())
    assert not (tmp_path / NOTE).exists()


@pytest.mark.parametrize("told", ["", "{", "[]", '"x"', "{}", '{"shard": "shard-gone", "keywords": []}', "\udcff"])
def test_damage_to_what_names_the_shard_is_told(tmp_path: Path, told: str) -> None:
    """It is no crash, and building anew heals it."""
    stored = built(tmp_path)
    (tmp_path / "live.json").write_text(told, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(IndexUnavailable, match="memory reindex --full"):
        stored.all()
    assert 50 == len(built(tmp_path).all())
    assert 1 == shards(tmp_path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
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
    layout = Layout(1024, ("words",), ())
    wide = (1.0,) + (0.5,) * 1023
    points = [Point(named(each), {}, {"words": terms(1, 2 + each % 2)}, wide) for each in range(1, 2701)]
    stored = Stored(EdgeStore(tmp_path / "one"), points, layout)
    gone = [each.id for each in points if each.id < named(2000) and each.id[-1] in "02468ace"]
    with stored.store.writing() as index:
        index.delete(gone)
    fresh = Stored(EdgeStore(tmp_path / "two"), [each for each in points if each.id not in gone], layout)
    score, expected = (each.search(Query([words(2)], 1))[0].score for each in (stored, fresh))
    assert score != pytest.approx(expected, rel=1e-3)
    stored.store.settle()
    assert 1 == shards(tmp_path / "one")
    assert pytest.approx(expected, rel=1e-3) == stored.search(Query([words(2)], 1))[0].score


def test_what_is_written_while_it_settles_is_kept(tmp_path: Path) -> None:
    """The compact copy is thrown away then."""
    layout = Layout(1024, ("words",), ())
    wide = (1.0,) + (0.5,) * 1023
    store = EdgeStore(tmp_path)
    stored = Stored(store, [], layout)
    with store.writing() as index:
        index.upsert([Point(named(each), {}, {}, wide) for each in range(1, 2701)])
    with ThreadPoolExecutor(1) as pool:
        settled = pool.submit(store.settle)
        written = 0
        while not settled.done():
            written += 1
            with store.writing() as index:
                index.upsert([Point(named(5000 + written))])
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
