"""An index without what is not the reader's: what is left fills the answer, however much of others scores better."""

from pipeline.index.schema import LAYOUT, PATH, SORT, WORDS
from pipeline.index.search.live_files import ReadableSearcher
from pipeline.ports.index import EVERYTHING, IndexPoint, Leg, Query
from tests.support.ports.memory_index import MemoryIndex


def test_points_of_others_take_no_place() -> None:
    """By no way of asking are they there; only the numbers are those of all."""
    store = MemoryIndex(LAYOUT)
    points = [
        IndexPoint(f"{whose}{number}", {SORT: "passage", PATH: f"{whose}/{number}.md"}, {WORDS: "walrus " * weight})
        for whose, weight in (("theirs", 9), ("mine", 1))
        for number in range(40)
    ]
    with store.building() as indexer:
        indexer.upsert([*points, IndexPoint("stamp", {SORT: "stamp"})])
    with store.reading() as inner:
        assert inner
        reader = ReadableSearcher(inner, lambda path: not path.startswith("theirs/"))
        hits = reader.search(Query([Leg(WORDS, {"walrus": 1.0})], 30))
        assert (30, {"mine"}) == (len(hits), {one.id[:4] for one in hits})
        assert 40 == len(reader.search(Query([Leg(WORDS, {"walrus": 1.0})], 100)))
        assert {"stamp", "mine0"} == {one.id for one in reader.retrieve(["stamp", "mine0", "theirs0"])}
        assert 41 == len(list(reader.scroll(EVERYTHING)))
        assert (81, 81) == (reader.size(), reader.count(EVERYTHING))
