"""The indexes of words hold to one contract, so that a test with the fake says something about the real one."""

from pathlib import Path

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.ports.index import IndexStore
from tests.support.ports.index_contract import IndexContract
from tests.support.ports.memory_index import MemoryIndex
from tests.support.ports.search_contract import LAYOUT


class TestMemoryIndex(IndexContract):
    """The fake."""

    def store(self, folder: Path) -> IndexStore:  # noqa: ARG002 - it keeps nothing
        """In this process alone."""
        return MemoryIndex(LAYOUT, patience=0.01)


class TestTantivyStore(IndexContract):
    """The engine within this process."""

    def store(self, folder: Path) -> IndexStore:
        """Impatient, for the tests have no other writer to wait for."""
        return TantivyStore(folder / "index", LAYOUT, patience=0.01)
