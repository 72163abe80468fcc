"""Weeks of talk through all four jobs, with a person at work in the files between the runs: what holds whatever comes.

The quick histories are short; `make soak` goes through twelve weeks of many.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from _pytest.mark import ParameterSet

from jobs import daily_wrapup, micro_sync, weekly_compound, weekly_plan
from pipeline.clock import day_start
from pipeline.corrections.undo import undo_key
from pipeline.corrections.undo_folds import render_folds
from pipeline.engine.partitioning import partitioning_of
from pipeline.entries.reference import is_item_name, item_name, wordless
from pipeline.entries.standing import fold
from pipeline.markdown.blocks import find_blocks, marked_names
from pipeline.markdown.items import persons_part
from pipeline.reports.entries import list_entries
from pipeline.workspace.families import iso_week
from schemas.entry import Status
from schemas.settings import Settings
from tests.support.builders.person import PAGE, Person
from tests.support.ports.clock import FixedClock
from tests.support.processes.commands import unlike
from tests.support.workspaces.histories import ZONE, History
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
JOBS = (micro_sync.JOB, daily_wrapup.JOB, weekly_plan.JOB, weekly_compound.JOB)
FIRST = date(2026, 3, 16)
"""A Monday. The clocks change at the end of the second week."""

QUICK, LONG = 3, 12
LINES, CHARACTERS = 200, 20_000
CROWD = 160  # lines of a person in MEMORY.md before we come, so that ours have to fit beside them
_ID = re.compile(rb"^- id: (\S+)$", re.MULTILINE)


def long(seeds: Iterable[int]) -> list[ParameterSet]:
    """Histories of twelve weeks, which take their time."""
    return [pytest.param(seed, LONG, marks=pytest.mark.soak) for seed in seeds]


def morning_after(day: date) -> datetime:
    """When people run what is due: five o'clock UTC, after the last job of the night."""
    return datetime.combine(day + timedelta(days=1), time(5), UTC)


def new(new_bench: NewBench, root: Path, now: datetime) -> Workbench:
    """A workspace that begins with the history."""
    begun = Settings(timezone=ZONE, start=day_start(FIRST, ZONE))
    return new_bench(root=root, jobs=JOBS, clock=FixedClock(now), settings=begun)


def mornings(bench: Workbench, history: History) -> Iterator[date]:
    """Every morning, with what was said so far; the day that is over."""
    for day in history.days:
        bench.clock.moment = morning_after(day)
        bench.say(*history.until(bench.clock.moment))
        yield day


def run(bench: Workbench) -> None:
    """All that is due goes well; nothing is due afterwards."""
    assert set(endings(bench.run_due())) <= {"done", "empty"}
    pages = bench.pages()
    assert bench.run_due() == []
    assert unlike(pages, bench.pages()) == []


def live(new_bench: NewBench, history: History, root: Path) -> Workbench:
    """A workspace in which everything was run on its morning."""
    bench = new(new_bench, root, morning_after(FIRST))
    for _ in mornings(bench, history):
        run(bench)
    return bench


def filled(new_bench: NewBench, history: History, root: Path) -> Workbench:
    """A workspace in which everything was run by one back-fill."""
    bench = new(new_bench, root, morning_after(history.days[-1]))
    bench.say(*history.until(bench.clock.moment))
    assert set(endings(bench.backfill(FIRST, history.days[-1]))) <= {"done", "empty"}
    return bench


def assert_within_limits(page: bytes, before: bytes) -> None:
    """Ours fits beside what was the person's when it was rendered, however much that is."""
    whole, theirs = page.decode(), persons_part(before).decode()
    assert whole.count("\n") <= max(LINES, theirs.count("\n"))
    assert len(whole) <= max(CHARACTERS, len(theirs))


def assert_holds(bench: Workbench, monday: date) -> None:
    """All of ours in MEMORY.md verifies, and held when the week was over."""
    places = list_entries(bench.engine)
    said = [place for place in places if place.entry.date < day_start(monday, ZONE)]
    states = fold(place.entry for place in said).states
    sound = {item_name(place.entry.id) for place in said if place.is_verified}
    active = {item_name(state.entry.id) for state in states.values() if state.status is Status.ACTIVE}
    ours = [block.name for block in find_blocks(page_of(bench)) if block.intact and block.text.startswith("- ")]
    assert [name for name in ours if name not in sound & active] == []


def page_of(bench: Workbench) -> bytes:
    """MEMORY.md."""
    return bench.pages().get(PAGE, b"")


def parts(page: bytes) -> tuple[list[str], bytes]:
    """A page's items of ours in their order, and the person's part, whatever the places of the one in the other.

    An item that left the page and comes back follows the item before it: a person's lines between the two may be on
    its other side then.
    """
    return [block.text for block in find_blocks(page) if block.intact], persons_part(page)


def written(bench: Workbench) -> set[bytes]:
    """The ids of all entries in the daily files."""
    daily = [page for path, page in bench.pages().items() if re.match(r"memory/(recent/)?\d{4}-\d\d-\d\d", path)]
    return {match for page in daily for match in _ID.findall(page)}


