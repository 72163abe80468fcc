"""`memory exec`: a command runs as it would without it, and a large output becomes a placeholder."""

import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said, bare_environment, end_of
from tests.support.processes.serving_process import serving_process
from tests.support.processes.terminal import on_terminal

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


def test_the_order_of_both_streams_is_exact_where_they_are_one(workspace: Path, memory: CommandLine) -> None:
    """As after `2>&1`."""
    words = memory.words(
        "exec", "--workspace", workspace, "--", "sh", "-c", "for n in 1 2 3; do echo o$n; echo e$n >&2; done"
    )
    done = subprocess.run(words, env=bare_environment(memory.home), stdout=-1, stderr=subprocess.STDOUT, check=True)
    assert b"o1\ne1\no2\ne2\no3\ne3\n" == done.stdout


def test_input_folder_and_environment_stay(workspace: Path, memory: CommandLine) -> None:
    """The command sees what it would see without us, also a SIGPIPE that is not ignored."""
    words = ["sh", "-c", 'cat; pwd; echo "$COLOUR"; yes | head -1']
    done = subprocess.run(
        memory.words("exec", "--workspace", workspace, "--", *words),
        env=bare_environment(memory.home, COLOUR="blue"),
        cwd=workspace,
        input=b"typed\n",
        capture_output=True,
        check=True,
    )
    assert f"typed\n{os.path.realpath(workspace)}\nblue\ny\n" == done.stdout.decode()


def test_other_descriptors_stay(workspace: Path, memory: CommandLine) -> None:
    """Such as those that a shell makes of `<(...)`."""
    (memory.home / "note").write_text("from a descriptor\n")
    with (memory.home / "note").open() as note:
        words = memory.words("exec", "--workspace", workspace, "--", "cat", f"/dev/fd/{note.fileno()}")
        done = subprocess.run(words, env=bare_environment(memory.home), pass_fds=[note.fileno()], stdout=-1, check=True)
    assert b"from a descriptor\n" == done.stdout


def test_a_signal_is_passed_on(workspace: Path, memory: CommandLine) -> None:
    """The command decides what becomes of it, and what it prints meanwhile is there."""
    script = "trap 'echo bye; exit 5' TERM; echo $$ > pid; while :; do read line; done < pipe"
    os.mkfifo(memory.home / "pipe")
    process = memory.start("exec", "--workspace", workspace, "--", "sh", "-c", script)
    with (memory.home / "pipe").open("w"):
        process.send_signal(signal.SIGTERM)
        said = end_of(process)
    assert (5, "bye\n") == (said.code, said.out)


def test_a_command_that_a_signal_ends(workspace: Path, memory: CommandLine) -> None:
    """It has the exit code that a shell gives it."""
    assert 128 + signal.SIGKILL == execute(memory, workspace, "sh", "-c", "kill -9 $$").code


def test_a_command_dies_with_its_parent(workspace: Path, memory: CommandLine) -> None:
    """Also when we are killed, and can pass nothing on."""
    os.mkfifo(memory.home / "pipe")
    process = memory.start("exec", "--workspace", workspace, "--", "sh", "-c", "exec sleep 300 > pipe")
    with (memory.home / "pipe").open("rb") as pipe:  # opened by both: the command is there
        process.kill()
        assert b"" == pipe.read()  # which ends when nobody has it open for writing any more
    end_of(process)


def test_a_command_that_printed_much_is_stopped(workspace: Path, memory: CommandLine) -> None:
    """It ends by the first signal, and what it printed by then is neither stored nor printed."""
    script = "head -c 6000000 /dev/zero | tr '\\0' y; echo begun > pipe; exec sleep 300"
    os.mkfifo(memory.home / "pipe")
    process = memory.start("exec", "--workspace", workspace, "--", "sh", "-c", script)
    assert "begun\n" == (memory.home / "pipe").read_text()
    process.send_signal(signal.SIGTERM)
    said = end_of(process)
    assert (128 + signal.SIGTERM, "") == (said.code, said.out)


def test_what_goes_on_in_the_background_is_not_waited_for(workspace: Path, memory: CommandLine) -> None:
    """What the command itself printed is all there."""
    said = execute(memory, workspace, "sh", "-c", "sleep 300 & echo $!")
    os.kill(int(said.out), signal.SIGKILL)
    assert 0 == said.code


def test_what_prints_for_ever_in_the_background_does_not_hold_us_up(workspace: Path, memory: CommandLine) -> None:
    """It loses its reader, and the command's own words are there."""
    said = execute(memory, workspace, "sh", "-c", "echo first; yes & exit 3")
    assert (3, True) == (said.code, "first" in said.out.splitlines())


def test_where_nobody_reads_us_nobody_reads_the_program(workspace: Path, memory: CommandLine) -> None:
    """With no room to record it, what prints for ever ends with its reader, as in a shell."""
    command = shlex.join(memory.words("exec", "--workspace", workspace, "--", "yes"))
    script = f"ulimit -f 8192; {{ {command}; echo $? >&2; }} | head -1"
    done = subprocess.run(["sh", "-c", script], env=bare_environment(memory.home), capture_output=True, check=True)
    assert (b"y\n", b"141\n") == (done.stdout, done.stderr.splitlines(keepends=True)[-1])


@pytest.mark.parametrize(("program", "code"), [("no-such-program", 127), ("/", 126)])
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


def test_on_a_terminal_all_passes_through(workspace: Path, memory: CommandLine) -> None:
    """The command has the terminal, and nothing is stored."""
    script = f"import os; print(os.isatty(1)); {LARGE}; sys.exit(6)"
    said = on_terminal(memory, 100, "exec", "--workspace", workspace, "--", sys.executable, "-c", script)
    assert (6, 2001) == (said.code, len(said.out.splitlines()))
    assert said.out.startswith("True\n")
    assert not (workspace / "store").exists()


@pytest.mark.parametrize("last", ["", "\\xff"], ids=["text", "broken"])
def test_with_a_service_the_placeholder_is_the_same(last: str, workspace: Path, memory: CommandLine) -> None:
    """The service stores what it can take; what is no text goes into the store all the same."""
    script = f"{LARGE}; sys.stdout.flush(); sys.stdout.buffer.write(b'{last}'); sys.exit(2)"
    with serving_process(workspace, memory.home, MEMORY_EMBEDDER__KIND="none"):
        by_service = execute(memory, workspace, sys.executable, "-c", script)
    alone = execute(memory, workspace, sys.executable, "-c", script)
    assert (2, by_service.out) == (alone.code, alone.out)
    assert 1 == len(KEY.findall(alone.out))
    assert f"In a shell: memory store show {KEY.findall(alone.out)[0]} --lines 1-80\n" in alone.out
