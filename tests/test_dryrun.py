"""A dry run shows what a run would do, and leaves no trace."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pipeline.dryrun import differences, scratch_copy
from pipeline.testing.memory_source import conversation
from pipeline.testing.workbench import Workbench

MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


def everything(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of a folder, with its time and bytes."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_a_run_on_the_copy_is_the_run_that_follows(new_bench: Callable[..., Workbench], tmp_path: Path) -> None:
    """The diff tells what the real run then writes; before it, no byte and no time in the workspace has changed."""
    real = new_bench(root=tmp_path / "real")
    (real.root / "memory").mkdir()
    (real.root / "memory" / "2026-03-02.md").write_bytes(b"mine")
    (real.root / "memory" / "gone").symlink_to("nowhere")
    real.say(conversation("s1", MORNING, [("owner", "note: one")]))
    before = everything(real.root)
    with scratch_copy(real.root) as copy:
        shown = new_bench(root=copy, source=real.source)
        shown.run_due()
        told = list(differences(real.root, copy))
        pages = shown.pages()
        shown.engine.ledger.store.close()
    assert before == everything(real.root)
    assert not copy.exists()
    assert "+## Decision: one" in told
    assert not [line for line in told if line.startswith("-") and line not in {"-mine", "--- a/memory/2026-03-02.md"}]
    real.run_due()
    assert pages == real.pages()


def test_nothing_to_do_shows_nothing(tmp_path: Path) -> None:
    """Two equal folders have no differences."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "x.md").write_bytes(b"\xff\r\n")
    with scratch_copy(tmp_path) as copy:
        assert [] == list(differences(tmp_path, copy))
