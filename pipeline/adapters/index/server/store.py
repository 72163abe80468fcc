"""The index on a server: Qdrant, one server or a cluster, asked through its own client."""

import re
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

from pipeline.adapters.index.qdrant import PAGE, best, canonical, distinct, grouped, legs_with_terms, paged
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import DENSE, Indexer, IndexLayout, IndexPoint, Query, Scored, Searcher, Vector, Where

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

P = ParamSpec("P")
T = TypeVar("T")

_NAME = "qdrant-server-1"  # the number is of how we use it; the server may be upgraded under its data
_ADVICE = "Look at index.url and index.api_key; without an address the index lives in the workspace itself."
_REFUSES = "does not do what it is asked for"
_REFUSALS = (401, 403)
_BATCH = 200  # points in one request: a server takes 32 MB, and a point can be some 50 kB of JSON
_SUFFIX = r"-[0-9a-f]{8}"  # of the collections that an index is built in


class ServerStore:
    """An index on a server. Its name there is an alias: each build fills a collection of its own and then gets it."""

    def __init__(self, url: str, api_key: str, collection: str, *, timeout: float = 10.0) -> None:
        """Nothing is asked yet.

        Args:
            url: Of the server, with its port unless that is 6333.
            api_key: Empty for a server that wants none.
            collection: What the index is called there.
            timeout: For how many seconds to wait for an answer.
        """
        self._collection = collection
        self._server = _QdrantServer(url, api_key, timeout)

    @classmethod
    def local(cls, folder: Path | None = None, collection: str = "memory") -> Self:
        """The client's own stand-in for a server, for tests: slow, in memory or in a folder."""
        store = cls("", "", collection)
        store._server = _QdrantServer(str(folder or ":memory:"), "", 0.0, local=True)
        return store

    @property
    def name(self) -> str:
        """The engine, and the version of how it is used."""
        return _NAME

    @contextmanager
    def reading(self) -> Iterator[Searcher | None]:
        """The index, `None` when there is none yet.

        Raises:
            IndexUnavailable: the server does not answer, or refuses.
        """
        yield ServerIndexer(self._server, self._collection) if self._target() else None

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """The index.

        Raises:
            IndexUnavailable: the server does not answer, or refuses; or there is no index.
        """
        if not self._target():
            why = "there is none yet"
            raise IndexUnavailable(why)
        yield ServerIndexer(self._server, self._collection)

    @contextmanager
    def building(self, layout: IndexLayout) -> Iterator[Indexer]:
        """A new collection beside the one there is, which takes its name when the block ends well.

        Raises:
            IndexUnavailable: the server does not answer, or refuses.
        """
        self._tidy()
        name = f"{self._collection}-{uuid.uuid4().hex[:8]}"
        try:
            self._create(name, layout)
            yield ServerIndexer(self._server, name)
            self._switch(name)
        finally:
            self._tidy()

    def settle(self) -> None:
        """Nothing: a server does so by itself."""

    def drop(self) -> None:
        """Remove the index, if there is one.

        Raises:
            IndexUnavailable: the server does not answer, or refuses.
        """
        self._switch(None)
        self._tidy()

    def _target(self) -> str:
        """The collection that has the name now, empty for none."""
        aliases = self._server.ask(self._server.client.get_aliases).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == self._collection), "")

    def _create(self, name: str, layout: IndexLayout) -> None:
        from pipeline.adapters.index.server import words  # noqa: PLC0415 - it leads to the client

        client, ask = self._server.client, self._server.ask
        dense, sparse = words.dense_vectors(layout), words.sparse_vectors(layout)
        ask(client.create_collection, name, vectors_config=dense, sparse_vectors_config=sparse)
        if not self._server.local:  # which has no such indexes, and warns of it
            for field, schema in words.field_indexes(layout):
                ask(client.create_payload_index, name, field, schema, wait=True)

    def _switch(self, name: str | None) -> None:
        """Give the name to another collection, or to none, in one step."""
        from qdrant_client import models  # noqa: PLC0415 - slow to import

        changes: list[models.AliasOperations] = []
        if self._target():
            gone = models.DeleteAlias(alias_name=self._collection)
            changes.append(models.DeleteAliasOperation(delete_alias=gone))
        if name:
            new = models.CreateAlias(collection_name=name, alias_name=self._collection)
            changes.append(models.CreateAliasOperation(create_alias=new))
        if changes:
            self._server.ask(self._server.client.update_collection_aliases, changes)

    def _tidy(self) -> None:
        """Remove the unused collections of ours: the last one, and those of killed builds."""
        target, ours = self._target(), re.compile(re.escape(self._collection) + _SUFFIX)
        for collection in self._server.ask(self._server.client.get_collections).collections:
            if ours.fullmatch(collection.name) and collection.name != target:
                self._server.ask(self._server.client.delete_collection, collection.name)


