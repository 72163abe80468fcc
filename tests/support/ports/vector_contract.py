"""The contract of every store of vectors: inherit it in a test class, and define how a store is made."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pipeline.ports.index import Vector, VectorSpace, VectorStore

SPACE = VectorSpace("an embedder", 3)
OTHER_SPACES = [VectorSpace("another embedder", 3), VectorSpace("an embedder", 2)]

_HALF = 1e-3
"""How far numbers may be from those that were put in: stores keep 16 bits of them."""
EAST, NORTH, UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def named(number: int) -> str:
    """The key of a vector; keys are in the order of their numbers."""
    return f"{number:032x}"


def turned(degrees: float) -> Vector:
    """A direction between `EAST` and `NORTH`."""
    angle = math.radians(degrees)
    return math.cos(angle), math.sin(angle), 0.0


def keyed(vectors: Mapping[int, Vector]) -> dict[str, Vector]:
    """Vectors by the keys of these numbers."""
    return {named(number): vector for number, vector in vectors.items()}


def numbers(keys: Sequence[str]) -> list[int]:
    """The numbers that keys were named by, in order."""
    return [int(key, 16) for key in keys]


def built(store: VectorStore, vectors: Mapping[int, Vector], space: VectorSpace = SPACE) -> VectorStore:
    """The store with these vectors alone."""
    with store.building(space) as index:
        index.put_vectors(keyed(vectors))
    return store


def listed(store: VectorStore, space: VectorSpace = SPACE) -> list[int] | None:
    """The numbers of all vectors, sorted; `None` when there are none of this space."""
    with store.reading(space) as index:
        return sorted(numbers([*index.keys()])) if index else None


def ranked(store: VectorStore, vector: Vector, limit: int = 100, among: Sequence[int] | None = None) -> list[int]:
    """The numbers of the nearest vectors."""
    with store.reading(SPACE) as index:
        assert index
        keys = None if among is None else [named(number) for number in among]
        return numbers([key for key, _ in index.nearest(vector, limit, keys)])


class VectorContract(ABC):
    """Any store of vectors."""

    @abstractmethod
    def store(self, folder: Path) -> VectorStore:
        """A store without vectors, which may use a folder."""

    @pytest.fixture
    def empty(self, tmp_path: Path) -> VectorStore:
        """The same, for a test."""
        return self.store(tmp_path)

    def test_it_has_a_name(self, empty: VectorStore) -> None:
        """The name of the engine."""
        assert empty.name

    # Whether there are any

    def test_without_vectors_nothing_is_read(self, empty: VectorStore) -> None:
        """Before anything was written there is nothing to search, and that is no error."""
        assert listed(empty) is None

    def test_without_vectors_there_is_nothing_to_settle_or_drop(self, empty: VectorStore) -> None:
        """Both are allowed at any time."""
        empty.settle()
        empty.drop()
        assert listed(empty) is None

    def test_writing_begins_an_empty_store(self, empty: VectorStore) -> None:
        """It is one of no vectors, which finds nothing."""
        with empty.writing(SPACE) as index:
            assert index.size() == 0
        assert listed(empty) == []
        assert ranked(empty, EAST) == []

    def test_dropped_vectors_are_gone(self, empty: VectorStore) -> None:
        """It is as if there never were any, and others can be written."""
        built(empty, {1: EAST})
        empty.drop()
        assert listed(empty) is None
        with empty.writing(SPACE) as index:
            index.put_vectors(keyed({2: EAST}))
        assert listed(empty) == [2]

    @pytest.mark.parametrize("other", OTHER_SPACES)
    def test_vectors_of_another_space_are_not_read(self, empty: VectorStore, other: VectorSpace) -> None:
        """They cannot be compared. Those there are stay for the embedder that made them."""
        built(empty, {1: EAST})
        assert listed(empty, other) is None
        assert listed(empty) == [1]

    @pytest.mark.parametrize("other", OTHER_SPACES)
    def test_writing_in_another_space_removes_the_vectors_there_are(
        self, empty: VectorStore, other: VectorSpace
    ) -> None:
        """There are those of one space at a time; the same space is begun once."""
        built(empty, {1: EAST})
        for _ in range(2):
            with empty.writing(other) as index:
                index.put_vectors({named(2): UP[-other.dimension :]})
        assert (listed(empty), listed(empty, other)) == (None, [2])

    # Building

    def test_what_is_built_is_seen_when_it_is_done(self, empty: VectorStore) -> None:
        """Meanwhile readers see the old vectors, and the builder sees the new ones."""
        built(empty, {1: EAST})
        with empty.building(SPACE) as index:
            index.put_vectors(keyed({2: EAST}))
            assert [*index.keys()] == [named(2)]
            assert listed(empty) == [1]
        assert listed(empty) == [2]

    def test_the_old_vectors_can_be_written_while_others_are_built(self, empty: VectorStore) -> None:
        """Such a write is lost when the new ones replace them."""
        built(empty, {1: EAST})
        with empty.building(SPACE) as new:
            new.put_vectors(keyed({2: EAST}))
            with empty.writing(SPACE) as old:
                old.put_vectors(keyed({3: EAST}))
            assert listed(empty) == [1, 3]
        assert listed(empty) == [2]

    def test_a_failed_build_leaves_the_old_vectors(self, empty: VectorStore) -> None:
        """The error passes through, and nothing of the new ones is left."""
        built(empty, {1: EAST})
        with pytest.raises(ZeroDivisionError), empty.building(SPACE) as index:
            index.put_vectors(keyed({2: turned(1 / 0)}))
        assert listed(empty) == [1]

    def test_a_failed_first_build_leaves_none(self, empty: VectorStore) -> None:
        """There still are no vectors."""
        with pytest.raises(ZeroDivisionError), empty.building(SPACE):
            raise ZeroDivisionError
        assert listed(empty) is None

    @pytest.mark.parametrize("other", OTHER_SPACES)
    def test_what_is_built_may_be_of_another_space(self, empty: VectorStore, other: VectorSpace) -> None:
        """The old one is read until then."""
        built(empty, {1: EAST})
        with empty.building(other) as index:
            index.put_vectors({named(2): UP[-other.dimension :]})
            assert (listed(empty), listed(empty, other)) == ([1], None)
        assert (listed(empty), listed(empty, other)) == (None, [2])

    def test_settling_changes_nothing_that_is_seen(self, empty: VectorStore) -> None:
        """All vectors are found as before, and can be written."""
        built(empty, {number: turned(number) for number in range(1, 30)})
        with empty.writing(SPACE) as index:
            index.delete([named(number) for number in range(10, 20)])
        empty.settle()
        with empty.writing(SPACE) as index:
            index.delete([named(1)])
        assert ranked(empty, EAST) == [*range(2, 10), *range(20, 30)]

    # Searching

    def test_the_nearest_come_first(self, empty: VectorStore) -> None:
        """With the cosine of the angle, and no more of them than are wanted."""
        built(empty, {1: turned(60), 2: turned(180), 3: turned(10), 4: turned(90)})
        with empty.reading(SPACE) as index:
            assert index
            hits = index.nearest(EAST, 3)
        assert [named(3), named(1), named(4)] == [key for key, _ in hits]
        expected = [math.cos(math.radians(degrees)) for degrees in (10, 60, 90)]
        assert pytest.approx(expected, abs=_HALF) == [score for _, score in hits]

    @pytest.mark.parametrize("limit", [1, 7, 50])
    def test_equals_are_in_the_order_of_their_keys(self, empty: VectorStore, limit: int) -> None:
        """Also where the limit cuts among them."""
        built(empty, {**dict.fromkeys(range(40, 0, -1), NORTH), 99: EAST, 50: turned(20)})
        assert [99, 50, *range(1, 41)][:limit] == ranked(empty, EAST, limit)

    def test_it_searches_among_keys(self, empty: VectorStore) -> None:
        """Those alone, as many as there are."""
        built(empty, {number: turned(number) for number in range(1, 10)})
        assert ranked(empty, EAST, among=[7, 3, 99, 5, 3]) == [3, 5, 7]
        assert ranked(empty, EAST, limit=2, among=[7, 3, 5]) == [3, 5]
        assert ranked(empty, EAST, among=[]) == []

    # Reading and writing

    def test_vectors_come_back(self, empty: VectorStore) -> None:
        """Those that there are, of length 1."""
        built(empty, {1: EAST, 2: turned(30)})
        with empty.reading(SPACE) as index:
            assert index
            vectors = index.vectors([named(2), named(9), named(2)])
            assert index.vectors([]) == {}
        assert [*vectors] == [named(2)]
        assert pytest.approx(turned(30), abs=_HALF) == [*vectors[named(2)]]

    def test_it_knows_which_keys_there_are(self, empty: VectorStore) -> None:
        """Of those that it is asked for."""
        built(empty, {1: EAST, 2: NORTH, 3: UP})
        with empty.reading(SPACE) as index:
            assert index
            assert index.known_keys([named(9), named(3), named(1), named(1)]) == {named(1), named(3)}
            assert index.known_keys([]) == set()

    def test_putting_in_replaces_a_vector(self, empty: VectorStore) -> None:
        """There is one for each key."""
        built(empty, {1: EAST, 2: NORTH})
        with empty.writing(SPACE) as index:
            index.put_vectors(keyed({1: UP, 3: EAST}))
            index.put_vectors({})
            assert index.size() == 3
        assert ranked(empty, UP, limit=1) == [1]
        assert ranked(empty, EAST, limit=1) == [3]

    def test_deleting_takes_out_what_is_there(self, empty: VectorStore) -> None:
        """Keys that are not there are passed over."""
        built(empty, {1: EAST, 2: EAST, 3: EAST})
        with empty.writing(SPACE) as index:
            index.delete([named(9), named(2)])
            index.delete([])
        assert ranked(empty, EAST) == listed(empty) == [1, 3]

    def test_a_key_may_be_any_32_digits(self, empty: VectorStore) -> None:
        """It comes back as it was given."""
        keys = ["0" * 32, "f" * 32, "abcdef0123456789abcdef0123456789"]
        with empty.writing(SPACE) as index:
            index.put_vectors(dict.fromkeys(keys, EAST))
            assert sorted(keys) == sorted(index.keys()) == sorted(index.vectors(keys))
            assert sorted(keys) == [key for key, _ in index.nearest(EAST, 9)]

    def test_thousands_of_vectors_are_listed_once(self, empty: VectorStore) -> None:
        """Those that are left when half of them were taken out."""
        built(empty, {number: turned(number / 100) for number in range(5000)})
        assert listed(empty) == [*range(5000)]
        with empty.writing(SPACE) as index:
            index.delete([named(number) for number in range(0, 5000, 2)])
            assert index.size() == 2500
            assert len(index.vectors([named(number) for number in range(5000)])) == 2500
        assert listed(empty) == [*range(1, 5000, 2)]
