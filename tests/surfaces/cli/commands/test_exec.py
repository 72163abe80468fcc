"""`memory exec`: a command runs as it would without it, and a large output becomes a placeholder."""

import os
import re
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said
from tests.support.tables import table

LARGE = "import sys; print('\\n'.join(f'line {n}' for n in range(2000)))"
KEY = re.compile(r"\[MemoryRef: (\S+) - ")


def execute(memory: CommandLine, workspace: Path, *words: str) -> Said:
    """Run a command by `memory exec`."""
    return memory("exec", "--workspace", workspace, "--", *words)


def test_a_small_output_is_printed_as_it_is(workspace: Path, memory: CommandLine) -> None:
    """Each stream on its own, and the exit code is the command's."""
    said = execute(memory, workspace, "sh", "-c", r"printf 'out\033[1m\n'; echo err >&2; exit 7")
    assert (7, "out\033[1m\n", "err\n") == (said.code, said.out, said.err)
    assert not (workspace / "store").exists()


def test_a_large_output_becomes_a_placeholder(workspace: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """Which leads to every byte of it; the exit code is the command's."""
    said = execute(
        memory, workspace, sys.executable, "-c", f"{LARGE}; sys.stderr.write('Error: no room\\n'); sys.exit(3)"
    )
    assert (3, "") == (said.code, said.err)
    assert "exit 3" in said.out
    assert "Error: no room" in said.out
    key = KEY.findall(said.out)[0]
    raw = call("store", "show", key, "--raw", "--workspace", workspace).out
    assert 2001 == len(raw.splitlines())
    assert {"line 0", "line 1999", "Error: no room"} <= set(raw.splitlines())


def test_a_page_of_a_stored_text_is_printed_as_it_is(workspace: Path, memory: CommandLine) -> None:
    """It was chosen: a placeholder of it would keep from its reader what that asked for."""
    key = KEY.findall(execute(memory, workspace, sys.executable, "-c", LARGE).out)[0]
    page = f"print('{key}: lines 1-2000 of 2000')"
    said = execute(memory, workspace, sys.executable, "-c", f"{page}; {LARGE}")
    assert (2001, []) == (len(said.out.splitlines()), KEY.findall(said.out))
    unknown = f"print('log_x_0123456789: lines 1-2000 of 2000'); {LARGE}"
    assert KEY.findall(execute(memory, workspace, sys.executable, "-c", unknown).out)


def test_a_command_that_a_signal_ends(workspace: Path, memory: CommandLine) -> None:
    """It has the exit code that a shell gives it."""
    assert 128 + signal.SIGKILL == execute(memory, workspace, "sh", "-c", "kill -9 $$").code


def test_what_goes_on_in_the_background_is_not_waited_for(workspace: Path, memory: CommandLine) -> None:
    """What the command itself printed is all there."""
    said = execute(memory, workspace, "sh", "-c", "sleep 300 & echo $!")
    os.kill(int(said.out), signal.SIGKILL)
    assert 0 == said.code


def test_what_prints_for_ever_in_the_background_does_not_hold_us_up(workspace: Path, memory: CommandLine) -> None:
    """It loses its reader, and the command's own words are there."""
    said = execute(memory, workspace, "sh", "-c", "echo first; yes & exit 3")
    assert (3, True) == (said.code, "first" in said.out.splitlines())


@table(("program", "code"), [("no-such-program", 127), ("/", 126)])
def test_what_cannot_be_run(workspace: Path, memory: CommandLine, program: str, code: int) -> None:
    """The exit codes are those of a shell."""
    said = execute(memory, workspace, program)
    assert (code, "") == (said.code, said.out)
    assert f"memory: {program} cannot be run: " in said.err


def damaged(workspace: Path) -> None:
    """A store that is none."""
    (workspace / "store").mkdir()
    (workspace / "store" / "memory.db").write_text("no database" * 100)


def in_the_way(workspace: Path) -> None:
    """No store can be made."""
    (workspace / "store").write_text("")


@pytest.mark.parametrize("broken", [damaged, in_the_way])
def test_without_a_store_the_output_itself_is_printed(
    workspace: Path, memory: CommandLine, broken: Callable[[Path], None]
) -> None:
    """With a sentence on stderr, and the exit code of the command."""
    broken(workspace)
    said = execute(memory, workspace, sys.executable, "-c", f"{LARGE}; sys.exit(4)")
    assert (4, 2000) == (said.code, len(said.out.splitlines()))
    assert said.err.startswith("memory: ")
    assert said.err.endswith("The output itself was printed.\n")


def test_without_a_workspace_the_output_itself_is_printed(tmp_path: Path, memory: CommandLine) -> None:
    """It is no reason not to run the command."""
    said = execute(memory, tmp_path, sys.executable, "-c", LARGE)
    assert (0, 2000) == (said.code, len(said.out.splitlines()))
    assert "There is no memory.toml" in said.err


@pytest.mark.soak
def test_a_locked_store_is_waited_for_and_no_longer(workspace: Path, memory: CommandLine) -> None:
    """Another process holds it for too long: the output itself is printed."""
    execute(memory, workspace, sys.executable, "-c", LARGE)
    other = sqlite3.connect(workspace / "store" / "memory.db")
    other.execute("BEGIN EXCLUSIVE")
    said = execute(memory, workspace, sys.executable, "-c", LARGE.replace("line", "row"))
    other.close()
    assert (0, 2000) == (said.code, len(said.out.splitlines()))
    assert "Another process holds the store" in said.err
