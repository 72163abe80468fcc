"""Vectors in a folder, and processes of their own that work with them."""

import subprocess
import sys
from pathlib import Path

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.ports.index import VectorStore
from tests.support.ports.vector_contract import EAST, built

START = """
import sys
from pathlib import Path
from pipeline.adapters.index.edge.store import EdgeVectors
from tests.support.ports.vector_contract import EAST, NORTH, SPACE, keyed, named
folder, linger = Path(sys.argv[1]), float(sys.argv[2])
store = EdgeVectors(folder, patience=60, linger=linger)
"""


def start(folder: Path, script: str, linger: float = 0.0) -> "subprocess.Popen[str]":
    """A process of its own that works with the vectors of a folder."""
    command = [sys.executable, "-c", START + script, str(folder), str(linger)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def fifty(folder: Path, *, linger: float = 0.0) -> VectorStore:
    """A store of 50 vectors, of the numbers from 1, all of which lead to the `EAST`."""
    return built(EdgeVectors(folder, patience=60, linger=linger), dict.fromkeys(range(1, 51), EAST))
