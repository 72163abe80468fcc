"""`memory agents connect` asks a person at a terminal."""

from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine
from tests.support.processes.terminal import on_terminal


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 1)])
def test_writes_what_a_person_agrees_to(typed: str, code: int, workspace: Path, memory: CommandLine) -> None:
    """On a terminal it asks once, after it has shown all changes."""
    words = ("integrate", "claude-code", "--apply", "--workspace", workspace)
    said = on_terminal(memory, 100, *words, typed=typed)
    assert code == said.code, said.out
    assert said.out.index("CLAUDE.md") < said.out.index("Write this into these files?")
    assert (code == 0) == (memory.home / ".claude.json").exists()
