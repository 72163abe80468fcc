"""A year of sessions read at once: killed in the middle, gone on with, in bounded memory, and taken back as a whole."""

import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, end_of
from tests.support.workspaces.many_years import years_of_talk

SECONDS = 3_600.0
PEAK = 400_000  # KB; the transcripts of a year are 13 MB, and the catalog keeps 32 million characters of any number
_PEAK_OF = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


# Nobody reads the log of the run that is killed: a pipe would be full before its thousandth outcome.
_UNLOGGED = ("sh", "-c", 'exec "$@" 2>/dev/null', "sh")


@pytest.mark.soak
def test_a_year_at_once(tmp_path: Path) -> None:
    """Every day has its decision; progress is logged; one undo leaves no page of ours."""
    (tmp_path / "home").mkdir()
    memory = CommandLine(tmp_path / "home", seconds=SECONDS)
    root = years_of_talk(tmp_path / "w", datetime.now(UTC).date() - timedelta(days=365), 364)
    words = ("backfill", "--all", "--json", "--workspace", root)
    process = memory.start(*words, before=_UNLOGGED)
    assert process.stdout
    for _ in range(1_000):
        assert process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    assert -signal.SIGKILL == end_of(process).code
    ended = end_of(memory.start(*words, before=(sys.executable, "-c", _PEAK_OF)), SECONDS)
    assert 0 == ended.code, ended.shown
    peak = int(ended.err.rpartition("peak ")[2])
    assert peak < PEAK
    progress = [line for line in ended.log if line["event"] == "series.progressed"]
    assert progress
    assert sorted(line["done"] for line in progress) == [line["done"] for line in progress]
    daily = list((root / "memory").glob("*-*-*.md"))
    assert [] == [page.name for page in daily if "- kind: decision" not in page.read_text()]
    assert 364 == len(daily)
    [backfill] = {outcome["backfill"] for outcome in ended.records}
    undone = memory("undo", "--backfill", backfill, "--workspace", root)
    assert (0, True) == (undone.code, ", 0 kept." in undone.out), undone.shown
    assert [] == list(root.rglob("*.md"))
