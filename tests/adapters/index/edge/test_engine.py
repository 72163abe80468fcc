"""The errors of the engine, which are ours when they have been asked for."""

from pathlib import Path
from typing import NoReturn

import pytest
import qdrant_edge as edge

from pipeline.adapters.index.edge.engine import ask_engine
from pipeline.errors import IndexUnavailable, WriteFailed
from tests.support.tables import table


def saying(error: Exception) -> NoReturn:
    """What the engine does when it fails."""
    raise error


@table(
    "sentence",
    [
        "Service runtime error: Not enough space available for optimization, needed: 11.51 MiB, available: 3.81 MiB.",
        "Service runtime error: IO Error: No space left on device (os error 28)",
        'Os { code: 30, kind: ReadOnlyFilesystem, message: "Read-only file system" }',
    ],
)
def test_what_the_disk_refuses_is_no_damage(sentence: str) -> None:
    """Nobody would gain by making the vectors anew."""
    with pytest.raises(WriteFailed, match=r"Cannot write the index: (No space left on device|Read-only file system)"):
        ask_engine(saying, Exception(sentence))


def test_another_error_of_the_engine_is_damage(tmp_path: Path) -> None:
    """Also one of the system: here there is no shard."""
    with pytest.raises(IndexUnavailable, match="its engine says: "):
        ask_engine(edge.EdgeShard.load, str(tmp_path / "gone"))
    with pytest.raises(IndexUnavailable, match="its engine says: a file is gone \\(os error 2\\)"):
        ask_engine(saying, Exception("a file\nis gone (os error 2)."))


def test_an_error_of_ours_stays_what_it_is() -> None:
    """It is a fault in the program."""
    with pytest.raises(TypeError, match="ours"):
        ask_engine(saying, TypeError("ours"))
