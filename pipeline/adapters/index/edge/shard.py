"""An open shard of Qdrant Edge, read and written in our words."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import cast

import qdrant_edge as edge

from pipeline.adapters.index.edge.engine import ask_engine
from pipeline.adapters.index.edge.turn import OpenShard
from pipeline.adapters.index.qdrant import PAGE, best, key_of, split_pages
from pipeline.ports.index import Vector

_MEMORY = edge.Memory.Cold
"""Nothing is read before a question needs it: most openings are to write a few vectors, or to look which there are.

Cold, 54,000 vectors of 384 numbers take 3 ms to open, and a first question reads them in 50; else to open takes 50.
"""
_SETTLED_KB = 100
"""From this size of vectors on a segment is made compact when it settles, which is some 100 points of 256 numbers.

Compact, 54,000 vectors take 3 ms to open instead of 13; to make them compact takes 0.3 s.
"""
_THREADS = 2  # each opening starts them, and there are few segments to search side by side


def configuration(dimension: int) -> edge.EdgeConfig:
    """The configuration of a new shard."""
    return edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(
            size=dimension,
            distance=edge.Distance.Cosine,
            # Half the disk and the memory, and compared in half the time; the embedders know no more than these digits.
            datatype=edge.VectorStorageDatatype.Float16,
            memory=_MEMORY,
        ),
        # No graph: to look at all of 54,000 vectors takes 5 ms, and to make a graph of them minutes.
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000),
        optimizers=edge.EdgeOptimizersConfig(
            default_segment_number=1,
            indexing_threshold=_SETTLED_KB,
            # Also one vector that was taken out is worth it: until then it stays on the disk.
            deleted_threshold=0,
            vacuum_min_vector_number=0,
        ),
        max_search_threads=_THREADS,
        # No log: to read it takes 30 ms of each opening and 32 MB of the disk. Each change is flushed instead.
        wal_enabled=False,
    )


class EdgeIndexer:
    """An open shard: `VectorIndexer`."""

    def __init__(self, held: OpenShard, need_room: Callable[[int], None]) -> None:
        """`need_room` raises when the disk is too full to write so many vectors."""
        self._held, self._shard, self._need_room = held, held.shard, need_room

    def nearest(self, vector: Vector, limit: int, among: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The nearest vectors."""
        query = edge.Query.Nearest([*vector])
        meant = None if among is None else edge.Filter(must=[edge.HasIdCondition({*among})])

        def ask(limit: int) -> list[tuple[str, float]]:
            request = edge.QueryRequest(limit=limit, query=query, filter=meant, with_payload=False)
            return [(key_of(point.id), point.score) for point in ask_engine(self._shard.query, request)]

        return best(limit, ask)

    def vectors(self, keys: Collection[str]) -> dict[str, Vector]:
        """The vectors there are."""
        records = self._records(keys, vectors=True)
        return {key_of(record.id): cast("list[float]", record.vector) for record in records}  # the one of a point

    def known_keys(self, keys: Collection[str]) -> set[str]:
        """The keys there are."""
        return {key_of(record.id) for record in self._records(keys, vectors=False)}

    def keys(self) -> Iterator[str]:
        """All keys."""
        offset = None
        while True:
            request = edge.ScrollRequest(offset=offset, limit=PAGE, with_payload=False, with_vector=False)
            page, offset = ask_engine(self._shard.scroll, request)
            yield from (key_of(record.id) for record in page)
            if offset is None:
                return

    def size(self) -> int:
        """The number of vectors."""
        # Counted: after a kill, the number that the engine tells of the shard has some of them twice.
        if self._held.size is None:
            self._held.size = ask_engine(self._shard.count, edge.CountRequest(exact=True))
        return self._held.size

    def put_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors in."""
        self._held.size = None
        for page in split_pages(vectors.items()):
            self._need_room(len(page))
            points = [edge.Point(key, [*vector], None) for key, vector in page]
            ask_engine(self._shard.update, edge.UpdateOperation.upsert_points(points))
        ask_engine(self._shard.flush)

    def delete(self, keys: Collection[str]) -> None:
        """Take vectors out."""
        self._held.size = None
        for page in split_pages(keys):
            ask_engine(self._shard.update, edge.UpdateOperation.delete_points([*page]))
        ask_engine(self._shard.flush)

    def _records(self, keys: Collection[str], *, vectors: bool) -> Iterator[edge.Record]:
        for page in split_pages(dict.fromkeys(keys)):
            yield from ask_engine(self._shard.retrieve, [*page], False, vectors)  # noqa: FBT003 - so it is called
