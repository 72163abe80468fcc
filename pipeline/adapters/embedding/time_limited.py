"""An embedder for questions: it is not waited for longer than a search may take, and words alone answer then."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Thread
from typing import Any, Generic, TypeVar

from pipeline.clock import stopwatch
from pipeline.errors import EmbedderUnavailable
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
        """The name of the embedder behind it."""
        if self._name is None:
            with self._use() as other:
                self._name = other.name
        return self._name

    @property
    def dimension(self) -> int:
        """The length of the vectors of the embedder behind it."""
        if self._dimension is None:
            with self._use() as other:
                self._dimension = other.dimension
        return self._dimension

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order."""
        with self._use() as other:
            return other.passages(texts)

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1."""
        with self._use() as other:
            return other.question(text)

    @contextmanager
    def _use(self) -> Iterator[Embedder]:
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
        """Sleep until the embedder has rested long enough, and drop it."""
        with self._changed:
            while self._users or (left := self._until - stopwatch()) > 0:
                self._changed.wait(None if self._users else left)
            self._other = None
        self._let_go_callback()


Result = TypeVar("Result")


class TimeLimitedEmbedder:
    """`pipeline.ports.index.Embedder` by another one, which cannot be had when it takes more than so many seconds.

    The other one works in a thread, which ends by itself and does not keep a process alive. As long as it is still at
    work on what took too long, it cannot be had at all, so that no search waits twice and threads do not pile up. May
    be used from several threads if the other may.
    """

    def __init__(self, other: Embedder, seconds: float) -> None:
        """`seconds` is for how long each answer is waited for."""
        self._other, self._seconds = other, seconds
        self._late: _AtWork[Any] | None = None

    @property
    def name(self) -> str:
        """The name of the embedder behind it."""
        return self._other.name

    @property
    def dimension(self) -> int:
        """The length of the vectors of the embedder behind it."""
        return self._in_time(lambda: self._other.dimension)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order."""
        return self._in_time(lambda: self._other.passages(texts))

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1."""
        return self._in_time(lambda: self._other.question(text))

    def _in_time(self, work: Callable[[], Result]) -> Result:
        at_work = _AtWork(work)
        late = self._late is not None and self._late.is_alive()
        if not late:
            at_work.start()
            at_work.join(self._seconds)
        if late or at_work.is_alive():
            self._late = self._late if late else at_work
            why = f"no answer within {self._seconds:g} s (`search.timeout` in memory.toml says how long a search waits)"
            raise EmbedderUnavailable(self.name, why)
        return at_work.result()


class _AtWork(Thread, Generic[Result]):
    """A piece of work in a thread, with its result or its error."""

    def __init__(self, work: Callable[[], Result]) -> None:
        super().__init__(name="embedder-in-time", daemon=True)
        self._work = work
        self._done = list[Result]()
        self._error: EmbedderUnavailable | None = None

    def run(self) -> None:
        """Do the work, and keep its result or its error."""
        try:
            self._done.append(self._work())
        except EmbedderUnavailable as error:
            self._error = error

    def result(self) -> Result:
        """The result of the work, once it has ended."""
        if self._error:
            raise self._error
        [result] = self._done
        return result
