"""An index over a folder of files: made, disturbed, and compared with one that is made anew."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.stamp import Stamp, read_stamp
from pipeline.index.sync.update import rebuild
from pipeline.index.sync.vectors import missing_files
from pipeline.ports.index import (
    EVERYTHING,
    Embedder,
    Indexer,
    IndexPoint,
    IndexStore,
    Query,
    RankedSearcher,
    Scored,
    Where,
)
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from schemas.index_settings import IndexSettings
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.memory_index import MemoryIndex
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.processes.crashes import Crash


def indexing_of(
    root: Path, store: IndexStore, embedder: Embedder | None, settings: IndexSettings | None = None
) -> Indexing:
    """An index of the workspace at `root`, which takes every entry's word; its vectors are in memory."""
    return Indexing(
        workspace=Workspace(root),
        settings=settings or IndexSettings(),
        store=store,
        vectors=MemoryVectors(),
        embedder=embedder,
        believed=lambda _, entry: entry,
        latch=Latch(root / ".memory" / "index" / "update.lock"),
    )


def memory_indexing(root: Path) -> Indexing:
    """An index in memory, with vectors."""
    return indexing_of(root, MemoryIndex(layout.LAYOUT), HashingEmbedder(16))


def indexing_on_disk(root: Path) -> Indexing:
    """An index in the folder where commands have it, with vectors; it stays open for no longer than it is used."""
    folder = root / ".memory" / "index"
    store, vectors = TantivyStore(folder / "words", layout.LAYOUT), EdgeVectors(folder / "vectors")
    return replace(indexing_of(root, store, HashingEmbedder(16)), vectors=vectors)


def contents(store: IndexStore, where: Where = EVERYTHING) -> dict[str, Mapping[str, Any]]:
    """The payload of all points by id, without what may differ between an updated index and one made anew."""
    with store.reading() as reader:
        assert reader is not None, "there is no index"
        points = list(reader.scroll(where))
    names = {layout.SIGNATURE, layout.STATE, layout.NOTED, layout.ORDINAL, layout.UNSETTLED, layout.IDENTITY}
    names |= {layout.EMBEDDED, layout.MARK}  # the progress of the vectors is noted beside the index
    return {point.id: {name: value for name, value in point.payload.items() if name not in names} for point in points}


def made_anew(indexing: Indexing) -> dict[str, Mapping[str, Any]]:
    """What would be in an index that is made of the files as they are now."""
    fresh = replace(indexing, store=MemoryIndex(layout.LAYOUT), vectors=MemoryVectors())
    rebuild(fresh)
    return contents(fresh.store)


def stamp_of(store: IndexStore) -> Stamp:
    """The stamp of an index that has one."""
    with store.reading() as reader:
        stamp = read_stamp(reader) if reader else None
    assert stamp is not None, "there is no index, or one of another version"
    return stamp


def without_vectors(indexing: Indexing) -> dict[str, set[str]]:
    """The keys that passages want and that have no vector, by file."""
    space = stamp_of(indexing.store).space
    assert space is not None, "no vectors are wanted"
    with indexing.store.reading() as reader, indexing.vectors.reading(space) as vectors:
        return missing_files(reader, vectors) if reader else {}


@dataclass
class DisturbedIndex:
    """A store that counts what is written, and in which the process dies when `changes_left` others were made.

    `after` says whether that change is still made. `written` are the calls, each with the ids it wrote, and `read` the
    ids of the points that were read.
    """

    real: MemoryIndex = field(default_factory=lambda: MemoryIndex(layout.LAYOUT))
    changes_left: int | None = None
    after: bool = False
    written: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    read: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """That of the real one."""
        return self.real.name

    def version(self) -> bytes:
        """That of the real one."""
        return self.real.version()

    @contextmanager
    def reading(self) -> Iterator[RankedSearcher | None]:
        """The real one, watched."""
        with self.real.reading() as reader:
            yield _WatchedSearcher(reader, self.read) if reader else None

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """The real one, watched."""
        due = self._due()
        with self.real.writing() as indexer:
            yield _Watched(indexer, self.written)
            if due and not self.after:
                raise Crash
        if due:
            raise Crash

    @contextmanager
    def building(self) -> Iterator[Indexer]:
        """The real one, watched."""
        due = self._due()
        with self.real.building() as indexer:
            yield _Watched(indexer, self.written)
            if due and not self.after:
                raise Crash
        if due:
            raise Crash

    def tidy(self) -> None:
        """The real one."""
        self.real.tidy()

    def drop(self) -> None:
        """The real one."""
        self.real.drop()

    def ids(self, call: str) -> list[str]:
        """The points that were written by calls of this name."""
        return [text for name, ids in self.written if name == call for text in ids]

    def _due(self) -> bool:
        left = self.changes_left
        if left is not None:
            self.changes_left = left - 1
        return left == 0


@dataclass(frozen=True)
class _WatchedSearcher:
    real: RankedSearcher
    read: list[str]

    def search(self, query: Query) -> list[Scored]:
        """The real one's."""
        hits = self.real.search(query)
        self.read.extend(hit.id for hit in hits)
        return hits

    def rank_points(self, query: Query) -> list[tuple[str, float]]:
        """The real one's."""
        return self.real.rank_points(query)

    def frequency(self, field: str, term: str) -> int:
        """The real one's."""
        return self.real.frequency(field, term)

    def numbers(self, field: str, where: Where) -> list[int]:
        """The real one's."""
        return self.real.numbers(field, where)

    def size(self) -> int:
        """The real one's."""
        return self.real.size()

    def count(self, where: Where) -> int:
        """The real one's."""
        return self.real.count(where)

    def retrieve(self, ids: Collection[str]) -> list[IndexPoint]:
        """The real one's."""
        points = self.real.retrieve(ids)
        self.read.extend(point.id for point in points)
        return points

    def scroll(self, where: Where) -> Iterator[IndexPoint]:
        """The real one's."""
        for point in self.real.scroll(where):
            self.read.append(point.id)
            yield point


@dataclass(frozen=True)
class _Watched:
    real: Indexer
    written: list[tuple[str, tuple[str, ...]]]

    def insert(self, points: Sequence[IndexPoint]) -> None:
        """The real one's."""
        self.real.insert(points)
        self.written.append(("upsert", tuple(point.id for point in points)))

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """The real one's."""
        self.real.upsert(points)
        self.written.append(("upsert", tuple(point.id for point in points)))

    def delete(self, ids: Collection[str]) -> None:
        """The real one's."""
        self.real.delete(ids)
        self.written.append(("delete", tuple(ids)))
