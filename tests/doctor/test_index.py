"""The checks of the index: how it follows its files, what it was made with, what is damaged or left over."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.doctor.index import check_index
from pipeline.errors import Held, IndexUnavailable
from pipeline.index.context import Indexing
from pipeline.index.schema import LAYOUT
from pipeline.index.sync.stamp import Identity
from pipeline.index.sync.update import rebuild, update
from schemas.checkup import CheckResult, Health
from schemas.index_settings import IndexSettings
from tests.support.ports.clock import FixedClock
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.memory_index import MemoryIndex
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.tables import table
from tests.support.workspaces.index_bench import indexing_of, indexing_on_disk, memory_indexing, stamp_of


def page(root: Path, name: str = "2026-03-02") -> Path:
    """A page to index."""
    file = root / "memory" / f"{name}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text("# Birds\n\nThe heron stands in the reeds.\n")
    return file


def on_disk(root: Path) -> Indexing:
    """An index on the disk, which is up to date."""
    page(root)
    indexing = indexing_on_disk(root)
    update(indexing)
    return indexing


def mended(check: CheckResult) -> str:
    """What mending it told."""
    assert check.mend is not None
    return check.mend()


def test_an_index_that_was_made_with_something_else(tmp_path: Path) -> None:
    """With another embedder all passages want another vector; of another version, it is made anew."""
    indexing = memory_indexing(tmp_path)
    page(tmp_path)
    update(indexing)
    (check,) = check_index(indexing)
    assert (Health.OK, "up to date") == (check.health, check.message)
    (check,) = check_index(replace(indexing, embedder=HashingEmbedder(32)))
    assert (Health.OK, "1 stretch(es) of text are found by their words alone yet") == (check.health, check.message)
    other = replace(stamp_of(indexing.store), identity=Identity("another-1", 1, 1, 1))
    with indexing.store.writing() as indexer:
        indexer.upsert([other.point()])
    (check,) = check_index(indexing)
    expected = "the next update makes it anew: the engine changed from another-1 to memory"
    assert (Health.WARN, expected) == (check.health, check.message)


class Named(HashingEmbedder):
    """An embedder whose name says nothing of the length of its vectors."""

    name = "served"


@table("make_anew", [update, rebuild])
def test_an_embedder_that_changed_its_length(tmp_path: Path, make_anew: Callable[[Indexing], object]) -> None:
    """It is reported until the vectors are made anew, and for a week after: nobody may have seen that it happened."""
    page(tmp_path)
    clock = FixedClock(datetime(2026, 3, 2, 8, tzinfo=UTC))
    indexing = replace(memory_indexing(tmp_path), embedder=Named(16), clock=clock)
    update(indexing)
    longer = replace(indexing, embedder=Named(32))
    assert [(Health.WARN, "its vectors have 16 numbers, and served makes some of 32 now")] == findings(longer)
    noticed = "its embedder made vectors of 16 numbers until 2026-03-02, and makes some of 32 since"
    for build in (make_anew, rebuild):
        build(longer)
        assert [(Health.WARN, noticed)] == findings(longer)
    clock.move(timedelta(days=7))
    assert [(Health.OK, "up to date")] == findings(longer)


def findings(indexing: Indexing) -> list[tuple[Health, str]]:
    """What the checks of an index find."""
    return [(check.health, check.message) for check in check_index(indexing)]


def test_a_damaged_index_is_dropped(tmp_path: Path) -> None:
    """It is derived; after that there is none, and the next update makes it."""
    indexing = on_disk(tmp_path)
    (tmp_path / ".memory" / "index" / "words" / "live").write_text("{")
    (check,) = [finding for finding in check_index(indexing) if finding.health is Health.FAIL]
    assert "memory doctor --fix" in check.advice
    assert mended(check).startswith("removed the damaged index")
    assert ["there is none yet"] == [finding.message for finding in check_index(indexing)]
    assert 1 == update(indexing).added


@table(
    "error",
    [
        IndexUnavailable("live cannot be read", "Give the right to read it."),
        Held("index", "another process of this workspace"),
    ],
)
def test_only_what_is_damaged_is_dropped(tmp_path: Path, error: IndexUnavailable | Held) -> None:
    """What is closed to us or in use is told, and left alone."""
    (check,) = check_index(indexing_of(tmp_path, MemoryIndex(LAYOUT, failing=error), None))
    assert (Health.FAIL, None) == (check.health, check.mend)


@table(("url", "is_ours"), [("http://127.0.0.1:9", False), ("", True)])
def test_vectors_behind_a_server_are_not_dropped(tmp_path: Path, url: str, *, is_ours: bool) -> None:
    """Damaged ones of our own are; both are told, though words alone are searched meanwhile."""
    page(tmp_path)
    indexing = memory_indexing(tmp_path)
    update(indexing)
    failing = replace(
        indexing, vectors=MemoryVectors(failing=IndexUnavailable("it is damaged")), settings=IndexSettings(url=url)
    )
    (check,) = check_index(failing)
    assert (Health.FAIL, is_ours) == (check.health, check.mend is not None)


def test_what_killed_builds_left_is_removed(tmp_path: Path) -> None:
    """Unless somebody is building just now; the index in use stays."""
    indexing = on_disk(tmp_path)
    left = [tmp_path / ".memory" / "index" / name for name in ("vectors/shard-00000000", "words/words-00000000")]
    for folder in left:
        folder.mkdir()
    with indexing.latch.hold(0):
        assert ["up to date"] == [check.message for check in check_index(indexing)]
    _, check = check_index(indexing)
    assert (Health.WARN, "2 folder(s) of index were left by builds that were killed") == (check.health, check.message)
    assert "removed what was left over" == mended(check)
    assert ([], ["up to date"]) == (
        [*filter(Path.exists, left)],
        [finding.message for finding in check_index(indexing)],
    )


def test_a_pattern_that_chooses_no_text_is_named(tmp_path: Path) -> None:
    """The setting is likely misspelt; one that chooses something is no matter."""
    page(tmp_path)
    indexing = memory_indexing(tmp_path)
    indexing = replace(indexing, settings=IndexSettings(include=("memory/*.md", "jurnal/**/*.md")))
    update(indexing)
    messages = [check.message for check in check_index(indexing) if check.health is Health.WARN]
    assert ["index.include = 'jurnal/**/*.md' chooses no text"] == messages
