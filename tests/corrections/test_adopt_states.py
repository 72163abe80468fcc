"""What the ledger knows of an item that `memory doctor adopt` moved away, whatever people and editors do after."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.corrections.adopt import adopt, persons_blocks
from pipeline.corrections.undo import undo
from pipeline.drafts import ItemDraft
from pipeline.job import Job, Reads, Run, Schedule, Target
from pipeline.ledger.changes import BlockState
from pipeline.markdown.blocks import find_blocks
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
PAGE = "MEMORY.md"
MINE = b"# Mine\nmine\n"


def facts(run: Run) -> list[ItemDraft]:
    """A heading, an item, and one that counts, so that each run has something to write."""
    count = ItemDraft("count", f"- until {run.window.end:%d %H:%M}")
    return [ItemDraft("h-one", "## Ours"), ItemDraft("i-one", "- a fact\n  said twice"), count]


JOB = Job("page", "facts", Schedule("0 */6 * * *"), Reads(transcripts=True), Target(PAGE), facts)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A page of a person, with our items."""
    bench = new_bench(jobs=(JOB,))
    write(bench, MINE)
    say(bench, 1)
    bench.run_due()
    return bench


def say(bench: Workbench, number: int) -> None:
    """Something new, so that the page is rendered."""
    at = MORNING + timedelta(hours=6 * number)
    bench.say(conversation(f"s{number}", at, [("owner", "hello")]))


def page(bench: Workbench) -> bytes:
    """The page as it stands."""
    return (bench.root / PAGE).read_bytes()


def write(bench: Workbench, data: bytes) -> None:
    """As many editors do: another file, renamed over the old one."""
    copy: Path = bench.root / f"{PAGE}~"
    copy.write_bytes(data)
    copy.rename(bench.root / PAGE)


def state(bench: Workbench) -> BlockState:
    """What the ledger says of the item."""
    (actual,) = [
        standing.state for standing in bench.engine.ledger.changes.in_file(PAGE) if standing.block.name == "i-one"
    ]
    return actual


def move_edited(bench: Workbench) -> str:
    """A person edits the item, and moves it away with `memory doctor adopt`; the run."""
    write(bench, page(bench).replace(b"said twice", b"said often"))
    blocks = persons_blocks(page(bench))
    run_id = adopt(bench.engine, [block.number for block in blocks if block.title == "Ours"]).run_id
    assert BlockState.ADOPTED is state(bench)
    return run_id


def test_a_run_whose_item_was_moved_and_brought_back_is_undone(bench: Workbench) -> None:
    """The person restores the page as it was before they edited it; the item goes with its run."""
    records = bench.engine.ledger.runs.latest("page")
    (run,) = [record.run_id for record in records if record.outcome and record.outcome.paths]
    before = page(bench)
    move_edited(bench)
    write(bench, before)
    assert "i-one" in undo(bench.engine, run).removed
    assert (BlockState.UNDONE, MINE) == (state(bench), page(bench))


def test_a_move_is_taken_back_after_an_old_copy_took_the_item_away(bench: Workbench) -> None:
    """It was rendered again, and lost; what comes back from the archive is the person's."""
    run_id = move_edited(bench)
    bench.clock.move(timedelta(hours=6))
    loaded = page(bench)
    say(bench, 2)
    bench.run_due()
    assert BlockState.LIVE is state(bench)
    write(bench, loaded)
    bench.engine.ledger.changes.set_state(PAGE, "i-one", BlockState.LOST)
    undo(bench.engine, run_id)
    assert (BlockState.RECOVERED, ["i-one"]) == (
        state(bench),
        [block.name for block in find_blocks(page(bench)) if block.name == "i-one" and not block.intact],
    )
