"""The time that a series still takes, by the windows that it has run so far."""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.clock import stopwatch

FIRST_SECONDS = 5.0
"""How long windows are run before the rest is estimated."""

EVERY_SECONDS = 30.0
"""Between two estimates."""


@dataclass(frozen=True)
class Progress:
    """So many windows are `done` of all `windows`, and the others are to take `seconds_left`."""

    done: int
    windows: int
    seconds_left: int


class TimeLeft:
    """Counts the windows of a series."""

    def __init__(self, windows: int, clock: Callable[[], float] = stopwatch) -> None:
        """`clock` gives seconds, and runs from now on."""
        self._windows, self._clock, self._done = windows, clock, 0
        self._began = clock()
        self._next = self._began + FIRST_SECONDS

    def note(self) -> Progress | None:
        """Count one more; how far the series is, where it is time to say so and windows are left."""
        self._done += 1
        now, left = self._clock(), self._windows - self._done
        if now < self._next or left <= 0:
            return None
        self._next = now + EVERY_SECONDS
        return Progress(self._done, self._windows, round((now - self._began) / self._done * left))
