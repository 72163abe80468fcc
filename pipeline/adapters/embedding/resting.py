"""An embedder that is unloaded while it is idle: a process that stays must not keep its weights for ever."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Thread

from pipeline.clock import stopwatch
from pipeline.ports.index import Embedder, Vector


class RestingEmbedder:
    """`pipeline.ports.index.Embedder` by another one, which is made when it is needed and dropped when it is idle.

    May be used from several threads if the other may. A thread of its own sleeps until the idle time is over.
    """

    def __init__(self, make: Callable[[], Embedder], idle: float, let_go: Callable[[], None] = lambda: None) -> None:
        """Nothing is made yet.

        Args:
            make: makes the other one; it may fail as that one does.
            idle: after how many seconds without use it is let go.
            let_go: called each time that it was.
        """
        self._make, self._idle, self._let_go_callback = make, idle, let_go
        self._changed = Condition()
        self._other: Embedder | None = None
        self._name: str | None = None
        self._dimension: int | None = None
        self._users, self._until = 0, 0.0

    @property
    def name(self) -> str:
        """The other one's."""
        if self._name is None:
            with self._in_use() as other:
                self._name = other.name
        return self._name

    @property
    def dimension(self) -> int:
        """The other one's."""
        if self._dimension is None:
            with self._in_use() as other:
                self._dimension = other.dimension
        return self._dimension

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order."""
        with self._in_use() as other:
            return other.passages(texts)

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1."""
        with self._in_use() as other:
            return other.question(text)

    @contextmanager
    def _in_use(self) -> Iterator[Embedder]:
        with self._changed:
            if self._other is None:
                self._other = self._make()
                Thread(target=self._watch, name="embedder-resting", daemon=True).start()
            other = self._other
            self._users += 1
        try:
            yield other
        finally:
            with self._changed:
                self._users -= 1
                self._until = stopwatch() + self._idle
                self._changed.notify()

    def _watch(self) -> None:
        """Sleep until it has rested long enough, and let it go."""
        with self._changed:
            while self._users or (left := self._until - stopwatch()) > 0:
                self._changed.wait(None if self._users else left)
            self._other = None
        self._let_go_callback()
