"""Damage to the vectors in a folder, opened by processes that may die of it."""

import random
import signal
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import NOTE
from tests.adapters.index.edge.test_opening import damage, healed
from tests.support.ports.vector_contract import SPACE, listed, named
from tests.support.processes.edge_vectors import fifty, start
from tests.support.tables import table

USE = """
from pipeline.errors import IndexUnavailable
try:
    with store.reading(SPACE) as index:
        if index:
            index.nearest(EAST, 5)
            index.vectors([named(3), named(7)])
    with store.writing(SPACE) as index:
        index.put_vectors({named(90): EAST})
        list(index.keys())
    print("fine")
except IndexUnavailable as error:
    print(error)
"""


LITTLE_MEMORY = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))
"""


def used(folder: Path) -> tuple[int, str]:
    """How a process of its own ends that uses the vectors, and what it says last."""
    with start(folder, USE) as process:
        out, err = process.communicate(timeout=300)
    return process.returncode, out if not process.returncode else err


def damaged(folder: Path, seed: int) -> None:
    """Damaged vectors work, or are reported, in the second process at the latest; they can be dropped."""
    store = fifty(folder)
    with store.writing(SPACE) as index:
        index.delete([named(1)])
    damage(folder, random.Random(seed))  # noqa: S311 - a place, no secret
    ended, said = used(folder)
    if ended < 0:
        ended, said = used(folder)
    assert 0 == ended, said
    assert said in {"", "fine\n"} or "memory doctor reindex --full" in said
    healed(folder)


@table("seed", range(5))
def test_damage_is_reported(tmp_path: Path, seed: int) -> None:
    """No damage ends more than one process."""
    damaged(tmp_path, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 210))
def test_much_damage_is_reported(tmp_path: Path, seed: int) -> None:
    """The same, more often."""
    damaged(tmp_path, seed)


def overgrown(folder: Path) -> None:
    """Give the first vector a place so far away that the engine dies for want of memory."""
    (file,) = (path for path in folder.rglob("mutable_id_tracker.mappings") if path.stat().st_size)
    with file.open("r+b") as opened:
        opened.seek(17)  # after a byte for the sort of change and an id of 16
        opened.write(b"\xf0\xff\xff\xff")


def test_an_engine_that_dies_takes_one_process_with_it(tmp_path: Path) -> None:
    """The next one says that the vectors are damaged, as long as they are."""
    fifty(tmp_path)
    overgrown(tmp_path)
    with start(tmp_path, LITTLE_MEMORY + USE) as process:
        process.communicate(timeout=300)
    assert -signal.SIGABRT == process.returncode
    for _ in range(2):
        with start(tmp_path, LITTLE_MEMORY + USE) as process:
            out, err = process.communicate(timeout=300)
        assert (0, "") == (process.returncode, err)
        assert out.startswith(
            "The index cannot be used: its engine dies when it opens it. `memory doctor reindex --full`"
        )
    healed(tmp_path)
    assert (0, "fine\n") == used(tmp_path)
    assert not (tmp_path / NOTE).exists()


def test_a_process_that_was_killed_while_it_opened_the_vectors_harms_nobody(tmp_path: Path) -> None:
    """It left its note; the next one looks whether the engine dies of it, and takes the note away."""
    store = fifty(tmp_path)
    (shard,) = tmp_path.glob("shard-*")
    (tmp_path / NOTE).write_text(shard.name)
    assert [*range(1, 51)] == listed(store)
    assert not (tmp_path / NOTE).exists()
