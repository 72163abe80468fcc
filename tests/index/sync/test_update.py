"""The index follows the files: what changed is put in, what left is taken out, and nothing else is touched."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.clock import SystemClock
from pipeline.errors import EmbedderUnavailable, Held, Interrupted
from pipeline.index import schema as layout
from pipeline.index.context import JUST_LOOK, Indexing, Updated, WorkLimit
from pipeline.index.sync.changes import state_of
from pipeline.index.sync.update import LastUpdate, count_behind, not_indexed, rebuild, update
from pipeline.index.sync.vectors import SETTLED_FROM
from pipeline.ports.index import Embedder, IndexPoint, Vector, Where
from pipeline.process.cancellation import CancellationToken
from pipeline.workspace.listing import Listed, Unreadable
from schemas.index_settings import ExtraPath, IndexSettings
from schemas.tier import Tier
from tests.support.ports.clock import FixedClock
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.tables import table
from tests.support.workspaces.index_bench import (
    DisturbedIndex,
    contents,
    indexing_of,
    indexing_on_disk,
    made_anew,
    memory_indexing,
    stamp_of,
    without_vectors,
)

OLD_NS = 1_700_000_000_000_000_000
LINES = (
    "- the server in the cellar costs twenty a month",
    "- the lamp beside it costs five, and a bulb a year",
    "- Anna writes what the others have said",
    "- Piotr reads it aloud the next morning",
)
PAGE = "# Heron\n\n## Costs\n\n{}\n{}\n\n## People\n\n{}\n{}\n".format(*LINES)


def write(root: Path, path: str, text: str, *, age: int = 0) -> Path:
    """A file, last changed long ago; a greater `age` was longer ago."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(OLD_NS - age, OLD_NS - age))
    return file


def disturbed(root: Path) -> tuple[Indexing, DisturbedIndex]:
    """An index whose writes are counted."""
    store = DisturbedIndex()
    return indexing_of(root, store, HashingEmbedder(16)), store


def texts(indexing: Indexing) -> list[str]:
    """The text of all passages, sorted."""
    points = contents(indexing.store, Where(any_of={layout.SORT: (layout.PASSAGE,)}))
    return sorted(point[layout.TEXT] for point in points.values())


class Moody:
    """An embedder that is away for a while, and counts what it is asked."""

    name, dimension = "moody", 16

    def __init__(self) -> None:
        self.away = False
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors, unless it is away."""
        if self.away:
            raise EmbedderUnavailable(self.name, "it is away")
        self.asked += texts
        return HashingEmbedder(16).passages(texts)

    def question(self, text: str) -> Vector:
        """The same as of a passage."""
        return self.passages([text])[0]


class Measured(Moody):
    """One that only knows how long its vectors are once it has made one, and counts who asks."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length, self.measured = length, 0

    @property
    def dimension(self) -> int:  # type: ignore[override] # a class may have either
        """Counted."""
        self.measured += 1
        return self.length

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of that length."""
        return HashingEmbedder(self.length).passages(texts)


class Choosy(HashingEmbedder):
    """An embedder that refuses a request with a word, or with more than so many texts, and notes what it is asked."""

    def __init__(self, word: str = "\0", most: int = 100) -> None:
        super().__init__(16)
        self._word, self._most = word, most
        self.taken: list[str] = []

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors, unless it refuses."""
        if len(texts) > self._most or any(self._word in text for text in texts):
            raise EmbedderUnavailable(self.name, "it refuses the request", refused=True)
        self.taken += texts
        return super().passages(texts)


def with_embedder(indexing: Indexing, embedder: Embedder | None) -> Indexing:
    """The same index, and another embedder."""
    return replace(indexing, embedder=embedder)


