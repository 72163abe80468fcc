"""The stores of vectors hold to one contract, so that a test with the one in memory says something about the others."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.adapters.index.server.store import ServerVectors
from pipeline.ports.index import VectorStore
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.ports.vector_contract import VectorContract

SERVER = os.environ.get("MEMORY_TEST_QDRANT_URL", "")


class TestMemoryVectors(VectorContract):
    """The fake."""

    def store(self, folder: Path) -> VectorStore:  # noqa: ARG002 - it keeps nothing
        """In this process alone."""
        return MemoryVectors()


class TestEdgeVectors(VectorContract):
    """The engine within this process, opened for each use."""

    def store(self, folder: Path) -> VectorStore:
        """As a command has it."""
        return EdgeVectors(folder / "vectors")


class TestLingeringEdgeVectors(VectorContract):
    """The same, kept open between uses."""

    def store(self, folder: Path) -> VectorStore:
        """As a long-lived process has it."""
        return EdgeVectors(folder / "vectors", linger=60)


class TestLocalServerVectors(VectorContract):
    """The client's stand-in for a server."""

    def store(self, folder: Path) -> VectorStore:  # noqa: ARG002 - it keeps nothing
        """In memory."""
        return ServerVectors.local()


if SERVER:

    class TestServerVectors(VectorContract):
        """A server, or a cluster."""

        @pytest.fixture(autouse=True)
        def _swept(self, tmp_path: Path) -> Iterator[None]:
            """Nothing is left there."""
            yield
            self.store(tmp_path).drop()

        def store(self, folder: Path) -> VectorStore:
            """Under a name of its own for each test."""
            collection = "memory-test-" + sha256(str(folder).encode()).hexdigest()[:16]
            return ServerVectors(SERVER, os.environ.get("MEMORY_TEST_QDRANT_API_KEY", ""), collection, timeout=30)
