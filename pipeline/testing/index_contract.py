"""The contract of every index: inherit it in a test class, and define how a store is made."""

from typing import Any

import pytest

from pipeline.errors import IndexUnavailable
from pipeline.ports.index import EVERYTHING, IndexLayout, IndexPoint, IndexStore, Query, SparseVector, Where
from pipeline.testing.search_contract import (
    EAST,
    LAYOUT,
    NORTH,
    UP,
    SearchContract,
    Stored,
    named,
    numbers,
    terms,
    towards,
    words,
)

WORDS_ALONE = IndexLayout(dimension=0, sparse=("words",), keywords=())


class IndexContract(SearchContract):
    """Any index store."""

    def test_it_has_a_name(self, empty: IndexStore) -> None:
        """The name is part of the index's identity."""
        assert empty.name

    # Whether there is one

    def test_without_an_index_nothing_is_read(self, empty: IndexStore) -> None:
        """Before anything was built there is nothing to search, and that is no error."""
        with empty.reading() as index:
            assert index is None

    def test_without_an_index_nothing_is_written(self, empty: IndexStore) -> None:
        """A write needs a build before it."""
        with pytest.raises(IndexUnavailable), empty.writing():
            pass

    def test_without_an_index_there_is_nothing_to_settle_or_drop(self, empty: IndexStore) -> None:
        """Both are allowed at any time."""
        empty.settle()
        empty.drop()

    def test_a_dropped_index_is_gone(self, empty: IndexStore) -> None:
        """It is as if there never was one, and another can be built."""
        Stored(empty, [IndexPoint(named(1))])
        empty.drop()
        with empty.reading() as index:
            assert index is None
        assert numbers(Stored(empty, [IndexPoint(named(2))]).all()) == [2]

    def test_an_empty_index_is_one(self, empty: IndexStore) -> None:
        """It finds nothing, and can be written."""
        stored = Stored(empty)
        assert stored.ranked(words(1), towards(*EAST)) == []
        with empty.writing() as index:
            index.upsert([IndexPoint(named(1), sparse={"words": terms(1)})])
        assert stored.ranked(words(1)) == [1]

    # Building

    def test_what_is_built_is_seen_when_it_is_done(self, empty: IndexStore) -> None:
        """Meanwhile readers see the old one, and the builder sees the new one."""
        stored = Stored(empty, [IndexPoint(named(1))])
        with empty.building(LAYOUT) as index:
            index.upsert([IndexPoint(named(2))])
            assert numbers(list(index.scroll(EVERYTHING))) == [2]
            assert numbers(stored.all()) == [1]
        assert numbers(stored.all()) == [2]

    def test_the_old_index_can_be_written_while_another_is_built(self, empty: IndexStore) -> None:
        """Such a write is lost when the new index replaces the old one."""
        stored = Stored(empty, [IndexPoint(named(1))])
        with empty.building(LAYOUT) as built:
            built.upsert([IndexPoint(named(2))])
            with empty.writing() as index:
                index.upsert([IndexPoint(named(3))])
            assert numbers(stored.all()) == [1, 3]
        assert numbers(stored.all()) == [2]

    def test_a_failed_build_leaves_the_old_index(self, empty: IndexStore) -> None:
        """The error passes through, and nothing of the new index is left."""
        stored = Stored(empty, [IndexPoint(named(1))])
        with pytest.raises(AttributeError), empty.building(LAYOUT) as index:
            index.upsert([IndexPoint(named(2)), None])  # type: ignore[list-item]
        assert numbers(stored.all()) == [1]

    def test_a_failed_first_build_leaves_none(self, empty: IndexStore) -> None:
        """There still is no index."""
        with pytest.raises(ZeroDivisionError), empty.building(LAYOUT):
            raise ZeroDivisionError
        with empty.reading() as index:
            assert index is None

    def test_the_new_index_may_have_another_layout(self, empty: IndexStore) -> None:
        """An embedder that goes away takes its vectors along."""
        Stored(empty, [IndexPoint(named(1), dense=EAST)])
        stored = Stored(empty, [IndexPoint(named(2), sparse={"words": terms(1)})], WORDS_ALONE)
        assert stored.ranked(words(1)) == [2]

    def test_settling_changes_nothing_that_is_seen(self, empty: IndexStore) -> None:
        """All points are found as before, and can be written."""
        stored = Stored(
            empty, [IndexPoint(named(number), sparse={"words": terms(1, number + 1)}) for number in range(1, 30)]
        )
        with empty.writing() as index:
            index.delete([named(number) for number in range(10, 20)])
        empty.settle()
        with empty.writing() as index:
            index.delete([named(1)])
        assert [*range(2, 10), *range(20, 30)] == sorted(stored.ranked(words(1)))

    # Points

    @pytest.mark.parametrize(
        "payload",
        [
            {},
            {"text": "zażółć gęślą jaźń", "heading": "先把基准测完\n記住", "emoji": "🐟", "empty": ""},
            {"nothing": None, "yes": True, "float": 0.86, "big": 2**60, "negative": -1},
            {"passages": [["a", 1, 9], ["b", 10, 12]], "nested": {"one": {"two": []}}, "list": []},
        ],
    )
    def test_a_payload_comes_back_as_it_is(self, empty: IndexStore, payload: dict[str, Any]) -> None:
        """Any JSON, however it is read."""
        stored = Stored(empty, [IndexPoint(named(1), payload, {"words": terms(1)})])
        read = stored.read(1)
        assert read is not None
        assert payload == read.payload
        assert [payload] == [point.payload for point in stored.all()]
        assert [payload] == [hit.payload for hit in stored.search(Query([words(1)], 1))]

    def test_ids_have_one_form(self, empty: IndexStore) -> None:
        """A UUID can be written in several ways and names the same point."""
        odd = "{ABCDEF01-2345-6789-ABCD-EF0123456789}"
        stored = Stored(empty, [IndexPoint(odd)])
        with empty.writing() as index:
            index.set_payload({odd.lower(): {"kind": "note"}})
            index.set_dense({odd: EAST})
            assert [point.id for point in index.retrieve([odd])] == ["abcdef01-2345-6789-abcd-ef0123456789"]
            index.delete([odd])
        assert stored.all() == []

    def test_a_point_need_not_have_vectors(self, empty: IndexStore) -> None:
        """It is read, and found by those that it has."""
        stored = Stored(
            empty,
            [
                IndexPoint(named(1), {"kind": "record"}),
                IndexPoint(named(2), sparse={"words": terms(1)}),
                IndexPoint(named(3), dense=EAST),
                IndexPoint(named(4), sparse={"context": terms(1), "words": SparseVector([], [])}),
            ],
        )
        assert sorted(numbers(stored.all())) == [1, 2, 3, 4]
        assert stored.ranked(words(1)) == [2]
        assert stored.ranked(towards(*EAST)) == [3]
        assert stored.ranked(words(1, vector="context")) == [4]

    def test_dense_vectors_are_read_when_asked_for(self, empty: IndexStore) -> None:
        """With the length that they were given with or with length 1; sparse ones are never read."""
        stored = Stored(empty, [IndexPoint(named(1), {}, {"words": terms(1)}, UP)])
        with empty.reading() as index:
            assert index
            assert [point.dense for point in index.retrieve([named(1)])] == [None]
            assert [point.dense for point in index.scroll(EVERYTHING)] == [None]
            assert [[*UP]] == [[*(point.dense or ())] for point in index.scroll(EVERYTHING, vectors=True)]
        read = stored.read(1)
        assert read is not None
        assert [*UP] == [*(read.dense or ())]
        assert read.sparse == {}

    def test_of_a_hit_only_the_fields_asked_for_are_read(self, empty: IndexStore) -> None:
        """All of them when none are named, and none when the names are none; the order is the same."""
        points = [IndexPoint(named(number), {"kind": "a", "n": number}, {"words": terms(number)}) for number in (1, 2)]
        stored = Stored(empty, points)
        payloads = [
            [dict(hit.payload) for hit in stored.search(Query([words(1, 2)], limit=9, fields=fields))]
            for fields in (None, ("n",), ())
        ]
        assert payloads == [[{"kind": "a", "n": 1}, {"kind": "a", "n": 2}], [{"n": 1}, {"n": 2}], [{}, {}]]

    def test_it_tells_how_large_it_is(self, empty: IndexStore) -> None:
        """By its points, of all sorts."""
        points = [IndexPoint(named(number)) for number in range(1, 41)]
        Stored(empty, points)
        with empty.reading() as index:
            assert index
            assert index.size() == len(points)

    def test_only_what_is_there_is_retrieved(self, empty: IndexStore) -> None:
        """Ids that are not there are passed over, and one asked for twice is there once."""
        stored = Stored(empty, [IndexPoint(named(1)), IndexPoint(named(2))])
        with empty.reading() as index:
            assert index
            assert numbers(index.retrieve([named(1), named(9), named(1)])) == [1]
            assert index.retrieve([]) == []
        assert stored.read(9) is None

    def test_putting_in_replaces_a_point_wholly(self, empty: IndexStore) -> None:
        """Nothing of the old payload and of the old vectors is left."""
        old = IndexPoint(named(1), {"kind": "old", "more": 1}, {"words": terms(1), "context": terms(1)}, EAST)
        stored = Stored(empty, [old])
        with empty.writing() as index:
            index.upsert([IndexPoint(named(1), {"kind": "new"}, {"words": terms(2)})])
        assert IndexPoint(named(1), {"kind": "new"}) == stored.read(1)
        assert stored.ranked(words(1), words(1, vector="context"), towards(*EAST)) == []
        assert stored.ranked(words(2)) == [1]
        assert tuple(stored.listed(Where(any_of={"kind": [kind]})) for kind in ("old", "new")) == ([], [1])

    def test_deleting_takes_out_what_is_there(self, empty: IndexStore) -> None:
        """Ids that are not there are passed over."""
        stored = Stored(empty, [IndexPoint(named(number), {}, {"words": terms(1)}) for number in (1, 2, 3)])
        with empty.writing() as index:
            index.delete([named(9), named(2)])
            index.delete([])
        assert stored.meant() == [1, 3]

    def test_fields_are_set_and_others_are_left(self, empty: IndexStore) -> None:
        """So are vectors; what is filtered by follows. A field that is set to `None` is taken out."""
        stored = Stored(
            empty,
            [
                IndexPoint(named(number), {"kind": "a", "tags": ["x"], "n": number}, {"words": terms(1)}, UP)
                for number in (1, 2)
            ],
        )
        with empty.writing() as index:
            index.set_payload({named(1): {"kind": "b", "n": None}, named(9): {"kind": "b"}, named(2): {}})
        assert IndexPoint(named(1), {"kind": "b", "tags": ["x"]}, dense=[*UP]) == stored.read(1)
        assert IndexPoint(named(2), {"kind": "a", "tags": ["x"], "n": 2}, dense=[*UP]) == stored.read(2)
        assert tuple(stored.listed(Where(any_of={"kind": [kind]})) for kind in ("a", "b")) == ([2], [1])
        assert stored.meant(Where(any_of={"tags": ["x"]})) == [1, 2]
        assert stored.read(9) is None

    def test_dense_vectors_are_set_and_the_rest_is_left(self, empty: IndexStore) -> None:
        """Points that are not there are passed over."""
        stored = Stored(empty, [IndexPoint(named(number), {"n": number}, {"words": terms(1)}) for number in (1, 2)])
        with empty.writing() as index:
            index.set_dense({named(1): EAST, named(9): EAST})
            index.set_dense({named(9): EAST})
        assert IndexPoint(named(1), {"n": 1}, dense=[*EAST]) == stored.read(1)
        assert stored.ranked(towards(*EAST)) == [1]
        assert stored.meant() == [1, 2]
        with empty.writing() as index:
            index.set_dense({named(1): NORTH, named(2): EAST})
        assert stored.ranked(towards(*EAST)) == [2, 1]

    def test_thousands_of_points_are_listed_once(self, empty: IndexStore) -> None:
        """With the fields that were asked for."""
        stored = Stored(empty, [IndexPoint(named(number), {"day": number, "text": "x"}) for number in range(1, 5001)])
        with empty.reading() as index:
            assert index
            listed = list(index.scroll(EVERYTHING, fields=["day"]))
            assert [*range(1, 5001)] == sorted(point.payload["day"] for point in listed)
            assert all({"day"} == point.payload.keys() for point in listed)
            some = index.scroll(Where(between={"day": (4001, None)}), fields=["text", "gone"])
            assert [point.payload for point in some] == [{"text": "x"}] * 1000
        with empty.writing() as index:
            index.set_payload({named(number): {"day": 0} for number in range(1, 2501)})
            index.delete([named(number) for number in range(2501, 5001)])
        assert len(stored.all()) == 2500  # noqa: PLR2004 - half of them