def test_an_edit_reads_and_writes_what_belongs_to_its_file(tmp_path: Path) -> None:
    """However many other files there are: none of their points is read, and none is written."""
    indexing, store = disturbed(tmp_path)
    indexing = replace(indexing, clock=FixedClock(SystemClock().now() + timedelta(days=1)))  # no file was just written
    for number in range(50):
        write(tmp_path, f"memory/{number}.md", PAGE, age=number)
    update(indexing)
    write(tmp_path, "memory/7.md", PAGE + LINES[0])
    store.read.clear()
    store.written.clear()
    update(indexing)
    others = [path for path in (f"memory/{number}.md" for number in range(50)) if path != "memory/7.md"]
    foreign = {layout.file_id(path) for path in others} | {layout.outline_id(path) for path in others}
    touched = {*store.read, *store.ids("upsert"), *store.ids("delete")}
    assert not touched & foreign
    assert {layout.file_id("memory/7.md"), layout.outline_id("memory/7.md")} <= touched
    assert len(touched) < 20


def test_a_look_at_unchanged_files_reads_no_record(tmp_path: Path) -> None:
    """Only the stamp: whether they have changed is seen by numbers; files that are gone are found all the same."""
    indexing, store = disturbed(tmp_path)
    indexing = replace(indexing, clock=FixedClock(SystemClock().now() + timedelta(days=1)))  # no file was just written
    files = [write(tmp_path, f"memory/{number}.md", PAGE, age=number) for number in range(50)]
    update(indexing)
    store.read.clear()
    assert Updated(files=50) == update(indexing, JUST_LOOK)
    assert [layout.STAMP_ID] == store.read
    for few in (files[:3], files[3:40]):
        for file in few:
            file.unlink()
        assert len(few) == update(indexing).gone
    assert 10 == update(indexing).files


def test_a_later_look_finds_a_change(tmp_path: Path) -> None:
    """Files that look as they did are not compared with the index again, until they or the index change."""
    indexing, last = memory_indexing(tmp_path), LastUpdate()
    indexing = replace(indexing, clock=FixedClock(SystemClock().now() + timedelta(days=1)))  # no file was just written
    write(tmp_path, "memory/a.md", PAGE)

    def look() -> tuple[int, int, int, bool]:
        updated = update(indexing, WorkLimit(files=300), last=last)
        return updated.added, updated.changed, updated.gone, last.done is not None

    assert [(1, 0, 0, False), (0, 0, 0, True), (0, 0, 0, True)] == [look() for _ in range(3)]
    write(tmp_path, "memory/a.md", "one lamp\n")
    assert [(0, 1, 0, False), (0, 0, 0, True)] == [look() for _ in range(2)]
    other = write(tmp_path, "memory/b.md", PAGE)
    assert [(1, 0, 0, False), (0, 0, 0, True)] == [look() for _ in range(2)]
    other.unlink()
    assert [(0, 0, 1, False), (0, 0, 0, True)] == [look() for _ in range(2)]
    with indexing.store.writing() as indexer:
        indexer.delete([layout.file_id("memory/a.md")])
    assert [(1, 0, 0, False), (0, 0, 0, True)] == [look() for _ in range(2)]
    (tmp_path / "memory/c.md").write_bytes(b"\xff\x00")
    assert [(1, 0, 0, False), (0, 0, 0, False)] == [look() for _ in range(2)]


