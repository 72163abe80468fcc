"""Vectors are made as far as that goes, and text that had one keeps it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.clock import stopwatch
from pipeline.errors import EmbedderUnavailable, Interrupted
from pipeline.index import schema as layout
from pipeline.index.sync.vectors import BEHIND_SECONDS, TEXTS_AT_ONCE, VectorMaker, VectorReuse
from pipeline.ports.index import IndexPoint, Vector
from pipeline.process.cancellation import CancellationToken
from pipeline.testing.hashing_embedder import HashingEmbedder
from tests.support.workspaces.index_bench import memory_indexing

TEXTS = {str(number): [f"text {number}", f"text {number + 1}"] for number in range(200)}
"""Each has a neighbour, so that they are made of one text more than there are vectors."""


class Counting(HashingEmbedder):
    """Notes how many texts it was given at a time; `breaks_after` that many times it is away."""

    def __init__(self, breaks_after: int = 1000) -> None:
        super().__init__(8)
        self.calls: list[int] = []
        self._left = breaks_after

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors, until it breaks."""
        if not self._left:
            raise EmbedderUnavailable(self.name, "it broke")
        self._left -= 1
        self.calls.append(len(texts))
        return super().passages(texts)


def made(maker: VectorMaker) -> dict[str, Vector]:
    """All that it makes."""
    fields: dict[str, Vector] = {}
    for some in maker.make(TEXTS):
        fields |= some
    return fields


def test_every_text_is_embedded_once() -> None:
    """Neighbours share theirs; an embedder is never given more than it likes at a time."""
    embedder = Counting()
    assert TEXTS.keys() == made(VectorMaker(embedder)).keys()
    assert (201, True) == (sum(embedder.calls), max(embedder.calls) <= TEXTS_AT_ONCE)


def test_a_limit_is_kept() -> None:
    """About so many texts and no more, so that a question does not wait for all."""
    embedder = Counting()
    maker = VectorMaker(embedder, limit=8)
    assert (7, 7, [8]) == (len(made(maker)), maker.made, embedder.calls)
    assert not maker.at_work
    assert {} == made(VectorMaker(embedder, limit=0))


def test_what_was_made_before_it_broke_is_kept() -> None:
    """And it is told why there is no more."""
    maker = VectorMaker(Counting(breaks_after=2))
    assert 0 < len(made(maker)) == maker.made < len(TEXTS)
    assert "it broke" in maker.why
    assert {} == made(maker)


def test_vectors_may_not_take_much_longer_than_all_else() -> None:
    """While an index is made, which others wait for."""
    maker = VectorMaker(Counting(), since=stopwatch())
    maker._seconds = BEHIND_SECONDS
    assert not maker.at_work
    maker.since = None
    assert maker.at_work


def test_a_stop_is_noticed_between_texts() -> None:
    """As everywhere else."""
    safe_point = CancellationToken()
    safe_point.ask_to_stop(2)
    with pytest.raises(Interrupted):
        made(VectorMaker(Counting(), safe_point=safe_point))


def test_vectors_of_text_that_leaves_are_remembered(tmp_path: Path) -> None:
    """Besides those of text that stands elsewhere in the index."""
    store = memory_indexing(tmp_path).store
    here, gone = layout.file_id("here"), layout.file_id("gone")
    with store.building(layout.layout(2)) as indexer:
        for point, content in ((here, "a"), (gone, "b")):
            indexer.upsert([IndexPoint(point, {layout.CONTENT: content, layout.VECTOR: "yes"}, dense=[0.0, 1.0])])
    reuse = VectorReuse()
    with store.writing() as indexer:
        reuse.keep(indexer, [gone])
        indexer.delete([gone])
        result = reuse.find(indexer, ["a", "b", "c"])
    assert {"a": [0.0, 1.0], "b": [0.0, 1.0]} == {content: list(vector) for content, vector in result.items()}
