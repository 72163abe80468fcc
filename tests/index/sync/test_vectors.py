"""Vectors are made as far as that goes, and text that had one keeps it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import EmbedderUnavailable, Interrupted
from pipeline.events import Event
from pipeline.index import schema as layout
from pipeline.index.context import WorkLimit
from pipeline.index.sync.stamp import PROGRESS, stamp_now
from pipeline.index.sync.update import erase_from_index, update
from pipeline.index.sync.vectors import REMEMBERED, TEXTS_AT_ONCE, MissingVectors, VectorMaker, give_vectors
from pipeline.ports.index import IndexPoint, Vector, VectorSpace
from pipeline.process.cancellation import CancellationToken
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.tables import table
from tests.support.workspaces.index_bench import memory_indexing, stamp_of, without_vectors

TEXTS = {str(number): f"text {number}" for number in range(200)}


class Counting(HashingEmbedder):
    """Notes how many texts it was given at a time; `breaks_after` that many times it is away."""

    def __init__(self, breaks_after: int = 1000) -> None:
        super().__init__(8)
        self.calls: list[int] = []
        self._left = breaks_after

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors, until it breaks."""
        if not self._left:
            raise EmbedderUnavailable(self.name, "it broke")
        self._left -= 1
        self.calls.append(len(texts))
        return super().passages(texts)


def made(maker: VectorMaker) -> dict[str, Vector]:
    """All that it makes."""
    fields: dict[str, Vector] = {}
    for some in maker.make(TEXTS):
        fields |= some
    return fields


def test_every_text_is_embedded_once() -> None:
    """An embedder is never given more than it likes at a time."""
    embedder = Counting()
    assert TEXTS.keys() == made(VectorMaker(embedder)).keys()
    assert (200, True) == (sum(embedder.calls), max(embedder.calls) <= TEXTS_AT_ONCE)


def test_a_limit_is_kept() -> None:
    """About so many texts and no more, so that a question does not wait for all."""
    embedder = Counting()
    maker = VectorMaker(embedder, limit=8)
    assert (8, 8, [8]) == (len(made(maker)), maker.made, embedder.calls)
    assert not maker.at_work
    assert {} == made(VectorMaker(embedder, limit=0))


def test_what_was_made_before_it_broke_is_kept() -> None:
    """And it is told why there is no more."""
    maker = VectorMaker(Counting(breaks_after=2))
    assert 0 < len(made(maker)) == maker.made < len(TEXTS)
    assert "it broke" in maker.why
    assert {} == made(maker)


def test_a_stop_is_noticed_between_texts() -> None:
    """As everywhere else."""
    safe_point = CancellationToken()
    safe_point.ask_to_stop(2)
    with pytest.raises(Interrupted):
        made(VectorMaker(Counting(), safe_point=safe_point))


def page(number: int) -> str:
    """The text of a file with three passages, each a stretch of its own."""
    return "".join(f"# Part {part}\n\nParagraph {number}.{part} of all of them.\n\n" for part in range(3))


def test_a_crash_before_the_vectors_is_mended_by_a_look_at_all(tmp_path: Path) -> None:
    """The words are in, the vectors are not: the next update without limits makes those that are missing, once."""
    (tmp_path / "memory").mkdir()
    for number in range(4):
        (tmp_path / "memory" / f"{number}.md").write_text(page(number), encoding="utf-8")
    indexing = replace(memory_indexing(tmp_path), embedder=Counting(breaks_after=0))
    assert (12, 12) == ((done := update(indexing)).passages, done.waiting)
    counting = Counting()
    mended = replace(indexing, embedder=counting)
    assert (12, 12, 0) == ((done := update(mended)).vectors, sum(counting.calls), done.waiting)
    assert {} == without_vectors(mended)
    assert 0 == update(mended).vectors


