"""The parts that both ways of using Qdrant share: ids, the size of requests, the order of equal scores."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

PAGE = 1000
"""How many points are read or written at a time: some megabytes, and some tens of milliseconds."""

_SPARE = 16  # asked for beyond what is wanted, so that a cut among equal scores is seldom


def key_of(point_id: object) -> str:
    """The key of a vector, by the id of its point: the same as a UUID. Both engines take a key for an id."""
    return str(point_id).replace("-", "")


def best(limit: int, ask: Callable[[int], Sequence[tuple[str, float]]]) -> list[tuple[str, float]]:
    """The nearest keys, the nearest first and equals by key, from an engine that has no order among equals.

    `ask` brings that many at most. Where the cut falls among equals, more are asked for until all of them are there.
    """
    asked = limit + _SPARE
    hits = ask(asked)
    while len(hits) == asked and hits[-1][1] == hits[limit - 1][1]:
        asked *= 2
        hits = ask(asked)
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]


def split_pages(values: Iterable[T], size: int = PAGE) -> Iterator[list[T]]:
    """The values, so many at a time."""
    iterator = iter(values)
    while page := list(islice(iterator, size)):
        yield page
