"""When the watcher updates, and what it takes for a change."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.errors import Interrupted
from pipeline.index.context import Indexing
from pipeline.index.sync.update import count_behind
from pipeline.index.sync.watch import MOST_FOLDERS, Rhythm, concerns, concerns_talk, notices, watch
from schemas.index_settings import ExtraPath, IndexSettings
from tests.support.tables import table
from tests.support.workspaces.index_bench import indexing_of, memory_indexing


def rhythm() -> Rhythm:
    """15 s after the last change, and every 300 s; the last update was at 0."""
    return Rhythm(debounce=15, sweep=300, updated=0)


def test_an_update_waits_until_the_files_rest() -> None:
    """The time runs from the last change, not from the first."""
    when = rhythm()
    when.notice(10)
    when.notice(20)
    assert [False, False, True] == [when.due(now) for now in (24, 34.9, 35)]


def test_files_that_never_rest_are_swept_up() -> None:
    """Every five minutes, whatever happens."""
    when = rhythm()
    for now in range(0, 300, 10):
        when.notice(now)
        assert not when.due(now)
    assert when.due(300)


def test_nothing_is_due_after_an_update() -> None:
    """Until something changes, or the next sweep."""
    when = rhythm()
    when.notice(10)
    when.begin(25)
    assert [False, False, True] == [when.due(now) for now in (25, 324, 325)]


@table(
    ("path", "expected"),
    [
        ("/w/memory/2026-03-02.md", True),
        ("/w/memory/notes", True),
        ("/w/agents/main/raw.txt", True),
        ("/w/agents/main/session.jsonl", False),
        ("/w/.memory/index/shard/wal", False),
        ("/w/memory/.locks/daily.lock", False),
        ("/n/.hidden/code.py", False),
        ("/n/code.py", True),
        ("/elsewhere/a.md", False),
    ],
)
def test_what_concerns_the_index(path: str, *, expected: bool) -> None:
    """Text of the workspace and whatever lies in an extra path, but nothing hidden and nothing derived."""
    assert expected == concerns(path, [Path("/w"), Path("/n")])


@table(
    ("path", "written", "expected"),
    [
        ("/h/.codex/sessions/one.jsonl", True, True),
        ("/h/.codex/sessions/.hidden/one.jsonl", False, True),
        ("/h/.codex/sessions/w/.memory/state.db", True, False),
        ("/h/.codex/sessions/w/memory/a.md", True, False),
        ("/h/.codex/sessions/store.db", True, True),
        ("/h/.codex/sessions/store.db-wal", True, True),
        ("/h/.codex/sessions/store.db-wal", False, False),
        ("/h/.codex/sessions/store.db-shm", True, False),
        ("/h/.codex/auth.json", True, False),
    ],
)
def test_what_concerns_the_talk(path: str, *, written: bool, expected: bool) -> None:
    """Whatever lies where transcripts do, but neither a workspace there, nor what a reader of a database leaves."""
    folders, sources = [Path("/h/.codex/sessions/w")], [Path("/h/.codex/sessions")]
    assert expected == concerns_talk(path, folders, sources, written=written)


def test_a_source_that_is_the_workspace_is_followed_as_that() -> None:
    """What the index itself writes there must not begin another look."""
    assert not concerns_talk("/w/.memory/index/a", [Path("/w")], [Path("/w")], written=True)


def without_delay(root: Path) -> Indexing:
    """An index that waits for no rest."""
    settings = IndexSettings(debounce=timedelta(0), sweep=timedelta(days=1))
    return indexing_of(root, memory_indexing(root).store, None, settings)


def test_a_change_is_followed(tmp_path: Path) -> None:
    """As soon as the system tells of it; a stop ends the watch at the next look."""
    (tmp_path / "memory").mkdir()
    indexing = without_delay(tmp_path)

    def look(watched: Indexing) -> Iterator[bool]:
        yield False
        assert count_behind(watched) == 0
        (tmp_path / "memory" / "a.md").write_text("A lamp.\n")
        yield True
        assert count_behind(watched) == 0
        watched.safe_point.ask_to_stop(15)
        yield False

    with pytest.raises(Interrupted):
        watch(indexing, lambda: False, look=look)


def test_nothing_is_done_in_quiet_hours(tmp_path: Path) -> None:
    """What has changed waits until they are over."""
    (tmp_path / "memory").mkdir()
    indexing, quiet = without_delay(tmp_path), [True]

    def look(watched: Indexing) -> Iterator[bool]:
        (tmp_path / "memory" / "a.md").write_text("A lamp.\n")
        yield True
        yield False
        assert count_behind(watched) == 1
        quiet.clear()
        yield False
        assert count_behind(watched) == 0

    watch(indexing, lambda: bool(quiet), look=look)


def test_an_update_elsewhere_is_waited_for(tmp_path: Path) -> None:
    """While another process is at it, the watcher tries again."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "a.md").write_text("A lamp.\n")
    indexing = without_delay(tmp_path)

    def look(watched: Indexing) -> Iterator[bool]:
        with watched.latch.hold(0):
            yield True
        yield False
        assert count_behind(watched) == 0

    watch(indexing, lambda: False, look=look)


def test_the_system_tells_of_changes(tmp_path: Path) -> None:
    """In the workspace and in an extra path; it gives a sign of life in between."""
    root, extra = tmp_path / "w", tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    extra.mkdir()
    extras = (ExtraPath(path=str(extra), name="notes"), ExtraPath(path="/no", name="no"))
    settings = IndexSettings(debounce=timedelta(0), extra_paths=extras)
    looks = notices(indexing_of(root, memory_indexing(root).store, None, settings))
    assert not next(looks)
    (root / "memory" / "a.md").write_text("A lamp.\n")
    assert any(next(looks) for _ in range(20))
    (extra / "b.md").write_text("Another.\n")
    assert any(next(looks) for _ in range(20))


def test_the_system_tells_of_talk(tmp_path: Path) -> None:
    """In a folder of transcripts, also in one that comes later; not in one of very many folders."""
    root, talk, later, large = (tmp_path / name for name in ("w", "talk", "later", "large"))
    for folder in (root / "memory", talk / "-p", *(large / str(number) for number in range(MOST_FOLDERS))):
        folder.mkdir(parents=True)
    settings = IndexSettings(debounce=timedelta(0))
    indexing = indexing_of(root, memory_indexing(root).store, None, settings)
    looks = notices(indexing, sources=[str(talk), "../later", str(large), "~nobody/at/home"])
    assert not next(looks)
    (large / "1" / "one.jsonl").write_text("{}\n")
    assert [False, False] == [next(looks), next(looks)]
    (talk / "-p" / "one.jsonl").write_text("{}\n")
    assert any(next(looks) for _ in range(20))
    later.mkdir()
    assert any(next(looks) for _ in range(20)), "it is watched from now on"
    while next(looks):
        pass
    (later / "two.jsonl").write_text("{}\n")
    assert any(next(looks) for _ in range(20))
