"""`memory show runs` follows runs as they come, at a terminal."""

import json
import os
import signal
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pipeline.ledger import open_ledger
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.reports.runs import difference
from schemas.outcome import Ending
from tests.support.builders.runs import note_run, run_outcome
from tests.support.processes.command_line import CommandLine, Said, end_of


def test_a_rewrite_is_shown_as_what_it_changed() -> None:
    """The lines that went and those that came, with some around them."""
    change = Change("r-1", "MEMORY.md", ChangeKind.REPLACE, b"one\nthree\n", {}, before=b"one\ntwo\n")
    assert ["--- a/MEMORY.md", "+++ b/MEMORY.md", "@@ -1,2 +1,2 @@", " one", "-two", "+three"] == [*difference(change)]


def test_a_run_that_goes_on_is_reported_as_such(
    workspace: Path, call: Callable[..., Said], memory: CommandLine
) -> None:
    """Its process holds its job's lock, and how long it has taken so far is told; or it is waited for."""
    note_run(workspace, "r-1", None)
    lock = workspace / "memory" / ".locks" / "micro_sync.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text(json.dumps({"pid": os.getppid(), "host": socket.gethostname(), "run": "r-1"}))
    output = call("show", "run", "r-1", "--workspace", workspace).out
    assert ("  ending   goes on\n" in output, " s so far\n" in output) == (True, True)
    process = memory.start("show", "run", "r-1", "--follow", "--workspace", workspace)
    assert process.stderr is not None
    assert "r-1 of micro_sync goes on ...\n" == process.stderr.readline()
    ledger = open_ledger(workspace / ".memory" / "state.db")
    ledger.runs.end(run_outcome(Ending.DONE), datetime(2026, 2, 3, 12, 3, tzinfo=UTC))
    ledger.store.close()
    assert "  ending   done\n" in end_of(process).out


def test_following_ends_when_it_is_interrupted(workspace: Path, memory: CommandLine) -> None:
    """A real process: a run that begins is a line at once, and Ctrl-C ends it with 130."""
    note_run(workspace, "r-1", None)
    process = memory.start("show", "runs", "--follow", "--json", "--workspace", workspace)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    assert ("r-1", "began", None) == (first["run_id"], first["happening"], first["ending"])
    note_run(workspace, "r-2", run_outcome(Ending.EMPTY, run_id="r-2"))
    second = json.loads(process.stdout.readline())
    assert ("r-2", "ended", "empty") == (second["run_id"], second["happening"], second["ending"])
    process.send_signal(signal.SIGINT)
    assert 130 == end_of(process).code


def test_a_person_follows_runs_line_by_line(workspace: Path, memory: CommandLine) -> None:
    """When to the second, which run of which window, and what came of it, in columns; other jobs can be left out."""
    note_run(workspace, "r-1", None)
    process = memory.start("show", "runs", "--follow", "--job", "micro_sync", "--workspace", workspace)
    assert process.stdout is not None
    assert "2026-02-03 12:02:00  r-1  micro_sync       2026-02-03 09:00 to 12:00  began\n" == process.stdout.readline()
    note_run(workspace, "r-2", run_outcome(Ending.FAILED, run_id="r-2", warning="no\x1b room"))
    expected = "2026-02-03 12:03:00  r-2  micro_sync       2026-02-03 09:00 to 12:00  failed  no\\u001b room\n"
    assert expected == process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert 130 == end_of(process).code
