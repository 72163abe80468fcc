"""An index over a folder of files: made, disturbed, and compared with one that is made anew."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.update import rebuild
from pipeline.ports.index import EVERYTHING, Embedder, Indexer, IndexLayout, IndexStore, Searcher, Where
from pipeline.testing.hashing_embedder import HashingEmbedder
from pipeline.testing.memory_index import MemoryIndex
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from schemas.index_settings import IndexSettings
from tests.support.processes.crashes import Crash

_WRITES = ("upsert", "delete", "set_payload", "set_dense")


def indexing_of(
    root: Path, store: IndexStore, embedder: Embedder | None, settings: IndexSettings | None = None
) -> Indexing:
    """An index of the workspace at `root`, which takes every entry's word."""
    return Indexing(
        workspace=Workspace(root),
        settings=settings or IndexSettings(),
        store=store,
        embedder=embedder,
        believed=lambda _, entry: entry,
        latch=Latch(root / ".memory" / "index" / "update.lock"),
    )


def memory_indexing(root: Path) -> Indexing:
    """An index in memory, with vectors."""
    return indexing_of(root, MemoryIndex(), HashingEmbedder(16))


def contents(store: IndexStore, where: Where = EVERYTHING) -> dict[str, Mapping[str, Any]]:
    """The payload of all points by id, without what may differ between an updated index and one made anew."""
    with store.reading() as reader:
        assert reader is not None, "there is no index"
        points = list(reader.scroll(where, vectors=True))
    names = {layout.SIGNATURE, layout.ORDINAL, layout.UNSETTLED}
    return {
        point.id: {name: value for name, value in point.payload.items() if name not in names}
        | {"dense": point.dense is not None}
        for point in points
    }


def made_anew(indexing: Indexing) -> dict[str, Mapping[str, Any]]:
    """What would be in an index that is made of the files as they are now."""
    fresh = indexing_of(indexing.workspace.root, MemoryIndex(), indexing.embedder, indexing.settings)
    rebuild(fresh)
    expected_contents = contents(fresh.store)
    # The engine is the one thing that need not be the same.
    expected_contents[layout.STAMP_ID] = {
        **expected_contents[layout.STAMP_ID],
        layout.IDENTITY: _stamp_of(indexing.store),
    }
    return expected_contents


def _stamp_of(store: IndexStore) -> object:
    with store.reading() as reader:
        return reader.retrieve([layout.STAMP_ID])[0].payload[layout.IDENTITY] if reader else None


@dataclass
class DisturbedIndex:
    """A store that counts what is written, and in which the process dies at the write after `writes_left` others.

    `after` says whether that write is still made. `written` are the calls, each with the ids it wrote.
    """

    real: MemoryIndex = field(default_factory=MemoryIndex)
    writes_left: int | None = None
    after: bool = False
    written: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """That of the real one."""
        return self.real.name

    @contextmanager
    def reading(self) -> Iterator[Searcher | None]:
        """The real one."""
        with self.real.reading() as reader:
            yield reader

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """The real one, watched."""
        with self.real.writing() as indexer:
            yield _Disturbed(indexer, self)

    @contextmanager
    def building(self, layout: IndexLayout) -> Iterator[Indexer]:
        """The real one, watched."""
        with self.real.building(layout) as indexer:
            yield _Disturbed(indexer, self)

    def settle(self) -> None:
        """The real one."""
        self.real.settle()

    def drop(self) -> None:
        """The real one."""
        self.real.drop()

    def ids(self, call: str) -> list[str]:
        """The points that were written by calls of this name."""
        return [text for name, ids in self.written if name == call for text in ids]


class _Disturbed:
    def __init__(self, real: Indexer, plan: DisturbedIndex) -> None:
        self._real, self._plan = real, plan

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any of the port's methods
        method = getattr(self._real, name)
        if name not in _WRITES:
            return method

        def write(expected: Any) -> None:  # noqa: ANN401 - points, ids or a mapping of them
            plan, due = self._plan, self._plan.writes_left == 0
            if plan.writes_left is not None:
                plan.writes_left -= 1
            if not due or plan.after:
                method(expected)
                plan.written.append((name, tuple(getattr(item, "id", item) for item in expected)))
            if due:
                raise Crash

        return write