def test_the_first_update_makes_the_index(tmp_path: Path) -> None:
    """Without an index there is one afterwards, with all passages and their vectors."""
    write(tmp_path, "memory/2026-03-02.md", PAGE)
    indexing = memory_indexing(tmp_path)
    expected = Updated(files=1, added=1, passages=4, vectors=2, rebuilt="there was none")
    assert expected == update(indexing)
    assert sorted(LINES) == texts(indexing)


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    """A second update of files that rest writes nothing at all."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing, store = disturbed(tmp_path)
    update(indexing)
    rest(indexing, tmp_path)
    store.written.clear()
    assert (Updated(files=1), []) == (update(indexing), store.written)


def rest(indexing: Indexing, root: Path) -> None:
    """Let the index believe that the files were read long after they had changed last."""
    ids = {layout.file_id(file.relative_to(root).as_posix()): file for file in root.glob("memory/*.md")}
    with indexing.store.reading() as reader:
        records = reader.retrieve(ids) if reader else []
    for record in records:
        signature = record.payload[layout.SIGNATURE]
        sign(indexing, record, [*signature[:4], signature[4] + 10_000_000_000])


def sign(indexing: Indexing, record: IndexPoint, signature: list[int]) -> None:
    """Put another signature into the record of a file."""
    with indexing.store.writing() as indexer:
        indexer.upsert([IndexPoint(record.id, {**record.payload, layout.SIGNATURE: signature})])


def test_a_file_that_was_read_just_after_it_changed_is_read_again(tmp_path: Path) -> None:
    """A second change within the same tick of the file system's clock is found by the bytes."""
    file = write(tmp_path, "memory/a.md", "one lamp\n")
    indexing = memory_indexing(tmp_path)
    update(indexing)
    status = file.stat()
    file.write_text("two lamp\n")
    os.utime(file, ns=(status.st_mtime_ns, status.st_mtime_ns))
    with indexing.store.reading() as reader:
        record = reader.retrieve([layout.file_id("memory/a.md")])[0] if reader else IndexPoint("")
    now = file.stat()  # as if the change had left no trace
    sign(indexing, record, [now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, now.st_ctime_ns + 1_000_000])
    assert (1, ["two lamp"]) == (update(indexing).changed, texts(indexing))


def test_the_number_of_a_file_is_the_same_in_every_version_of_python() -> None:
    """So that a file whose number was made by another version does not look changed for ever."""
    assert 114_782_619_136_662_473 == state_of(
        Listed("memory/a.md", "/w/memory/a.md", Tier.WARM, 12, OLD_NS, OLD_NS + 1, 1 << 63)
    )


def test_a_file_that_was_only_touched_has_not_changed(tmp_path: Path) -> None:
    """Same bytes: its signature is noted, no passage is written, and nobody is told of a change."""
    file = write(tmp_path, "memory/a.md", PAGE)
    indexing, store = disturbed(tmp_path)
    update(indexing)
    rest(indexing, tmp_path)
    os.utime(file, ns=(OLD_NS + 7, OLD_NS + 7))
    store.written.clear()
    assert (0, Updated(files=1)) == (count_behind(indexing), update(indexing))
    assert [("upsert", (layout.file_id("memory/a.md"),))] == store.written


