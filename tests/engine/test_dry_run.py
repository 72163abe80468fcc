"""A dry run shows what a run would do, and leaves no trace."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.drafts import ItemDraft
from pipeline.engine.dry_run import differences, scratch_copy
from pipeline.errors import ReadFailed
from pipeline.job import Job, Period, Reads, Run, Schedule, Target
from pipeline.workspace.layout import Layout
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

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
    before, layout = everything(real.root), real.engine.workspace.layout
    with scratch_copy(real.root, layout) as copy:
        shown = new_bench(root=copy, source=real.source)
        shown.run_due()
        lines = list(differences(real.root, copy, layout))
        pages = shown.pages()
        shown.engine.ledger.store.close()
    assert before == everything(real.root)
    assert not copy.exists()
    assert "+## Decision: one" in lines
    assert not [line for line in lines if line.startswith("-") and line not in {"-mine", "--- a/memory/2026-03-02.md"}]
    real.run_due()
    assert pages == real.pages()


def test_nothing_to_do_shows_nothing(tmp_path: Path) -> None:
    """Two equal folders have no differences."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "x.md").write_bytes(b"\xff\r\n")
    with scratch_copy(tmp_path, Layout()) as copy:
        assert [] == list(differences(tmp_path, copy, Layout()))


def test_a_page_of_a_new_family_is_shown(new_bench: Callable[..., Workbench], tmp_path: Path) -> None:
    """In a folder that no other job writes, and at the top: the copy has what is there, and the diff what is new."""

    def lines(run: Run) -> list[ItemDraft]:
        return [ItemDraft(session.session_id, f"- {session.session_id}") for session in run.inputs.transcripts]

    daily, reads = Schedule("30 3 * * *", period=Period.DAY), Reads(transcripts=True)
    jobs = tuple(
        Job(name, "p", daily, reads, Target(family), lines)
        for name, family in (("diary", "journal/{day}.md"), ("top", "DIARY-{day}.md"))
    )
    real = new_bench(root=tmp_path / "real", jobs=jobs)
    (real.root / "journal").mkdir()
    (real.root / "journal/2026-03-02.md").write_bytes(b"mine\n")
    os.mkfifo(real.root / "journal/pipe")
    real.say(conversation("s1", MORNING, [("owner", "good morning")]))
    real.clock.move(timedelta(days=1))
    layout = real.engine.workspace.layout
    with scratch_copy(real.root, layout) as copy:
        shown = new_bench(root=copy, jobs=jobs, source=real.source, clock=real.clock)
        shown.run_due()
        texts = list(differences(real.root, copy, layout))
        shown.engine.ledger.store.close()
    assert {"+++ b/journal/2026-03-02.md", "+++ b/DIARY-2026-03-02.md", " mine"} <= set(texts)
    assert 2 == sum(line.startswith("+- s1 ") for line in texts)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file that even root cannot read")
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """As in the run itself."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-03-02.md").symlink_to("/proc/self/mem")
    with pytest.raises(ReadFailed, match="2026-03-02"), scratch_copy(tmp_path, Layout()):
        pass
