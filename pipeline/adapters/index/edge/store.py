"""The index in a folder: Qdrant Edge, an engine within this process."""

import json
import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.adapters.index.edge.disk_room import TO_ASK, TO_WRITE, has_room, need_room, taken
from pipeline.adapters.index.edge.opening import opened
from pipeline.adapters.index.edge.turn import OpenShard, ShardTurn, asked
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.ports.index import Indexer, IndexLayout, Searcher
from pipeline.workspace.regular_files import file_mode, make_folder, open_regular, read_regular, write_regular

if TYPE_CHECKING:
    import qdrant_edge as edge

    from pipeline.adapters.index.edge.shard import EdgeIndexer

_NAME = "qdrant-edge-0.9.0-2"  # the last number is of how we use it
_LIVE = "live.json"
_SHARD = "shard-"


@dataclass(frozen=True)
class _Live:
    """The content of `live.json`: the folder of the shard, the fields it is filtered by, and how far it was settled."""

    shard: str
    keywords: tuple[str, ...]
    settled: str


class EdgeStore:
    """An index in `folder`: `live.json` names the shard in use, which lies beside it.

    The shard is opened for each use and closed after it, for only one process can have it open. The caller of a build,
    a settling or a drop makes sure that no other one runs at the same time.
    """

    def __init__(self, folder: Path, *, patience: float = 30.0, linger: float = 0.0) -> None:
        """Nothing is opened yet.

        Args:
            folder: its place; it may be missing.
            patience: how many seconds to wait for other processes.
            linger: for how many seconds the shard may be kept open after a use, while no other process wants it.
        """
        self._folder = folder
        self._turn = ShardTurn(folder, patience, linger)

    @property
    def name(self) -> str:
        """The engine, its version, and that of how it is used."""
        return _NAME

    @contextmanager
    def reading(self) -> Iterator[Searcher | None]:
        """The index, `None` when there is none yet.

        Raises:
            IndexUnavailable: the index is damaged.
            Held: others did not let it go in time.
            WriteFailed: the system refuses; the engine has to write even to read.
        """
        if self._live() is None:
            yield None
            return
        with self._turn.using(self._load) as held:
            yield self._indexer(held) if held else None

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """The index.

        Raises:
            IndexUnavailable: the index is damaged, or there is none.
            Held: others did not let it go in time.
            WriteFailed: the system refuses.
        """
        with self._turn.using(self._load) as held:
            if held is None:
                why = "there is none yet"
                raise IndexUnavailable(why)
            held.written = True
            yield self._indexer(held)

    @contextmanager
    def building(self, layout: IndexLayout) -> Iterator[Indexer]:
        """A new index beside the one there is, which takes its place when the block ends well.

        Raises:
            IndexUnavailable: the engine fails.
            Held: others did not let the old one go in time.
            WriteFailed: the system refuses.
        """
        self._tidy()
        name = _new_name()
        try:
            new = OpenShard(self._created(name, layout), layout.keywords, written=True)
            try:
                yield self._indexer(new)
                need_room(self._folder, TO_ASK + taken(self._folder / name))
                asked(new.shard.optimize)
            finally:
                new.close()
            with self._turn.shut():
                self._go_live(name, layout.keywords)
        finally:
            self._tidy()

    def settle(self) -> None:
        """Make a copy compact, and put it in place unless the index was written meanwhile.

        The index is held for as long as copying takes: 0.2 s at 17,000 points (50 MB) and 0.3 at 170,000 (410 MB), some
        2 s from a cold disk. Making it compact takes 2 and 15 s. A question hardly gains by it: p95 16 ms before and
        after at 17,000 points, some 60 at 170,000. Opening does: 0.2 and 1.6 s before, 0.13 and 1.0 after.

        (Measured on 2 shared cores, 256 dimensions and two sparse vectors.)

        Raises:
            IndexUnavailable: the index is damaged.
            Held: others did not let it go in time.
        """
        try:
            with self._turn.using(self._load) as held:
                copied = self._copied(held) if held else None
            if copied is None or held is None:
                return
            name, written = copied
            if _compacted(self._folder / name, held.keywords):
                with self._turn.shut():
                    live = self._live()
                    if live and written == self._written(live.shard):
                        self._go_live(name, held.keywords)
        finally:
            self._tidy()

    def drop(self) -> None:
        """Remove the index, if there is one.

        Raises:
            Held: others did not let it go in time.
        """
        if self._folder.exists():
            with self._turn.shut(), self._on_disk():
                (self._folder / _LIVE).unlink(missing_ok=True)
            self._tidy()

    def _indexer(self, held: OpenShard) -> "EdgeIndexer":
        from pipeline.adapters.index.edge.shard import EdgeIndexer  # noqa: PLC0415 - it leads to the engine

        return EdgeIndexer(held.shard, held.keywords, lambda: need_room(self._folder, TO_WRITE))

    def _created(self, name: str, layout: IndexLayout) -> "edge.EdgeShard":
        import qdrant_edge as edge  # noqa: PLC0415 - loaded when used

        from pipeline.adapters.index.edge.words import configuration, field_indexes  # noqa: PLC0415 - it leads there

        with self._on_disk():
            make_folder(self._folder / name)
            write_regular(self._folder / ".gitignore", b"*\n")
        need_room(self._folder, TO_WRITE)
        shard = asked(edge.EdgeShard.create, str(self._folder / name), configuration(layout))
        for operation in field_indexes(layout):
            asked(shard.update, operation)
        return shard

    def _load(self) -> OpenShard | None:
        live = self._live()
        if live is None:
            return None
        need_room(self._folder, TO_ASK)
        return OpenShard(opened(self._folder, live.shard), live.keywords)

    def _live(self) -> "_Live | None":
        """The record of the live shard, `None` when there is none."""
        try:
            record = json.loads(read_regular(self._folder / _LIVE))
            return _Live(str(record["shard"]), tuple(map(str, record["keywords"])), str(record["settled"]))
        except FileNotFoundError:
            return None
        except PermissionError as error:
            why, advice = f"{_LIVE} cannot be read ({error.strerror})", "Give the right to read it."
            raise IndexUnavailable(why, advice) from error
        except (OSError, ValueError, TypeError, KeyError) as error:
            why = f"{_LIVE} is damaged"
            raise IndexUnavailable(why) from error

    def _go_live(self, name: str, keywords: Sequence[str]) -> None:
        """Name another shard; the one there was is closed."""
        record = {"shard": name, "keywords": [*keywords], "settled": self._written(name)}
        new = self._folder / f"{_LIVE}.new"
        with self._on_disk():
            mode = file_mode(self._folder)
            with open(new, "w", encoding="utf-8", opener=partial(open_regular, mode=mode)) as file:
                json.dump(record, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._folder / _LIVE)

    def _copied(self, held: OpenShard) -> tuple[str, str] | None:
        """The name of a copy of the live shard and how far that is written.

        `None` when nothing was, since it settled, or there is no room for two more. What is open and flushed is whole
        on disk.
        """
        held.flush()
        live = self._live()
        if live is None or (written := self._written(live.shard)) == live.settled:
            return None
        if not has_room(self._folder, TO_ASK + 2 * taken(self._folder / live.shard)):
            return None
        name = _new_name()
        with self._on_disk():
            copy_tree(self._folder / live.shard, self._folder / name)
        return name, written

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WriteFailed(str(self._folder), error.strerror or str(error)) from error

    def _written(self, shard: str) -> str:
        """How far a shard is written: the number of its last change that was flushed, as the engine notes it."""
        with suppress(OSError):
            return read_regular(self._folder / shard / "wal" / "first-index").decode()
        return ""

    def _tidy(self) -> None:
        """Remove the unused shards: the last one, and those of killed builds."""
        try:
            live = self._live()
        except IndexUnavailable:  # which ones is not known
            return
        for path in self._folder.glob(f"{_SHARD}*"):
            if live is None or path.name != live.shard:
                shutil.rmtree(path, ignore_errors=True)


def _new_name() -> str:
    return f"{_SHARD}{uuid.uuid4().hex[:8]}"


def _compacted(folder: Path, keywords: tuple[str, ...]) -> bool:
    """Whether there was anything to do."""
    import qdrant_edge as edge  # noqa: PLC0415 - loaded when used

    copy = OpenShard(asked(edge.EdgeShard.load, str(folder)), keywords)
    try:
        changed = copy.written = asked(copy.shard.optimize)
    finally:
        copy.close()
    return changed


_BLOCK = bytes(1 << 16)


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder; what is zero stays a hole, for most of the engine's files is set aside and not yet used."""
    for path in sorted(source.rglob("*")):
        there = target / path.relative_to(source)
        if path.is_dir():
            there.mkdir(parents=True, exist_ok=True)
        else:
            there.parent.mkdir(parents=True, exist_ok=True)
            _copy_file(path, there)


def _copy_file(source: Path, target: Path) -> None:
    with source.open("rb") as old, target.open("wb") as new:
        while block := old.read(len(_BLOCK)):
            if block == _BLOCK:
                new.seek(len(block), os.SEEK_CUR)
            else:
                new.write(block)
        new.truncate()
