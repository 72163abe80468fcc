"""The contract of every index of words: inherit it in a test class, and define how a store is made."""

from typing import Any

import pytest

from pipeline.errors import Held, IndexUnavailable
from pipeline.ports.index import EVERYTHING, IndexPoint, IndexStore, Query, Where
from tests.support.ports.search_contract import SearchContract, Stored, asking, held, named, numbers, point


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

    def test_without_an_index_there_is_nothing_to_drop(self, empty: IndexStore) -> None:
        """It is allowed at any time."""
        empty.drop()

    def test_a_dropped_index_is_gone(self, empty: IndexStore) -> None:
        """It is as if there never was one, and another can be built."""
        Stored(empty, [point(1)])
        empty.drop()
        with empty.reading() as index:
            assert index is None
        assert [*Stored(empty, [point(2)]).held()] == [2]

    def test_an_empty_index_is_one(self, empty: IndexStore) -> None:
        """It finds nothing, and can be written."""
        stored = Stored(empty)
        assert stored.ranked(asking("a")) == []
        assert stored.held() == {}
        with empty.writing() as index:
            index.upsert([point(1, "a")])
        assert stored.ranked(asking("a")) == [1]

    def test_a_change_makes_a_new_version(self, empty: IndexStore) -> None:
        """As long as the version is the same, so is the index."""
        versions = [empty.version()]
        stored = Stored(empty, [point(1, "a")])
        versions.append(empty.version())
        with empty.writing() as index:
            index.upsert([point(2, "a")])
        versions.append(empty.version())
        assert ([1, 2], versions[-1]) == (sorted(stored.held()), empty.version())
        Stored(empty, [point(1, "a")])
        assert 4 == len({*versions, empty.version()})

    # Building

    def test_what_is_built_is_seen_when_it_is_done(self, empty: IndexStore) -> None:
        """Meanwhile readers see the old one, of which nothing is left then."""
        stored = Stored(empty, [point(1, "a", day=1)])
        with empty.building() as index:
            index.upsert([point(2, "a")])
            index.upsert([point(3, "b"), point(4, "a")])
            index.upsert([point(3, "a")])
            index.delete([named(4)])
            assert [*stored.held()] == [1]
        assert stored.ranked(asking("a")) == [2, 3]
        assert stored.ranked(asking("b")) == []

    def test_a_failed_build_leaves_the_old_index(self, empty: IndexStore) -> None:
        """The error passes through, and nothing of the new index is left."""
        stored = Stored(empty, [point(1)])
        with pytest.raises(AttributeError), empty.building() as index:
            index.upsert([point(2), None])  # type: ignore[list-item]
        assert [*stored.held()] == [1]

    def test_a_failed_first_build_leaves_none(self, empty: IndexStore) -> None:
        """There still is no index."""
        with pytest.raises(AttributeError), empty.building() as index:
            index.upsert([point(1), None])  # type: ignore[list-item]
        with empty.reading() as read:
            assert read is None

    # Writing

    def test_a_change_is_seen_when_it_is_done(self, empty: IndexStore) -> None:
        """All of it at once: before the end of its block no reader sees any of it."""
        stored = Stored(empty, [point(1, "a"), point(2, "a")])
        with empty.writing() as index:
            index.upsert([point(3, "a")])
            index.delete([named(1)])
            assert stored.ranked(asking("a")) == [1, 2]
        assert stored.ranked(asking("a")) == [2, 3]

    def test_new_points_are_inserted(self, empty: IndexStore) -> None:
        """They are found as those that were put in otherwise, and are replaced and taken out as they are."""
        stored = Stored(empty, [point(1, "a")])
        with empty.writing() as index:
            index.insert([point(2, "a", day=1), point(3, "a"), point(4, "a")])
            index.insert([])
        assert stored.ranked(asking("a")) == [1, 2, 3, 4]
        with empty.writing() as index:
            index.upsert([point(2, "b", day=2)])
            index.delete([named(3)])
        assert stored.ranked(asking("a")) == [1, 4]
        assert stored.held() == {1: {}, 2: {"day": 2}, 4: {}}

    def test_what_was_taken_out_can_be_inserted(self, empty: IndexStore) -> None:
        """In the same change."""
        stored = Stored(empty, [point(1, "old", day=1)])
        with empty.writing() as index:
            index.delete([named(1)])
            index.insert([point(1, "new", day=2)])
        assert stored.held() == {1: {"day": 2}}
        assert [stored.ranked(asking(term)) for term in ("old", "new")] == [[], [1]]

    @pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
    def test_a_failed_change_changes_nothing(self, empty: IndexStore, error: type[BaseException]) -> None:
        """Whatever error it is; the next change does not see it either."""
        stored = Stored(empty, [point(1, "a")])
        with pytest.raises(error), empty.writing() as index:  # noqa: PT012 - the block is what fails
            index.upsert([point(2, "a"), point(1, "b")])
            index.delete([named(1)])
            raise error
        with empty.writing() as index:
            index.upsert([point(3, "a")])
        assert stored.ranked(asking("a")) == [1, 3]

    def test_within_a_change_the_last_word_counts(self, empty: IndexStore) -> None:
        """What was put in can be taken out again, and put in again."""
        stored = Stored(empty, [point(1, "old")])
        with empty.writing() as index:
            index.upsert([point(1, "a"), point(2, "a"), point(1, "b")])
            index.delete([named(1), named(2)])
            index.upsert([point(2, "c", day=7)])
        assert stored.held() == {2: {"day": 7}}
        assert [stored.ranked(asking(term)) for term in ("old", "a", "b", "c")] == [[], [], [], [2]]

    def test_a_reader_keeps_what_it_opened(self, empty: IndexStore) -> None:
        """Whatever is written, built or dropped meanwhile; a new one sees how it is now."""
        stored = Stored(empty, [point(1, "a", kind="old")])
        with empty.reading() as before:
            with empty.writing() as index:
                index.upsert([point(1, "b", kind="new"), point(2, "b")])
            with empty.reading() as after:
                assert held(after) == {1: {"kind": "new"}, 2: {}}
                Stored(empty, [point(3)])
                empty.drop()
                assert held(after) == {1: {"kind": "new"}, 2: {}}
            assert before
            assert held(before) == {1: {"kind": "old"}}
            assert numbers(before.search(Query([asking("a")], 9))) == [1]
            assert stored.held() == {}

    # Points

    @pytest.mark.parametrize(
        "payload",
        [
            {},
            {"text": "zażółć gęślą jaźń", "heading": "先把基准测完\n記住", "emoji": "🐟", "empty": "", "nul": "\0"},
            {"nothing": None, "yes": True, "float": 0.86, "big": 2**70, "negative": -1},
            {"passages": [["a", 1, 9], ["b", 10, 12]], "nested": {"one": {"two": []}}, "list": []},
            {"text": "long " * 100_000, "kind": "x", "day": 5, "_id": "ours", "_payload": "ours"},
        ],
    )
    def test_a_payload_comes_back_as_it_is(self, empty: IndexStore, payload: dict[str, Any]) -> None:
        """Any JSON, however it is read. Terms are not read back."""
        stored = Stored(empty, [IndexPoint(named(1), payload, {"words": "a"})])
        assert [IndexPoint(named(1), payload)] == stored.read(1)
        assert {1: payload} == stored.held()
        assert [payload] == [hit.payload for hit in stored.search(Query([asking("a")], 1))]

    @pytest.mark.parametrize("odd", ["", " ", "A", "a b\tc\n", "記住", "🐟", "nul\0", "x" * 5000, "_id=1"])
    def test_an_id_is_any_short_text(self, empty: IndexStore, odd: str) -> None:
        """Only the very same text names the point."""
        with empty.building() as index:
            index.upsert([IndexPoint(odd, {}, {"words": "a"}), IndexPoint(odd + "x"), IndexPoint("a")])
            index.upsert([IndexPoint(odd, {"day": 1}, {"words": "a"})])
        with empty.reading() as read:
            assert read
            assert [IndexPoint(odd, {"day": 1})] == read.retrieve([odd])
            assert [odd] == [hit.id for hit in read.search(Query([asking("a")], 9))]
        with empty.writing() as index:
            index.delete([odd])
        with empty.reading() as read:
            assert read
            assert {odd + "x", "a"} == {point.id for point in read.scroll(EVERYTHING)}

    def test_only_what_is_there_is_retrieved(self, empty: IndexStore) -> None:
        """Ids that are not there are passed over, and one asked for twice is there once."""
        stored = Stored(empty, [point(1), point(2)])
        assert numbers(stored.read(1, 9, 1)) == [1]
        assert stored.read() == []
        assert stored.read(9) == []

    def test_putting_in_replaces_a_point_wholly(self, empty: IndexStore) -> None:
        """Nothing of the old payload and of the old terms is left."""
        old = IndexPoint(named(1), {"kind": "old", "more": 1}, {"words": "a", "context": "a"})
        stored = Stored(empty, [old])
        with empty.writing() as index:
            index.upsert([point(1, "b", kind="new")])
        assert stored.held() == {1: {"kind": "new"}}
        assert stored.ranked(asking("a"), asking("a", field="context")) == []
        meant = [stored.ranked(asking("b"), where=Where({"kind": [kind]})) for kind in ("old", "new")]
        assert meant == [[], [1]]

    def test_deleting_takes_out_what_is_there(self, empty: IndexStore) -> None:
        """Ids that are not there are passed over."""
        stored = Stored(empty, [point(number, "a") for number in (1, 2, 3)])
        with empty.writing() as index:
            index.delete([named(9), named(2)])
            index.delete([])
        assert stored.ranked(asking("a")) == [1, 3]
        with empty.reading() as read:
            assert read
            assert (read.size(), read.count(EVERYTHING)) == (2, 2)

    def test_thousands_of_points(self, empty: IndexStore) -> None:
        """They are listed once, counted, read, replaced and taken out."""
        count = 5000
        stored = Stored(empty, [point(number, "a", day=number) for number in range(count)])
        later = Where(between={"day": (4000, None)})
        with empty.reading() as index:
            assert index
            assert [*range(count)] == sorted(numbers([*index.scroll(EVERYTHING)]))
            assert [*range(4000, count)] == sorted(numbers([*index.scroll(later)]))
            assert (count, 1000) == (index.size(), index.count(later))
            assert [*range(count)] == sorted(numbers(index.retrieve([*map(named, range(count + 5))])))
        with empty.writing() as changed:
            changed.upsert([point(number, "b", day=0) for number in range(2000)])
            changed.delete([*map(named, range(2000, 4000))])
        assert {**dict.fromkeys(range(2000), 0), **{number: number for number in range(4000, count)}} == {
            number: payload["day"] for number, payload in stored.held().items()
        }
        assert [*range(100)] == stored.ranked(asking("b"))

    # Whose turn it is

    def test_there_is_one_writer_at_a_time(self, empty: IndexStore) -> None:
        """Another one that does not want to wait long gives up, and the first one ends well."""
        stored = Stored(empty)
        with empty.writing() as index:
            index.upsert([point(1)])
            with pytest.raises(Held), empty.writing():
                pass
            with pytest.raises(Held), empty.building():
                pass
        assert [*stored.held()] == [1]
