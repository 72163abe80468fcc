"""Waiting for what another process does, no longer than it takes."""

from collections.abc import Callable
from time import sleep
from typing import TypeVar

from pipeline.clock import stopwatch

SOON_SECONDS = 300.0
_POLL_SECONDS = 0.02
_Value = TypeVar("_Value")


def soon(holds: Callable[[], bool], seconds: float = SOON_SECONDS, *, every: float = _POLL_SECONDS) -> bool:
    """Whether something holds within so many seconds; looks again and again, with a pause between two looks."""
    until = stopwatch() + seconds
    while not holds():
        if stopwatch() > until:
            return False
        sleep(every)
    return True


def awaited(look: Callable[[], _Value | None], seconds: float = SOON_SECONDS) -> _Value:
    """The first value that a look gives; looks again and again, with a pause between two looks.

    Raises:
        TimeoutError: none of them gave a value within so many seconds.
    """
    values = list[_Value]()

    def is_there() -> bool:
        if (value := look()) is not None:
            values.append(value)
        return bool(values)

    if not soon(is_there, seconds):
        raise TimeoutError(seconds)
    return values[0]
