"""Moves between the runs of the job whose page it is."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

from pipeline.corrections.adopt import persons_blocks
from pipeline.corrections.undo import undo
from pipeline.events import Event
from pipeline.markdown.blocks import find_blocks
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.adoption_desk import THREE, Desk
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
ARCHIVE = "memory/archive/adopted-2026-03-04.md"
TITLE = "# Moved out of MEMORY.md on 2026-03-04\n"


def titles(data: bytes) -> list[str]:
    """The blocks of a page by their headings."""
    return [block.title for block in persons_blocks(data)]


def worked(desk: Desk) -> list[str]:
    """What the job finds gone from its page, after a run with something new to say."""
    desk.bench.events.clear()
    desk.bench.say(
        conversation(f"s{next(NUMBERS)}", desk.bench.clock.moment - timedelta(hours=7), [("owner", "hello")])
    )
    assert any(outcome.paths for outcome in desk.bench.run_due())
    return [str(fields["item"]) for event, fields in desk.bench.events if event is Event.REMOVED_BY_PERSON]


NUMBERS = count(1)


def test_an_item_that_was_moved_is_not_taken_for_removed(desk: Desk) -> None:
    """One that a person had edited goes with its block; the others stay, and nothing comes to stand in forgotten.md."""
    worked(desk)
    desk.write(desk.page.replace(b"said twice", b"said often") + b"\n# More\n")
    desk.bench.clock.move(timedelta(hours=12))
    assert [] == worked(desk)
    theirs = desk.page
    run_id = desk.adopt(4)
    assert "said often" in desk.archive
    assert {"h-one", "count"} == {block.name for block in find_blocks(desk.page)}
    desk.bench.clock.move(timedelta(hours=12))
    assert [] == worked(desk)
    assert b"said twice" in desk.page
    undo(desk.bench.engine, run_id)
    assert titles(theirs) == titles(desk.page)
    desk.bench.clock.move(timedelta(hours=12))
    assert [] == worked(desk)
    assert 1 == desk.page.count(b"said often")
    assert "memory/forgotten.md" not in desk.bench.pages()


def test_an_edited_item_that_came_back_is_watched_again(desk: Desk) -> None:
    """Deleted after the move was taken back, it is noticed as deleted."""
    worked(desk)
    desk.write(desk.page.replace(b"said twice", b"said often"))
    undo(desk.bench.engine, desk.adopt(4))
    assert b"said often" in desk.page
    desk.write(
        b"".join(part for part in desk.page.splitlines(keepends=True) if b"fact" not in part and b"often" not in part)
    )
    desk.bench.clock.move(timedelta(hours=12))
    assert ["i-one"] == worked(desk)


def test_a_run_can_be_undone_though_text_was_moved_since(desk: Desk) -> None:
    """Nothing of ours rests on what a person moved."""
    worked(desk)
    (record, *_) = (run for run in desk.bench.engine.ledger.runs.latest() if run.outcome and run.outcome.paths)
    run_id = desk.adopt(1)
    undo(desk.bench.engine, record.run_id)
    assert b"# Two\nsecond\n\n# Three\nthird\n" == desk.page
    undo(desk.bench.engine, run_id)
    assert THREE == desk.page
