"""Another agent appends to today's file, without our locks, all the time while we write into it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.processes.commands import RealWorkspace
from tests.support.workspaces.transcript_folder import TranscriptFolder, Turn

RUNS = 4
APPEND = """
import os, sys, time
number, parent = 0, os.getppid()
while not os.path.exists(sys.argv[2]) and os.getppid() == parent:
    with open(sys.argv[1], "ab", buffering=0) as file:
        file.write(b"- the other agent's line %d, whole\\n" % number)
    number += 1
    time.sleep(0.0005)
print(number)
"""


@contextmanager
def another_agent(today: Path, stop: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that appends a line to `today` some thousand times a second, until a file `stop` is there.

    It ends with the test too, whatever happens to that.
    """
    words = [sys.executable, "-c", APPEND, str(today), str(stop)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            stop.touch()


def test_every_line_of_the_other_agent_stands(tmp_path: Path) -> None:
    """Each of its lines is there once and whole; each of our blocks is intact; nothing of ours is lost or doubled."""
    now = datetime.now(UTC)
    memory = RealWorkspace(tmp_path).configure(_settings(now))
    today = memory.root / "memory" / f"{now + timedelta(hours=12 - now.hour):%Y-%m-%d}.md"
    turns: list[Turn] = []
    with another_agent(today, tmp_path / "stop") as agent:
        for number in range(RUNS):
            turns += _said(now - timedelta(hours=6 - number), number)
            TranscriptFolder(tmp_path / "openclaw").say("boxes", turns)
            ended = memory.memory("run")
            assert ended.code == 0, ended.shown
            assert agent.poll() is None
    lines = today.read_text(encoding="utf-8").splitlines()
    count = sum("the other agent" in line for line in lines)
    assert count > RUNS
    assert [line for line in lines if "the other agent" in line] == [
        f"- the other agent's line {number}, whole" for number in range(count)
    ]
    assert memory.torn() == []
    assert [entry["quote"] for entry in memory.entries()] == [text for _, _, text in turns]


def _settings(now: datetime) -> str:
    """In a zone where it is about noon now, so that today has closed windows and midnight is far."""
    ahead = now.hour - 12  # POSIX signs: a zone that is ahead of UTC has a minus
    zone = f"Etc/GMT{ahead:+d}" if ahead else "Etc/GMT"
    start = f"{now - timedelta(hours=10):%Y-%m-%dT%H:00:00Z}"
    source = '[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
    return f'timezone = "{zone}"\nstart = {start}\n{source}[jobs.micro_sync]\nschedule = "*/10 * * * *"\n'


def _said(until: datetime, number: int) -> list[Turn]:
    colours = ((50, "red"), (25, "green"), (5, "blue"))
    return [
        (until - timedelta(minutes=minutes), "user", f"Remember that box {number}{minutes} is {colour}.")
        for minutes, colour in colours
    ]
