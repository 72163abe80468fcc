"""Safe points: where a run may stop, because nothing is half done there."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from types import FrameType

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
    def limit_job(self, job: str, seconds: float) -> Iterator[None]:
        """Limit the time of a job to `seconds` from now."""
        self._set(TimeLimit(job, seconds, self._clock() + seconds))
        try:
            yield
        finally:
            self._set(None)

    @contextmanager
    def stop_clock(self) -> Iterator[None]:
        """Stop the clock of the job, for work with a time limit of its own."""
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


def stop_signals() -> tuple[int, ...]:
    """The signals that ask to stop: SIGTERM, and SIGINT and SIGHUP unless the parent has set them to be ignored.

    `nohup` ignores SIGHUP, and a shell without job control ignores SIGINT for its background commands (POSIX, "Shell
    Command Language", Signals and Error Handling). No program ignores SIGTERM, with which our own workers are stopped.
    """
    spared = (signal.SIGINT, signal.SIGHUP)
    return (signal.SIGTERM, *(number for number in spared if signal.getsignal(number) != signal.SIG_IGN))


def stopping_on_signals(safe_point: CancellationToken) -> AbstractContextManager[None]:
    """While inside, SIGTERM, SIGINT and SIGHUP make `safe_point` raise `Interrupted` when it is called next.

    SIGINT and SIGHUP do not where they were ignored before, as `nohup` has it.
    """
    return handling(safe_point.ask_to_stop, *stop_signals())


@contextmanager
def handling(handler: Callable[[int], object], *numbers: int) -> Iterator[None]:
    """While inside, `handler` is given the number of each of these signals that comes. Only for the main thread."""

    def handle(number: int, _: FrameType | None) -> None:
        handler(number)

    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            signal.signal(number, handle)
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)
