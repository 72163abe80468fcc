"""Waiting for what another process does, no longer than it takes."""

from collections.abc import Callable
from time import sleep

from pipeline.clock import stopwatch

SOON_SECONDS = 60.0
_POLL_SECONDS = 0.02


def soon(holds: Callable[[], bool], seconds: float = SOON_SECONDS, *, every: float = _POLL_SECONDS) -> bool:
    """Whether something holds within so many seconds; looks again and again, with a pause between two looks."""
    until = stopwatch() + seconds
    while not holds():
        if stopwatch() > until:
            return False
        sleep(every)
    return True
