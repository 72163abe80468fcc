"""What an index was made with, and when that is something else than now."""

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import EmbedderUnavailable
from pipeline.index.sync.stamp import Identity, difference, identity_now, read_stamp
from pipeline.testing.hashing_embedder import HashingEmbedder
from pipeline.testing.memory_index import MemoryIndex
from tests.support.workspaces.index_bench import indexing_of

HERE = Identity(engine="edge-1", analysis=1, reading=1, points=1, embedder="small", dimension=64)


class Unknown(HashingEmbedder):
    """An embedder whose server alone knows how long its vectors are, and does not answer."""

    @property
    def dimension(self) -> int:
        """Not to be had."""
        raise EmbedderUnavailable(self.name, "it does not answer")


@pytest.mark.parametrize(
    ("known", "why"),
    [
        (HERE, ""),
        (replace(HERE, engine="edge-0"), "the engine changed from edge-0 to edge-1"),
        (replace(HERE, embedder="large"), "the embedder changed from large to small"),
        (replace(HERE, embedder="", dimension=0), "there is an embedder now, small"),
        (replace(HERE, dimension=32), "the vectors of small have 64 numbers now, and had 32"),
        (replace(HERE, analysis=2), "words are counted in another way now"),
        (replace(HERE, reading=0), "files are read in another way now"),
        (replace(HERE, points=0), "passages are indexed in another way now"),
        (None, "it does not say what it was made with, or was made by another version"),
    ],
)
def test_a_difference_is_described_in_words(known: Identity | None, why: str) -> None:
    """The first one counts; none is an empty text."""
    assert why == difference(known, HERE)


def test_a_stamp_is_read_as_it_was_written() -> None:
    """One with other parts was made by another version; so was one whose parts make no sense."""
    stamp = HERE.stamp()
    assert read_stamp(stamp) == HERE
    assert read_stamp(stamp | {"moon": 1}) is None
    assert read_stamp({name: stamp[name] for name in stamp if name != "points"}) is None
    assert read_stamp(stamp | {"points": "many"}) is None
    assert read_stamp(None) is None


@pytest.mark.parametrize("embedder", [None, Unknown(16)])
def test_a_missing_embedder_is_no_difference(tmp_path: Path, embedder: HashingEmbedder | None) -> None:
    """An index with vectors stays as it is while its embedder cannot be had; a new one is made of words alone."""
    indexing = indexing_of(tmp_path, MemoryIndex(), embedder)
    made = identity_now(indexing_of(tmp_path, MemoryIndex(), HashingEmbedder(16)), None)
    assert difference(made, identity_now(indexing, made)) == ""
    assert (identity_now(indexing, None).embedder, identity_now(indexing, None).dimension) == ("", 0)


def test_vectors_are_the_same_by_name_and_length() -> None:
    """An index of words alone has none that could be taken over."""
    words = replace(HERE, embedder="", dimension=0)
    assert HERE.same_vectors(replace(HERE, engine="edge-0", points=7))
    assert not HERE.same_vectors(replace(HERE, dimension=32))
    assert not words.same_vectors(words)
    assert not HERE.same_vectors(None)
