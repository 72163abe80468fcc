"""Two weeks of sample sessions through all four jobs by the command line: in one go, week by week, and undone."""

import json
import shutil
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.support.processes.commands import RealWorkspace, unlike
from tests.support.workspaces.sample_workspace import sample

JOBS = ("micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound")
MONDAYS = (date(2026, 3, 2), date(2026, 3, 9))
LAST = date(2026, 3, 15)
PLANS = ("memory/archive/weekly-2026-W10.md", "memory/archive/weekly-2026-W11.md")


def backfill(memory: RealWorkspace, first: date, last: date, jobs: Sequence[str] = JOBS) -> None:
    """Run the days, which goes well."""
    ended = memory.memory("backfill", *jobs, "--from", str(first), "--to", str(last))
    assert ended.code == 0, ended.shown


@pytest.fixture(scope="module")
def in_one_go(tmp_path_factory: pytest.TempPathFactory) -> RealWorkspace:
    """A workspace in which everything was run by one command."""
    memory = sample(tmp_path_factory.mktemp("one-go"))
    backfill(memory, MONDAYS[0], LAST)
    assert {"MEMORY.md", "second-brain/summaries/2026-03-02-wrapup.md", *PLANS} <= memory.pages().keys()
    return memory


@pytest.fixture
def done(in_one_go: RealWorkspace, tmp_path: Path) -> RealWorkspace:
    """A copy of it for one test."""
    shutil.copytree(in_one_go.root, tmp_path / "w")
    return RealWorkspace(tmp_path / "w")


def test_a_second_backfill_changes_no_byte(done: RealWorkspace) -> None:
    """Nothing is left to do, whatever the order in which the jobs are named."""
    pages = done.pages()
    backfill(done, MONDAYS[0], LAST, JOBS[::-1])
    assert unlike(pages, done.pages()) == []


def test_week_by_week_gives_the_same_bytes(in_one_go: RealWorkspace, tmp_path: Path) -> None:
    """So do jobs of days and of weeks by commands of their own, when one week is done before the next."""
    memory = sample(tmp_path)
    for monday in MONDAYS:
        for jobs in (JOBS[:2], JOBS[2:]):
            backfill(memory, monday, monday + timedelta(days=6), jobs)
    assert unlike(in_one_go.pages(), memory.pages()) == []


def test_a_week_is_undone_and_run_again(done: RealWorkspace, tmp_path: Path) -> None:
    """MEMORY.md goes back to what it was after the week before; run again, all is as it was."""
    before, pages = sample(tmp_path / "before"), done.pages()
    backfill(before, MONDAYS[0], MONDAYS[0] + timedelta(days=6))
    assert done.memory("undo", "2026-W11").code == 0
    undone = done.pages()
    assert (before.pages()["MEMORY.md"], False) == (undone["MEMORY.md"], PLANS[1] in undone)
    assert unlike({path: pages[path] for path in undone if path != "MEMORY.md"}, undone | {"MEMORY.md": b""}) == []
    backfill(done, MONDAYS[1], LAST)
    assert unlike(pages, done.pages()) == []


def test_an_older_week_is_not_undone_before_a_newer_one(done: RealWorkspace) -> None:
    """The sentence names what stands in the way, and nothing changes."""
    pages = done.pages()
    ended = done.memory("undo", "2026-W10")
    assert ended.code != 0
    assert "Traceback" not in ended.err
    assert unlike(pages, done.pages()) == []


def test_every_entry_can_be_explained(in_one_go: RealWorkspace) -> None:
    """`explain` knows of each where it was said, and of those that a plan judged what it said of them."""
    plans = b"".join(in_one_go.pages()[path] for path in PLANS).decode()
    entries = in_one_go.entries()[:6]
    assert len(entries) == 6
    for entry in entries:
        said = in_one_go.memory("show", "story", entry["id"])
        assert said.code == 0
        assert entry["source"]["session_id"] in said.out
        assert (f"[{entry['id']}]" in plans) == ("2026-W1" in said.out), json.dumps(entry)
