"""Turns with the live shard. Only one process may have it open; the engine does not see to that."""

import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pipeline.adapters.index.edge.engine import ask_engine
from pipeline.clock import stopwatch
from pipeline.errors import Held, IndexUnavailable
from pipeline.ports.index import VectorSpace
from pipeline.workspace.locks import Latch

if TYPE_CHECKING:
    import qdrant_edge as edge


class WakePipe:
    """The pipe in a folder over which other processes wake the one that keeps its shard open."""

    def __init__(self, folder: Path) -> None:
        """The pipe is made.

        Raises:
            OSError: the file system has no named pipes, or refuses.
        """
        path = _pipe(folder)
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

    def is_woken(self, seconds: float) -> bool:
        """Whether somebody has woken it, or does within so many seconds."""
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def wake_listener(self) -> None:
        """Wake our own thread that listens."""
        with suppress(BlockingIOError):
            os.write(self._pipe, b".")


def wake(folder: Path) -> None:
    """Wake the process that listens at the pipe of a folder; without a pipe, nothing happens."""
    with suppress(OSError):
        pipe = os.open(_pipe(folder), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b".")
        finally:
            os.close(pipe)


def _pipe(folder: Path) -> Path:
    return folder / "bell"


LINGERING = "vectors-lingering"
"""The name of the thread that listens whether others want the shard."""

_RETRY_SECONDS = 0.02  # between two tries: the other may have begun to linger just after the last


@dataclass(eq=False)
class OpenShard:
    """The live shard, open. `latches` keep others out; the `wake_pipe` is there while it lingers.

    `size` is the number of its vectors, once they were counted and until they change.
    """

    shard: "edge.EdgeShard"
    space: VectorSpace
    size: int | None = None
    latches: ExitStack = field(default_factory=ExitStack)
    wake_pipe: WakePipe | None = None

    def close(self) -> None:
        """Let it go, for other processes."""
        with self.latches:
            if self.wake_pipe:
                self.wake_pipe.wake_listener()
            ask_engine(self.shard.close)


class ShardTurn:
    """One use of the live shard at a time, in this process and across processes.

    After a use, a process may keep the shard open for `linger` seconds, so that its next use is at once. Another
    process that wants it writes to a pipe; a thread listens there while the shard is kept open. The other process holds
    a second latch meanwhile, so that the first queues behind it.
    """

    def __init__(self, folder: Path, patience: float, linger: float) -> None:
        """`patience` is for how many seconds to wait for others."""
        self._folder, self._patience, self._linger = folder, patience, linger
        self._mutex = threading.Lock()
        self._kept: OpenShard | None = None
        self._until = 0.0

    @contextmanager
    def using(self, load: Callable[[], OpenShard | None]) -> Iterator[OpenShard | None]:
        """The live shard: the one that was kept, or what `load` opens once it is our turn."""
        with self._sole_thread():
            held = self._kept or self._open(load)
            try:
                yield held
            except BaseException:
                with suppress(IndexUnavailable):  # of the two errors the first is raised
                    self._let_go(held)
                raise
            if held and not self._keeps_open(held):
                self._let_go(held)

    @contextmanager
    def shut(self) -> Iterator[None]:
        """The live shard is closed, and stays so in all processes."""
        with self._sole_thread(), ExitStack() as latches:
            with suppress(IndexUnavailable):  # it is about to be removed
                self._let_go(self._kept)
            self._queue(latches)
            yield

    @contextmanager
    def _sole_thread(self) -> Iterator[None]:
        """Keep this process's other threads out."""
        if not self._mutex.acquire(timeout=self._patience):
            name, holder = "index", "another thread of this process"
            raise Held(name, holder)
        try:
            yield
        finally:
            self._mutex.release()

    def _open(self, load: Callable[[], OpenShard | None]) -> OpenShard | None:
        with ExitStack() as latches:
            self._queue(latches)
            held = load()
            if held:
                held.latches = latches.pop_all()
            return held

    def _queue(self, latches: ExitStack) -> None:
        """Take the latch, after asking a lingering process to make room."""
        until = stopwatch() + self._patience
        with Latch(self._folder / "index.queue").hold(self._patience):
            while True:
                wake(self._folder)
                left = max(until - stopwatch(), 0.0)
                try:
                    latches.enter_context(Latch(self._folder / "index.lock").hold(min(left, _RETRY_SECONDS)))
                except Held:
                    if not left:
                        raise
                else:
                    return

    def _keeps_open(self, held: OpenShard) -> bool:
        """Whether it is kept open: not when another process wants it, nor without a pipe, by which one could say so."""
        self._until = stopwatch() + self._linger
        if self._linger and held.wake_pipe is None:
            with suppress(OSError):  # not every file system has named pipes
                held.wake_pipe, self._kept = WakePipe(self._folder), held
                threading.Thread(target=self._listen, args=(held, held.wake_pipe), name=LINGERING, daemon=True).start()
        return held.wake_pipe is not None and not held.wake_pipe.is_woken(0)

    def _let_go(self, held: OpenShard | None) -> None:
        self._kept = None
        if held:
            held.close()

    def _listen(self, held: OpenShard, wake_pipe: WakePipe) -> None:
        """Let it go when others want it, or when it has been kept long enough."""
        with wake_pipe:
            while True:
                woken = wake_pipe.is_woken(max(self._until - stopwatch(), 0.0))
                with self._mutex:
                    if self._kept is not held:
                        return
                    if woken or stopwatch() >= self._until:
                        with suppress(IndexUnavailable):  # the next opening reports it
                            self._let_go(held)
                        return
