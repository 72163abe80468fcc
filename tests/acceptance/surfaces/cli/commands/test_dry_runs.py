"""A dry run beside what a killed run left."""

import subprocess
import sys
from pathlib import Path

from pipeline.ledger.store import Store, copy_store
from tests.support.processes.command_line import CommandLine
from tests.surfaces.cli.commands.test_dry_runs import WEEK, tree


def test_what_a_killed_run_left_in_the_ledger_stays_and_is_seen(judged: Path, memory: CommandLine) -> None:
    """What only stands beside the ledger is in the copy too; SQLite's scratch file, `-shm`, is all that may change."""
    state = judged / ".memory" / "state.db"
    code = (
        "import os, sys; from pathlib import Path; from pipeline.ledger import open_ledger\n"
        "open_ledger(Path(sys.argv[1])).store.write(\"UPDATE runs SET job = 'x'\"); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(state)], check=True)
    before = tree(judged)
    assert ".memory/state.db-wal" in before
    assert 0 == memory(*WEEK, "--dry-run", "--workspace", judged).code
    after = tree(judged)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert {".memory/state.db-shm"} >= changed
    copy_store(state, judged / "copy.db")
    copy = Store(judged / "copy.db")
    assert ["x"] == copy.column("SELECT DISTINCT job FROM runs")
    copy.close()
