"""A crash at any change, then any further change: the next update leads to what an index made anew would be."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.clock import SystemClock
from pipeline.index.context import Indexing
from pipeline.index.sync.update import rebuild, update
from pipeline.markdown.entries import render_entry
from tests.support.builders.entries import noted
from tests.support.ports.clock import FixedClock
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.processes.crashes import Crash
from tests.support.tables import table
from tests.support.workspaces.index_bench import DisturbedIndex, contents, indexing_of, made_anew

NAMES = ("memory/2026-03-02.md", "memory/b.md", "memory/c.md", "second-brain/summaries/2026-03-02-wrapup.md")
BLOCKS = (
    "A paragraph about the lamp in the cellar and what it costs.\n",
    "- Anna: we meet at nine in the small room upstairs\n- Piotr: the lamp has to be repaired before that\n",
    "## Costs\n",
    "## People\n",
    render_entry(noted("DECISION-a").entry),
    render_entry(noted("DECISION-b", supersedes=("DECISION-a",)).entry),
    render_entry(noted("RULE-c", superseded_by=("DECISION-b",)).entry),
)

Files = dict[str, list[int]]
"""By name the numbers of the blocks that a file is made of."""

files = st.dictionaries(
    st.sampled_from(NAMES), st.lists(st.integers(0, len(BLOCKS) - 1), max_size=5), max_size=len(NAMES)
)


def lay_out(root: Path, wanted: Files) -> None:
    """Make the workspace's files these."""
    for folder in ("memory", "second-brain"):
        shutil.rmtree(root / folder, ignore_errors=True)
    for name, blocks in wanted.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("\n".join(BLOCKS[block] for block in blocks), encoding="utf-8")


@contextmanager
def fresh_folder() -> Iterator[Path]:
    """A folder of one example's own."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def crashed(store: DisturbedIndex, indexing: Indexing, versions: tuple[Files, Files], writes: int) -> bool:
    """Bring the index to the first version of the files, and disturb it at a change for the second; whether it was."""
    root = indexing.workspace.root
    lay_out(root, versions[0])
    update(indexing)
    lay_out(root, versions[1])
    store.changes_left = writes
    try:
        update(indexing)
    except Crash:
        return True
    finally:
        store.changes_left = None
    return False


@given(first=files, second=files, third=files, writes=st.integers(0, 6), after=st.booleans())
@settings(deadline=None)
def test_any_crash_is_mended(*, first: Files, second: Files, third: Files, writes: int, after: bool) -> None:
    """Ids, payloads, records and standings are those of an index that nothing has ever happened to."""
    with fresh_folder() as root:
        store = DisturbedIndex(after=after)
        indexing = indexing_of(root, store, HashingEmbedder(8))
        if crashed(store, indexing, (first, second), writes):
            lay_out(root, third)
        update(indexing)
        assert made_anew(indexing) == contents(store)


@table("after", [False, True])
def test_a_crash_at_every_change_of_an_update(tmp_path: Path, *, after: bool) -> None:
    """At all of them, while files come, change and go; the files stay so, or go back to what they were."""
    before = {NAMES[0]: [4, 2, 0], NAMES[1]: [1, 5], NAMES[3]: [0]}
    later = {NAMES[0]: [0, 4, 3, 1], NAMES[2]: [5, 6], NAMES[3]: [0, 2, 1]}
    crashes = 0
    for then in (before, later):
        for writes in range(100):
            store = DisturbedIndex(after=after)
            indexing = indexing_of(tmp_path, store, HashingEmbedder(8))
            if not crashed(store, indexing, (before, later), writes):
                break
            crashes += 1
            lay_out(tmp_path, then)
            update(indexing)
            assert made_anew(indexing) == contents(store)
    assert 6 == crashes


def crash_everywhere(root: Path, before: Files, later: Files) -> int:
    """Crash at each change by the update that follows a change, and mend it though no file changes again.

    By a clock to which the files are old, so that they are not read again for having just been written.
    """
    for crashes in range(100):
        store = DisturbedIndex()
        tomorrow = FixedClock(SystemClock().now() + timedelta(days=1))
        indexing = replace(indexing_of(root, store, HashingEmbedder(8)), clock=tomorrow)
        if not crashed(store, indexing, (before, later), crashes):
            return crashes
        update(indexing)
        assert made_anew(indexing) == contents(store)
    return 0


def test_a_crash_is_mended_though_no_file_changes_again(tmp_path: Path) -> None:
    """What is half done is known by the records alone."""
    assert 2 == crash_everywhere(tmp_path, {NAMES[0]: [0, 1], NAMES[1]: [1]}, {NAMES[0]: [0, 2, 1], NAMES[2]: [0, 1]})


def test_an_edit_is_one_change_of_the_index(tmp_path: Path) -> None:
    """The words come in one commit, with all that is known of their file; the vectors, once made, need none."""
    assert 1 == crash_everywhere(tmp_path, {NAMES[0]: [0, 1]}, {NAMES[0]: [0, 2, 1]})


def test_a_crash_before_the_standings_are_folded_is_mended(tmp_path: Path) -> None:
    """Also when entries only went: the one that was superseded holds again."""
    assert 2 == crash_everywhere(tmp_path, {NAMES[0]: [4], NAMES[1]: [5, 0, 0]}, {NAMES[0]: [4]})


def test_a_crash_while_an_index_is_made_leaves_the_old_one(tmp_path: Path) -> None:
    """The new one takes its place whole or not at all."""
    store = DisturbedIndex()
    indexing = indexing_of(tmp_path, store, HashingEmbedder(8))
    lay_out(tmp_path, {NAMES[0]: [0, 1, 2, 4]})
    update(indexing)
    kept = contents(store)
    store.changes_left = 0
    with pytest.raises(Crash):
        rebuild(indexing)
    assert kept == contents(store)
