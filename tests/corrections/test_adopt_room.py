"""What becomes of our part of `MEMORY.md` when text of a person leaves the page or comes back to it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jobs.consolidation.plan_page import PlannedVerdict, render_plan
from jobs.consolidation.verdicts import Ruling, Verdict
from jobs.weekly_compound import JOB as COMPOUND
from pipeline.corrections.adopt import adopt
from pipeline.corrections.undo import undo
from pipeline.events import Event
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.items import Item, persons_part, render_page
from schemas.settings import Settings
from tests.support.builders.note_job import JOB as NOTE
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import Workbench

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
LONG = b"# Long\n" + b"mine\n" * 197
PAGE = LONG + b"# Short\nmine too\n"


@pytest.fixture
def new_week(tmp_path: Path) -> Callable[..., Workbench]:
    """Make a workspace whose week is over, with a plan that promotes what the owner noted twice."""

    def make(data: bytes = PAGE, start: datetime | None = MONDAY) -> Workbench:
        clock = FixedClock(MONDAY + timedelta(days=7))
        bench = Workbench(tmp_path, (NOTE, COMPOUND), clock, Settings(timezone="UTC", start=start))
        said = [("owner", "note: use tabs"), ("owner", "note: no friday deploys")]
        bench.say(conversation("s1", MONDAY + timedelta(hours=9), said))
        bench.backfill(date(2026, 3, 9), date(2026, 3, 9))
        (tmp_path / "MEMORY.md").write_bytes(data)
        _plan(bench)
        clock.move(timedelta(hours=8))
        bench.backfill(date(2026, 3, 9), date(2026, 3, 15))
        return bench

    return make


@pytest.fixture
def week(new_week: Callable[..., Workbench]) -> Workbench:
    """The page is full of what is the person's, so nothing of ours is on it."""
    bench = new_week()
    assert PAGE == page(bench)
    return bench


def _plan(bench: Workbench) -> None:
    daily = (bench.root / "memory/2026-03-09.md").read_text(encoding="utf-8")
    ids = [line.removeprefix("- id: ") for line in daily.splitlines() if line.startswith("- id: ")]
    assert 2 == len(ids)
    verdicts = [Verdict(text, Ruling.PROMOTED, "", 0.9, subject="Tabs", since="2026-W11") for text in ids]
    items = render_plan("2026-W11", [PlannedVerdict(verdict, was_hot=False) for verdict in verdicts], "offline")
    file = bench.root / "memory/archive/weekly-2026-W11.md"
    file.parent.mkdir(parents=True)
    file.write_bytes(render_page(b"", [Item(draft.name, draft.text) for draft in items]))


def page(bench: Workbench) -> bytes:
    """MEMORY.md as it stands."""
    return (bench.root / "MEMORY.md").read_bytes()


def ours(bench: Workbench) -> int:
    """How many entries are on it."""
    return sum(block.text.startswith("- ") for block in find_blocks(page(bench)) if block.item)


def rendered(bench: Workbench) -> list[str]:
    """The jobs that wrote in what `memory run` does; a second run finds nothing to do."""
    wrote = [outcome.job for outcome in bench.run_due() if outcome.paths]
    before = bench.pages()
    assert [] == bench.run_due()
    assert before == bench.pages()
    return wrote


def test_what_waited_for_room_is_put_there_by_the_next_run(week: Workbench) -> None:
    """Not only a week later; when the text comes back, the next run makes way for it."""
    assert [] == rendered(week)
    done = adopt(week.engine, [1])
    assert done.due
    assert ["weekly_compound"] == rendered(week)
    assert (2, b"# Short\nmine too\n") == (ours(week), persons_part(page(week)).strip() + b"\n")

    undo(week.engine, done.run_id)
    assert 2 == ours(week)
    assert ["weekly_compound"] == rendered(week)
    assert (0, PAGE) == (ours(week), page(week))


def test_a_crash_does_not_keep_what_waits_waiting(week: Workbench) -> None:
    """The text had left the page: whoever tidies up lets the page be rendered."""
    engine = week.engine
    with pytest.raises(Crash):
        adopt(replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(1, 1))), [1])
    adopt(engine, [1])
    assert ["weekly_compound"] == rendered(week)
    assert 2 == ours(week)


def test_without_a_start_the_page_is_rendered_too(new_week: Callable[..., Workbench]) -> None:
    """A fold has no clock that could begin."""
    bench = new_week(start=None)
    assert adopt(bench.engine, [1]).due
    assert ["weekly_compound"] == rendered(bench)
    assert 2 == ours(bench)


def test_a_week_that_was_undone_stays_so(new_week: Callable[..., Workbench]) -> None:
    """A person took it back; more room does not bring it again."""
    bench = new_week(b"# Mine\n")
    assert 2 == ours(bench)
    [record] = bench.engine.ledger.runs.latest(COMPOUND.name)
    undo(bench.engine, record.run_id)
    done = adopt(bench.engine, [1])
    assert not done.due
    assert [] == rendered(bench)
    undo(bench.engine, done.run_id)
    assert b"# Mine\n" == page(bench)


def test_before_the_first_page_nothing_is_due(tmp_path: Path) -> None:
    """The first run renders it anyway."""
    bench = Workbench(tmp_path, (NOTE, COMPOUND), FixedClock(MONDAY), Settings(timezone="UTC", start=MONDAY))
    (tmp_path / "MEMORY.md").write_bytes(PAGE)
    assert not adopt(bench.engine, [1]).due


def test_a_page_that_was_taken_away_comes_back_with_our_items(new_week: Callable[..., Workbench]) -> None:
    """Who removes the file and undoes a move has not taken out each of our items."""
    bench = new_week(b"# Mine\nold\n")
    run_id = adopt(bench.engine, [1]).run_id
    assert 2 == ours(bench)
    (bench.root / "MEMORY.md").unlink()
    undo(bench.engine, run_id)
    assert b"# Mine\nold\n\n" == page(bench)

    bench.events.clear()
    assert ["weekly_compound"] == rendered(bench)

    assert 2 == ours(bench)
    assert [] == [event for event, _ in bench.events if event is Event.REMOVED_BY_PERSON]
    assert "memory/forgotten.md" not in bench.pages()
