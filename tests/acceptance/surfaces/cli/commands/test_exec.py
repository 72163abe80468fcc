"""`memory exec` with streams, signals and terminals of its own."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, bare_environment, end_of
from tests.support.processes.serving_process import serving_process
from tests.support.processes.terminal import on_terminal
from tests.surfaces.cli.commands.test_exec import KEY, LARGE, execute


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


def test_where_nobody_reads_us_nobody_reads_the_program(workspace: Path, memory: CommandLine) -> None:
    """With no room to record it, what prints for ever ends with its reader, as in a shell."""
    command = shlex.join(memory.words("exec", "--workspace", workspace, "--", "yes"))
    script = f"ulimit -f 8192; {{ {command}; echo $? >&2; }} | head -1"
    done = subprocess.run(["sh", "-c", script], env=bare_environment(memory.home), capture_output=True, check=True)
    assert (b"y\n", b"141\n") == (done.stdout, done.stderr.splitlines(keepends=True)[-1])


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
