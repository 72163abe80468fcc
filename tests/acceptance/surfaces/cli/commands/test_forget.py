"""`memory forget` asks a person at a terminal."""

import os
import pty
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tests.support.processes.command_line import CommandLine, bare_environment


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, 2), ("y", 0, 1)])
def test_asks_a_person(answer: str, code: int, left: int, filled: Path, memory: CommandLine) -> None:
    """On a terminal the person is asked, and told what would go; no is no."""
    entry_id = memory("show", "entries", "--json", "--workspace", filled).records[0]["id"]
    terminal, ours = pty.openpty()
    words = memory.words("forget", entry_id, "--workspace", filled)
    with Popen(words, stdin=ours, stdout=PIPE, stderr=PIPE, env=bare_environment(memory.home), text=True) as process:
        os.write(terminal, f"{answer}\n".encode())
        output = process.communicate(timeout=60)[1]
    os.close(terminal)
    os.close(ours)
    assert (process.returncode, f"Forget {entry_id} (" in output) == (code, True)
    assert len(memory("show", "entries", "--json", "--workspace", filled).records) == left
