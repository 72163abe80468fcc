"""The order of what was found, for engines that have none among equals."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")

_SPARE = 16  # asked for beyond what is wanted, so that a cut among equals is seldom
_EQUAL = 1e-6
"""Scores that differ by no more than this part are equal: an engine adds 32-bit numbers in an order of its own."""


def best(
    limit: int, ask: Callable[[int], list[tuple[float, T]]], places: Callable[[Sequence[T]], Sequence[int]]
) -> list[tuple[float, T]]:
    """The best hits, equals with one score; at least `limit` of them when there are so many, in any order.

    There are more than `limit` where the cut falls among hits with one score and one place.

    Args:
        limit: how many are wanted.
        ask: brings so many hits at most, the best first. More are asked for until all equals of the last are there.
        places: numbers that are in the order of the hits' ids; two ids may have one number.
    """
    if limit <= 0:
        return []
    asked = limit + _SPARE
    hits = ask(asked)
    while len(hits) == asked and all(_are_equal(*pair) for pair in pairwise(hits[limit - 1 :])):
        asked *= 4
        hits = ask(asked)
    levelled = _level(hits)
    keys = [(-score, place) for (score, _), place in zip(levelled, places([hit for _, hit in hits]), strict=True)]
    last = sorted(keys)[:limit][-1:]
    return [hit for hit, key in zip(levelled, keys, strict=True) if [key] <= last]


def _level(hits: list[tuple[float, T]]) -> list[tuple[float, T]]:
    """The hits, with the score of the first that they equal."""
    levelled = hits[:1]
    for before, (score, hit) in pairwise(hits):
        levelled.append((levelled[-1][0] if _are_equal(before, (score, hit)) else score, hit))
    return levelled


def _are_equal(one: tuple[float, object], other: tuple[float, object]) -> bool:
    return abs(one[0] - other[0]) <= _EQUAL * max(abs(one[0]), abs(other[0]))
