"""Damage to the vectors in a folder: it is told, whatever the engine does about it."""

import os
import random
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.errors import IndexUnavailable
from tests.support.ports.vector_contract import EAST, SPACE, keyed, listed
from tests.support.processes.edge_vectors import fifty
from tests.support.tables import table


def damage(folder: Path, chance: random.Random) -> None:
    """Cut one of the files short, or overwrite a part of it."""
    file = chance.choice(sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"))
    if chance.random() < 1 / 2:
        os.truncate(file, chance.randrange(max(file.stat().st_size, 1)))
    else:
        with file.open("r+b") as opened:
            opened.seek(chance.randrange(max(min(file.stat().st_size, 4096), 1)))
            opened.write(chance.randbytes(64))


def healed(folder: Path) -> None:
    """Once dropped, whatever their state, vectors can be written again."""
    store = EdgeVectors(folder)
    store.drop()
    assert listed(store) is None
    with store.writing(SPACE) as index:
        index.put_vectors(keyed({1: EAST}))
    assert ([1], 1) == (listed(store), len(list(folder.glob("shard-*"))))


GONE = '{"shard": "shard-gone", "embedder": "an embedder", "dimension": 3}'
EARLIER = '{"shard": "shard-0", "keywords": [], "settled": ""}'


@table("damage", ["", "{", "[]", '"x"', "{}", GONE, EARLIER, GONE.replace("3", "null"), "\udcff"])
def test_damage_to_what_names_the_shard_is_reported(tmp_path: Path, damage: str) -> None:
    """It is no crash, whoever comes, and the vectors can be dropped. An earlier version named other things."""
    store = fifty(tmp_path)
    (tmp_path / "live.json").write_text(damage, encoding="utf-8", errors="surrogateescape")
    for way_in in (store.reading, store.writing):
        with pytest.raises(IndexUnavailable, match="memory doctor reindex --full"), way_in(SPACE):
            pass
    healed(tmp_path)
