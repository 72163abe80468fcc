"""An index in memory: plain Python, for some thousands of points. It stores nothing and does not block."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from threading import Lock

from pipeline.errors import Held, IndexUnavailable, PipelineError
from pipeline.ports.index import EVERYTHING, Indexer, IndexLayout, IndexPoint, Leg, Query, RankedSearcher, Scored, Where

_SATURATION, _LENGTH = 1.2, 0.75  # k1 and b of BM25


@dataclass
class MemoryIndex:
    """`pipeline.ports.index.IndexStore` in a dictionary. `failing`, when it is set, is raised by each way in.

    `patience` is for how many seconds a writer waits for another.

    It scores by the exact length of a text. An engine may round lengths, and may count points that were taken out until
    it has tidied up: its scores are near these, and only those of short texts in a new index are the same.
    """

    layout: IndexLayout
    failing: PipelineError | None = None
    patience: float = 30.0
    _points: "_Points | None" = None
    _turn: Lock = field(default_factory=Lock)
    _changes: int = 0

    @property
    def name(self) -> str:
        """`memory`."""
        return "memory"

    @contextmanager
    def reading(self) -> Iterator[RankedSearcher | None]:
        """The index as it is now, or `None` when there is none yet."""
        self._enter()
        yield self._points

    def version(self) -> bytes:
        """The number of the changes so far."""
        return b"%d" % self._changes

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """A copy, which takes the place of the index when the block ends well.

        Raises:
            IndexUnavailable: there is none.
            Held: another writer did not end in time.
        """
        with self._alone():
            if self._points is None:
                why = "there is none yet"
                raise IndexUnavailable(why)
            changed = _Points(self.layout, dict(self._points.points))
            yield changed
            self._points = changed

    @contextmanager
    def building(self) -> Iterator[Indexer]:
        """A new index, which takes the place of the old one when the block ends well.

        Raises:
            Held: another writer did not end in time.
        """
        with self._alone():
            built = _Points(self.layout)
            yield built
            self._points = built

    def tidy(self) -> None:
        """Nothing: no build leaves anything."""
        self._enter()

    def drop(self) -> None:
        """Forget all points.

        Raises:
            Held: another writer did not end in time.
        """
        with self._alone():
            self._points = None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._enter()
        if not self._turn.acquire(timeout=self.patience):
            name, holder = "index", "another thread of this process"
            raise Held(name, holder)
        try:
            yield
            self._changes += 1
        finally:
            self._turn.release()

    def _enter(self) -> None:
        if self.failing:
            raise self.failing


@dataclass(frozen=True)
class _Terms:
    """How often a text has its terms, and how many they are in all."""

    counts: Mapping[str, int]
    length: int


@dataclass
class _Points:
    layout: IndexLayout
    points: dict[str, tuple[IndexPoint, Mapping[str, _Terms]]] = field(default_factory=dict)

    def search(self, query: Query) -> list[Scored]:
        """The best points, best first, equals by id."""
        self._check(query.where)
        scores = defaultdict[str, float](float)
        for leg in query.legs:
            for point_id, score in self._scores(leg).items():
                if _is_meant(query.where, self.points[point_id][0].payload):
                    scores[point_id] += leg.weight * score
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[: query.limit]
        return [Scored(point_id, score, self._read(point_id).payload) for point_id, score in best]

    def rank_points(self, query: Query) -> list[tuple[str, float]]:
        """The ids of the best points and their scores."""
        return [(hit.id, hit.score) for hit in self.search(query)]

    def frequency(self, field: str, term: str) -> int:
        """How many points have the term in the field."""
        return sum(term in terms[field].counts for _, terms in self.points.values() if field in terms)

    def numbers(self, field: str, where: Where) -> list[int]:
        """The numbers in a field of the points that are meant."""
        values = (self.points[point_id][0].payload.get(field) for point_id in self._meant(where))
        return [number for number in values if isinstance(number, int)]

    def size(self) -> int:
        """How many points there are."""
        return len(self.points)

    def count(self, where: Where) -> int:
        """How many are meant."""
        return len(self._meant(where))

    def retrieve(self, ids: Collection[str]) -> list[IndexPoint]:
        """The points there are."""
        return [self._read(point_id) for point_id in dict.fromkeys(ids) if point_id in self.points]

    def scroll(self, where: Where) -> Iterator[IndexPoint]:
        """The points that are meant, by id."""
        return map(self._read, sorted(self._meant(where)))

    def insert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in that are new."""
        self.upsert(points)

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in."""
        for point in points:
            if unknown := point.terms.keys() - {*self.layout.texts}:
                message = f"no text of this layout: {sorted(unknown)}"
                raise ValueError(message)
            terms = {name: _counted(text) for name, text in point.terms.items()}
            self.points[point.id] = IndexPoint(point.id, deepcopy(dict(point.payload))), terms

    def delete(self, ids: Collection[str]) -> None:
        """Take points out."""
        for point_id in ids:
            self.points.pop(point_id, None)

    def _read(self, point_id: str) -> IndexPoint:
        return deepcopy(self.points[point_id][0])

    def _meant(self, where: Where) -> list[str]:
        self._check(where)
        return [
            point_id
            for point_id, (point, _) in self.points.items()
            if where == EVERYTHING or _is_meant(where, point.payload)
        ]

    def _scores(self, leg: Leg) -> dict[str, float]:
        """BM25 of the points with a term of the leg. Points without the field count as well, with a length of 0."""
        if leg.exact:
            values = {point_id: _values(point.payload, leg.field) for point_id, (point, _) in self.points.items()}
            weights = {
                name: sum(leg.terms[value] for value in held & leg.terms.keys()) for name, held in values.items()
            }
            return {name: weight for name, weight in weights.items() if weight}
        texts = {point_id: terms[leg.field] for point_id, (_, terms) in self.points.items() if leg.field in terms}
        usual = sum(text.length for text in texts.values()) / (len(self.points) or 1)
        weights = {
            term: weight * _rarity(len(self.points), sum(term in text.counts for text in texts.values()))
            for term, weight in leg.terms.items()
        }
        return {
            point_id: sum(weights[term] * _repeated(text, term, usual) for term in weights)
            for point_id, text in texts.items()
            if not weights.keys().isdisjoint(text.counts)
        }

    def _check(self, where: Where) -> None:
        unknown = {*where.any_of} - {*self.layout.keywords} or {*where.between} - {*self.layout.integers}
        if unknown:
            message = f"not filtered by in this layout: {sorted(unknown)}"
            raise ValueError(message)


def _is_meant(where: Where, payload: Mapping[str, object]) -> bool:
    """Whether a point with this payload satisfies every condition."""
    return all(not _values(payload, name).isdisjoint(wanted) for name, wanted in where.any_of.items()) and all(
        _is_between(payload.get(name), *bounds) for name, bounds in where.between.items()
    )


def _counted(text: str) -> _Terms:
    terms = [term for term in text.split(" ") if term]
    return _Terms(Counter(terms), len(terms))


def _rarity(points: int, with_term: int) -> float:
    return math.log(1 + (points - with_term + 0.5) / (with_term + 0.5))


def _repeated(text: _Terms, term: str, usual: float) -> float:
    """What a term is worth that occurs so often in a text of such a length; `usual` is the mean length."""
    count = text.counts.get(term, 0)
    room = _SATURATION * (1 - _LENGTH + _LENGTH * text.length / usual)
    return (1 + _SATURATION) * count / (count + room)


def _values(payload: Mapping[str, object], name: str) -> set[str]:
    value = payload.get(name)
    return set(value) if isinstance(value, list) else {value} if isinstance(value, str) else set()


def _is_between(value: object, first: int | None, last: int | None) -> bool:
    if not isinstance(value, int):
        return False
    return (first is None or first <= value) and (last is None or value <= last)
