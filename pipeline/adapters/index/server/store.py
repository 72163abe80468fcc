"""The vectors on a server: Qdrant, one server or a cluster."""

import re
import uuid
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar, cast
from urllib.parse import urlsplit

from qdrant_client import models

from pipeline.adapters.index.qdrant import PAGE, best, key_of, paged
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import Vector, VectorIndexer, VectorSearcher, VectorSpace

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

P = ParamSpec("P")
T = TypeVar("T")

_ADVICE = "Look at index.url and index.api_key; without an address the index lives in the workspace itself."
_REFUSES = "does not do what it is asked for"
_REFUSALS = (401, 403)


class QdrantServer:
    """A server, or the client's own stand-in for one. The client is made when it is first used."""

    def __init__(self, url: str, api_key: str, timeout: float, *, local: bool = False) -> None:
        """The `url` of a local one is `:memory:` or a folder."""
        self._url, self._api_key, self._timeout, self._local = url, api_key, timeout, local
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
        """The answer of the server."""
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

        if self._local:
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


def _address(url: str) -> str:
    """The address without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else url


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


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
        records = (record for page in paged(keys, _BATCH) for record in self._records(page, vectors=True))
        return {key_of(record.id): cast("list[float]", record.vector) for record in records}  # the one of a point

    def known(self, keys: Collection[str]) -> set[str]:
        """The keys there are."""
        return {key_of(record.id) for page in paged(keys) for record in self._records(page, vectors=False)}

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
        """About how many vectors there are."""
        return int(self._ask(self._client.count, self._name, exact=False).count)

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors in."""
        for page in paged(vectors.items(), _BATCH):
            points = [models.PointStruct(id=key, vector=[*vector]) for key, vector in page]
            self._ask(self._client.upsert, self._name, points, wait=True)

    def delete(self, keys: Collection[str]) -> None:
        """Take vectors out."""
        for page in paged(keys):
            self._ask(self._client.delete, self._name, _ids(page), wait=True)

    def _records(self, keys: Collection[str], *, vectors: bool) -> list[models.Record]:
        return self._ask(self._client.retrieve, self._name, _ids(keys), with_payload=False, with_vectors=vectors)


def _ids(keys: Collection[str]) -> list[models.ExtendedPointId]:
    """The ids of the points, none twice."""
    return [*dict.fromkeys(keys)]


_NAME = "qdrant-server-2"  # the number is of how we use it; the server may be upgraded under its data
_SPACE_DIGITS = 16
_OURS = r"(-[0-9a-f]{16})?-[0-9a-f]{8}"
"""What the names of our collections end with: a hash of the space, which earlier versions left out, and a number."""


class ServerVectors:
    """The vectors on a server. Their name there is an alias; it leads to a collection whose name tells the space.

    So one request tells which vectors there are, on a server of any version, and a switch shows both at once. The
    caller of a build, of a first writing in a space or of a drop makes sure that no other one runs at the same time.
    """

    def __init__(self, url: str, api_key: str, collection: str, *, timeout: float = 10.0) -> None:
        """Nothing is asked yet.

        Args:
            url: Of the server, with its port unless that is 6333.
            api_key: Empty for a server that wants none.
            collection: What the vectors are called there.
            timeout: For how many seconds to wait for an answer.
        """
        self._collection = collection
        self._server = QdrantServer(url, api_key, timeout)

    @classmethod
    def local(cls, folder: Path | None = None, collection: str = "memory") -> Self:
        """The client's own stand-in for a server, for tests: slow, in memory or in a folder."""
        store = cls("", "", collection)
        store._server = QdrantServer(str(folder or ":memory:"), "", 0.0, local=True)
        return store

    @property
    def name(self) -> str:
        """The engine, and the version of how it is used."""
        return _NAME

    @contextmanager
    def reading(self, space: VectorSpace) -> Iterator[VectorSearcher | None]:
        """The vectors of a space, `None` when there are none of it."""
        target = self._target_of(space)
        yield self._indexer(target) if target else None

    @contextmanager
    def writing(self, space: VectorSpace) -> Iterator[VectorIndexer]:
        """The vectors of a space; without any, an empty collection for it takes the place of what there is."""
        if not self._target_of(space):
            with self.building(space):
                pass
        if not (target := self._target_of(space)):
            why = "its vectors were taken away at this moment"
            raise IndexUnavailable(why)
        yield self._indexer(target)

    @contextmanager
    def building(self, space: VectorSpace) -> Iterator[VectorIndexer]:
        """A new collection beside the one there is, which takes its place when the block ends well."""
        self._tidy()
        name = f"{self._named(space)}{uuid.uuid4().hex[:8]}"
        try:
            self._create(name, space)
            yield self._indexer(name)
            self._switch(name)
        finally:
            self._tidy()

    def settle(self) -> None:
        """Nothing: a server does so by itself."""

    def drop(self) -> None:
        """Remove all vectors, if there are any."""
        self._switch(None)
        self._tidy()

    def _indexer(self, name: str) -> VectorIndexer:
        """Of a collection, not of the alias: what is written never gets among the vectors of another space."""
        return ServerIndexer(self._server, name)

    def _named(self, space: VectorSpace) -> str:
        """What the names of a space's collections begin with."""
        digits = sha256(f"{space.dimension} {space.embedder}".encode()).hexdigest()[:_SPACE_DIGITS]
        return f"{self._collection}-{digits}-"

    def _target_of(self, space: VectorSpace) -> str:
        """The collection that has the alias now, empty when there is none or it is of another space."""
        target = self._target()
        return target if target.startswith(self._named(space)) else ""

    def _target(self) -> str:
        aliases = self._server.ask(self._server.client.get_aliases).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == self._collection), "")

    def _create(self, name: str, space: VectorSpace) -> None:
        from qdrant_client import models  # noqa: PLC0415 - slow to import

        vectors = models.VectorParams(
            size=space.dimension, distance=models.Distance.COSINE, datatype=models.Datatype.FLOAT16
        )
        self._server.ask(self._server.client.create_collection, name, vectors_config=vectors)

    def _switch(self, name: str | None) -> None:
        """Give the alias to another collection, or to none, in one step."""
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
        target, ours = self._target(), re.compile(re.escape(self._collection) + _OURS)
        for collection in self._server.ask(self._server.client.get_collections).collections:
            if ours.fullmatch(collection.name) and collection.name != target:
                self._server.ask(self._server.client.delete_collection, collection.name)
