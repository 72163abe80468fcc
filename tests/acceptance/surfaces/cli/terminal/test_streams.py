"""Output that cannot be written, and what a terminal wants: the work goes on, and the exit code tells."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.support.builders.runs import note_run
from tests.support.marks import at_length
from tests.support.processes.command_line import SECONDS, CommandLine, Said, bare_environment, end_of
from tests.support.processes.commands import redirected
from tests.support.processes.forked import Command, Fork

FULL = "/dev/full"
LOST = "memory: stdout cannot be written: No space left on device. What was to be printed there is lost.\n"
BACKFILL = ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02")
CUT_OFF = """
import resource, signal, sys
from pipeline.surfaces.cli.terminal.streams import Outlet

outlet = Outlet(1)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
outlet.write(b"first\\n")
rest = b"cut off here\\n"
while rest:
    rest = rest[outlet.write(rest):]
outlet.write(b"dropped\\n")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
outlet.write(b"last\\n")
"""
CLOSED = """
import os, subprocess, sys
from pipeline.surfaces.cli.terminal.streams import set_up

set_up()
with open(sys.argv[1], "w") as file:
    for number in 1, 2:
        os.write(number, b"not mine")
    subprocess.run(["echo", "not mine"], check=True)
    print("not mine", file=sys.stderr)
    print("not mine" + sys.stdin.read())
    file.write("mine")
"""


def ended(memory: CommandLine, redirection: str, *words: object) -> Said:
    """How a command ends whose output is redirected."""
    return end_of(memory.start(*words, before=redirected(redirection)))


def _ended(memory: CommandLine, out: int, err: int, *words: object) -> Said:
    process = Fork(Command([*map(str, words)], bare_environment(memory.home), memory.home), stdout=out, stderr=err)
    _, shown = process.communicate(timeout=SECONDS)
    return Said(process.returncode, "", shown or "")


def on_full_disk(memory: CommandLine, *words: object, alone: bool = True) -> Said:
    """How a command ends whose stdout cannot be written, alone or with its stderr."""
    with Path(FULL).open("wb") as full:
        return _ended(memory, full.fileno(), PIPE if alone else full.fileno(), *words)


def unread(memory: CommandLine, *words: object) -> Said:
    """How a command ends whose stdout nobody reads any more, from its start."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return _ended(memory, writer, PIPE, *words)
    finally:
        os.close(writer)


def test_a_log_goes_on_once_there_is_room(tmp_path: Path) -> None:
    """What was cut off in the middle of a line stays so; what comes after begins a line of its own."""
    file = tmp_path / "log"
    with file.open("wb") as out:
        subprocess.run([sys.executable, "-c", CUT_OFF], stdout=out, check=True)
    assert file.read_text().splitlines() == ["first", "cut ", "last"]


@pytest.mark.parametrize(
    "words", [("--version",), ("status",), *at_length(("jobs",), ("entries", "--json"), ("runs", "--all"))]
)
def test_a_full_disk_is_reported_and_no_bug(words: tuple[str, ...], filled: Path, memory: CommandLine) -> None:
    """A sentence on stderr and exit code 1 when stdout cannot be written; without stderr the code alone."""
    where = () if words[0].startswith("-") else ("--workspace", filled)
    assert Said(1, "", LOST) == on_full_disk(memory, *words, *where)
    assert Said(1, "", "") == on_full_disk(memory, *words, *where, alone=False)


def test_the_work_goes_on_when_it_cannot_be_reported(
    afternoon: Path, memory: CommandLine, call: Callable[..., Said]
) -> None:
    """What is printed is not the work: that is done to its end, and the code says that it was not printed."""
    for words in (("run",), BACKFILL):
        said = on_full_disk(memory, *words, "--workspace", afternoon)
        assert (1, True) == (said.code, said.err.endswith(LOST))
    assert "Nothing is due." in memory("run", "--workspace", afternoon).out
    assert 2 == len(call("show", "entries", "--json", "--workspace", afternoon).records)


def test_a_failure_keeps_its_own_code(workspace: Path, memory: CommandLine) -> None:
    """How the work ended weighs more than that it was not printed."""
    assert 2 == on_full_disk(memory, "runs", "show", "r-0", "--workspace", workspace).code


def test_a_run_of_the_service_does_not_fail_for_its_log(workspace: Path, memory: CommandLine) -> None:
    """Who attends to a run looks at its code; a log that cannot be written says nothing about the work."""
    words = ("run", "micro_sync", "--json", "--attended", "--workspace", workspace)
    environment = bare_environment(memory.home)
    with Path(FULL).open("wb") as full:
        done = subprocess.Popen(memory.words(*words), env=environment, stdin=PIPE, stdout=full, stderr=full)
        assert done.wait(SECONDS) == 0
    assert done.stdin
    done.stdin.close()


@pytest.mark.parametrize("words", [("entries", "--json"), ("run",), ("--help",), *at_length(("jobs",), BACKFILL)])
def test_a_reader_that_goes_away_changes_no_code(words: tuple[str, ...], filled: Path, memory: CommandLine) -> None:
    """`memory ... | head` has been read as far as was wanted: nothing is said of it, and the code is the work's."""
    where = () if words[0].startswith("-") else ("--workspace", filled)
    said = unread(memory, *words, *where)
    assert (said.code, "stdout" in said.err, "Traceback" in said.err) == (0, False, False)


def test_a_back_fill_goes_on_without_its_reader(
    workspace: Path, memory: CommandLine, call: Callable[..., Said]
) -> None:
    """What `memory backfill | head -1` has begun it ends."""
    assert unread(memory, *BACKFILL, "--workspace", workspace).code == 0
    assert len(call("show", "entries", "--json", "--workspace", workspace).records) == 2


def test_following_runs_ends_without_a_reader(workspace: Path, memory: CommandLine) -> None:
    """What goes on for ever ends when nobody reads it any more."""
    note_run(workspace, "r-1", None)  # goes on, so it is told at once
    assert Said(0, "", "") == unread(memory, "runs", "--follow", "--workspace", workspace)


@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", ">&- 2>&- <&-", "<&-"])
@pytest.mark.parametrize("words", [("run",), *at_length(("status",), ("entries",))])
def test_closed_streams_are_no_error(
    redirection: str, words: tuple[str, ...], filled: Path, memory: CommandLine
) -> None:
    """Who closes a stream wants nothing of it, and gets the rest as ever."""
    said = ended(memory, redirection, *words, "--workspace", filled)
    unasked = [line for line in said.err.splitlines() if ", about " not in line]  # a slow machine has progress
    assert (said.code, unasked) == (0, [])
    assert (">&-" in redirection.split()) == (said.out == "")


def test_a_closed_stream_is_not_taken_by_a_file(tmp_path: Path) -> None:
    """Else what is printed, by us or by a library of C, would go into the next file that is opened."""
    file = tmp_path / "file"
    words = [sys.executable, "-c", CLOSED, str(file)]
    subprocess.run([*redirected("<&- >&- 2>&-"), *words], check=True)
    assert "mine" == file.read_text()
