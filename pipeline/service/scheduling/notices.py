"""Notices that sessions have new records: those that come together are one, and many in a row are heeded more rarely.

A hook of an agent sends one when a session ends. Should what the service does about it ever lead to the next one, the
pauses grow, so that nothing goes round and round. No setting changes that.
"""

from datetime import datetime, timedelta
from threading import Lock

SHORTEST, LONGEST = timedelta(seconds=5), timedelta(minutes=5)
"""How long after one was heeded the next one is, at least: doubled each time, while no such pause goes by without."""


class Notices:
    """The notices that wait to be heeded. May be used from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting = 0
        self._pause = SHORTEST
        self._heeded: datetime | None = None

    def add(self) -> bool:
        """Take a notice; whether it is the first that waits."""
        with self._lock:
            self._waiting += 1
            return self._waiting == 1

    def heed(self, now: datetime) -> int:
        """How many are heeded now, and wait no more; 0 when none waits, or the last ones were heeded just now."""
        with self._lock:
            if not self._waiting or self._rest(now):
                return 0
            after = now - self._heeded if self._heeded else LONGEST
            self._pause = min(2 * self._pause, LONGEST) if timedelta() <= after < 2 * self._pause else SHORTEST
            self._heeded, waiting, self._waiting = now, self._waiting, 0
            return waiting

    def wait(self, now: datetime) -> timedelta | None:
        """How long until those that wait are heeded; `None` when none waits."""
        with self._lock:
            return self._rest(now) if self._waiting else None

    def _rest(self, now: datetime) -> timedelta:
        """What is left of the pause; nothing by a clock that was set back."""
        left = self._heeded + self._pause - now if self._heeded else timedelta()
        return left if timedelta() < left <= self._pause else timedelta()
