"""What a person deleted before an undo or a forget, and no run had noticed: it stays deleted.

An undo or a forget writes the file anew, or removes it, and so changes the traces by which a run tells a deletion.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, StatusDraft
from pipeline.job import Run
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.splice import remove_block
from pipeline.reports.entries import list_entries
from pipeline.workspace.forgotten import read_forgotten
from schemas.entry import Status
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench, endings

NewBench = Callable[..., Workbench]
DAY = "memory/2026-03-02.md"


def say(bench: Workbench, *texts: str, hours: int = 1) -> None:
    """The owner says one thing after the other; six hours are a run."""
    bench.say(conversation("s1", MORNING, [("owner", text) for text in texts], step=timedelta(hours=hours)))


def delete(bench: Workbench, place: int) -> str:
    """A person takes an entry out of the day's file, in place; its id."""
    data = (bench.root / DAY).read_bytes()
    block = find_blocks(data)[place]
    (bench.root / DAY).write_bytes(remove_block(data, block))
    return block.name


def titles(bench: Workbench) -> list[str]:
    """What stands in the files, in their order."""
    return [place.entry.title for place in list_entries(bench.engine)]


def banned(bench: Workbench) -> list[str]:
    """The ids that `memory/forgotten.md` lists."""
    return [gone.entry_id for gone in read_forgotten(bench.engine.workspace)]


def test_an_undo_that_removes_the_file_takes_no_deleted_entry_away(new_bench: NewBench) -> None:
    """The file was made for us and has nothing else: it goes, and its absence is none that has to be explained."""
    bench = new_bench()
    say(bench, "note: one", "note: two")
    (run,) = [outcome for outcome in bench.run_due() if outcome.written]
    gone = delete(bench, 0)
    undo(bench.engine, run.run_id)
    assert ([gone], False) == (banned(bench), (bench.root / DAY).exists())
    assert {"done", "empty"} >= set(endings(bench.backfill(MORNING.date(), MORNING.date())))
    assert ["two"] == titles(bench)


@pytest.mark.parametrize("by", ["undo", "forget"])
def test_a_file_that_we_wrote_anew_is_no_old_copy(new_bench: NewBench, by: str) -> None:
    """An entry that a person deleted within minutes, before or after, is not written again."""
    bench = new_bench()
    say(bench, "note: one", "note: two", "note: three", hours=6)
    runs = [outcome for outcome in bench.run_due() if outcome.written]
    gone = [delete(bench, 0)]
    undo(bench.engine, runs[1].run_id) if by == "undo" else forget(bench.engine, runs[1].written[0])
    assert gone == banned(bench)[:1]
    gone.append(delete(bench, 0))
    say(bench, "note: one", "note: two", "note: three", "hello", hours=6)
    bench.run_due()
    assert [] == titles(bench)
    assert set(gone) <= set(banned(bench))


def archiving(run: Run) -> list[Draft]:
    """The `note` job, which archives the entries of earlier windows as well."""
    drafts = [StatusDraft(entry.id, Status.ARCHIVED) for entry in run.written.entries if entry.date < run.window.start]
    return [*JOB.run(run), *drafts]


def test_a_status_line_that_we_wrote_anew_makes_no_old_copy(new_bench: NewBench) -> None:
    """An entry that a person deletes after the run that archived another one is not written again."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    say(bench, "note: one", "note: two", hours=6)
    bench.run_due()
    gone = delete(bench, 1)
    say(bench, "note: one", "note: two", "hello", hours=6)
    bench.run_due()
    assert (["one"], [gone]) == (titles(bench), banned(bench))


def test_an_old_copy_that_is_saved_after_an_undo_is_one(new_bench: NewBench) -> None:
    """The editor loaded the file before both writes: what was not undone is written again, once."""
    bench = new_bench()
    (bench.root / "memory").mkdir()
    (bench.root / DAY).write_bytes(b"mine\n")
    say(bench, "note: one", "note: two", hours=6)
    runs = [outcome for outcome in bench.run_due() if outcome.written]
    undo(bench.engine, runs[1].run_id)
    copy = bench.root / f"{DAY}~"
    copy.write_bytes(b"mine\nmore of mine\n")
    copy.rename(bench.root / DAY)
    say(bench, "note: one", "note: two", "hello", hours=6)
    bench.run_due()
    assert (["one"], []) == (titles(bench), banned(bench))
