"""The parts that both ways of using Qdrant share: the size of requests, and the order of equal scores."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from pipeline.ports.index import Leg, Query, Scored, SparseVector

T = TypeVar("T")

PAGE = 1000
"""How many points are read or written at a time: some megabytes, and some tens of milliseconds."""

_CANONICAL = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # to parse each id takes longer than to read it
_SPARE = 16  # asked for beyond what is wanted, so that a cut among equal scores is seldom


def canonical(point_id: object) -> str:
    """An id in its standard form: lower case, with hyphens."""
    text = str(point_id)
    return text if _CANONICAL.fullmatch(text) else str(UUID(text))


def distinct(ids: Iterable[str]) -> list[str]:
    """The ids in their standard form, without duplicates."""
    return [*dict.fromkeys(map(canonical, ids))]


def legs_with_terms(query: Query) -> list[Leg]:
    """The legs with a term or a vector: the engine takes no empty list of terms."""
    return [leg for leg in query.legs if not isinstance(leg.value, SparseVector) or leg.value.indices]


def best(query: Query, ask: Callable[[int], list[Scored]]) -> list[Scored]:
    """The best points, best first and equals by id, from an engine that has no order among equals.

    `ask` brings that many points at most. Where the cut falls among equals, more are asked for until all of them are
    there. What the engine cuts off *within* a leg stays its own choice: `Leg.limit` should be well above `Query.limit`.
    """
    limit, asked = query.limit, query.limit + _SPARE
    hits = ask(asked)
    while len(hits) == asked and hits[-1].score == hits[limit - 1].score:
        asked *= 2
        hits = ask(asked)
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def grouped(changes: Mapping[str, Mapping[str, Any]]) -> list[tuple[dict[str, Any], list[str]]]:
    """Each change once, with the ids of all points that it is for."""
    ids: dict[str, list[str]] = {}
    for point_id, change in changes.items():
        if change:
            ids.setdefault(json.dumps(change, sort_keys=True), []).append(point_id)
    return [(dict(changes[those[0]]), those) for those in ids.values()]


def paged(values: Iterable[T], size: int = PAGE) -> Iterator[Sequence[T]]:
    """The values, so many at a time."""
    iterator = iter(values)
    while page := list(islice(iterator, size)):
        yield page
