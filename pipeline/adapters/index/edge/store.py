"""The vectors in a folder: Qdrant Edge, an engine within this process."""

import json
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.adapters.index.edge.engine import ask_engine
from pipeline.adapters.index.edge.turn import OpenShard, ShardTurn
from pipeline.adapters.index.folders import replace_live, write_errors
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.ports.index import VectorIndexer, VectorSearcher, VectorSpace
from pipeline.workspace.regular_files import make_folder, read_regular, write_regular

if TYPE_CHECKING:
    import qdrant_edge as edge

TO_ASK = 1_000_000
"""Bytes that have to be free before a shard is opened: with 5,000 vectors and 100 kB free all went well."""
TO_WRITE = 4_000_000
"""Bytes that have to be free, besides those of the numbers, before a page of vectors is put in: it takes 0.3 MB."""
COPIES = 3
"""How often the vectors must fit on the disk besides before they are made compact; the engine asks for 2.2 times."""


def has_room(folder: Path, size: int) -> bool:
    """Whether so many bytes are free on the disk that a folder is on."""
    return shutil.disk_usage(folder).free >= size


def need_room(folder: Path, size: int) -> None:
    """Go on only when so many bytes are free."""
    try:
        why = "" if has_room(folder, size) else f"fewer than {size // 1_000_000} MB are free on its disk"
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        raise WriteFailed(str(folder), why)


