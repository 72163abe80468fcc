"""Turns with the live shard, which only one process can have open."""

import errno
import os
import re
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from pipeline.clock import stopwatch
from pipeline.errors import Held, IndexUnavailable, WriteFailed
from pipeline.workspace.locks import Latch

if TYPE_CHECKING:
    import qdrant_edge as edge

P = ParamSpec("P")
T = TypeVar("T")

LINGERING = "index-lingering"
"""The name of the thread that listens whether others want the shard."""

_OS_ERROR = re.compile(r"\b(?:Os \{ code:|os error) (\d+)")
_REFUSALS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS}
"""Errors that are not about the index: building it anew would not help."""
_KNOCK_SECONDS = 0.02  # between two knocks: the other may have begun to linger just after the last


def asked(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The answer of the engine.

    Raises:
        IndexUnavailable: it fails, or panics.
        WriteFailed: there is no room on the disk, or it may not be written.
    """
    try:
        return call(*args, **kwargs)
    except BaseException as error:
        # The engine knows no classes of errors: it raises a bare `Exception`, or a panic, which is not even one.
        if type(error) is not Exception and type(error).__name__ != "PanicException":
            raise
        refused = _OS_ERROR.search(str(error))
        if refused and int(refused[1]) in _REFUSALS:
            path = "the index"
            raise WriteFailed(path, os.strerror(int(refused[1]))) from error
        why = f"its engine says: {' '.join(str(error).split()).rstrip('.')}"
        raise IndexUnavailable(why) from error


@dataclass(eq=False)
class OpenShard:
    """The live shard, open. `keywords` are the fields it is filtered by; `written` means that it has to be flushed."""

    shard: "edge.EdgeShard"
    keywords: tuple[str, ...]
    written: bool = False
    latches: ExitStack = field(default_factory=ExitStack)

    def flush(self) -> None:
        """Bring what was changed to where it belongs; until then it stands in the log, which is read on each opening.

        The log keeps its last change even so: let that be one that takes no time.
        """
        from pipeline.adapters.index.edge.words import NOTHING  # noqa: PLC0415 - it leads to the engine

        if self.written:
            asked(self.shard.update, NOTHING)
            asked(self.shard.flush)
            self.written = False

    def close(self) -> None:
        """Let it go, for other processes."""
        with self.latches:
            try:
                self.flush()
            finally:
                asked(self.shard.close)


class ShardTurn:
    """One use of the live shard at a time, in this process and across processes.

    After a use, a process may keep the shard open for `linger` seconds, so that its next use is at once. Another
    process that wants it rings a bell; a thread listens to it while the shard is kept open. The other process holds a
    second latch meanwhile, so that the first queues behind it.
    """

    def __init__(self, folder: Path, patience: float, linger: float) -> None:
        """`patience` is for how many seconds to wait for others."""
        self._folder, self._patience, self._linger = folder, patience, linger
        self._mutex = threading.Lock()
        self._kept: OpenShard | None = None
        self._bell: _Bell | None = None
        self._until = 0.0

    @contextmanager
    def using(self, load: Callable[[], OpenShard | None]) -> Iterator[OpenShard | None]:
        """The live shard: the one that was kept, or what `load` opens once it is our turn.

        Raises:
            IndexUnavailable: it cannot be opened.
            Held: others did not let it go in time.
        """
        with self._alone():
            held = self._kept or self._opened(load)
            try:
                yield held
            except BaseException:
                with suppress(IndexUnavailable):  # of the two errors the first is raised
                    self._leave(held)
                raise
            self._stay_or_leave(held)

    @contextmanager
    def shut(self) -> Iterator[None]:
        """The live shard is closed, and stays so in all processes.

        Raises:
            Held: others did not let it go in time.
        """
        with self._alone(), ExitStack() as latches:
            with suppress(IndexUnavailable):  # it is about to be removed
                self._leave(self._kept)
            self._queue(latches)
            yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Without this process's other threads."""
        if not self._mutex.acquire(timeout=self._patience):
            name, holder = "index", "another thread of this process"
            raise Held(name, holder)
        try:
            yield
        finally:
            self._mutex.release()

    def _opened(self, load: Callable[[], OpenShard | None]) -> OpenShard | None:
        with ExitStack() as latches:
            self._queue(latches)
            held = load()
            if held:
                held.latches = latches.pop_all()
            return held

    def _queue(self, latches: ExitStack) -> None:
        """Take the latch, after asking a lingering process to make room."""
        until = stopwatch() + self._patience
        with Latch(self._folder / "queue.lock").hold(self._patience):
            while True:
                ring(self._folder)
                left = max(until - stopwatch(), 0.0)
                try:
                    latches.enter_context(Latch(self._folder / "index.lock").hold(min(left, _KNOCK_SECONDS)))
                except Held:
                    if not left:
                        raise
                else:
                    return

    def _stay_or_leave(self, held: OpenShard | None) -> None:
        if held is None or not self._linger or not self._can_linger():
            self._leave(held)
            return
        held.flush()
        self._until = stopwatch() + self._linger
        if self._kept is None and self._bell:
            self._kept = held
            threading.Thread(target=self._listen, args=(held, self._bell), name=LINGERING, daemon=True).start()

    def _can_linger(self) -> bool:
        """Whether no other process rang; without a bell none could."""
        if self._bell is None:
            with suppress(OSError):  # not every file system has named pipes
                self._bell = _Bell(self._folder)
        return self._bell is not None and not self._bell.rung(0)

    def _leave(self, held: OpenShard | None) -> None:
        bell, self._kept, self._bell = self._bell, None, None
        if bell:
            bell.strike()
        if held:
            held.close()

    def _listen(self, held: OpenShard, bell: "_Bell") -> None:
        """Let it go when others want it, or when it has been kept long enough."""
        with bell:
            while True:
                rung = bell.rung(max(self._until - stopwatch(), 0.0))
                with self._mutex:
                    if self._kept is not held:
                        return
                    if rung or stopwatch() >= self._until:
                        with suppress(IndexUnavailable):  # the next opening reports it
                            self._leave(held)
                        return


class _Bell:
    """A named pipe: a reader costs nothing and is woken at once, by other processes too."""

    def __init__(self, folder: Path) -> None:
        path = _bell(folder)
        with suppress(FileExistsError):
            os.mkfifo(path, 0o600)
        # Open for writing as well, so that it does not end when the other writer closes it.
        self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BlockingIOError):
            os.read(self._pipe, select.PIPE_BUF)  # or the next one to listen would take it for its own
        os.close(self._pipe)

    def rung(self, seconds: float) -> bool:
        """Whether the bell rang, or rings within so many seconds."""
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def strike(self) -> None:
        """Wake the listening thread."""
        with suppress(BlockingIOError):
            os.write(self._pipe, b".")


def ring(folder: Path) -> None:
    """Ask a process that lingers in this folder for the shard; without one, nothing happens."""
    with suppress(OSError):
        pipe = os.open(_bell(folder), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b".")
        finally:
            os.close(pipe)


def _bell(folder: Path) -> Path:
    return folder / "bell"
