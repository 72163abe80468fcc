"""The indexes hold to one contract, so that a test with the one in memory says something about the real ones."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import EdgeStore
from pipeline.adapters.index.server.store import ServerStore
from pipeline.ports.index import IndexStore
from pipeline.testing.index_contract import IndexContract
from pipeline.testing.memory_index import MemoryIndex

SERVER = os.environ.get("MEMORY_TEST_QDRANT_URL", "")


class TestMemoryIndex(IndexContract):
    """The fake."""

    def store(self, folder: Path) -> IndexStore:  # noqa: ARG002 - it keeps nothing
        """In this process alone."""
        return MemoryIndex()


class TestEdgeStore(IndexContract):
    """The engine within this process, opened for each use."""

    def store(self, folder: Path) -> IndexStore:
        """As a command has it."""
        return EdgeStore(folder / "index")


class TestLingeringEdgeStore(IndexContract):
    """The same, kept open between uses."""

    def store(self, folder: Path) -> IndexStore:
        """As a long-lived process has it."""
        return EdgeStore(folder / "index", linger=60)


class TestLocalServerStore(IndexContract):
    """The client's stand-in for a server."""

    def store(self, folder: Path) -> IndexStore:  # noqa: ARG002 - it keeps nothing
        """In memory."""
        return ServerStore.local()


if SERVER:

    class TestServerStore(IndexContract):
        """A server, or a cluster."""

        @pytest.fixture(autouse=True)
        def _swept(self, tmp_path: Path) -> Iterator[None]:
            """Nothing is left there."""
            yield
            self.store(tmp_path).drop()

        def store(self, folder: Path) -> IndexStore:
            """Under a name of its own for each test."""
            collection = "memory-test-" + sha256(str(folder).encode()).hexdigest()[:16]
            return ServerStore(SERVER, os.environ.get("MEMORY_TEST_QDRANT_API_KEY", ""), collection, timeout=30)