def bytes_taken(folder: Path) -> int:
    """The bytes of the disk that a folder's files take; their holes take none."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


NOTE = "opening"
"""The file that names the shard which is being opened."""

_TRY = "import sys, qdrant_edge; qdrant_edge.EdgeShard.load(sys.argv[1])"
_DEADLY = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGKILL, signal.SIGSEGV, signal.SIGTRAP}
"""The signals by which a process dies of itself, or for want of memory; a stop from outside uses others."""


def open_shard(folder: Path, name: str) -> "edge.EdgeShard":
    """The shard of that name in a folder. The caller makes sure that no other process opens one there."""
    import qdrant_edge as edge  # noqa: PLC0415 - loaded when used

    note = folder / NOTE
    if _read_note(note) == name and _is_deadly(folder / name):
        why = "its engine dies when it opens it"
        raise IndexUnavailable(why)
    with suppress(OSError):  # without room, or the right to write, the vectors answer as well
        write_regular(note, name.encode())
    try:
        return ask_engine(edge.EdgeShard.load, str(folder / name))
    finally:
        with suppress(OSError):
            note.unlink(missing_ok=True)


def _read_note(note: Path) -> str:
    with suppress(OSError):
        return read_regular(note).decode(errors="replace")
    return ""


def _is_deadly(shard: Path) -> bool:
    """Whether a process that opens it dies.

    A shard that fails in another way fails here too, with an error to report.
    """
    command = [sys.executable, "-P", "-c", _TRY, str(shard)]
    tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603 - ourselves
    return -tried.returncode in _DEADLY


_NAME = "qdrant-edge-0.9.0-3"  # the last number is of how we use it
_LIVE = "live.json"
_SHARD = "shard-"
_NUMBER_BYTES = 2


@dataclass(frozen=True)
class _Live:
    """The content of `live.json`: the folder of the shard, and whose vectors it has."""

    shard: str
    space: VectorSpace


class EdgeVectors:
    """The vectors in `folder`: `live.json` names the shard in use, which lies beside it.

    The shard is opened for each use and closed after it, for only one process may have it open. The caller of a build,
    of a first writing in a space or of a drop makes sure that no other one runs at the same time.
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
    def reading(self, space: VectorSpace) -> Iterator[VectorSearcher | None]:
        """The vectors of a space, `None` when there are none of it."""
        if not self._has(space):
            yield None
            return
        with self._turn.using(self._load) as held:
            yield self._indexer(held) if held and held.space == space else None

    @contextmanager
    def writing(self, space: VectorSpace) -> Iterator[VectorIndexer]:
        """The vectors of a space; without any, an empty store of it takes the place of what there is."""
        if not self._has(space):
            with self.building(space):
                pass
        with self._turn.using(self._load) as held:
            if held is None or held.space != space:
                why = "its vectors were taken away at this moment"
                raise IndexUnavailable(why)
            yield self._indexer(held)

    @contextmanager
    def building(self, space: VectorSpace) -> Iterator[VectorIndexer]:
        """New vectors beside those there are, which take their place when the block ends well."""
        self._tidy()
        new = _Live(f"{_SHARD}{uuid.uuid4().hex[:8]}", space)
        try:
            built = OpenShard(self._create(new), space)
            try:
                yield self._indexer(built)
                self._settle(built.shard)
            finally:
                built.close()
            with self._turn.shut():
                record = {"shard": new.shard, "embedder": space.embedder, "dimension": space.dimension}
                replace_live(self._folder / _LIVE, json.dumps(record))
        finally:
            self._tidy()

    def settle(self) -> None:
        """Remove what killed builds left, and make the vectors compact, if the disk has room for it.

        Until then, what was taken out stays in the files. They are held for as long as it takes: 0.3 s for 54,000
        vectors of 384 numbers. To open these takes 3 ms afterwards, instead of 13; a question is as fast before.
        """
        self._tidy()
        if self._live() is None:
            return
        with self._turn.using(self._load) as held:
            if held:
                self._settle(held.shard)

    def drop(self) -> None:
        """Remove all vectors, if there are any."""
        if self._folder.exists():
            with self._turn.shut(), write_errors(self._folder):
                (self._folder / _LIVE).unlink(missing_ok=True)
            self._tidy()

    def _indexer(self, held: OpenShard) -> VectorIndexer:
        from pipeline.adapters.index.edge.shard import EdgeIndexer  # noqa: PLC0415 - it leads to the engine

        size = _NUMBER_BYTES * held.space.dimension
        return EdgeIndexer(held, lambda count: need_room(self._folder, TO_WRITE + count * size))

    def _settle(self, shard: "edge.EdgeShard") -> None:
        """Make an open shard compact if there is room. A kill meanwhile loses nothing."""
        if has_room(self._folder, TO_ASK + COPIES * bytes_taken(self._folder)):
            ask_engine(shard.optimize)
            ask_engine(shard.flush)

    def _create(self, new: _Live) -> "edge.EdgeShard":
        import qdrant_edge as edge  # noqa: PLC0415 - loaded when used

        from pipeline.adapters.index.edge.shard import configuration  # noqa: PLC0415 - it leads there

        with write_errors(self._folder):
            make_folder(self._folder / new.shard)
            write_regular(self._folder / ".gitignore", b"*\n")
        need_room(self._folder, TO_WRITE)
        return ask_engine(edge.EdgeShard.create, str(self._folder / new.shard), configuration(new.space.dimension))

    def _load(self) -> OpenShard | None:
        live = self._live()
        if live is None:
            return None
        need_room(self._folder, TO_ASK)
        return OpenShard(open_shard(self._folder, live.shard), live.space)

    def _has(self, space: VectorSpace) -> bool:
        """Whether the live shard is of that space."""
        live = self._live()
        return live is not None and live.space == space

    def _live(self) -> _Live | None:
        """The record of the live shard, `None` when there is none."""
        try:
            record = json.loads(read_regular(self._folder / _LIVE))
            return _Live(str(record["shard"]), VectorSpace(str(record["embedder"]), int(record["dimension"])))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError as error:
            why, advice = f"{_LIVE} cannot be read ({error.strerror})", "Give the right to read it."
            raise IndexUnavailable(why, advice) from error
        except (OSError, ValueError, TypeError, KeyError) as error:
            why = f"{_LIVE} is damaged"
            raise IndexUnavailable(why) from error

    def _tidy(self) -> None:
        """Remove the unused shards: the last one, and those of killed builds."""
        try:
            live = self._live()
        except IndexUnavailable:  # which ones is not known
            return
        for path in self._folder.glob(f"{_SHARD}*"):
            if live is None or path.name != live.shard:
                shutil.rmtree(path, ignore_errors=True)