@table("left", [None, b"", b'{"mark": "another", "embedded": true, "unsettled": 0}', b"[1]"])
def test_a_lost_note_of_the_progress_costs_a_look(tmp_path: Path, left: bytes | None) -> None:
    """No vector is made again, and a text that has none yet gets its own; then the progress is noted again."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "a.md").write_text(page(1), encoding="utf-8")
    indexing = replace(memory_indexing(tmp_path), embedder=Counting())
    update(indexing)
    note = indexing.latch.path.with_name(PROGRESS)
    noted = note.read_bytes()
    (tmp_path / "memory" / "b.md").write_text(page(2), encoding="utf-8")
    update(replace(indexing, embedder=Counting(breaks_after=0)))
    if left is None:
        note.unlink()
    else:
        note.write_bytes(left)
    assert (3, 0) == ((done := update(indexing)).vectors, done.waiting)
    assert {} == without_vectors(indexing)
    assert noted != note.read_bytes()
    with indexing.store.reading() as reader:
        assert reader is not None
        stamp = stamp_now(indexing, reader)
    assert stamp is not None
    assert stamp.embedded


def test_a_few_texts_are_embedded_as_many_are() -> None:
    """`MEMORY.md` first, then our lines, the newest day before older ones, whatever was taken in first."""
    paths = ["notes.md", "memory/2026-03-01.md", "memory/2026-03-03.md", "MEMORY.md"]
    missing = MissingVectors({path: path for path in paths}, {path: path for path in paths})
    assert ["MEMORY.md", "memory/2026-03-03.md", "memory/2026-03-01.md", "notes.md"] == list(missing.in_turn)


def test_more_texts_than_are_remembered_are_read_again(tmp_path: Path) -> None:
    """Their files are cut once more, and nothing is forgotten."""
    (tmp_path / "memory").mkdir()
    for number in range(REMEMBERED // 3 + 2):
        (tmp_path / "memory" / f"{number}.md").write_text(page(number), encoding="utf-8")
    indexing = memory_indexing(tmp_path)
    done = update(indexing)
    assert (done.passages, 0) == (done.vectors, done.waiting)
    assert REMEMBERED < done.passages
    assert {} == without_vectors(indexing)


@table("limit", [1, 2, 3])
def test_two_files_of_one_text_want_one_vector(tmp_path: Path, limit: int) -> None:
    """By a question, which makes a few at a time, as by a whole update; none is counted twice."""
    (tmp_path / "memory").mkdir()
    lines = ["- The heron flew.", "- The heron flew.", "- The otter sleeps."]
    for number, line in enumerate(lines):
        (tmp_path / "memory" / f"{number}.md").write_text(f"{line}\n", encoding="utf-8")
    indexing, texts = memory_indexing(tmp_path), len(set(lines))

    looks = [update(indexing, WorkLimit(vectors=limit)), update(indexing)]

    assert all(0 <= look.waiting <= texts for look in looks)
    assert (texts, 0) == (sum(look.vectors for look in looks), looks[-1].waiting)


def test_too_many_texts_are_not_remembered() -> None:
    """It says that it does not have them all."""
    missing = MissingVectors({str(number): "text" for number in range(REMEMBERED)})
    missing.add([])
    assert missing.whole
    missing.texts["one more"] = "text"
    missing.add([])
    assert (False, {}) == (missing.whole, missing.texts)


def test_it_says_how_far_it_is_when_it_takes_long(tmp_path: Path) -> None:
    """At first and every ten seconds; not of what a question waits for, and not of what is done soon."""
    events: list[tuple[Event, dict[str, object]]] = []
    indexing = replace(memory_indexing(tmp_path), emit=lambda event, **fields: events.append((event, fields)))
    keys = [f"{number:032x}" for number in range(200)]
    with indexing.store.building() as indexer:
        indexer.insert([IndexPoint(key, {layout.CONTENT: key}) for key in keys])
    space = VectorSpace("hashing-16", 16)
    for maker in (
        VectorMaker(HashingEmbedder(16), wanted=1_000, seconds=100.0),
        VectorMaker(HashingEmbedder(16), limit=500, wanted=1_000, seconds=100.0),
        VectorMaker(HashingEmbedder(16), wanted=1_000),
    ):
        indexing.vectors.drop()
        give_vectors(indexing, space, dict.fromkeys(keys, "text"), maker)
    ((event, fields),) = events
    assert (Event.VECTORS_PROGRESSED, TEXTS_AT_ONCE, 1_000) == (event, fields["made"], fields["wanted"])
    assert fields["seconds_left"] == pytest.approx(100 * (1_000 - TEXTS_AT_ONCE) / TEXTS_AT_ONCE, rel=0.01)


class Stopping(Counting):
    """Makes the vectors of its first texts; then a person stops the update."""

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors, until it is stopped."""
        if self.calls:
            raise Interrupted(2)
        return super().passages(texts)


