"""Safe points: where a run may stop, because nothing is half done there."""

from collections.abc import Callable

from pipeline.clock import stopwatch
from pipeline.errors import Interrupted, Overdue


class CancellationToken:
    """Called between steps; it stops the run there after a stop request, or when the run's time is over.

    `on_begin` gets a job and how many seconds it may take, for the supervisor, which kills a worker that cannot stop
    itself. `None` is no limit.
    """

    def __init__(
        self,
        on_begin: Callable[[str, float | None], None] | None = None,
        orphaned: Callable[[], bool] | None = None,
    ) -> None:
        self._signal = 0
        self._limit: tuple[str, float, float] | None = None
        self._on_begin = on_begin
        self._orphaned = orphaned

    def ask_to_stop(self, signal_number: int) -> None:
        """Stop at the next safe point; safe to call from a signal handler."""
        self._signal = signal_number

    def begin(self, job: str, seconds: float | None) -> None:
        """Let a job take `seconds` from now, and report that to the supervisor."""
        self._limit = None if seconds is None else (job, seconds, stopwatch() + seconds)
        if self._on_begin:
            self._on_begin(job, seconds)

    def __call__(self) -> None:
        """Stop here after a stop request.

        Raises:
            Interrupted: a stop was requested, or the supervisor is gone.
            Overdue: the job has taken all its time.
        """
        if self._limit and stopwatch() >= self._limit[2]:
            raise Overdue(*self._limit[:2])
        if self._signal:
            raise Interrupted(self._signal)
        if self._orphaned and self._orphaned():
            raise Interrupted(15)