class _QdrantServer:
    """A server by its address. The client is made when it is first used."""

    def __init__(self, url: str, api_key: str, timeout: float, *, local: bool = False) -> None:
        self._url, self._api_key, self._timeout, self.local = url, api_key, timeout, local
        self._lock = Lock()
        self._client: QdrantClient | None = None

    @property
    def client(self) -> "QdrantClient":
        """The client, one for all threads."""
        with self._lock:
            if self._client is None:
                self._client = self._connected()
            return self._client

    def ask(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of the server.

        Raises:
            IndexUnavailable: it does not answer, or refuses; the sentence names its address and never the key.
        """
        from qdrant_client.http.exceptions import (  # noqa: PLC0415 - slow to import
            ApiException,
            ResponseHandlingException,
            UnexpectedResponse,
        )

        try:
            return call(*args, **kwargs)
        except UnexpectedResponse as error:
            answered = f"{error.status_code} {error.reason_phrase}".strip()
            does = "refuses the key" if error.status_code in _REFUSALS else _REFUSES
            raise self._unavailable(does, answered) from error
        except ResponseHandlingException as error:
            does = "does not answer"
            raise self._unavailable(does, _reason(error.source)) from error
        except ApiException as error:
            raise self._unavailable(_REFUSES, _reason(error)) from error

    def _connected(self) -> "QdrantClient":
        from qdrant_client import QdrantClient  # noqa: PLC0415 - slow to import

        if self.local:
            return QdrantClient(":memory:") if self._url == ":memory:" else QdrantClient(path=self._url)
        with warnings.catch_warnings():
            # The warning about a key over plain HTTP: the address is the user's choice.
            warnings.simplefilter("ignore")
            return QdrantClient(
                url=self._url,
                api_key=self._api_key or None,
                timeout=max(1, round(self._timeout)),
                check_compatibility=False,  # it asks the server for its version, and prints
            )

    def _unavailable(self, does: str, reason: str) -> IndexUnavailable:
        return IndexUnavailable(f"the server at {_address(self._url)} {does} ({reason})", _ADVICE)


class ServerIndexer:
    """A collection, by its name or its alias."""

    def __init__(self, server: _QdrantServer, collection: str) -> None:
        """Nothing is asked yet."""
        from pipeline.adapters.index.server import words as index_server_words  # noqa: PLC0415 - it leads to the client

        self._client, self._ask, self._name = server.client, server.ask, collection
        self._words = index_server_words

    def search(self, query: Query) -> list[Scored]:
        """The best points."""
        legs = legs_with_terms(query)
        if not legs:
            return []
        prefetch, fused = self._words.prefetches(legs, query.where), self._words.fusion(legs)

        def ask(limit: int) -> list[Scored]:
            answer = self._ask(
                self._client.query_points,
                self._name,
                prefetch=prefetch,
                query=fused,
                limit=limit,
                with_payload=True if query.fields is None else [*query.fields] or False,
            )
            return [self._words.scored(point) for point in answer.points]

        return best(query, ask)

    def size(self) -> int:
        """About how many points there are."""
        return int(self._ask(self._client.count, self._name, exact=False).count)

    def retrieve(self, ids: Sequence[str], *, vectors: bool = False) -> list[IndexPoint]:
        """The points there are."""
        return [self._words.point(record) for page in paged(ids) for record in self._records(page, vectors=vectors)]

    def scroll(self, where: Where, *, fields: Sequence[str] = (), vectors: bool = False) -> Iterator[IndexPoint]:
        """The points that are meant, by id."""
        meant, offset = self._words.condition(where), None
        while True:
            page, offset = self._ask(
                self._client.scroll,
                self._name,
                scroll_filter=meant,
                limit=PAGE,
                offset=offset,
                with_payload=[*fields] or True,
                with_vectors=[DENSE] if vectors else False,
            )
            yield from map(self._words.point, page)
            if offset is None:
                return

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in."""
        for batch in paged(points, _BATCH):
            records = [self._words.record(point) for point in batch]
            self._ask(self._client.upsert, self._name, records, wait=True)

    def delete(self, ids: Sequence[str]) -> None:
        """Take points out."""
        for page in paged(ids):
            self._ask(self._client.delete, self._name, [canonical(point_id) for point_id in page], wait=True)

    def set_payload(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Set fields of the payload: one request for all."""
        from qdrant_client import models  # noqa: PLC0415 - slow to import

        for page in paged(changes):
            payloads = {canonical(point_id): changes[point_id] for point_id in page}
            there = {point_id: payloads[point_id] for point_id in self._there(page)}
            operations = [
                models.SetPayloadOperation(set_payload=models.SetPayload(payload=change, points=[*ids]))
                for change, ids in grouped(there)
            ]
            if operations:
                self._ask(self._client.batch_update_points, self._name, operations, wait=True)

    def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        """Set dense vectors."""
        from qdrant_client import models  # noqa: PLC0415 - slow to import

        for page in paged(vectors, _BATCH):
            by_id = {canonical(point_id): vectors[point_id] for point_id in page}
            changed = [
                models.PointVectors(id=point_id, vector={DENSE: [*by_id[point_id]]}) for point_id in self._there(page)
            ]
            if changed:
                self._ask(self._client.update_vectors, self._name, changed, wait=True)

    def _there(self, ids: Sequence[str]) -> list[str]:
        """The existing ones of these ids: a server refuses the others."""
        return [canonical(record.id) for record in self._records(ids, payload=False)]

    def _records(self, ids: Sequence[str], *, payload: bool = True, vectors: bool = False) -> "Sequence[models.Record]":
        return self._ask(
            self._client.retrieve,
            self._name,
            distinct(ids),
            with_payload=payload,
            with_vectors=[DENSE] if vectors else False,
        )


def _address(url: str) -> str:
    """The address without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else url


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
