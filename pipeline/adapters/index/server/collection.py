"""A collection of a Qdrant server, read and written in our words."""

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from qdrant_client import models

from pipeline.adapters.index.qdrant import PAGE, best, key_of, split_pages
from pipeline.adapters.index.server.connection import QdrantServer
from pipeline.ports.index import Vector

_BATCH = 200  # vectors in one request: a server takes 32 MB, and a vector can be some 80 kB of JSON


class ServerIndexer:
    """A collection: `VectorIndexer`."""

    def __init__(self, server: QdrantServer, name: str) -> None:
        """Nothing is asked yet."""
        self._client, self._ask, self._name = server.client, server.ask, name

    def nearest(self, vector: Vector, limit: int, among: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The nearest vectors."""
        query = [*vector]
        meant = None if among is None else models.Filter(must=[models.HasIdCondition(has_id=_ids(among))])

        def ask(limit: int) -> list[tuple[str, float]]:
            answer = self._ask(
                self._client.query_points,
                self._name,
                query=query,
                query_filter=meant,
                limit=limit,
                with_payload=False,
            )
            return [(key_of(point.id), point.score) for point in answer.points]

        return best(limit, ask)

    def vectors(self, keys: Collection[str]) -> dict[str, Vector]:
        """The vectors there are."""
        records = (record for page in split_pages(keys, _BATCH) for record in self._records(page, vectors=True))
        return {key_of(record.id): cast("list[float]", record.vector) for record in records}  # the one of a point

    def known_keys(self, keys: Collection[str]) -> set[str]:
        """The keys there are."""
        return {key_of(record.id) for page in split_pages(keys) for record in self._records(page, vectors=False)}

    def keys(self) -> Iterator[str]:
        """All keys."""
        offset = None
        while True:
            page, offset = self._ask(
                self._client.scroll, self._name, limit=PAGE, offset=offset, with_payload=False, with_vectors=False
            )
            yield from (key_of(record.id) for record in page)
            if offset is None:
                return

    def size(self) -> int:
        """About the number of vectors."""
        return int(self._ask(self._client.count, self._name, exact=False).count)

    def put_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors in."""
        for page in split_pages(vectors.items(), _BATCH):
            points = [models.PointStruct(id=key, vector=[*vector]) for key, vector in page]
            self._ask(self._client.upsert, self._name, points, wait=True)

    def delete(self, keys: Collection[str]) -> None:
        """Take vectors out."""
        for page in split_pages(keys):
            self._ask(self._client.delete, self._name, _ids(page), wait=True)

    def _records(self, keys: Collection[str], *, vectors: bool) -> list[models.Record]:
        return self._ask(self._client.retrieve, self._name, _ids(keys), with_payload=False, with_vectors=vectors)


def _ids(keys: Collection[str]) -> list[models.ExtendedPointId]:
    """The ids of the points, none twice."""
    return [*dict.fromkeys(keys)]
