"""What a person is shown does not steer the terminal, whoever wrote it: every command, on a terminal and in a pipe."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said, bare_environment
from tests.support.processes.terminal import on_terminal
from tests.surfaces.cli.terminal.test_console import EVIL, SHOWN


@pytest.mark.parametrize("colour", ["", "1"])
def test_no_command_passes_it_on(workspace: Path, memory: CommandLine, colour: str) -> None:
    """A file's text and name, a transcript's name, arguments in our errors and in those of the command line."""
    (workspace / "memory").mkdir()
    (workspace / "memory" / "evil.md").write_text(f"# {EVIL}\n\nzeta {EVIL}\n")
    (workspace / "memory" / "\x1b[31mname.md").write_text("zeta\n")
    lines = (workspace / "sessions" / "s-one.jsonl").read_text().replace("s-one", "s-two")
    (workspace / "sessions" / "\u202etwo.jsonl").write_text(lines)
    calls = (
        ("get", "memory/evil.md"),
        ("get", EVIL),
        ("search", f"zeta {EVIL}"),
        ("search", "zeta", f"--{EVIL}"),
        ("transcripts",),
        ("explain", EVIL),
        ("undo", EVIL),
        ("run", EVIL),
        (EVIL,),
        ("reindex",),
        ("doctor",),
    )
    for words in calls:
        said = on_terminal(memory, 200, *words, MEMORY_WORKSPACE=str(workspace), NO_COLOR=colour)
        ours = said.out
        for code in ("0", "1", "31", "32", "33"):
            ours = ours.replace(f"\x1b[{code}m", "")
        assert (words, []) == (words, [letter for letter in EVIL if letter in ours and letter in "\x1b\x07\x9b\u202e"])
        assert "Traceback" not in ours


def test_raw_is_the_text_as_it_stands(workspace: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """Escaped for people also in a pipe; `--raw` gives the bytes, and JSON the same text."""
    (workspace / "memory").mkdir()
    (workspace / "memory" / "evil.md").write_text(f"a {EVIL}\n")
    words = ("get", "memory/evil.md", "--workspace", workspace)
    assert f"a {SHOWN}\n".replace(r"\ufeff", "") == memory(*words).out.replace(r"\ufeff", "")
    assert f"a {EVIL}\n".encode() in memory_bytes(memory, *words, "--raw")
    assert f"a {EVIL}" == memory(*words, "--json").records[0]["text"]
    assert 0 == call(*words).code


def memory_bytes(memory: CommandLine, *words: object) -> bytes:
    """What a command prints, byte for byte."""
    return subprocess.run(
        memory.words(*words), env=bare_environment(memory.home), cwd=memory.home, stdout=subprocess.PIPE, check=True
    ).stdout
