"""Damaged files of an index of words: an answer or an error, and a build makes it good."""

import random
import signal
from pathlib import Path

import pytest

from tests.support.marks import at_length
from tests.support.ports.search_contract import Stored, point
from tests.support.processes.word_index import live, replace_file, run, store_in

COUNT = 999

ASK = """
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import Where
try:
    with store.reading() as index:
        index.search(Query([asking("a", "b7", "x")], 50, Where({"kind": ["k1"]}, {"day": (3, 900)})))
        index.count(Where({"kind": ["k1", "k2"]}))
        index.retrieve([point.id for point in index.scroll(EVERYTHING)])
except IndexUnavailable:
    pass
"""

CHANGE = """
from pipeline.errors import IndexUnavailable
try:
    with store.writing() as index:
        index.upsert([point(1, "a b1")])
        index.delete([named(2), named(900)])
except IndexUnavailable:
    pass
"""


def built(folder: Path) -> Stored:
    """An index of two parts, from one of which a point was taken out."""
    points = [
        point(number, f"a b{number % 9} {'x ' * (number % 50)}", kind=f"k{number % 3}", day=number)
        for number in range(COUNT)
    ]
    stored = Stored(store_in(folder), points)
    with stored.store.writing() as index:
        index.upsert(points[:9])
    return stored


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes of a file, some of them gone or changed."""
    place, size = chance.randrange(len(data) + 1), chance.randrange(1, 65)
    other = data[:place] + chance.randbytes(size) + data[place + size :]
    return chance.choice([b"", data[:place], other, other, bytes(len(data))])


@pytest.mark.parametrize("script", [ASK, CHANGE], ids=["ask", "change"])
@pytest.mark.parametrize("seed", [1, *at_length(*range(2, 20))])
def test_a_damaged_index_is_an_error_at_worst(tmp_path: Path, seed: int, script: str) -> None:
    """It may end one process, by the engine's doing, and never a second; and it can be built anew."""
    chance = random.Random(seed)  # noqa: S311 - places, no secrets
    for _ in range(5):
        built(tmp_path)
        file = chance.choice([*live(tmp_path).glob("*.*"), tmp_path / "live"])
        replace_file(file, damaged(file.read_bytes(), chance))
        code, _, err = run(tmp_path, script)
        if code == -signal.SIGABRT:
            code, _, err = run(tmp_path, script)
        assert code == 0, err
    assert COUNT == len(built(tmp_path).held())
