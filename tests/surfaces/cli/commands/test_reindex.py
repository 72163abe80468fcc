"""`memory doctor reindex`."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.workspace.locks import Latch
from tests.support.processes.command_line import Said

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
DAY = "memory/2026-02-02.md"
TOO_LARGE = 51_000_000  # bytes, none of which takes room on the disk


@pytest.fixture
def reindex(filled: Path, call: Callable[..., Said]) -> Callable[..., Said]:
    """Call it on the workspace."""
    return lambda *words: call("doctor", "reindex", "--workspace", filled, *words, **WORDS_ALONE)


def test_a_person_reads_what_was_done(reindex: Callable[..., Said], filled: Path) -> None:
    """How many files there are, what became of them, why the index was built anew, and what was said."""
    said = "What was said in 1 session: 1 session read, 4 passages put in."
    assert ["Built the index anew: there was none.", "1 file: 1 new.", said] == [
        line.partition(" 2 passages")[0] for line in reindex().out.splitlines()
    ]
    assert "1 file: nothing changed. 0 passages put in, 0 vectors made.\n" == reindex().out
    (filled / "memory" / "new.md").write_text("# New\n\nA boat came.\n")
    (filled / DAY).write_text((filled / DAY).read_text() + "\nA kayak came.\n")
    assert reindex().out.startswith("2 files: 1 new, 1 changed. ")
    os.truncate(filled / "memory" / "new.md", TOO_LARGE)
    assert [
        "1 file: 1 gone. 0 passages put in, 0 vectors made.",
        "  passed over: memory/new.md has 51 MB; files of 50 MB and more are not indexed",
    ] == reindex().out.splitlines()
    assert "Built the index anew: asked for." == reindex("--full").out.splitlines()[0]


def test_programs_get_one_object(reindex: Callable[..., Said], filled: Path) -> None:
    """`--json` has all figures, the files that are passed over, and the reasons."""
    with (filled / "memory" / "large.md").open("wb") as file:
        file.truncate(TOO_LARGE)
    (report,) = reindex("--json").records
    figures = {"files", "added", "changed", "gone", "behind", "passages", "vectors", "waiting"}
    assert figures | {"unreadable", "rebuilt", "without_vectors", "said", "stretches"} == set(report)
    why = "has 51 MB; files of 50 MB and more are not indexed"
    assert [{"path": "memory/large.md", "why": why}] == report["unreadable"]
    assert (1, "there was none", "") == (report["files"], report["rebuilt"], report["without_vectors"])


@pytest.mark.parametrize("words", [(), ("--full",)])
def test_another_update_is_at_work(words: tuple[str, ...], reindex: Callable[..., Said], filled: Path) -> None:
    """Exit code 75 after waiting as long as was told, and nothing is changed."""
    reindex()
    with Latch(filled / ".memory" / "index" / "update.lock").hold(0):
        said = reindex("--wait", "0", *words)
    assert (75, "", True) == (said.code, said.out, "is at work elsewhere" in said.err)


def test_no_workspace_is_wrong_use(tmp_path: Path, call: Callable[..., Said]) -> None:
    """As with every command."""
    assert 2 == call("doctor", "reindex", "--workspace", tmp_path / "none").code
