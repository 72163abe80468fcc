"""`kill -9` of a process that writes or builds an index of words, at any moment, with readers beside it."""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from pipeline.adapters.index.tantivy.opening import META
from tests.support.processes.word_index import generation, live, made, start, store_in, write

WRITE = """
with store.reading() as index:
    number = generation(index) + 1
while True:
    if number % 4:
        write(store, number)
    else:
        with store.building() as index:
            index.upsert(made(number))
    print(number, flush=True)
    number += 1
"""

READ = """
last = checks = 0
print("ready", flush=True)
while not is_stopped():
    with store.reading() as index:
        number = generation(index)
    assert last <= number, "an older one came back"
    last, checks = number, checks + 1
print(checks)
"""


@contextmanager
def read_beside(folder: Path) -> Iterator[None]:
    """A process reads meanwhile, over and over, and sees one whole generation each time."""
    with start(folder, READ) as process:
        assert process.stdout
        assert "ready\n" == process.stdout.readline()
        yield
        out, err = process.communicate()
    assert (0, "") == (process.returncode, err)
    assert int(out) > 0


def killed(folder: Path, moment: random.Random) -> None:
    """Whole is what a killed process leaves, and the last change that it reported is in it."""
    with start(folder, WRITE) as process:
        assert process.stdout
        said = [int(process.stdout.readline()) for _ in range(moment.randrange(1, 6))][-1]
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment.random() * 0.04)
        process.kill()
        said = max([said, *map(int, process.stdout.read().split())])
        assert process.stderr
        assert "" == process.stderr.read()
    with store_in(folder).reading() as index:
        assert generation(index) in {said, said + 1}


def kill_often(folder: Path, times: int, seed: int) -> None:
    """The next process goes on each time; in the end nothing of the killed ones is left."""
    store, moment = store_in(folder), random.Random(seed)  # noqa: S311 - moments, no secrets
    with store.building() as index:
        index.upsert(made(1))
    with read_beside(folder):
        for _ in range(times):
            killed(folder, moment)
    with store.reading() as read:
        number = generation(read) + 1
    write(store, number)
    assert files_in_use(live(folder)) == {path.name for path in live(folder).iterdir()}
    with store.building() as index:
        index.upsert(made(number))
    assert {".gitignore", "index.lock", "live", live(folder).name} == {path.name for path in folder.iterdir()}
    with store.reading() as read:
        assert number == generation(read)


def files_in_use(folder: Path) -> set[str]:
    """The names of the files that an index needs, those of the engine's locks among them."""
    segments = [
        str(part["segment_id"]).replace("-", "") for part in json.loads((folder / META).read_bytes())["segments"]
    ]
    own = {META, ".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"}
    return own | {path.name for segment in segments for path in folder.glob(f"{segment}.*")}


def test_a_killed_writer_leaves_a_whole_index(tmp_path: Path) -> None:
    """Before its change or after it, whatever it was at; and readers see no other state meanwhile."""
    kill_often(tmp_path / "index", 6, seed=1)


@pytest.mark.parametrize("way", ["writing", "building"])
def test_what_a_killed_build_left_is_removed_by_the_next_change(tmp_path: Path, way: str) -> None:
    """Whether it was killed before its end, or after it and before the old index was removed."""
    store = store_in(tmp_path)
    with store.building() as index:
        index.upsert(made(1))
    shutil.copytree(live(tmp_path), tmp_path / "words-0123abcd")
    with getattr(store, way)() as index:
        index.upsert(made(1))
    assert [live(tmp_path)] == [*tmp_path.glob("words-*")]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 7))
def test_writers_are_killed_at_many_moments(tmp_path: Path, seed: int) -> None:
    """The same at 200 of them."""
    kill_often(tmp_path / "index", 40, seed)