def test_a_line_on_top_touches_one_passage(tmp_path: Path) -> None:
    """All others move and keep their points: where they stand is written in the file's record alone."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing, store = disturbed(tmp_path)
    update(indexing)
    store.written.clear()
    write(tmp_path, "memory/a.md", f"A new line.\n\n{PAGE}", age=1)
    assert Updated(files=1, changed=1, passages=1, vectors=1) == update(indexing)
    put = contents(indexing.store, Where(any_of={layout.SORT: (layout.PASSAGE,)})).keys() & set(store.ids("upsert"))
    assert (1, []) == (len(put), store.ids("delete"))
    assert made_anew(indexing) == contents(indexing.store)


def test_a_changed_line_touches_its_neighbours(tmp_path: Path) -> None:
    """Those that are found by its words too are put in anew, and those that share a vector with it; others are not."""
    lines = [f"- thing number {number} of all those that are worth keeping\n" for number in range(20)]
    write(tmp_path, "memory/a.md", "# Things\n\n" + "".join(lines))
    indexing = memory_indexing(tmp_path)
    update(indexing)
    lines[10] = "- another thing altogether, which is new among them\n"
    write(tmp_path, "memory/a.md", "# Things\n\n" + "".join(lines), age=1)
    assert Updated(files=1, changed=1, passages=13, vectors=1) == update(indexing)
    assert made_anew(indexing) == contents(indexing.store)


def test_files_that_are_gone_or_renamed_leave_at_once(tmp_path: Path) -> None:
    """No passage of theirs is left; text under a new name keeps its vectors."""
    first = write(tmp_path, "memory/a.md", PAGE)
    second = write(tmp_path, "memory/b.md", "Something else.\n")
    embedder = Moody()
    indexing = with_embedder(memory_indexing(tmp_path), embedder)
    update(indexing)
    embedder.asked.clear()
    first.rename(tmp_path / "memory" / "c.md")
    second.unlink()
    assert Updated(files=1, added=1, gone=2, passages=4) == update(indexing)
    assert [] == embedder.asked
    assert made_anew(indexing) == contents(indexing.store)


@table("names", [("a.md", "b.md"), ("b.md", "a.md")])
def test_text_that_moves_from_file_to_file_keeps_its_vector(tmp_path: Path, names: tuple[str, str]) -> None:
    """Whichever of the two is read first."""
    source, target = names
    write(tmp_path, f"memory/{source}", "# Notes\n\nA long story about a lamp.\n\n# More\n\nRest.\n")
    write(tmp_path, f"memory/{target}", "# Other\n\nHere.\n")
    embedder = Moody()
    indexing = with_embedder(memory_indexing(tmp_path), embedder)
    update(indexing)
    embedder.asked.clear()
    write(tmp_path, f"memory/{source}", "# More\n\nRest.\n", age=1)
    write(tmp_path, f"memory/{target}", "# Other\n\nHere.\n\n# Notes\n\nA long story about a lamp.\n", age=1)
    assert Updated(files=2, changed=2, passages=1) == update(indexing)
    assert [] == embedder.asked
    assert made_anew(indexing) == contents(indexing.store)


def test_without_its_embedder_an_index_keeps_its_vectors(tmp_path: Path) -> None:
    """What is new is found by its words, and is given its vector once the embedder is back."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing = memory_indexing(tmp_path)
    update(indexing)
    write(tmp_path, "memory/b.md", "A lamp.\n")
    alone = update(with_embedder(indexing, None))
    assert Updated(files=2, added=1, passages=1) == alone
    assert Updated(files=2, vectors=1) == update(indexing)
    assert made_anew(indexing) == contents(indexing.store)


def test_an_embedder_that_is_away_leaves_the_words(tmp_path: Path) -> None:
    """The update goes on, says so, and the next one goes on with the vectors."""
    write(tmp_path, "memory/a.md", PAGE)
    embedder = Moody()
    embedder.away = True
    indexing = with_embedder(memory_indexing(tmp_path), embedder)
    updated = update(indexing)
    assert (4, 0, 2) == (updated.passages, updated.vectors, updated.waiting)
    assert "it is away" in updated.without_vectors
    embedder.away = False
    assert Updated(files=1, vectors=2) == update(indexing)


def test_a_rebuild_takes_over_vectors(tmp_path: Path) -> None:
    """Built anew with the same embedder, which is not asked again."""
    write(tmp_path, "memory/a.md", PAGE)
    embedder = Moody()
    indexing = with_embedder(memory_indexing(tmp_path), embedder)
    update(indexing)
    embedder.asked.clear()
    assert Updated(files=1, added=1, passages=4, rebuilt="asked for") == rebuild(indexing)
    assert [] == embedder.asked


def test_an_index_of_an_earlier_layout_is_made_anew(tmp_path: Path) -> None:
    """Without a look at fields that it does not have; its vectors are kept, and it is not called damaged."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing = indexing_on_disk(tmp_path)
    earlier = TantivyStore(tmp_path / ".memory" / "index" / "words", replace(layout.LAYOUT, integers=(layout.DAY,)))
    update(replace(indexing, store=earlier))
    stamp = stamp_of(indexing.store)
    with earlier.writing() as indexer:
        indexer.upsert([replace(stamp, identity=replace(stamp.identity, points=1)).point()])

    assert (1, ("memory/a.md",)) == (count_behind(indexing), not_indexed(indexing))
    updated = Updated(files=1, added=1, passages=4, rebuilt="passages are indexed in another way now")
    assert updated == update(replace(indexing, embedder=None))
    assert (0, stamp.space) == (count_behind(indexing), stamp_of(indexing.store).space)


def test_another_embedder_makes_its_own_vectors(tmp_path: Path) -> None:
    """The words stay as they are."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing = memory_indexing(tmp_path)
    update(indexing)
    other = with_embedder(indexing, HashingEmbedder(8))
    assert Updated(files=1, vectors=2) == update(other)
    assert {} == without_vectors(other)
    assert made_anew(other) == contents(other.store)


