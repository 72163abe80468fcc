"""The contract of every index of words, second half: filters and ranks."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.ports.index import (
    EVERYTHING,
    IndexLayout,
    IndexPoint,
    IndexStore,
    Leg,
    Query,
    Scored,
    Searcher,
    Where,
)

LAYOUT = IndexLayout(texts=("words", "context"), keywords=("kind", "tags"), integers=("day",))


def named(number: int) -> str:
    """The id of a point; ids are in the order of their numbers."""
    return f"point {number:06}"


def numbers(points: Sequence[IndexPoint | Scored]) -> list[int]:
    """The numbers that points were named by, in order."""
    return [int(point.id.split()[1]) for point in points]


def point(number: int, words: str = "", **payload: object) -> IndexPoint:
    """A point of these words."""
    return IndexPoint(named(number), payload, {"words": words} if words else {})


def asking(*terms: str, weight: float = 1.0, field: str = "words") -> Leg:
    """A part of a score in which each term weighs 1."""
    return Leg(field, dict.fromkeys(terms, 1.0), weight)


def held(index: Searcher | None) -> dict[int, Mapping[str, Any]]:
    """All payloads of an open index by the numbers of their points; empty when there is no index."""
    points = list(index.scroll(EVERYTHING)) if index else []
    return dict(zip(numbers(points), (point.payload for point in points), strict=True))


class Stored:
    """A store with one-line helpers for tests: each opens it, makes one request and closes it."""

    def __init__(self, store: IndexStore, points: Sequence[IndexPoint] = ()) -> None:
        """An index of these points is built."""
        self.store = store
        with store.building() as index:
            index.upsert(points)

    def search(self, query: Query) -> list[Scored]:
        """The best points."""
        with self.store.reading() as index:
            assert index
            return index.search(query)

    def ranked(self, *legs: Leg, limit: int = 100, where: Where = EVERYTHING) -> list[int]:
        """The numbers of the best points."""
        return numbers(self.search(Query(legs, limit, where)))

    def scores(self, *legs: Leg) -> dict[int, float]:
        """The scores of all that is found, by the numbers of the points."""
        hits = self.search(Query(legs, 1000))
        return dict(zip(numbers(hits), (hit.score for hit in hits), strict=True))

    def read(self, *wanted: int) -> list[IndexPoint]:
        """These points, by id."""
        with self.store.reading() as index:
            assert index
            return sorted(index.retrieve([*map(named, wanted)]), key=lambda point: point.id)

    def held(self) -> dict[int, Mapping[str, Any]]:
        """All payloads by the numbers of their points; empty without an index."""
        with self.store.reading() as index:
            return held(index)


class SearchContract(ABC):
    """Any index store, as it is searched."""

    @abstractmethod
    def store(self, folder: Path) -> IndexStore:
        """A store of `LAYOUT` with no index in it; `folder` is an empty folder that it may use."""

    @pytest.fixture
    def empty(self, tmp_path: Path) -> IndexStore:
        """A store with no index in it."""
        return self.store(tmp_path)

    # Filters

    def test_filters(self, empty: IndexStore) -> None:
        """Every condition has to hold; a list holds when one of it does; without the field none does.

        They mean the same in a search, in a list and in a count.
        """
        stored = Stored(
            empty,
            [
                point(1, "a"),
                point(2, "a", kind="a", day=10),
                point(3, "a", kind="b", day=20, tags=["x", "y"]),
                point(4, "a", kind="a=b", day=30, tags=["記住"]),
                point(5, "a", kind=None, tags=[], day=-5),
                point(6, "a", kind="long " * 50_000, tags=[""]),
            ],
        )
        expected: list[tuple[Where, list[int]]] = [
            (EVERYTHING, [1, 2, 3, 4, 5, 6]),
            (Where(any_of={"kind": ["a"]}), [2]),
            (Where(any_of={"kind": ["a", "a=b", "gone"]}), [2, 4]),
            (Where(any_of={"kind": []}), []),
            (Where(any_of={"kind": ["x"]}), []),
            (Where(any_of={"kind": ["long " * 50_000]}), [6]),
            (Where(any_of={"kind": ["long " * 50_001]}), []),
            (Where(any_of={"tags": ["y", "z"]}), [3]),
            (Where(any_of={"tags": ["記住"]}), [4]),
            (Where(any_of={"tags": [""]}), [6]),
            (Where(between={"day": (10, 20)}), [2, 3]),
            (Where(between={"day": (20, None)}), [3, 4]),
            (Where(between={"day": (None, 10)}), [2, 5]),
            (Where(between={"day": (None, None)}), [2, 3, 4, 5]),
            (Where(between={"day": (11, 19)}), []),
            (Where({"kind": ["a", "b"]}, {"day": (0, 10)}), [2]),
            (Where(any_of={"kind": ["b"], "tags": ["x"]}), [3]),
            (Where(any_of={"kind": ["a"], "tags": ["x"]}), []),
        ]
        with empty.reading() as index:
            assert index
            listed = [sorted(numbers([*index.scroll(where)])) for where, _ in expected]
            counted = [index.count(where) for where, _ in expected]
        assert [meant for _, meant in expected] == listed
        assert [meant for _, meant in expected] == [sorted(stored.ranked(asking("a"), where=w)) for w, _ in expected]
        assert [len(meant) for _, meant in expected] == counted

    def test_the_best_of_those_that_are_meant(self, empty: IndexStore) -> None:
        """Points are filtered before the best are taken, not after."""
        points = [point(number, "a " * (20 - number), kind="a") for number in range(1, 16)]
        points += [point(number, "a " * (20 - number), kind="b") for number in range(16, 20)]
        where = Where(any_of={"kind": ["b"]})
        assert Stored(empty, points).ranked(asking("a"), limit=2, where=where) == [16, 17]

    # Ranking

    def test_points_are_scored_by_bm25(self, empty: IndexStore) -> None:
        """With k1 = 1.2 and b = 0.75; points without the field count as well, as empty ones."""
        stored = Stored(empty, [point(1, "a b b"), point(2, "a"), point(3), IndexPoint(named(4), {}, {"context": "a"})])

        def worth(with_term: int, count: int, length: int) -> float:
            rarity = math.log(1 + (4 - with_term + 0.5) / (with_term + 0.5))
            return rarity * 2.2 * count / (count + 1.2 * (0.25 + 0.75 * length / (4 / 4)))

        asked = Leg("words", {"a": 1.0, "b": 3.0, "gone": 9.0})
        expected = {1: worth(2, 1, 3) + 3 * worth(1, 2, 3), 2: worth(2, 1, 1)}
        assert {number: pytest.approx(score, rel=1e-4) for number, score in expected.items()} == stored.scores(asked)

    def test_rare_terms_weigh_more(self, empty: IndexStore) -> None:
        """A term that no point has changes nothing."""
        stored = Stored(empty, [*(point(number, "a x") for number in range(1, 9)), point(9, "b x")])
        assert stored.ranked(asking("a", "b", "gone"), limit=3) == [9, 1, 2]
        assert stored.ranked(asking("gone")) == []

    def test_repeated_terms_weigh_more(self, empty: IndexStore) -> None:
        """In texts of the same length."""
        stored = Stored(empty, [point(1, "a x x x"), point(2, "a a x x"), point(3, "a a a x")])
        assert stored.ranked(asking("a")) == [3, 2, 1]

    def test_longer_texts_weigh_less(self, empty: IndexStore) -> None:
        """When they have a term as often."""
        stored = Stored(empty, [point(1, "a" + " x" * 200), point(2, "a" + " x" * 20), point(3, "a")])
        assert stored.ranked(asking("a")) == [3, 2, 1]

    def test_a_score_is_the_weighted_sum_of_its_parts(self, empty: IndexStore) -> None:
        """A field may have several parts, and a weight of 0 still finds."""
        points = [
            IndexPoint(named(1), {}, {"words": "a b", "context": "c"}),
            IndexPoint(named(2), {}, {"words": "a x x x", "context": "a b"}),
            IndexPoint(named(3), {}, {"context": "a x x"}),
        ]
        stored = Stored(empty, points)
        parts = [asking("a"), asking("a", field="context"), asking("b")]
        weights = [0.5, 2.0, 3.0]
        alone = [stored.scores(part) for part in parts]
        together = stored.scores(
            *(Leg(part.field, part.terms, weight) for part, weight in zip(parts, weights, strict=True))
        )
        expected = {
            number: sum(weight * scores.get(number, 0.0) for weight, scores in zip(weights, alone, strict=True))
            for number in (1, 2, 3)
        }
        assert {number: pytest.approx(score, rel=1e-4) for number, score in expected.items()} == together
        assert stored.ranked(asking("a", weight=10.0), asking("a", field="context")) == [1, 2, 3]
        assert stored.ranked(asking("a", weight=0.0)) == [1, 2]

    def test_limits(self, empty: IndexStore) -> None:
        """The best are brought, and no more than there are."""
        stored = Stored(empty, [point(number, "a " * (9 - number)) for number in range(1, 8)])
        assert [stored.ranked(asking("a"), limit=limit) for limit in (0, 1, 3)] == [[], [1], [1, 2, 3]]
        assert stored.ranked(asking("a"), limit=1_000_000) == [1, 2, 3, 4, 5, 6, 7]

    def test_equal_scores_are_in_the_order_of_their_ids(self, empty: IndexStore) -> None:
        """Also where the limit cuts among them, and whatever order they were put in, at once or one by one."""
        order = [(number * 37) % 101 for number in range(1, 101)]
        stored = Stored(empty, [point(number, "a b c d e f g") for number in order[:80]])
        for number in order[80:]:
            with empty.writing() as index:
                index.upsert([point(number, "a b c d e f g")])
        asked = Leg("words", {"a": 0.3, "b": 1.7, "c": 0.1, "d": 5.3, "e": 0.7, "gone": 1.0})
        assert sorted(order) == stored.ranked(asked)
        assert [sorted(order)[:limit] for limit in (1, 5, 30)] == [stored.ranked(asked, limit=n) for n in (1, 5, 30)]
        assert len({*stored.scores(asked).values()}) == 1

    def test_a_part_without_terms_says_nothing(self, empty: IndexStore) -> None:
        """A question may consist of stop words; nor has a query to have parts."""
        stored = Stored(empty, [point(1, "a")])
        assert stored.ranked(asking()) == []
        assert stored.ranked() == []
        assert stored.ranked(asking(), asking("a")) == [1]

    @pytest.mark.parametrize(
        "term",
        [
            "A",
            "zażółć",
            "記住",
            "🐟",
            "a\N{NO-BREAK SPACE}b",
            "\N{IDEOGRAPHIC SPACE}",
            "a\0",
            "x=1",
            '"+-(a)',
            "ab" * 60_000,
        ],
    )
    def test_a_term_is_any_text_without_blanks(self, empty: IndexStore, term: str) -> None:
        """Nothing of it is changed, cut off or left out, however long it is; only the same term finds it."""
        stored = Stored(empty, [point(1, f"x {term} y"), point(2, "a b " + "ab" * 59_999), point(3, f"{term}{term}")])
        assert stored.ranked(asking(term)) == [1]
        assert stored.ranked(asking("y")) == [1]

    def test_ids_are_ranked_as_points_are(self, empty: IndexStore) -> None:
        """With the same scores and the same filters, at most so many of them; their ids have at most 8 bytes."""
        points = [point(1, "a b", kind="x"), point(2, "a a a", kind="x"), point(3, "b c d e"), point(4, "c", kind="x")]
        stored = Stored(empty, [replace(one, id=f"p{place}") for place, one in enumerate(points)])
        where = Where(any_of={"kind": ["x"]})
        for query in (Query([asking("a", "b")], 10), Query([asking("a", "b")], 10, where), Query([asking("a")], 1)):
            with empty.reading() as index:
                assert index
                ranked = index.rank_points(query)
            scored = stored.search(query)
            assert [one.id for one in scored] == [name for name, _ in ranked]
            assert [one.score for one in scored] == pytest.approx([score for _, score in ranked])

    def test_the_frequency_of_a_term(self, empty: IndexStore) -> None:
        """How many points have it in a field, however often each of them does; 0 of a term that none has."""
        Stored(empty, [point(1, "a a a"), point(2, "a b"), point(3, "c")])
        with empty.reading() as index:
            assert index
            frequencies = [index.frequency("words", term) for term in ("a", "b", "c", "d")]
            assert (frequencies, index.frequency("context", "a")) == ([2, 1, 1, 0], 0)

    def test_a_keyword_scores_its_weight(self, empty: IndexStore) -> None:
        """However rare it is; equals by id, and the conditions hold."""
        points = [point(1, kind="x"), point(2, kind=["y", "z"], day=1), point(3, kind="x"), point(4, "a")]
        stored = Stored(empty, points)
        leg = Leg("kind", {"x": 1.5, "y": 2.5, "none": 9.0}, exact=True)
        assert [(2, 2.5), (1, 1.5), (3, 1.5)] == [
            (numbers([hit])[0], hit.score) for hit in stored.search(Query([leg], 9))
        ]
        assert [1] == numbers(stored.search(Query([leg], 1, Where(any_of={"kind": ["x"]}))))

    def test_conditions_hold_for_the_best_of_nearly_all(self, empty: IndexStore) -> None:
        """Also where the best of all are not meant."""
        points = [point(number, "a", kind="x") for number in range(200)]
        best = [point(number, "a a a", kind="y") for number in range(200, 220)]
        stored = Stored(empty, [*points, *best])
        where = Where(any_of={"kind": ["x"], "tags": ["p"]})
        assert [] == stored.search(Query([asking("a")], 5, where))
        assert [0, 1, 2, 3, 4] == numbers(stored.search(Query([asking("a")], 5, Where(any_of={"kind": ["x"]}))))

    def test_the_numbers_of_points(self, empty: IndexStore) -> None:
        """Those of an integer field of the points that are meant; points without it are passed over."""
        Stored(empty, [point(1, kind="x", day=7), point(2, kind="y", day=2**62), point(3, kind="x", day=7), point(4)])
        with empty.reading() as index:
            assert index
            assert [7, 7, 2**62] == sorted(index.numbers("day", EVERYTHING))
            assert [2**62] == index.numbers("day", Where(any_of={"kind": ["y"]}))
            assert [] == index.numbers("day", Where(any_of={"kind": ["z"]}))
