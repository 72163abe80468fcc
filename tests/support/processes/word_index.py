"""An index of words in a folder, and processes of their own that work with it.

Its content has generations: a reader can tell that it sees one of them, and all of it.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.ports.index import EVERYTHING, IndexPoint, IndexStore, Query, Searcher, Where
from tests.support.ports.search_contract import LAYOUT, asking, named, numbers, point

COUNT = 40

START = """
import os, select, sys
from pathlib import Path
from pipeline.ports.index import EVERYTHING, Query
from tests.support.ports.search_contract import asking, named, numbers, point
from tests.support.processes.word_index import COUNT, generation, made, store_in, write
store = store_in(Path(sys.argv[1]))
def is_stopped():
    return bool(select.select([sys.stdin], [], [], 0)[0])
"""


def store_in(folder: Path, patience: float = 60.0) -> TantivyStore:
    """The store of a folder."""
    return TantivyStore(folder, LAYOUT, patience=patience)


def live(folder: Path) -> Path:
    """The folder in which the engine has the index in use."""
    return folder / (folder / "live").read_text()


def replace_file(file: Path, data: bytes) -> None:
    """Another file in its place: who truncates a file that a process has mapped into its memory kills the process."""
    file.unlink()
    file.write_bytes(data)


def start(folder: Path, script: str, before: Sequence[str] = ()) -> "subprocess.Popen[str]":
    """A process of its own that works with the index of a folder; `before` stands before its command."""
    command = [*before, sys.executable, "-c", START + script, str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(folder: Path, script: str, before: Sequence[str] = ()) -> tuple[int, str, str]:
    """The exit code of such a process, what it printed, and its errors."""
    with start(folder, script, before) as process:
        out, err = process.communicate()
    return process.returncode, out, err


def made(number: int) -> list[IndexPoint]:
    """The points of a generation: the same ids in all of them, and one that only this one has."""
    return [
        point(place, f"a b{place} g{number}", kind=f"g{number}", day=number)
        for place in (*range(COUNT), COUNT + number)
    ]


def write(store: IndexStore, number: int) -> None:
    """Put a generation in place of the one before, in one change."""
    with store.writing() as index:
        index.delete([named(COUNT + number - 1)])
        index.upsert(made(number))


def generation(index: Searcher | None) -> int:
    """Which generation it is.

    Raises:
        AssertionError: it is none, or not all of one.
    """
    assert index
    points = sorted(index.scroll(EVERYTHING), key=lambda point: point.id)
    number = int(points[-1].payload["day"])
    assert [IndexPoint(point.id, point.payload) for point in made(number)] == points
    assert COUNT + 1 == index.size() == index.count(Where({"kind": [f"g{number}"]}, {"day": (number, number)}))
    assert [*range(COUNT), COUNT + number] == sorted(numbers(index.search(Query([asking("a", f"g{number}")], 100))))
    assert not index.search(Query([asking(f"g{number - 1}", f"g{number + 1}")], 9))
    return number
