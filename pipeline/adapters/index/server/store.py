"""The vectors on a server: Qdrant, one server or a cluster."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Self

from pipeline.adapters.index.server.connection import QdrantServer
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import VectorIndexer, VectorSearcher, VectorSpace

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
        name = f"{self._prefix_of(space)}{uuid.uuid4().hex[:8]}"
        try:
            from qdrant_client import models  # noqa: PLC0415 - slow to import

            vectors = models.VectorParams(
                size=space.dimension, distance=models.Distance.COSINE, datatype=models.Datatype.FLOAT16
            )
            self._server.ask(self._server.client.create_collection, name, vectors_config=vectors)
            yield self._indexer(name)
            self._switch(name)
        finally:
            self._tidy()

    def settle(self) -> None:
        """Do nothing: a server makes itself compact."""

    def drop(self) -> None:
        """Remove all vectors, if there are any."""
        self._switch(None)
        self._tidy()

    def _indexer(self, name: str) -> VectorIndexer:
        """The indexer of a collection, not of the alias: nothing gets among the vectors of another space."""
        from pipeline.adapters.index.server.collection import ServerIndexer  # noqa: PLC0415 - it leads to the client

        return ServerIndexer(self._server, name)

    def _prefix_of(self, space: VectorSpace) -> str:
        """The beginning of the names of a space's collections."""
        digits = sha256(f"{space.dimension} {space.embedder}".encode()).hexdigest()[:_SPACE_DIGITS]
        return f"{self._collection}-{digits}-"

    def _target_of(self, space: VectorSpace) -> str:
        """The collection that has the alias now, empty when there is none or it is of another space."""
        target = self._target()
        return target if target.startswith(self._prefix_of(space)) else ""

    def _target(self) -> str:
        aliases = self._server.ask(self._server.client.get_aliases).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == self._collection), "")

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
