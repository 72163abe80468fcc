"""A workspace of the version before, whose MEMORY.md has two lines an entry: the next plan brings it up to date."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jobs.consolidation.plan_page import PlannedVerdict, render_plan
from jobs.consolidation.verdicts import Ruling, Verdict
from jobs.weekly_compound import JOB
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, ItemDraft
from pipeline.entries.reference import item_name
from pipeline.events import Event
from pipeline.job import Run
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.items import Item, render_page
from schemas.settings import Settings
from tests.support.builders.note_job import JOB as NOTE
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
SAID = ("use tabs", "no friday deploys", "one queue", "two workers")


def _as_before(run: Run) -> Sequence[Draft]:
    """The items of today with their texts as the version before had them."""
    drafts = [draft for draft in JOB.run(run) if isinstance(draft, ItemDraft)]
    ids = {item_name(noted.entry.id): noted for noted in run.inputs.entries}
    return [
        replace(draft, text=_two_lines(draft.text, ids[draft.name].entry.id)) if draft.name in ids else draft
        for draft in drafts
    ]


def _two_lines(text: str, entry_id: str) -> str:
    conclusion, _, path = text.rpartition(" ([2026-03-09](")
    return f"{conclusion}\n  [{entry_id}]({path.removesuffix('))')}), 2026-03-09, confidence 1.00"


def plan(bench: Workbench, ids: Sequence[str], week: str) -> None:
    """Write the plan of a week, which promotes these entries."""
    since = "2026-W11"
    verdicts = [Verdict(name, Ruling.PROMOTED, "", 0.9, subject="Tabs", since=since) for name in ids]
    items = render_plan(week, [PlannedVerdict(verdict) for verdict in verdicts], "offline")
    file = bench.root / f"memory/archive/weekly-{week}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(render_page(b"", [Item(draft.name, draft.text) for draft in items]))


def page(bench: Workbench) -> bytes:
    """MEMORY.md as it stands."""
    return (bench.root / "MEMORY.md").read_bytes()


@pytest.fixture
def before(tmp_path: Path) -> tuple[Workbench, list[str]]:
    """A workspace with a page of the version before, and the ids of its entries."""
    settings = Settings(timezone="UTC", start=MONDAY)
    bench = Workbench(tmp_path, (NOTE, replace(JOB, run=_as_before)), FixedClock(MONDAY + timedelta(days=7)), settings)
    bench.say(conversation("s1", MONDAY + timedelta(hours=9), [("owner", f"note: {text}") for text in SAID]))
    bench.run_due()
    daily = (tmp_path / "memory/2026-03-09.md").read_text(encoding="utf-8")
    ids = re.findall(r"(?m)^- id: (\S+)$", daily)
    plan(bench, ids, "2026-W11")
    bench.clock.move(timedelta(hours=8))
    bench.run_due()
    long = re.sub(rb"<!--([a-z]):(\w+) (\w+)-->", rb"<!-- memory:\1-\2 check:\3 -->", page(bench))
    (tmp_path / "MEMORY.md").write_bytes(long)
    bench.clock.move(timedelta(days=7))
    assert [] == [outcome for outcome in bench.run_due() if outcome.paths]
    return bench, ids


Upgrade = Callable[[], Workbench]


@pytest.fixture
def upgrade(before: tuple[Workbench, list[str]]) -> Upgrade:
    """Render the page as the version of today does, after the next plan."""

    def run() -> Workbench:
        bench, ids = before
        bench = replace(bench, jobs=(NOTE, JOB))
        plan(bench, ids, "2026-W12")
        assert "done" in endings(bench.run_due())
        pages = bench.pages()
        assert [] == bench.run_due()
        bench.backfill(date(2026, 3, 9), date(2026, 3, 22))
        assert pages == bench.pages()
        return bench

    return run


def names(data: bytes) -> list[str]:
    """The names of the entries on a page."""
    return [block.name for block in find_blocks(data) if block.name.startswith("m-")]


def test_every_item_is_brought_to_the_form_of_today(before: tuple[Workbench, list[str]], upgrade: Upgrade) -> None:
    """Under its name of before: nothing is lost, doubled, forgotten, or taken for a person's."""
    old = page(before[0])
    assert (4, 4) == (old.count(b"\n  [DECISION-"), old.count(b"<!-- memory:m-"))

    bench = upgrade()

    assert names(old) == names(page(bench))
    assert (0, 4) == (page(bench).count(b"memory:m-"), page(bench).count(b"(memory/2026-03-09.md)) <!--m:"))
    assert all(block.intact for block in find_blocks(page(bench)))
    assert "memory/forgotten.md" not in bench.pages()
    assert [] == [event for event, _ in bench.events if event is Event.REMOVED_BY_PERSON]


def test_it_can_be_undone(before: tuple[Workbench, list[str]], upgrade: Upgrade) -> None:
    """Byte for byte."""
    old = page(before[0])
    bench = upgrade()
    [outcome, *_] = [run.outcome for run in bench.engine.ledger.runs.latest(JOB.name) if run.outcome]
    assert outcome.paths

    undo(bench.engine, outcome.run_id)

    assert old == page(bench)


def test_what_a_person_did_before_the_upgrade_holds(before: tuple[Workbench, list[str]], upgrade: Upgrade) -> None:
    """An item that they changed stays byte for byte, and one that they took out stays away."""
    bench, _ = before
    first, second, *_ = [block for block in find_blocks(page(bench)) if block.name.startswith("m-")]
    data = page(bench)
    theirs = data[first.start : first.end].replace(b"- ", b"- (sic) ", 1)
    (bench.root / "MEMORY.md").write_bytes(data[: first.start] + theirs + data[second.end :])

    after = page(upgrade())

    assert (True, 1, 0) == (theirs in after, names(after).count(first.name), names(after).count(second.name))
    assert 3 == len(names(after))
    forgotten = (bench.root / "memory/forgotten.md").read_text(encoding="utf-8")
    assert (True, False) == (f"MEMORY.md#{second.name}" in forgotten, first.name in forgotten)
