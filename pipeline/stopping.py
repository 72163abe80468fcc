"""Safe points: where a run may stop, because nothing is half done there."""

from collections.abc import Callable

from pipeline.errors import Interrupted


class SafePoint:
    """Called between steps; stops the run there when somebody asked for it.

    `tell` passes on how many seconds the current step may take; the supervisor kills what overruns. `None` is no limit.
    """

    def __init__(
        self,
        tell: Callable[[str, float | None], None] | None = None,
        orphaned: Callable[[], bool] | None = None,
    ) -> None:
        self._signal = 0
        self._tell = tell
        self._orphaned = orphaned

    def ask_to_stop(self, signal_number: int) -> None:
        """Stop at the next safe point; safe to call from a signal handler."""
        self._signal = signal_number

    def begin(self, job: str, seconds: float | None) -> None:
        """Tell whoever supervises that a job may take `seconds` from now."""
        if self._tell:
            self._tell(job, seconds)

    def __call__(self) -> None:
        """Stop here if asked.

        Raises:
            Interrupted: somebody asked, or the supervisor is gone.
        """
        if self._signal:
            raise Interrupted(self._signal)
        if self._orphaned and self._orphaned():
            raise Interrupted(15)
