"""How often a caller may call: a bucket that fills with time, for each."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from pipeline.clock import stopwatch

BURST = 120
"""Requests at once."""
PER_SECOND = 40.0
_CALLERS = 1_000  # that are remembered; the one that was silent longest makes room


@dataclass
class Rates:
    """The buckets. May be used from several threads."""

    burst: float = BURST
    per_second: float = PER_SECOND
    now: Callable[[], float] = stopwatch
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def allows(self, caller: str) -> bool:
        """Whether this request is one too many; if not, it is counted."""
        with self._lock:
            now = self.now()
            left, since = self._left.pop(caller, (self.burst, now))
            left = min(self.burst, left + (now - since) * self.per_second)
            self._left[caller] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > _CALLERS:
                self._left.popitem(last=False)
            return left >= 1
