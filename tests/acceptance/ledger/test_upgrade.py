"""The upgrade of an old ledger by several processes, and by a process that is killed."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from pipeline.ledger.store import SCHEMA_VERSION
from tests.support.builders.old_ledger import UPGRADE_STATEMENTS, ledger_shape, ledger_version, write_old_ledger

OPEN = (
    "import sys, pathlib; from pipeline.ledger import open_ledger; open_ledger(pathlib.Path(sys.argv[1])).store.close()"
)
KILLED = """
import os, pathlib, signal, sys
from pipeline.ledger.store import Store

class Killed(Store):
    def write(self, statement, values=()):
        if statement.strip().startswith(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(statement, values)

Killed(pathlib.Path(sys.argv[1]))
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger as version 1 left it."""
    return write_old_ledger(tmp_path / ".memory" / "state.db")


def test_ten_processes_meet_at_an_old_ledger(old: Path) -> None:
    """None fails, and it is upgraded once."""
    running = [subprocess.Popen([sys.executable, "-c", OPEN, str(old)], stderr=subprocess.PIPE) for _ in range(10)]
    assert [b""] * 10 == [process.communicate()[1] for process in running]
    assert SCHEMA_VERSION == ledger_version(old)


@pytest.mark.parametrize("place", UPGRADE_STATEMENTS)
def test_a_kill_in_the_middle_leaves_the_old_ledger(old: Path, place: str) -> None:
    """As it was, to the last table; and the next opening upgrades it."""
    before = ledger_shape(old)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(old), place], capture_output=True, check=False)
    assert (-signal.SIGKILL, b"") == (killed.returncode, killed.stderr)
    assert (1, before) == (ledger_version(old), ledger_shape(old))
    ledger = open_ledger(old)
    assert "r-1" == ledger.runs.latest()[0].run_id
    ledger.store.close()
    assert SCHEMA_VERSION == ledger_version(old)
