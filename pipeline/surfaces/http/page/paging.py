"""Lists in parts, so that a document stays small."""

from collections.abc import Callable, Sequence
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


def part_of(items: Sequence[T], number: int, size: int = SIZE) -> Paged[T]:
    """Part `number` of a list, or its last part where there are not so many."""
    return fetch_part(lambda skip, limit: (items[skip : skip + limit], len(items)), number, size)


def fetch_part(fetch: Callable[[int, int], tuple[Sequence[T], int]], number: int, size: int = SIZE) -> Paged[T]:
    """Fetch part `number` of a long list, or its last part.

    `fetch` takes how many items to skip and how many to give; it gives them, and how many there are.
    """
    items, total = fetch((number - 1) * size, size)
    last = max(1, -(-total // size))
    if number > last:
        items, total = fetch((last - 1) * size, size)
    return Paged(items, min(number, last), last, total)
