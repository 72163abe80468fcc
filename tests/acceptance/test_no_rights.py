"""A folder or a file without the right to write."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.marks import at_length
from tests.support.processes.commands import unlike
from tests.support.processes.preparation import ordinary_rights
from tests.support.workspaces.four_days import BY_HAND, FourDays


def without_rights(path: Path) -> None:
    """Take away the right to write, and skip the test where that hinders nobody."""
    path.chmod(path.stat().st_mode & ~0o222)
    ask = "import os, sys; sys.exit(os.access(sys.argv[1], os.W_OK))"
    if subprocess.run([*ordinary_rights(), sys.executable, "-c", ask, str(path)], check=False).returncode:
        pytest.skip("the rights of this process cannot be taken away")


@pytest.mark.parametrize("command", ["run", *at_length("backfill")])
@pytest.mark.parametrize("where", ["memory", "memory/.locks", ".memory"])
def test_a_folder_without_rights(where: str, command: str, four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """A sentence that names the place and exit code 1; with the right to write all is done."""
    folder = four_days.memory.root / where
    folder.mkdir(parents=True, exist_ok=True)
    without_rights(folder)
    words = ("run",) if command == "run" else four_days.backfill
    ended = four_days.memory.memory(*words, before=ordinary_rights())
    assert (ended.code, "Traceback" in ended.err) == (1, False), ended.shown
    assert "Cannot write " in ended.shown
    assert where in ended.shown
    assert four_days.daily(1).read_bytes() == BY_HAND
    folder.chmod(0o755)
    assert four_days.memory.memory(*words).code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []


def test_a_folder_that_loses_its_rights_later(four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """Locks and ledger can be written, a new day's file cannot: what could be written stands, the rest stays due."""
    first, last = str(four_days.days[0]), str(four_days.days[1])
    assert four_days.memory.memory("backfill", "micro_sync", "--from", first, "--to", first).code == 0
    folder = four_days.memory.root / "memory"
    without_rights(folder)
    ended = four_days.memory.memory("run", before=ordinary_rights())
    assert (ended.code, f"Cannot write memory/{four_days.days[2]}.md" in ended.shown) == (3, True), ended.shown
    assert f" to memory/{last}.md" in ended.shown  # a file that is there can be appended to
    folder.chmod(0o755)
    assert four_days.memory.memory("run").code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []


def test_a_file_without_rights(four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """A person has closed one day's file: it is told, and stays as it is."""
    without_rights(four_days.daily(1))
    ended = four_days.memory.memory("run", before=ordinary_rights())
    assert (ended.code, f"Cannot write memory/{four_days.days[1]}.md" in ended.shown) == (3, True), ended.shown
    assert four_days.daily(1).read_bytes() == BY_HAND
    four_days.daily(1).chmod(0o644)
    assert four_days.memory.memory("run").code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []


def test_the_doctor_looks_where_nothing_may_be_written(four_days: FourDays) -> None:
    """It says what may not be written and what it could not look at; other commands say that it can be asked."""
    assert four_days.memory.memory("run").code == 0
    for folder in (four_days.memory.root / ".memory", four_days.memory.root / "memory", four_days.memory.root):
        without_rights(folder)
    asked = four_days.memory.memory("show", "entries", before=ordinary_rights())
    assert (asked.code, "`memory doctor` looks at both" in asked.err) == (1, True), asked.shown
    ended = four_days.memory.memory("doctor", before=ordinary_rights())
    for folder in (four_days.memory.root / ".memory", four_days.memory.root / "memory", four_days.memory.root):
        folder.chmod(0o755)
    assert ended.code == 1
    for text in ("fail  ledger: ", f"{four_days.memory.root} may not be written", "ok    disk: ", "ok    clock: "):
        assert text in ended.out
    assert "warn  not looked at: could not be looked at without the ledger: sources, " in ended.out
