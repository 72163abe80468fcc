"""Back-fills: again, part by part, and in any order, over the sample sessions."""

import shutil
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.processes.commands import RealWorkspace, unlike
from tests.support.workspaces.sample_workspace import sample

FIRST, LAST = date(2026, 3, 2), date(2026, 3, 14)
PARTS = [(date(2026, 3, first), date(2026, 3, last)) for first, last in ((2, 2), (3, 4), (5, 8), (9, 11), (12, 14))]


def backfill(memory: RealWorkspace, first: date, last: date) -> None:
    """Run the days, which goes well."""
    ended = memory.memory("backfill", "micro_sync", "--from", str(first), "--to", str(last))
    assert ended.code == 0, ended.shown


@pytest.fixture(scope="module")
def in_one_go(tmp_path_factory: pytest.TempPathFactory) -> RealWorkspace:
    """A workspace in which all days were run by one command."""
    memory = sample(tmp_path_factory.mktemp("one-go"))
    backfill(memory, FIRST, LAST)
    assert len(memory.pages()) > 1
    return memory


def test_a_second_backfill_changes_no_byte(in_one_go: RealWorkspace) -> None:
    """It says that nothing is left to do; without the ledger it finds everything written."""
    pages = in_one_go.pages()
    again = in_one_go.memory("backfill", "micro_sync", "--from", str(FIRST), "--to", str(LAST))
    assert (again.code, again.shown.strip()) == (0, "Nothing is left to do in these days.")
    assert unlike(pages, in_one_go.pages()) == []


def test_a_second_backfill_without_the_ledger(in_one_go: RealWorkspace, tmp_path: Path) -> None:
    """`state.db` is lost: no entry is doubled, none is lost, no byte changes."""
    memory = sample(tmp_path)
    shutil.copytree(in_one_go.root / "memory", tmp_path / "memory", dirs_exist_ok=True)
    backfill(memory, FIRST, LAST)
    assert unlike(in_one_go.pages(), memory.pages()) == []


def test_part_by_part_gives_the_same_bytes(in_one_go: RealWorkspace, tmp_path: Path) -> None:
    """How many commands it takes does not matter."""
    memory = sample(tmp_path)
    for first, last in PARTS:
        backfill(memory, first, last)
    assert unlike(in_one_go.pages(), memory.pages()) == []


def test_any_order_of_days_gives_the_same_entries(in_one_go: RealWorkspace, tmp_path: Path) -> None:
    """What was said later may be written first: the entries are the same, and so is what holds at the end."""
    memory, parts = sample(tmp_path), list(PARTS)
    Random(7).shuffle(parts)  # noqa: S311 - the same order every time
    for first, last in parts:
        backfill(memory, first, last)
    assert _entries(memory) == _entries(in_one_go)
    assert memory.torn() == []


def _entries(memory: RealWorkspace) -> dict[tuple[str, str], Any]:
    """What each entry says and whether it holds, by session and quote."""
    return {
        (entry["source"]["session_id"], entry["quote"]): (entry["kind"], entry["date"], entry["status"])
        for entry in memory.entries()
    }
