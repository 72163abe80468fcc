"""Lists in parts, so that a document stays small."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

SIZE = 50
T = TypeVar("T")


@dataclass(frozen=True)
class Paged(Generic[T]):
    """A part of a list: its items, its number from 1, the number of the last part, and how many items there are."""

    items: Sequence[T]
    number: int
    last: int
    total: int


def paged(items: Sequence[T], number: int, size: int = SIZE) -> Paged[T]:
    """Part `number` of a list, or its last one where there are not so many."""
    last = max(1, -(-len(items) // size))
    now = min(number, last)
    return Paged(items[(now - 1) * size : now * size], now, last, len(items))
