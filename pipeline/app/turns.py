"""Turns of questions: so many are at work at once, and the others wait."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Semaphore

from pipeline.clock import stopwatch
from pipeline.errors import NoTurn

AT_WORK = 8
"""Questions that may be at work at once: most of them wait for an embedder on a server, or for each other."""
RANKED_AGAIN = 1
"""Questions that may be reranked at a time: a reranker takes both memory and all processors."""
TURN_SECONDS = 20.0
"""Seconds that a question waits for its turn: a client waits 30 s in all, and should have time to search itself."""


class Turns:
    """The places of questions at work. May be used from several threads.

    Those that are to be ranked again, which takes seconds, wait for each other, so that all others find a place.
    """

    def __init__(self, patience: float = TURN_SECONDS, clock: Callable[[], float] = stopwatch) -> None:
        """`patience` is for how many seconds of the `clock` a question waits for its turn."""
        self._at_work, self._ranked_again = Semaphore(AT_WORK), Semaphore(RANKED_AGAIN)
        self._patience, self._clock, self._closed = patience, clock, False

    def close(self) -> None:
        """Take no more questions, and refuse those that wait for their turn; those under way are answered."""
        self._closed = True
        for semaphore in (self._ranked_again, self._at_work):
            semaphore.release()  # one more than there are: a waiting thread passes it on

    @contextmanager
    def hold_place(self, *, ranked_again: bool = False) -> Iterator[None]:
        """Have a place at work; before it, for what is `ranked_again`, one there. Both within the patience there is."""
        until = self._clock() + self._patience
        with ExitStack() as held:
            for semaphore in (self._ranked_again, self._at_work) if ranked_again else (self._at_work,):
                if not semaphore.acquire(timeout=max(until - self._clock(), 0.0)):
                    raise NoTurn
                held.callback(semaphore.release)
                if self._closed:
                    raise NoTurn
            yield
