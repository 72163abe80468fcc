"""`memory upgrade` on workspaces that earlier versions made, and the way back."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.backup.snapshot import STORE
from pipeline.clock import SystemClock
from pipeline.ledger import open_ledger
from pipeline.ledger.store import SCHEMA_VERSION
from pipeline.workspace.locks import Locks
from tests.acceptance.test_previous_version import PREVIOUS, pages, unpacked
from tests.support.builders.old_ledger import ledger_version
from tests.support.processes.command_line import CommandLine

ARCHIVES = sorted(file.name for file in PREVIOUS.glob("*.tar.xz"))
ANSWERS = (
    ("show", "entries", "--json"),
    ("search", "which fields do public endpoints return?", "--json"),
    ("suggestions", "--json"),
    ("show", "transcripts", "--json"),
)

KILLED = """
import os, pathlib, signal, sys
from pipeline.app.upgrade import go_back

def kill(event, values):
    if event == "os.rename" and os.fspath(values[1]).endswith(".memory/state.db"):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
go_back(pathlib.Path(sys.argv[1]), losing_acts=False)
"""


@pytest.fixture
def memory(tmp_path: Path) -> CommandLine:
    """The command, in a home folder of its own."""
    (tmp_path / "home").mkdir()
    return CommandLine(tmp_path / "home")


@pytest.fixture(params=ARCHIVES)
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A workspace of an earlier version, as it was left, with a ledger that this version upgrades."""
    root = unpacked(PREVIOUS / str(request.param), tmp_path)
    connection = sqlite3.connect(root / ".memory" / "state.db")
    assert 0 < connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION
    connection.close()
    return root


def dumped(database: Path) -> list[str]:
    """The tables of a database and their rows; none where it is not there."""
    if not database.exists():
        return []
    with closing(sqlite3.connect(database)) as connection:
        return [*connection.iterdump()]


def test_upgrade_and_back(workspace: Path, tmp_path: Path, memory: CommandLine) -> None:
    """It shows the steps, changes no page, answers as before, and --back restores the ledger byte for byte."""
    ledger, store, upgraded = workspace / ".memory" / "state.db", workspace / STORE, tmp_path / "upgraded"
    before, written = ledger.read_bytes(), pages(workspace)
    stored = dumped(store)
    shutil.copytree(workspace, upgraded)
    (planned,) = memory("upgrade", "--dry-run", "--json", "--workspace", workspace).records
    assert (SCHEMA_VERSION, False) == (planned["known"], planned["done"])
    assert SCHEMA_VERSION - planned["ledger"] == len(planned["steps"])
    assert before == ledger.read_bytes()
    assert 2 == memory("upgrade", "--workspace", workspace).code
    (done,) = memory("upgrade", "--yes", "--json", "--workspace", workspace).records
    assert (True, []) == (done["done"], done["troubles"])
    copies = sorted(map(Path, done["copies"]))
    assert (before, stored) == (copies[0].read_bytes(), dumped(copies[1]) if stored else [])
    open_ledger(upgraded / ".memory" / "state.db").store.close()
    for words in ANSWERS:
        answers = [memory(*words, "--workspace", root).records for root in (workspace, upgraded)]
        timeless = [[{**record, "milliseconds": 0} for record in records] for records in answers]
        assert timeless[0] == timeless[1], words
    assert written == pages(workspace)
    said = memory("upgrade", "--back", "--yes", "--workspace", workspace)
    assert (0, before) == (said.code, ledger.read_bytes()), said.shown
    assert stored == dumped(store)
    assert (True, False) == ("\nNow install the version of before, in the way" in said.out, "pip install" in said.out)
    assert 2 == memory("upgrade", "--back", "--yes", "--workspace", workspace).code
    assert 0 == memory("status", "--workspace", workspace).code


def test_a_job_that_upgrades_by_itself_keeps_the_copy(workspace: Path, memory: CommandLine) -> None:
    """Whoever comes first; `memory upgrade` then names it, and going back says what runs did since."""
    ledger = workspace / ".memory" / "state.db"
    before = ledger.read_bytes()
    assert 0 == memory("run", "--workspace", workspace).code
    said = memory("upgrade", "--workspace", workspace)
    assert (0, True) == (said.code, "From before an upgrade" in said.out), said.shown
    assert 0 == memory("upgrade", "--back", "--yes", "--workspace", workspace).code
    assert before == ledger.read_bytes()


def test_what_the_owner_did_since_is_not_lost_silently(workspace: Path, memory: CommandLine) -> None:
    """Going back names it and refuses; with the flag it goes back, and the newer ledger is kept beside the copy."""
    ledger = workspace / ".memory" / "state.db"
    before = ledger.read_bytes()
    run = next(
        one for one in memory("show", "runs", "--all", "--json", "--workspace", workspace).records if one["written"]
    )
    assert 0 == memory("undo", run["run_id"], "--workspace", workspace).code
    said = memory("upgrade", "--back", "--yes", "--workspace", workspace)
    assert (2, True) == (said.code, "1 undo" in said.err), said.shown
    assert before != ledger.read_bytes()
    (report,) = memory("upgrade", "--back", "--yes", "--lose-acts", "--json", "--workspace", workspace).records
    assert (True, before) == (report["done"], ledger.read_bytes())
    assert Path(report["kept"][0]).is_file()


def test_a_database_in_use_is_not_put_back(workspace: Path, memory: CommandLine) -> None:
    """Its changes would be lost."""
    store = open_ledger(workspace / ".memory" / "state.db").store
    said = memory("upgrade", "--back", "--yes", "--workspace", workspace)
    assert (75, True) == (said.code, "has" in said.err and "open" in said.err), said.shown
    store.close()


def test_a_running_job_is_not_disturbed(workspace: Path, memory: CommandLine) -> None:
    """It may open the ledger at any moment."""
    open_ledger(workspace / ".memory" / "state.db").store.close()
    now = SystemClock().now()
    with Locks(workspace / "memory" / ".locks").hold(["micro_sync"], "run", now):
        said = memory("upgrade", "--back", "--yes", "--workspace", workspace)
    assert (75, True) == (said.code, "micro_sync" in said.err), said.shown


def test_a_kill_in_the_middle_leaves_a_ledger(workspace: Path, memory: CommandLine) -> None:
    """The newer one, until that of before is in its place; the next time goes to the end."""
    ledger = workspace / ".memory" / "state.db"
    before = ledger.read_bytes()
    open_ledger(ledger).store.close()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(workspace)], capture_output=True, check=False)
    assert (-signal.SIGKILL, b"") == (killed.returncode, killed.stderr)
    assert SCHEMA_VERSION == ledger_version(ledger)
    assert 0 == memory("upgrade", "--back", "--yes", "--workspace", workspace).code
    assert before == ledger.read_bytes()


def test_forgotten_words_are_not_kept_for_going_back(workspace: Path, memory: CommandLine) -> None:
    """The copy of the ledger goes when something is forgotten; that of the store goes with words that it had."""
    entry = memory("show", "entries", "--json", "--workspace", workspace).records[0]
    assert list(workspace.glob(".memory/upgrades/*/state.db"))
    assert 0 == memory("forget", entry["id"], "--yes", "--workspace", workspace).code
    assert not list(workspace.glob(".memory/upgrades/ledger-*"))
    kept = [file.read_bytes() for file in workspace.glob(".memory/upgrades/*/*")]
    assert [] == [data for data in kept if entry["quote"].encode() in data]
    assert 2 == memory("upgrade", "--back", "--yes", "--workspace", workspace).code