def planned(bench: Workbench) -> bytes:
    """All plans."""
    return b"".join(page for path, page in bench.pages().items() if path.startswith("memory/archive/weekly-"))


def rendered(bench: Workbench) -> bytes:
    """MEMORY.md as the plans of now give it beside what is the person's now, rendered in a copy of the workspace.

    A person's edits make no fold due, so the page that stands may be older than they are.
    """
    copy = replace(bench, root=copytree(bench.root, bench.root.with_name("copy")))
    partitioning_of(copy.engine, weekly_compound.JOB).mark_stale()
    assert endings(render_folds(copy.engine, [weekly_plan.JOB])) in (["done"], ["empty"])
    copy.engine.ledger.store.close()
    return page_of(copy)


def with_edits(new_bench: NewBench, history: History, root: Path) -> tuple[Workbench, bytes]:
    """A workspace that a person edited almost every day; what their page would be without the last week's plan."""
    bench = new(new_bench, root, morning_after(FIRST))
    dice = Random(history.seed)  # noqa: S311 - the same edits every time
    person = Person(root, dice)
    person.write(CROWD)
    ids, named, without = set[bytes](), set[str](), b""
    for day in mornings(bench, history):
        if dice.random() < 0.8:
            person.edit()
        theirs, before = person.standing(), page_of(bench)
        without = rendered(bench) if day == history.days[-1] else b""
        run(bench)
        assert theirs == person.standing()
        ids, named = ids | written(bench), named | set(filter(is_item_name, marked_names(page_of(bench).decode())))
        if day.weekday() == 6:
            assert_within_limits(page_of(bench), before)
            assert_holds(bench, day + timedelta(days=1))
            assert person.deleted.isdisjoint(block.name for block in find_blocks(page_of(bench)))
    assert ids == written(bench)
    plans = planned(bench).decode()
    known = {item_name(name): name for name in map(bytes.decode, ids)}
    assert [name for name in named if not any(f"[{of}]" in plans for of in (known[name], wordless(known[name])))] == []
    assert (len(ids) > 6 * history.weeks, len(named) > history.weeks) == (True, True)
    return bench, without


@pytest.mark.parametrize(("seed", "weeks"), [(1, QUICK), *long(range(100, 106))])
def test_day_by_day_and_one_back_fill_give_the_same_bytes(
    seed: int, weeks: int, new_bench: NewBench, tmp_path: Path
) -> None:
    """The second time, nothing is left to do."""
    history = History(seed, FIRST, weeks)
    pages = live(new_bench, history, tmp_path / "live").pages()
    bench = filled(new_bench, history, tmp_path / "filled")
    assert unlike(pages, bench.pages()) == []
    assert bench.backfill(FIRST, history.days[-1]) == []


@pytest.mark.parametrize(("seed", "weeks"), [(4, 2), *long(range(300, 303))])
def test_a_back_fill_that_knows_of_nothing_but_the_markdown(
    seed: int, weeks: int, new_bench: NewBench, tmp_path: Path
) -> None:
    """No byte changes but in MEMORY.md, where the same entries stand: without the ledger, only quotes are believed."""
    history = History(seed, FIRST, weeks)
    bench = filled(new_bench, history, tmp_path)
    pages, ours = bench.pages(), [block.name for block in find_blocks(page_of(bench))]
    bench.engine.ledger.store.close()
    for state in (tmp_path / ".memory").glob("state.db*"):
        state.unlink()
    again = filled(new_bench, history, tmp_path)
    assert unlike(pages | {PAGE: b""}, again.pages() | {PAGE: b""}) == []
    # Quotes are as long as they are: on a full page, others may find room.
    if len(page_of(again).decode()) < CHARACTERS - 600 and page_of(again).count(b"\n") < LINES - 6:
        assert ours == [block.name for block in find_blocks(page_of(again))]


@pytest.mark.parametrize(("seed", "weeks"), [(2, QUICK), *long([3, *range(200, 220)])])
def test_edits_survive_and_the_last_week_can_be_undone(
    seed: int, weeks: int, new_bench: NewBench, tmp_path: Path
) -> None:
    """Limits, ids and people's lines hold after every run; undone and run again, the week gives the same items.

    All other pages have the same bytes. Undone, the page has the items that the other plans give beside what is the
    person's now. Where they made room or changed an entry since, these are not the items of before.
    """
    history = History(seed, FIRST, weeks)
    bench, without = with_edits(new_bench, history, tmp_path / "history")
    after, monday = bench.pages(), history.days[-7]
    undo_key(bench.engine, iso_week(monday))
    undone = bench.pages()
    assert parts(without) == parts(page_of(bench))
    assert f"memory/archive/weekly-{iso_week(monday)}.md" not in undone
    assert set(endings(bench.backfill(monday, history.days[-1]))) <= {"done", "empty"}
    assert unlike(after | {PAGE: b""}, bench.pages() | {PAGE: b""}) == []
    assert parts(after[PAGE]) == parts(page_of(bench))
