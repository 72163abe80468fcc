"""The ledger's file with several processes, and on a full disk."""

import subprocess
import sys
from pathlib import Path

from pipeline.ledger.store import SCHEMA_VERSION, Store

OPEN = (
    "import sys, pathlib; from pipeline.ledger import open_ledger; open_ledger(pathlib.Path(sys.argv[1])).store.close()"
)
WRITE_UNTIL_FULL = """
import pathlib, resource, sys
from pipeline.errors import PipelineError
from pipeline.ledger.store import copy_store, Store
store = Store(pathlib.Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
try:
    while True:
        with store.transaction():
            store.write("INSERT INTO answers VALUES (hex(randomblob(8)), 'm', ?, 0, 0, 'now')", ("x" * 20_000,))
except PipelineError as error:
    print(type(error).__name__, error)
"""


def test_many_may_open_a_new_ledger_at_once(tmp_path: Path) -> None:
    """Eight processes meet at a file that is not there yet; none fails, and the tables are made once."""
    path = tmp_path / ".memory" / "state.db"
    command = [sys.executable, "-c", OPEN, str(path)]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(8)]
    actual = [process.communicate()[1] for process in running]
    assert [b""] * 8 == actual
    store = Store(path)
    assert SCHEMA_VERSION == store.value("PRAGMA user_version")
    store.close()


def test_a_full_disk_is_no_damage(tmp_path: Path) -> None:
    """No room: the sentence is about room, nobody is told to move the file away, and the file stays good."""
    path = tmp_path / "state.db"
    done = subprocess.run(
        [sys.executable, "-c", WRITE_UNTIL_FULL, str(path)], capture_output=True, text=True, check=False
    )
    assert ("WriteFailed", "") == (done.stdout.split(" ")[0], done.stderr)
    assert "make room" in done.stdout
    store = Store(path)
    assert ["ok"] == store.column("PRAGMA integrity_check")
    store.close()
