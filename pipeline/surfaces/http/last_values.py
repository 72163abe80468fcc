"""The last values of a sort, so that a page further, a reload and the way back show the same."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
_KEPT = 6


@dataclass
class LastValues(Generic[T]):
    """The last values by what they are about, in the memory of the service alone. For several threads."""

    _kept: OrderedDict[tuple[str, ...], T] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, *key: str) -> T | None:
        """The value of a key; `None` when it is not kept."""
        return self._kept.get(key)

    def keep(self, value: T, *key: str) -> T:
        """Keep a value; the oldest one goes."""
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return value

    def drop(self, *key: str) -> None:
        """Keep a value no longer."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Keep nothing of before."""
        with self._lock:
            self._kept.clear()
