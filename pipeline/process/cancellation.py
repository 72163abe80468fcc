"""Safe points: where a run may stop, because nothing is half done there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pipeline.clock import stopwatch
from pipeline.errors import Interrupted, Overdue


@dataclass(frozen=True)
class TimeLimit:
    """The time of a job: so many `seconds`, which end at the moment `until` of the stopwatch."""

    job: str
    seconds: float
    until: float


class CancellationToken:
    """Called between steps; it stops the run there after a stop request, or when the run's time is over.

    `on_limit` gets each new time limit, for the supervisor, which kills a worker that cannot stop itself. `None` is no
    limit.
    """

    def __init__(
        self,
        on_limit: Callable[[TimeLimit | None], None] = lambda _: None,
        orphaned: Callable[[], bool] | None = None,
        clock: Callable[[], float] = stopwatch,
    ) -> None:
        """`clock` gives seconds."""
        self._signal = 0
        self._limit: TimeLimit | None = None
        self._on_limit, self._orphaned, self._clock = on_limit, orphaned, clock

    def ask_to_stop(self, signal_number: int) -> None:
        """Stop at the next safe point; safe to call from a signal handler."""
        self._signal = signal_number

    @contextmanager
    def limited(self, job: str, seconds: float) -> Iterator[None]:
        """Let a job take `seconds` from now."""
        self._set(TimeLimit(job, seconds, self._clock() + seconds))
        try:
            yield
        finally:
            self._set(None)

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Do what has a time limit of its own: it takes nothing of the job's time."""
        limit, since = self._limit, self._clock()
        if limit is None:
            yield
            return
        self._set(None)
        try:
            yield
        finally:
            self._set(replace(limit, until=limit.until + self._clock() - since))

    def _set(self, limit: TimeLimit | None) -> None:
        self._limit = limit
        self._on_limit(limit)

    def __call__(self) -> None:
        """Stop here after a stop request."""
        if self._limit and self._clock() >= self._limit.until:
            raise Overdue(self._limit.job, self._limit.seconds)
        if self._signal:
            raise Interrupted(self._signal)
        if self._orphaned and self._orphaned():
            raise Interrupted(15)
