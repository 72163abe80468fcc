"""An embedder for questions: it is not waited for longer than a search may take, and words alone answer then."""

from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, Generic, TypeVar

from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Embedder, Vector

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
        """The other one's."""
        return self._other.name

    @property
    def dimension(self) -> int:
        """The other one's."""
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
        """Work."""
        try:
            self._done.append(self._work())
        except EmbedderUnavailable as error:
            self._error = error

    def result(self) -> Result:
        """What came of it, once it has ended."""
        if self._error:
            raise self._error
        [result] = self._done
        return result
