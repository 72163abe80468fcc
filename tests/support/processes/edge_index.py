"""An index in a folder, and processes of their own that work with it."""

import subprocess
import sys
from pathlib import Path

from pipeline.adapters.index.edge.store import EdgeStore
from pipeline.ports.index import IndexPoint
from pipeline.testing.search_contract import EAST, Stored, named, terms

START = """
import sys, time
from pathlib import Path
from pipeline.adapters.index.edge.store import EdgeStore
from pipeline.ports.index import EVERYTHING, IndexPoint, Query
from pipeline.testing.search_contract import EAST, LAYOUT, named, terms, towards, words
folder, linger = Path(sys.argv[1]), float(sys.argv[2])
store = EdgeStore(folder, patience=30, linger=linger)
query = Query([words(1), towards(*EAST)], 5)
def point(number):
    return IndexPoint(named(number), {"kind": "new"}, {"words": terms(1)}, EAST)
"""


def start(folder: Path, script: str, linger: float = 0.0) -> "subprocess.Popen[str]":
    """A process of its own that works with the index of a folder."""
    command = [sys.executable, "-c", START + script, str(folder), str(linger)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def point(number: int) -> IndexPoint:
    """A point that `words(1)` and `EAST` find."""
    return IndexPoint(named(number), {"kind": "old", "day": number}, {"words": terms(1)}, EAST)


def built(folder: Path, count: int = 50, *, linger: float = 0.0) -> Stored:
    """An index of so many points."""
    return Stored(EdgeStore(folder, patience=30, linger=linger), [point(number) for number in range(1, count + 1)])