def test_an_embedder_that_comes_later_gives_vectors_to_all(tmp_path: Path) -> None:
    """To an index that was made without one."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing = memory_indexing(tmp_path)
    update(with_embedder(indexing, None))
    assert stamp_of(indexing.store).space is None
    assert Updated(files=1, vectors=2) == update(indexing)
    assert {} == without_vectors(indexing)


def test_no_more_is_done_than_may_be(tmp_path: Path) -> None:
    """With more files to deal with than that, none is; vectors are made up to their limit."""
    indexing = memory_indexing(tmp_path)
    for number in range(5):
        write(tmp_path, f"memory/{number}.md", f"Lamp number {number}.\n")
    assert Updated(files=5, behind=5) == update(indexing, WorkLimit(files=4))
    updated = update(indexing, WorkLimit(files=5, vectors=2))
    assert (5, 2, 3) == (updated.passages, updated.vectors, updated.waiting)
    for number in range(3):
        write(tmp_path, f"memory/{number}.md", f"Lamp number {number} is out.\n", age=1)
    assert (3, Updated(files=5, behind=3, waiting=3)) == (count_behind(indexing), update(indexing, WorkLimit(files=2)))
    assert Updated(files=5, changed=3, passages=3, vectors=5) == update(indexing)


def test_files_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    """Each is told of, every time; the rest is indexed; one that is mended comes in, one that breaks leaves."""
    write(tmp_path, "memory/good.md", "A lamp.\n")
    bad = write(tmp_path, "memory/bad.md", "")
    bad.write_bytes(b"\x89PNG\0\xff")
    indexing = memory_indexing(tmp_path)
    why = "holds NUL bytes, so it is no text"
    assert (Unreadable("memory/bad.md", why),) == update(indexing).unreadable
    assert (Unreadable("memory/bad.md", why),) == update(indexing).unreadable
    write(tmp_path, "memory/bad.md", "Mended.\n")
    (tmp_path / "memory/good.md").write_bytes(b"\0\xff")
    updated = update(indexing)
    assert (2, ("memory/good.md",)) == (updated.changed, tuple(unreadable.path for unreadable in updated.unreadable))
    assert ["Mended."] == texts(indexing)


def test_a_folder_that_is_away_keeps_its_place(tmp_path: Path) -> None:
    """An extra path that is not there now, as when it is not mounted, does not empty the index."""
    settings = IndexSettings(extra_paths=(ExtraPath(path="../notes", name="notes"),))
    write(tmp_path, "notes/a.md", "A lamp.\n")
    (tmp_path / "w").mkdir()
    indexing = indexing_of(tmp_path / "w", memory_indexing(tmp_path).store, None, settings)
    update(indexing)
    (tmp_path / "notes").rename(tmp_path / "away")
    updated = update(indexing)
    assert (0, 0, ["A lamp."]) == (updated.gone, count_behind(indexing), texts(indexing))
    (tmp_path / "away").rename(tmp_path / "notes")
    (tmp_path / "notes" / "a.md").unlink()
    assert (1, []) == (update(indexing).gone, texts(indexing))


def test_two_updates_do_not_mix(tmp_path: Path) -> None:
    """While another one is at it, this one says so."""
    indexing = memory_indexing(tmp_path)
    with indexing.latch.hold(0), pytest.raises(Held):
        update(indexing)


def test_an_update_that_is_stopped_is_gone_on_with(tmp_path: Path) -> None:
    """It stops at a safe point; what is in can be used, and the next update brings the rest."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing = memory_indexing(tmp_path)
    update(indexing)
    write(tmp_path, "memory/a.md", "A lamp.\n", age=1)
    indexing.safe_point.ask_to_stop(2)
    with pytest.raises(Interrupted):
        update(indexing)
    again = replace(indexing, safe_point=CancellationToken())
    assert (1, made_anew(again)) == (update(again).changed, contents(again.store))


