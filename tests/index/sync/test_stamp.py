"""What an index was made with, and when that is something else than now."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.errors import EmbedderUnavailable
from pipeline.index import schema as layout
from pipeline.index.sync.stamp import Identity, PastLength, Stamp, difference, read_stamp, space_now
from pipeline.ports.index import IndexPoint, VectorSpace
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.memory_index import MemoryIndex
from tests.support.tables import table
from tests.support.workspaces.index_bench import indexing_of

HERE = Identity(engine="words-1", analysis=1, reading=1, points=1)
SPACE = VectorSpace("small", 64)


class Unknown(HashingEmbedder):
    """An embedder whose server alone knows how long its vectors are, and does not answer."""

    @property
    def dimension(self) -> int:
        """Not to be had."""
        raise EmbedderUnavailable(self.name, "it does not answer")


@table(
    ("known", "why"),
    [
        (HERE, ""),
        (replace(HERE, engine="words-0"), "the engine changed from words-0 to words-1"),
        (replace(HERE, analysis=2), "words are counted in another way now"),
        (replace(HERE, reading=0), "files are read in another way now"),
        (replace(HERE, points=0), "passages are indexed in another way now"),
        (None, "it does not say what it was made with, or was made by another version"),
    ],
)
def test_a_difference_is_described_in_words(known: Identity | None, why: str) -> None:
    """The first one counts; none is an empty text."""
    assert why == difference(known, HERE)


def read_back(payload: dict[str, Any]) -> Stamp | None:
    """The stamp of an index whose stamp has this payload."""
    store = MemoryIndex(layout.LAYOUT)
    with store.building() as indexer:
        indexer.upsert([IndexPoint(layout.STAMP_ID, payload)])
    with store.reading() as reader:
        return read_stamp(reader) if reader else None


@table("space", [None, SPACE])
def test_a_stamp_is_read_as_it_was_written(space: VectorSpace | None) -> None:
    """One with other parts was made by another version; so was one whose parts make no sense."""
    stamp = Stamp(HERE, space, folded=False, embedded=True, unsettled=3)
    payload = dict(stamp.point().payload)
    parts = payload[layout.IDENTITY]
    assert stamp == read_back(payload)
    past = replace(stamp, past=PastLength(8, datetime(2026, 3, 2, 8, tzinfo=UTC)))
    assert past == read_back(dict(past.point().payload))
    assert read_back(payload | {layout.IDENTITY: parts | {"moon": 1}}) is None
    assert read_back(payload | {layout.IDENTITY: {name: parts[name] for name in parts if name != "points"}}) is None
    assert read_back(payload | {layout.IDENTITY: parts | {"points": "many"}}) is None
    assert read_back({}) is None


@table("embedder", [None, Unknown(16)])
def test_a_missing_embedder_is_no_other_space(tmp_path: Path, embedder: HashingEmbedder | None) -> None:
    """Vectors stay as they are while their embedder cannot be had; a new index is one of words alone."""
    indexing = indexing_of(tmp_path, MemoryIndex(layout.LAYOUT), embedder)
    assert space_now(indexing, SPACE) == SPACE
    assert space_now(indexing, None) is None


def test_what_a_change_leaves_to_do() -> None:
    """Entries that came or went are to be folded, passages that came to be embedded; what went makes it unsettled."""
    stamp = Stamp(HERE, SPACE, embedded=True)
    assert stamp == stamp.after(entries=False, passages=False, gone=0)
    assert not stamp.after(entries=True, passages=False, gone=0).folded
    assert not stamp.after(entries=False, passages=True, gone=0).embedded
    assert 2 == stamp.after(entries=False, passages=False, gone=2).unsettled
    assert 0 == replace(stamp, space=None).after(entries=False, passages=False, gone=2).unsettled
