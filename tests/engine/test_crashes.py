"""After a crash at any step, one clean run gives the Markdown that an undisturbed run gives."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest

from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, ItemDraft, StatusDraft
from pipeline.engine.recovery import recover
from pipeline.job import Job, Reads, Run, Schedule, Target
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.markdown.blocks import find_blocks
from pipeline.reports.entries import list_entries
from schemas.entry import Status
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
PARTS = [0, 0.002, 0.004, 0.05, 0.5, 0.998, 1]


def archiving(run: Run) -> list[Draft]:
    """The `note` job, which archives the entries of earlier windows as well."""
    drafts = [StatusDraft(entry.id, Status.ARCHIVED) for entry in run.written.entries if entry.date < run.window.start]
    return [*JOB.run(run), *drafts]


def page(run: Run) -> list[Draft]:
    """A page that counts sessions."""
    return [ItemDraft("sessions", f"- {len(run.inputs.transcripts)} sessions until {run.window.end:%H:%M}")]


PAGE = Job("page", "counts", Schedule("0 */6 * * *"), Reads(transcripts=True), Target("memory/archive/{day}.md"), page)
JOBS = {"append": JOB, "status": replace(JOB, run=archiving), "page": PAGE}


def filled(bench: Workbench) -> Workbench:
    """A workspace with a person's file, and a session of two notes, four hours apart."""
    (bench.root / "memory").mkdir(parents=True)
    (bench.root / DAY).write_bytes(b"# mine\r\n\r\nwithout a final newline")
    said = [("owner", "note: one"), ("assistant", "ok"), ("owner", "note: two")]
    bench.say(conversation("s1", MORNING, said, step=timedelta(hours=4)))
    return bench


def crash(bench: Workbench, writes: int, part: float) -> bool:
    """Run until the plan's crash; whether it came."""
    engine = bench.engine
    bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(writes, part)))
    try:
        bench.run_due()
    except Crash:
        return True
    finally:
        bench.engine = engine
    return False


@pytest.mark.parametrize(
    ("kind", "part"), [*(("append", part) for part in PARTS), *product(["status", "page"], [0, 1])]
)
def test_any_crash_leaves_no_trace(new_bench: NewBench, tmp_path: Path, kind: str, part: float) -> None:
    """Whichever write it was, and however much of it was in the file: the same bytes, and nothing due after that."""
    undisturbed = filled(new_bench(root=tmp_path / "undisturbed", jobs=(JOBS[kind],)))
    undisturbed.run_due()
    writes = 0
    while True:
        bench = filled(new_bench(root=tmp_path / str(writes), jobs=(JOBS[kind],)))
        if not crash(bench, writes, part):
            break
        bench.run_due()
        assert undisturbed.pages() == bench.pages()
        assert [] == bench.run_due()
        assert [] == bench.engine.ledger.changes.intended_changes()
        writes += 1
    assert writes >= 1


def test_a_crash_when_the_file_is_made(new_bench: NewBench, tmp_path: Path) -> None:
    """Before or after the first file of a day was there."""
    said = conversation("s1", MORNING, [("owner", "note: one")])
    whole = new_bench(root=tmp_path / "whole")
    whole.say(said)
    whole.run_due()
    for part in (0, 1):
        bench = new_bench(root=tmp_path / f"part-{part}")
        bench.say(said)
        assert crash(bench, 0, part)
        bench.run_due()
        assert whole.pages() == bench.pages()


@pytest.mark.parametrize("part", [0.3, 0.5, 0.9, 0.998])
def test_a_torn_piece_behind_which_somebody_wrote(new_bench: NewBench, tmp_path: Path, part: float) -> None:
    """The other's lines stay whole, in their place; our block is taken out and written again behind them."""
    bench = filled(new_bench(root=tmp_path))
    assert crash(bench, 0, part)
    with (tmp_path / DAY).open("ab") as other:
        other.write(b"theirs one\ntheirs two\n")
    bench.run_due()
    data = bench.pages()[DAY]
    assert data.startswith(b"# mine\r\n\r\nwithout a final newlinetheirs one\ntheirs two\n")
    assert [True, True] == [block.intact for block in find_blocks(data)]
    assert [] == bench.run_due()


@pytest.mark.parametrize(("gone", "left"), [(0, ["two", "three"]), (1, ["one", "three"]), (2, ["one", "two", "three"])])
def test_what_a_person_deletes_after_a_crash_stays_away(new_bench: NewBench, gone: int, left: list[str]) -> None:
    """Of a write that stands. Where its end is missing, nobody can tell it from one that was torn."""
    bench = new_bench()
    bench.say(conversation("s1", MORNING, [("owner", f"note: {text}") for text in ("one", "two", "three")]))
    assert crash(bench, 0, 1)
    data = (bench.root / DAY).read_bytes()
    block = find_blocks(data)[gone]
    (bench.root / DAY).write_bytes(data[: block.start] + data[block.end :])
    bench.run_due()
    assert left == [place.entry.title for place in list_entries(bench.engine)]
    assert [] == bench.run_due()