def test_after_many_changes_the_vectors_settle(tmp_path: Path) -> None:
    """Once they are all in, however small the updates were; when somebody waits for an answer, they do not."""
    write(tmp_path, "memory/a.md", "A lamp.\n")
    vectors = MemoryVectors()
    indexing = replace(memory_indexing(tmp_path), vectors=vectors)
    update(indexing)
    many = "".join(f"# Number {number}\n\nParagraph {number} of very many.\n\n" for number in range(SETTLED_FROM))
    write(tmp_path, "memory/b.md", many)
    update(indexing, WorkLimit(files=10, vectors=2 * SETTLED_FROM))
    assert 0 == vectors.settled
    for age, words in enumerate(["One more.", "And another.", "And a third."], 1):
        write(tmp_path, "memory/a.md", f"A lamp. {words}\n", age=age)
        update(indexing)
        assert 1 == vectors.settled


def test_vectors_that_nothing_refers_to_go_when_they_settle(tmp_path: Path) -> None:
    """A file that is gone, or was written over, leaves none for good."""
    many = "".join(f"# Number {number}\n\nParagraph {number} of very many.\n\n" for number in range(SETTLED_FROM))
    write(tmp_path, "memory/b.md", many)
    indexing = memory_indexing(tmp_path)
    update(indexing)
    write(tmp_path, "memory/b.md", "A lamp.\n", age=1)
    update(indexing)
    space = stamp_of(indexing.store).space
    assert space
    with indexing.vectors.reading(space) as vectors:
        assert vectors
        assert 1 == vectors.size()


def test_a_look_that_finds_nothing_does_not_ask_how_long_vectors_are(tmp_path: Path) -> None:
    """To know it one may have to ask a server, which an update of everything does, once."""
    write(tmp_path, "memory/a.md", PAGE)
    embedder = Measured(16)
    indexing = with_embedder(memory_indexing(tmp_path), embedder)
    update(indexing)
    embedder.measured = 0
    update(indexing, JUST_LOOK)
    assert 0 == embedder.measured
    update(indexing)
    assert 1 == embedder.measured


def test_an_embedder_whose_vectors_became_longer_makes_all_anew(tmp_path: Path) -> None:
    """Under the same name too, although no file has changed."""
    write(tmp_path, "memory/a.md", PAGE)
    indexing = with_embedder(memory_indexing(tmp_path), Measured(16))
    update(indexing)
    longer = with_embedder(indexing, Measured(32))
    assert Updated(files=1, vectors=2) == update(longer)
    assert Updated(files=1) == update(longer)
    assert {} == without_vectors(longer)
    made = contents(longer.store)
    # Of the former length only an index that had it can know.
    assert made_anew(longer) == {**made, layout.STAMP_ID: {**made[layout.STAMP_ID], layout.PAST: []}}


def test_a_refused_passage_stops_no_other(tmp_path: Path) -> None:
    """The others get their vectors, and the refused one is counted and named by its file."""
    for number, text in enumerate(["larch", "teal", "unspeakable", "rented"]):
        write(tmp_path, f"memory/2026-03-0{number + 1}.md", f"The jetty is {text}.\n")
    embedder = Choosy("unspeakable")
    updated = update(with_embedder(memory_indexing(tmp_path), embedder))
    assert (3, 1) == (updated.vectors, updated.waiting)
    assert "refuses 1 passage(s), of memory/2026-03-03.md" in updated.without_vectors


def test_an_embedder_that_takes_one_text_at_a_time_gets_one(tmp_path: Path) -> None:
    """What it refuses together it is asked in halves."""
    for number in range(5):
        write(tmp_path, f"memory/2026-03-0{number + 1}.md", f"The jetty number {number} is of larch.\n")
    updated = update(with_embedder(memory_indexing(tmp_path), Choosy(most=1)))
    assert (5, 0, "") == (updated.vectors, updated.waiting, updated.without_vectors)
