"""How often a caller may call, and how much at once: a bucket that fills with time, and a count, for each."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from pipeline.clock import stopwatch

BURST = 120
"""Requests at once."""
PER_SECOND = 40.0
AT_WORK = 10
"""Requests of one token that are answered at the same time; all connections together are three times as many."""
LARGE_AT_WORK = 2
"""Requests with a large body that are worked on at the same time, of all callers: each takes ten times its size."""
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


@dataclass(frozen=True)
class WorkCounts:
    """The requests that are being answered, by the token that sent them, or of another sort. For one event loop."""

    most: int = AT_WORK
    _counts: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def one_more(self, caller: str) -> Iterator[bool]:
        """Count a request while it lasts; whether the caller may have one more. Strangers (`""`) are not counted."""
        allowed = not caller or self._counts[caller] < self.most
        self._counts[caller] += allowed
        try:
            yield allowed
        finally:
            self._counts[caller] -= allowed
            if not self._counts[caller]:
                del self._counts[caller]
