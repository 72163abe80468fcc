"""An open shard of Qdrant Edge, read and written in our words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import qdrant_edge as edge

from pipeline.adapters.index.edge import words
from pipeline.adapters.index.edge.turn import asked
from pipeline.adapters.index.qdrant import PAGE, best, canonical, distinct, grouped, legs_with_terms, paged
from pipeline.ports.index import DENSE, IndexPoint, Query, Scored, Vector, Where


class EdgeIndexer:
    """An open shard."""

    def __init__(self, shard: edge.EdgeShard, keywords: Sequence[str], need_room: Callable[[], None]) -> None:
        """`keywords` are the fields it is filtered by; `need_room` raises when the disk is too full to write."""
        self._shard, self._keywords, self._need_room = shard, keywords, need_room

    def search(self, query: Query) -> list[Scored]:
        """The best points."""
        legs = legs_with_terms(query)

        def ask(limit: int) -> list[Scored]:
            points = asked(self._shard.query, words.request(legs, query, limit))
            return [words.scored(point) for point in points]

        return best(query, ask) if legs else []

    def size(self) -> int:
        """How many points there are."""
        return asked(self._shard.info).points_count

    def retrieve(self, ids: Sequence[str], *, vectors: bool = False) -> list[IndexPoint]:
        """The points there are."""
        return [words.point(record) for page in paged(ids) for record in self._records(page, vectors=vectors)]

    def scroll(self, where: Where, *, fields: Sequence[str] = (), vectors: bool = False) -> Iterator[IndexPoint]:
        """The points that are meant, by id."""
        meant, offset = words.condition(where), None
        while True:
            page, offset = asked(
                self._shard.scroll,
                edge.ScrollRequest(
                    offset=offset,
                    limit=PAGE,
                    filter=meant,
                    with_payload=[*fields] or True,
                    with_vector=[DENSE] if vectors else False,
                ),
            )
            yield from map(words.point, page)
            if offset is None:
                return

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in."""
        for page in paged(points):
            self._need_room()
            records = [words.record(point, self._keywords) for point in page]
            asked(self._shard.update, edge.UpdateOperation.upsert_points(records))

    def delete(self, ids: Sequence[str]) -> None:
        """Take points out."""
        for page in paged(ids):
            gone = edge.UpdateOperation.delete_points([canonical(point_id) for point_id in page])
            asked(self._shard.update, gone)

    def set_payload(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Set fields of the payload; where they are filtered by, the point's marks are made anew."""
        for page in paged(changes):
            payloads = {str(record.id): record.payload or {} for record in self._records(page, [*self._keywords])}
            asked_for = {canonical(point_id): changes[point_id] for point_id in page}
            there = {
                point_id: self._marked(payloads[point_id], asked_for[point_id])
                for point_id in asked_for
                if point_id in payloads
            }
            for change, ids in grouped(there):
                asked(self._shard.update, edge.UpdateOperation.set_payload([*ids], change))

    def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        """Set dense vectors."""
        for page in paged(vectors):
            there = {str(record.id) for record in self._records(page, [])}
            given = {canonical(point_id): vectors[point_id] for point_id in page}
            changed = [
                edge.PointVectors(point_id, {DENSE: [*vector]})
                for point_id, vector in given.items()
                if point_id in there
            ]
            if changed:
                self._need_room()
                asked(self._shard.update, edge.UpdateOperation.update_vectors(changed))

    def _records(
        self, ids: Sequence[str], fields: list[str] | None = None, *, vectors: bool = False
    ) -> list[edge.Record]:
        """The points with these ids, with some fields of their payload or, for `None`, the whole of it."""
        payload = True if fields is None else fields
        return asked(self._shard.retrieve, [*distinct(ids)], payload, [DENSE] if vectors else False)

    def _marked(self, payload: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
        if change.keys().isdisjoint(self._keywords):
            return dict(change)
        return {**change, words.MARKS: words.marks({**payload, **change}, self._keywords)}
