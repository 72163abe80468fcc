"""The contract of every index, second half: filters and ranks."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pipeline.ports.index import (
    EVERYTHING,
    IndexLayout,
    IndexPoint,
    IndexStore,
    Leg,
    Query,
    Scored,
    SparseVector,
    Where,
)

LAYOUT = IndexLayout(dimension=3, sparse=("words", "context"), keywords=("kind", "tags"), integers=("day",))

EAST, NORTH, UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def named(number: int) -> str:
    """The id of a point; ids are in the order of their numbers."""
    return str(UUID(int=number))


def numbers(points: Sequence[IndexPoint | Scored]) -> list[int]:
    """The numbers that points were named by, in order."""
    return [UUID(point.id).int for point in points]


def terms(*indices: int) -> SparseVector:
    """A vector in which each term weighs 1."""
    return SparseVector(indices, [1.0] * len(indices))


def words(*indices: int, limit: int = 100, weight: float = 1.0, vector: str = "words") -> Leg:
    """A ranking by terms."""
    return Leg(vector, terms(*indices), limit, weight)


def towards(*direction: float, limit: int = 100, weight: float = 1.0) -> Leg:
    """A ranking by the dense vector."""
    return Leg("dense", direction, limit, weight)


class Stored:
    """A store with one-line helpers for tests: each opens it, makes one request and closes it."""

    def __init__(self, store: IndexStore, points: Sequence[IndexPoint] = (), layout: IndexLayout = LAYOUT) -> None:
        """An index of these points is built."""
        self.store = store
        with store.building(layout) as index:
            index.upsert(points)

    def search(self, query: Query) -> list[Scored]:
        """The best points."""
        with self.store.reading() as index:
            assert index
            return index.search(query)

    def ranked(self, *legs: Leg, **query: Any) -> list[int]:  # noqa: ANN401 - fields of a `Query`
        """The numbers of the best points."""
        return numbers(self.search(Query(legs, **{"limit": 100, **query})))

    def meant(self, where: Where = EVERYTHING) -> list[int]:
        """The numbers of all points that are meant, sorted: filters mean the same in a search as in a list."""
        with self.store.reading() as index:
            assert index
            listed = sorted(numbers(list(index.scroll(where))))
            assert listed == sorted(numbers(index.search(Query([words(1)], 100, where))))
        return listed

    def read(self, number: int) -> IndexPoint | None:
        """A point with its vector."""
        with self.store.reading() as index:
            assert index
            return next(iter(index.retrieve([named(number)], vectors=True)), None)

    def all(self) -> list[IndexPoint]:
        """Every point."""
        with self.store.reading() as index:
            assert index
            return list(index.scroll(EVERYTHING))

    def listed(self, where: Where) -> list[int]:
        """The numbers of all points that are meant, sorted."""
        with self.store.reading() as index:
            assert index
            return sorted(numbers(list(index.scroll(where))))


class SearchContract(ABC):
    """Any index store, as it is searched."""

    @abstractmethod
    def store(self, folder: Path) -> IndexStore:
        """A store with no index in it; `folder` is an empty folder that it may use."""

    @pytest.fixture
    def empty(self, tmp_path: Path) -> IndexStore:
        """A store with no index in it."""
        return self.store(tmp_path)

    # Filters

    def test_filters(self, empty: IndexStore) -> None:
        """Every condition has to hold; a list holds when one of it does; without the field none does."""
        payloads: list[dict[str, Any]] = [
            {},
            {"kind": "a", "day": 10},
            {"kind": "b", "day": 20, "tags": ["x", "y"]},
            {"kind": "a=b", "day": 30, "tags": ["記住"]},
            {"kind": None, "tags": [], "day": -5},
        ]
        stored = Stored(
            empty,
            [IndexPoint(named(number), payload, {"words": terms(1)}) for number, payload in enumerate(payloads, 1)],
        )
        expected: list[tuple[Where, list[int]]] = [
            (EVERYTHING, [1, 2, 3, 4, 5]),
            (Where(any_of={"kind": ["a"]}), [2]),
            (Where(any_of={"kind": ["a", "a=b", "gone"]}), [2, 4]),
            (Where(any_of={"kind": []}), []),
            (Where(any_of={"kind": ["x"]}), []),
            (Where(any_of={"tags": ["y", "z"]}), [3]),
            (Where(any_of={"tags": ["記住"]}), [4]),
            (Where(between={"day": (10, 20)}), [2, 3]),
            (Where(between={"day": (20, None)}), [3, 4]),
            (Where(between={"day": (None, 10)}), [2, 5]),
            (Where(between={"day": (None, None)}), [2, 3, 4, 5]),
            (Where(between={"day": (11, 19)}), []),
            (Where({"kind": ["a", "b"]}, {"day": (0, 10)}), [2]),
            (Where(any_of={"kind": ["b"], "tags": ["x"]}), [3]),
            (Where(any_of={"kind": ["a"], "tags": ["x"]}), []),
        ]
        assert expected == [(where, stored.meant(where)) for where, _ in expected]

    def test_every_leg_is_filtered(self, empty: IndexStore) -> None:
        """A leg is filtered before its best points are taken, not after."""
        kinds = ["a"] * 9 + ["b"]
        points = [
            IndexPoint(
                named(number), {"kind": kind}, {"words": SparseVector([1], [20.0 - number])}, (20.0 - number, number, 0)
            )
            for number, kind in enumerate(kinds, 1)
        ]
        stored = Stored(empty, points)
        where = Where(any_of={"kind": ["b"]})
        assert stored.ranked(words(1, limit=1), where=where) == [10]
        assert stored.ranked(words(1, limit=1), towards(*EAST, limit=1), where=where) == [10]

    # Ranking

    def test_rare_terms_weigh_more(self, empty: IndexStore) -> None:
        """Inverse document frequency; a point's own weights count as well, and terms without any point do not."""
        points = [IndexPoint(named(number), {}, {"words": terms(1)}) for number in range(1, 9)]
        points += [
            IndexPoint(named(9), {}, {"words": terms(2)}),
            IndexPoint(named(10), {}, {"words": SparseVector([1], [1.5])}),
        ]
        stored = Stored(empty, points)
        assert stored.ranked(words(1, 2, 77), limit=3) == [9, 10, 1]
        assert stored.ranked(words(77)) == []

    def test_words_are_scored_by_dot_product_and_frequency(self, empty: IndexStore) -> None:
        """The sum of weight, weight and `ln(1 + (N - n + 0.5) / (n + 0.5))`, N being the points with such a vector."""
        stored = Stored(
            empty,
            [
                IndexPoint(named(1), {}, {"words": SparseVector([1, 2], [1.0, 2.0])}),
                IndexPoint(named(2), {}, {"words": SparseVector([1], [0.5])}),
                IndexPoint(named(3), {}, {"context": terms(1)}),
                IndexPoint(named(4)),
            ],
        )
        asked = Leg("words", SparseVector([1, 2], [1.0, 3.0]), 10)
        one, two = stored.search(Query([asked], 10))
        assert (named(1), named(2)) == (one.id, two.id)
        assert pytest.approx(0.182322 + 6 * 0.693147, abs=1e-3) == one.score
        assert pytest.approx(0.5 * 0.182322, abs=1e-3) == two.score

    def test_vectors_are_scored_by_cosine(self, empty: IndexStore) -> None:
        """Whatever their length."""
        stored = Stored(empty, [IndexPoint(named(1), dense=(5, 0, 0)), IndexPoint(named(2), dense=(3, 4, 0))])
        assert [1.0, pytest.approx(0.6)] == [hit.score for hit in stored.search(Query([towards(2, 0, 0)], 9))]

    def test_legs_are_fused_by_the_sum_of_weighted_scores(self, empty: IndexStore) -> None:
        """A point that a leg does not bring counts as 0 there."""
        points = [
            IndexPoint(named(1), {}, {"words": SparseVector([1], [4.0])}, NORTH),
            IndexPoint(named(2), {}, {"words": SparseVector([1], [1.0])}, EAST),
            IndexPoint(named(3), {}, {}, (0.8, 0.6, 0.0)),
        ]
        stored = Stored(empty, points)
        first = {hit.id: hit.score for hit in stored.search(Query([words(1)], 9))}
        both = stored.search(Query([words(1, weight=0.5), towards(*EAST, weight=2.0)], 9))
        expected = {named(1): 0.5 * first[named(1)], named(2): 0.5 * first[named(2)] + 2.0, named(3): 1.6}
        assert {point_id: pytest.approx(score, rel=1e-4) for point_id, score in expected.items()} == {
            hit.id: hit.score for hit in both
        }
        assert numbers(both) == [2, 3, 1]
        assert stored.ranked(words(1, weight=10.0), towards(*EAST)) == [1, 2, 3]
        assert stored.ranked(words(1), towards(*EAST, weight=0.0), limit=2) == [1, 2]

    def test_limits(self, empty: IndexStore) -> None:
        """Of a leg, and of the whole."""
        points = [IndexPoint(named(number), {}, {"words": SparseVector([1], [9.0 - number])}) for number in range(1, 8)]
        stored = Stored(empty, points)
        assert stored.ranked(words(1, limit=3)) == [1, 2, 3]
        assert stored.ranked(words(1), limit=2) == [1, 2]

    def test_equal_scores_are_in_the_order_of_their_ids(self, empty: IndexStore) -> None:
        """Also where the limit cuts among them, and whatever order they were put in."""
        order = [(number * 37) % 101 for number in range(1, 101)]
        stored = Stored(empty, [IndexPoint(named(number), {}, {"words": terms(1)}, EAST) for number in order])
        assert sorted(order) == stored.ranked(words(1))
        assert sorted(order)[:5] == stored.ranked(words(1), limit=5)
        assert sorted(order)[:30] == stored.ranked(words(1), towards(*EAST), limit=30)

    def test_a_leg_without_terms_says_nothing(self, empty: IndexStore) -> None:
        """A question may consist of stop words; nor has a query to have legs."""
        stored = Stored(empty, [IndexPoint(named(1), dense=EAST)])
        assert stored.ranked(words()) == []
        assert stored.ranked() == []
        assert stored.ranked(words(), towards(*EAST)) == [1]
