"""Writes that the system really refuses, and what `memory doctor` says of them: nothing is torn."""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from tests.support.marks import at_length
from tests.support.processes.command_line import Said
from tests.support.processes.preparation import largest_file, ordinary_rights
from tests.support.workspaces.four_days import FourDays

LARGE = b"a line of mine\n" * 200_000  # 3 MB
LIMIT = 2_000_000  # the ledger of a workspace is smaller


def intended(four_days: FourDays) -> list[str]:
    """The files that the ledger knows an intention for."""
    ledger = open_ledger(four_days.memory.root / ".memory" / "state.db")
    paths = [change.path for change in ledger.changes.intended_changes()]
    ledger.store.close()
    return paths


def torn(four_days: FourDays) -> list[str]:
    """What `memory doctor` tells of torn writes."""
    said = four_days.memory.memory("doctor", "--json")
    return [record["told"] for record in said.records if record["check"] == "torn writes"]


def may_still_write(path: Path) -> bool:
    """Whether even without rights one may: then this machine cannot show what is to be shown."""
    ask = "import os, sys; sys.exit(os.access(sys.argv[1], os.W_OK))"
    return bool(subprocess.run([*ordinary_rights(), sys.executable, "-c", ask, str(path)], check=False).returncode)


def run_one(four_days: FourDays, job: str, moment: str, before: tuple[str, ...]) -> Said:
    """Run the one window of a moment: the next one of the job would mend what this one left."""
    return four_days.memory.memory("run", job, "--at", moment, before=before)


@pytest.mark.parametrize("what", ["a file", *at_length("the folder")])
def test_without_the_right_to_write(what: str, four_days: FourDays) -> None:
    """A folder that takes no new file, or a day's file that takes no append: told by the run, and torn is nothing."""
    assert (
        0 == four_days.memory.memory("run", "micro_sync", "--at", f"{four_days.days[0]}T03:00").code
    )  # the ledger is there
    day = 0 if what == "the folder" else 1
    closed, mode = (four_days.memory.root / "memory", 0o755) if what == "the folder" else (four_days.daily(day), 0o644)
    closed.chmod(mode & ~0o222)
    assert not may_still_write(closed), "a kernel on which this cannot be shown"
    ended = run_one(four_days, "micro_sync", f"{four_days.days[day]}T09:00", ordinary_rights())
    closed.chmod(mode)
    assert (1, True) == (ended.code, f"Cannot write memory/{four_days.days[day]}.md: Permission denied" in ended.shown)
    assert ([], []) == (intended(four_days), torn(four_days))
    assert "wrote " in run_one(four_days, "micro_sync", f"{four_days.days[day]}T09:00", ()).shown


def test_when_a_page_cannot_be_made(four_days: FourDays) -> None:
    """The folder of the wrap-ups is closed: the day stays due, and nothing is intended."""
    folder = four_days.memory.root / "second-brain" / "summaries"
    folder.mkdir(parents=True)
    first = str(four_days.days[0])
    assert 0 == four_days.memory.memory("backfill", "micro_sync", "--from", first, "--to", first).code
    folder.chmod(0o555)
    ended = four_days.memory.memory(
        "backfill", "daily_wrapup", "--from", first, "--to", first, before=ordinary_rights()
    )
    folder.chmod(0o755)
    assert "Cannot write second-brain/summaries/" in ended.shown, ended.shown
    assert ([], []) == (intended(four_days), torn(four_days))
    assert 0 == four_days.memory.memory("backfill", "daily_wrapup", "--from", first, "--to", first).code
    assert [f"{first}-wrapup.md"] == [file.name for file in folder.iterdir()]


def test_when_a_file_may_not_grow(four_days: FourDays) -> None:
    """As on a full disk: the day's file, which is large already, stays as it is, and what was said stays due."""
    four_days.daily(1).write_bytes(LARGE)
    ended = run_one(four_days, "micro_sync", f"{four_days.days[1]}T09:00", largest_file(LIMIT))
    assert (1, True) == (ended.code, f"Cannot write memory/{four_days.days[1]}.md: File too large" in ended.shown)
    assert LARGE == four_days.daily(1).read_bytes()
    assert ([], []) == (intended(four_days), torn(four_days))
    assert "wrote " in run_one(four_days, "micro_sync", f"{four_days.days[1]}T09:00", ()).shown
    assert four_days.daily(1).read_bytes().startswith(LARGE)