def test_a_whole_write_that_a_person_edited_before_the_next_run(new_bench: NewBench, tmp_path: Path) -> None:
    """All was written, the process died, and a person changed it: theirs, and not taken for a torn piece."""
    bench = filled(new_bench(root=tmp_path))
    assert crash(bench, 0, 1)
    edited = (tmp_path / DAY).read_bytes().replace(b"- why: not stated", b"- why: because")
    (tmp_path / DAY).write_bytes(edited)
    bench.run_due()
    assert bench.pages()[DAY].startswith(edited)
    assert [False, True] == [block.intact for block in find_blocks(bench.pages()[DAY])]
    assert {block.name for block in find_blocks(edited)} <= {block.name for block in bench.engine.ledger.changes.live()}


def test_a_persons_text_that_looks_like_the_beginning_of_ours(new_bench: NewBench) -> None:
    """Nothing was written, and the file ends as our block would begin: it is not completed with our text."""
    bench = new_bench()
    (bench.root / "memory").mkdir()
    mine = b"# mine\n\n## Decision: u"
    (bench.root / DAY).write_bytes(mine)
    block = b"\n## Decision: use x\n- id: A1\n- check: 000000\n"
    bench.engine.ledger.changes.intend(Change("r", DAY, ChangeKind.APPEND, block, {"A1": "i"}, size=len(mine)))
    assert [] == recover(bench.engine.workspace, bench.engine.ledger, lambda _: True)
    assert mine == bench.pages()[DAY]


def test_what_was_never_written_is_no_change(new_bench: NewBench, tmp_path: Path) -> None:
    """A process that died before its write has changed nothing; one that died after it has."""
    for part in (0, 1):
        bench = filled(new_bench(root=tmp_path / str(part)))
        assert crash(bench, 0, part)
        (change,) = bench.engine.ledger.changes.intended_changes()
        assert [] == recover(bench.engine.workspace, bench.engine.ledger, lambda _: True)
        assert part == len(bench.engine.ledger.changes.of_run(change.run_id))


def test_a_page_that_was_taken_away_before_a_crash_is_a_change(new_bench: NewBench) -> None:
    """Nothing of ours stands in it to tell by: it is as the change was to leave it."""
    bench = new_bench()
    change = bench.engine.ledger.changes.intend(Change("r", DAY, ChangeKind.REPLACE, b"", {}, before=b"- ours\n"))
    assert [] == recover(bench.engine.workspace, bench.engine.ledger, lambda _: True)
    assert [change.number] == [edit.number for edit in bench.engine.ledger.changes.of_run("r")]


def test_recovering_twice_is_recovering_once(new_bench: NewBench, tmp_path: Path) -> None:
    """The second time there is nothing to mend."""
    bench = filled(new_bench(root=tmp_path))
    assert crash(bench, 0, 0.5)
    assert [DAY] == recover(bench.engine.workspace, bench.engine.ledger, lambda _: True)
    before = bench.pages()
    assert [] == recover(bench.engine.workspace, bench.engine.ledger, lambda _: True)
    assert before == bench.pages()


@pytest.mark.parametrize("part", [0, 1])
def test_a_crash_inside_an_undo_is_no_deletion(new_bench: NewBench, tmp_path: Path, part: float) -> None:
    """Nothing is noted as forgotten by a person, and the undo can be done again."""
    bench = filled(new_bench(root=tmp_path))
    run_id = next(outcome.run_id for outcome in bench.run_due() if outcome.written)
    engine = bench.engine
    crashing = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(0, part)))
    with pytest.raises(Crash):
        undo(crashing, run_id)
    said = [("owner", "note: three")]
    bench.say(conversation("s2", MORNING + timedelta(days=1), said))
    assert "done" in endings(bench.run_due())
    assert "memory/forgotten.md" not in bench.pages()
    undo(engine, run_id)
    assert ["two"] == [block.text.split(": ")[1].split("\n")[0] for block in find_blocks(bench.pages()[DAY])]


def test_temporary_siblings_of_a_crash_are_gone_after_the_next_run(new_bench: NewBench, tmp_path: Path) -> None:
    """A killed rewrite leaves a sibling behind; the next run takes it away."""
    bench = filled(new_bench(root=tmp_path))
    (tmp_path / "memory" / ".2026-03-02.md.99999999.tmp").write_bytes(b"half")
    bench.run_due()
    assert [] == list((tmp_path / "memory").glob(".*.tmp"))
