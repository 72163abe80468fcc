"""What the contract does not say of the index of words in a folder: other processes and versions, and what stays."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import EVERYTHING, IndexLayout, IndexPoint, IndexStore, Leg, Query, RankedSearcher, Where
from tests.support.marks import examples
from tests.support.ports.memory_index import MemoryIndex
from tests.support.ports.search_contract import LAYOUT, Stored, asking, held, named, numbers, point
from tests.support.processes.waiting import soon
from tests.support.processes.word_index import COUNT, generation, live, made, store_in, write
from tests.support.tables import table


def test_its_name_tells_the_version_of_the_engine() -> None:
    """Another version may read the files otherwise, so the index is made anew then."""
    assert f"tantivy-{version('tantivy')}-1" == TantivyStore(Path("nowhere"), LAYOUT).name


# Turns


def test_threads_of_one_process_take_turns(tmp_path: Path) -> None:
    """All changes are made, whoever makes them."""
    stored = Stored(store_in(tmp_path))

    def change(number: int) -> int:
        with stored.store.writing() as index:
            index.upsert([point(number, "a")])
        return len(stored.ranked(asking("a")))

    with ThreadPoolExecutor(4) as pool:
        assert 12 == max(pool.map(change, range(12)))


def test_a_reader_keeps_its_files_over_many_changes(tmp_path: Path) -> None:
    """Also those that are removed meanwhile, because parts of the index are joined, or all of it is replaced."""
    store = store_in(tmp_path)
    Stored(store, made(1))
    with store.reading() as before:
        for number in range(2, 22):
            write(store, number)
        Stored(store, made(30))
        store.drop()
        assert generation(before) == 1


# What stays


def test_an_empty_change_is_none(tmp_path: Path) -> None:
    """No file of the index is touched."""
    stored = Stored(store_in(tmp_path), made(1))

    def state() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in live(tmp_path).iterdir()}

    before = state()
    with stored.store.writing() as index:
        index.upsert([])
        index.delete([])
    assert before == state()


def test_parts_are_joined(tmp_path: Path) -> None:
    """Many small changes leave few files."""
    stored = Stored(store_in(tmp_path), [point(number, "a") for number in range(50)])
    for number in range(100, 140):
        with stored.store.writing() as index:
            index.upsert([point(number, "a")])
    assert len([*live(tmp_path).glob("*.term")]) < 10
    assert len(stored.held()) == 90


def test_what_is_not_in_a_new_index_is_not_on_the_disk(tmp_path: Path) -> None:
    """Neither in the files of the old one nor in others, even while a reader has the old one open."""
    store = store_in(tmp_path)
    secret = os.urandom(12).hex()
    Stored(store, [point(1, f"a {secret}", kind=secret, text=secret), IndexPoint(secret), point(2, "a")])
    assert holders(tmp_path, secret)
    with store.reading() as before:
        Stored(store, [point(2, "a")])
        assert [] == holders(tmp_path, secret)
        assert before
        assert [1] == numbers(before.search(Query([asking(secret)], 9)))


def holders(folder: Path, text: str) -> list[Path]:
    """The files with a text in them."""
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_no_thread_outlasts_its_use(tmp_path: Path) -> None:
    """Whether a change goes well or not; those of the engine end by themselves, soon after."""
    tasks = Path("/proc/self/task")
    before = {*tasks.iterdir()}
    store = store_in(tmp_path)
    Stored(store, made(1))
    write(store, 2)
    with pytest.raises(ZeroDivisionError), store.writing() as index:
        index.delete([named(1 // 0)])
    never = threading.Event()
    assert any({*tasks.iterdir()} <= before or never.wait(0.1) for _ in range(600))


def test_it_stays_open_for_a_moment(tmp_path: Path) -> None:
    """Questions one after the other open it once; then nothing of what a build removes is held any more."""

    def look(store: TantivyStore) -> RankedSearcher:
        with store.reading() as reader:
            assert reader
            return reader

    def is_held(folder: str) -> bool:
        return str(tmp_path / folder) in Path("/proc/self/maps").read_text(encoding="utf-8")

    lasting, short = (
        TantivyStore(tmp_path / folder, LAYOUT, linger=linger) for folder, linger in (("a", 600.0), ("b", 0.05))
    )
    Stored(lasting, made(1))
    look(lasting)
    assert is_held("a")
    Stored(short, made(1))
    look(short)
    write(short, 2)
    assert 2 == generation(look(short))
    Stored(short, made(3))
    assert soon(lambda: not is_held("b"))
    assert 3 == generation(look(short))


# Versions


def test_an_index_of_another_layout_is_not_written(tmp_path: Path) -> None:
    """The engine would pass over fields that it does not know. What there is can be read, and a build replaces it."""
    old = TantivyStore(tmp_path, IndexLayout(texts=("words",), keywords=("kind",)))
    with old.building() as index:
        index.upsert([point(1, "a", kind="x")])
    new = store_in(tmp_path)
    with pytest.raises(IndexUnavailable, match="another version made it"), new.writing():
        pass
    with new.reading() as read:
        assert read
        assert {1: {"kind": "x"}} == held(read)
        assert [IndexPoint(named(1), {"kind": "x"})] == read.retrieve([named(1)])
        with pytest.raises(IndexUnavailable):
            read.search(Query([asking("a", field="context")], 9))
        with pytest.raises(IndexUnavailable):
            read.count(Where(between={"day": (1, 2)}))
    assert [2] == [*Stored(new, [point(2)]).held()]


@table("content", [b"", b"words-../x", b"words-0123abcd", b"shard-1", b"\xff", b"words-0123abcd\n"])
def test_a_damaged_name_is_an_error(tmp_path: Path, content: bytes) -> None:
    """A build mends it, and so does a drop."""
    store = store_in(tmp_path)
    Stored(store, made(1))
    (tmp_path / "live").write_bytes(content)
    with pytest.raises(IndexUnavailable, match="reindex --full"), store.reading():
        pass
    with pytest.raises(IndexUnavailable, match="reindex --full"), store.writing():
        pass
    assert COUNT + 1 == len(Stored(store, made(1)).held())
    (tmp_path / "live").write_bytes(content)
    store.drop()
    assert {".gitignore", "index.lock"} == {path.name for path in tmp_path.iterdir()}


# Ranks

TEXTS = st.lists(st.sampled_from("abcdefg"), max_size=30).map(" ".join)
POINTS = st.lists(st.tuples(TEXTS, TEXTS, st.sampled_from("xy")), max_size=30)
WEIGHTS = st.dictionaries(st.sampled_from("abcgz"), st.floats(0.1, 9), max_size=4)


@settings(max_examples=examples(20), deadline=None)
@given(POINTS, WEIGHTS, WEIGHTS, st.sampled_from([EVERYTHING, Where({"kind": ["x"]})]))
def test_it_ranks_as_the_fake_does(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[tuple[str, str, str]],
    words: dict[str, float],
    context: dict[str, float],
    where: Where,
) -> None:
    """Short texts in a new index have the same scores, to 32 bits, whatever is asked."""
    points = [
        IndexPoint(named(number), {"kind": kind}, {"words": one, "context": other})
        for number, (one, other, kind) in enumerate(texts)
    ]
    asked = Query([Leg("words", words), Leg("context", context, 0.5)], 1000, where)
    expected, actual = (
        {hit.id: hit.score for hit in Stored(store, points).search(asked)}
        for store in stores(tmp_path_factory.mktemp("index"))
    )
    assert {point_id: pytest.approx(score, rel=1e-4) for point_id, score in expected.items()} == actual


def stores(folder: Path) -> list[IndexStore]:
    """The fake and the engine."""
    return [MemoryIndex(LAYOUT), store_in(folder)]
