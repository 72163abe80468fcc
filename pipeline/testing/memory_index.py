"""An index in memory: plain Python, exact, for some thousands of points. It stores nothing and does not block."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from pipeline.errors import IndexUnavailable, PipelineError
from pipeline.ports.index import (
    DENSE,
    Indexer,
    IndexLayout,
    IndexPoint,
    Leg,
    Query,
    Scored,
    Searcher,
    SparseVector,
    Vector,
    Where,
)


@dataclass
class MemoryIndex:
    """`pipeline.ports.index.IndexStore` in a dictionary. `failing`, when it is set, is raised by each way in."""

    failing: PipelineError | None = None
    settled: int = 0
    _points: "_Points | None" = None

    @property
    def name(self) -> str:
        """`memory`."""
        return "memory"

    @contextmanager
    def reading(self) -> Iterator[Searcher | None]:
        """The index, or `None` when there is none yet."""
        self._enter()
        yield self._points

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """The index.

        Raises:
            IndexUnavailable: there is none.
        """
        self._enter()
        if self._points is None:
            why = "there is none yet"
            raise IndexUnavailable(why)
        yield self._points

    @contextmanager
    def building(self, layout: IndexLayout) -> Iterator[Indexer]:
        """A new index, which takes the place of the old one when the block ends well."""
        self._enter()
        built = _Points(layout)
        yield built
        self._points = built

    def settle(self) -> None:
        """Nothing; `settled` counts how often."""
        self._enter()
        self.settled += 1

    def drop(self) -> None:
        """Forget all points."""
        self._enter()
        self._points = None

    def _enter(self) -> None:
        if self.failing:
            raise self.failing


@dataclass
class _Points:
    layout: IndexLayout
    points: dict[str, IndexPoint] = field(default_factory=dict)

    def search(self, query: Query) -> list[Scored]:
        """The best points, best first, equals by id."""
        rankings = [self._ranking(leg, query.where) for leg in query.legs]
        scores: dict[str, float] = defaultdict(float)
        for leg, ranking in zip(query.legs, rankings, strict=True):
            for point_id, score in ranking:
                scores[point_id] += leg.weight * score
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[: query.limit]
        return [
            Scored(point_id, score, _chosen(self.points[point_id].payload, query.fields)) for point_id, score in best
        ]

    def size(self) -> int:
        """How many points there are."""
        return len(self.points)

    def retrieve(self, ids: Sequence[str], *, vectors: bool = False) -> list[IndexPoint]:
        """The points there are."""
        wanted = dict.fromkeys(map(canonical, ids))
        return [_shown(self.points[point_id], (), vectors=vectors) for point_id in wanted if point_id in self.points]

    def scroll(self, where: Where, *, fields: Sequence[str] = (), vectors: bool = False) -> Iterator[IndexPoint]:
        """The points that are meant, by id."""
        self._check(where)
        for _, point in sorted(self.points.items()):
            if is_meant(where, point.payload):
                yield _shown(point, fields, vectors=vectors)

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in."""
        for point in points:
            self._check_vectors(point)
            dense = None if point.dense is None else list(point.dense)
            self.points[canonical(point.id)] = replace(deepcopy(point), id=canonical(point.id), dense=dense)

    def delete(self, ids: Sequence[str]) -> None:
        """Take points out."""
        for point_id in map(canonical, ids):
            self.points.pop(point_id, None)

    def set_payload(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Set fields of the payload; what is set to `None` is taken out, as in Qdrant."""
        for point_id, change in changes.items():
            if point := self.points.get(canonical(point_id)):
                payload = {**point.payload, **deepcopy(change)}
                gone = {name for name, value in change.items() if value is None}
                kept = {name: value for name, value in payload.items() if name not in gone}
                self.points[point.id] = replace(point, payload=kept)

    def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        """Set dense vectors."""
        for point_id, vector in vectors.items():
            if point := self.points.get(canonical(point_id)):
                changed = replace(point, dense=list(vector))
                self._check_vectors(changed)
                self.points[point.id] = changed

    def _ranking(self, leg: Leg, where: Where) -> list[tuple[str, float]]:
        self._check(where)
        if isinstance(leg.value, SparseVector):
            scores = self._by_words(leg.vector, leg.value)
        else:
            scores = {point.id: _cosine(leg.value, point.dense) for point in self.points.values() if point.dense}
        meant = (
            (point_id, score) for point_id, score in scores.items() if is_meant(where, self.points[point_id].payload)
        )
        return sorted(meant, key=lambda pair: (-pair[1], pair[0]))[: leg.limit]

    def _by_words(self, name: str, asked: SparseVector) -> dict[str, float]:
        """Dot products with inverse document frequency, which counts all points that have such a vector."""
        held = {point.id: point.sparse[name] for point in self.points.values() if name in point.sparse}
        documents = Counter(term for vector in held.values() for term in vector.indices)
        weights = {
            term: value * math.log(1 + (len(held) - documents[term] + 0.5) / (documents[term] + 0.5))
            for term, value in zip(asked.indices, asked.values, strict=True)
        }
        return {
            point_id: sum(
                weights.get(term, 0.0) * value for term, value in zip(vector.indices, vector.values, strict=True)
            )
            for point_id, vector in held.items()
            if not weights.keys().isdisjoint(vector.indices)
        }

    def _check(self, where: Where) -> None:
        unknown = {*where.any_of} - {*self.layout.keywords} or {*where.between} - {*self.layout.integers}
        if unknown:
            message = f"not filtered by in this layout: {sorted(unknown)}"
            raise ValueError(message)

    def _check_vectors(self, point: IndexPoint) -> None:
        UUID(point.id)
        if point.dense is not None and len(point.dense) != self.layout.dimension:
            message = f"{DENSE} has {len(point.dense)} numbers instead of {self.layout.dimension}"
            raise ValueError(message)
        if unknown := point.sparse.keys() - {*self.layout.sparse}:
            message = f"no vector of this layout: {sorted(unknown)}"
            raise ValueError(message)


def canonical(point_id: str) -> str:
    """The id in its standard form: lower case, with hyphens."""
    return str(UUID(point_id))


def is_meant(where: Where, payload: Mapping[str, Any]) -> bool:
    """Whether a point with this payload satisfies every condition."""
    return all(not _values(payload, name).isdisjoint(wanted) for name, wanted in where.any_of.items()) and all(
        _is_between(payload.get(name), *bounds) for name, bounds in where.between.items()
    )


def _values(payload: Mapping[str, Any], name: str) -> set[str]:
    value = payload.get(name)
    return set(value) if isinstance(value, list) else {value} if isinstance(value, str) else set()


def _is_between(value: object, first: int | None, last: int | None) -> bool:
    if not isinstance(value, int):
        return False
    return (first is None or first <= value) and (last is None or value <= last)


def _cosine(one: Vector, other: Vector) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def _chosen(payload: Mapping[str, Any], fields: Sequence[str] | None) -> dict[str, Any]:
    return deepcopy({name: value for name, value in payload.items() if fields is None or name in fields})


def _shown(point: IndexPoint, fields: Sequence[str], *, vectors: bool) -> IndexPoint:
    """The point as it is read: no sparse vectors, and of the payload what was asked for."""
    payload = {name: value for name, value in point.payload.items() if not fields or name in fields}
    return IndexPoint(point.id, deepcopy(payload), dense=point.dense if vectors else None)