@table(
    ("embedder", "is_noted"),
    [(Counting, False), (Counting, True), (Stopping, True)],
)
def test_vectors_that_were_lost_are_all_made_again(tmp_path: Path, embedder: type[Counting], *, is_noted: bool) -> None:
    """Also where that is not done at once, and where the note of it is lost."""
    (tmp_path / "memory").mkdir()
    for number in range(TEXTS_AT_ONCE):
        (tmp_path / "memory" / f"{number}.md").write_text(page(number), encoding="utf-8")
    indexing = replace(memory_indexing(tmp_path), embedder=Counting())
    update(indexing)
    (tmp_path / "memory" / "0.md").unlink()
    update(indexing)
    assert stamp_of(indexing.store).embedded
    indexing.vectors.drop()
    with suppress(Interrupted):
        update(replace(indexing, embedder=embedder(breaks_after=1)))
    assert {} != without_vectors(indexing)
    if not is_noted:
        indexing.latch.path.with_name(PROGRESS).unlink()
    update(indexing)
    assert {} == without_vectors(indexing)


class Interrupting(Counting):
    """Notes the texts that it was given; while it embeds the first ones, something is done."""

    def __init__(self, deed: Callable[[], object]) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._deed = deed

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors, after the deed."""
        if not self.texts:
            self._deed()
        self.texts += texts
        return super().passages(texts)


@table("files", [30, REMEMBERED // 3 + 20])
def test_text_that_is_forgotten_while_vectors_are_made_is_not_embedded(tmp_path: Path, files: int) -> None:
    """Text that was not embedded yet is not, and the vector that was being made is not put in."""
    (tmp_path / "memory").mkdir()
    for number in range(files):
        (tmp_path / "memory" / f"2026-01-01-{number}.md").write_text(page(number), encoding="utf-8")
    first, last = tmp_path / "MEMORY.md", tmp_path / "memory" / "2020-01-01.md"
    first.write_text("The first secret.\n", encoding="utf-8")
    last.write_text("The last secret.\n", encoding="utf-8")
    indexing = replace(memory_indexing(tmp_path), embedder=Counting())

    def forget() -> None:
        first.unlink()
        last.unlink()
        assert erase_from_index(indexing)

    interrupting = Interrupting(forget)
    assert files + 2 == update(replace(indexing, embedder=interrupting)).files
    assert ["The first secret."] == [text for text in interrupting.texts if "secret" in text]
    space = stamp_of(indexing.store).space
    assert space
    with indexing.vectors.reading(space) as vectors:
        assert vectors
        assert 3 * files == vectors.size()


def test_text_that_comes_while_vectors_are_made_gets_its_own(tmp_path: Path) -> None:
    """By the next update, for the one that makes vectors does not know of it."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "1.md").write_text(page(1), encoding="utf-8")
    indexing = replace(memory_indexing(tmp_path), embedder=Counting())

    def add() -> None:
        (tmp_path / "memory" / "2.md").write_text(page(2), encoding="utf-8")
        assert (1, 6) == ((done := update(indexing)).added, done.waiting)

    update(replace(indexing, embedder=Interrupting(add)))
    assert (3, 0) == ((done := update(indexing)).vectors, done.waiting)
    assert {} == without_vectors(indexing)


def test_an_erasure_keeps_the_vectors_of_what_is_left(tmp_path: Path) -> None:
    """Those of text that is gone go with it; no embedder is asked."""
    (tmp_path / "memory").mkdir()
    for number in range(3):
        (tmp_path / "memory" / f"{number}.md").write_text(page(number), encoding="utf-8")
    indexing = memory_indexing(tmp_path)
    update(indexing)
    (tmp_path / "memory" / "1.md").unlink()
    assert erase_from_index(replace(indexing, embedder=Counting(breaks_after=0)))
    space = stamp_of(indexing.store).space
    assert space
    with indexing.vectors.reading(space) as vectors:
        assert vectors
        assert 6 == vectors.size()
    assert {} == without_vectors(indexing)
