"""`memory store` as a real process: it takes little memory, and any bytes come back."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, bare_environment


@pytest.mark.parametrize(
    "content",
    [bytes(range(256)) * 20, b"\x1b[31mred\x1b[0m line\n" * 200, b"\xff\xfe broken \xc3\x28\n" * 200, b"x y" * 9_000],
    ids=["binary", "ansi", "broken", "long"],
)
def test_any_bytes_come_back_as_they_were(content: bytes, workspace: Path, memory: CommandLine) -> None:
    """Binary, ANSI, broken UTF-8, and one long line."""
    words = [*memory.words("store", "--workspace", workspace, "--json")]
    kept = subprocess.run(words, input=content, env=bare_environment(memory.home), capture_output=True, check=True)
    key = kept.stdout.decode().split('"key":"')[1].partition('"')[0]
    shown = memory.words("store", "show", key, "--raw", "--workspace", workspace)
    raw = subprocess.run(shown, env=bare_environment(memory.home), capture_output=True, check=True).stdout
    assert hashlib.sha256(content).hexdigest() == hashlib.sha256(raw).hexdigest()


@pytest.mark.soak
@pytest.mark.parametrize("part", [b"one two three four ", b"one two three four\n"], ids=["a line", "lines"])
def test_a_long_text_takes_little_memory(part: bytes, workspace: Path, memory: CommandLine) -> None:
    """It is never held as a whole, not even when it is one line."""
    size = 64_000_000
    process = subprocess.Popen(
        memory.words("store", "--workspace", workspace), stdin=-1, stdout=-1, env=bare_environment(memory.home)
    )
    assert process.stdin
    assert process.stdout
    with process.stdin as stdin, process.stdout as stdout:
        for _ in range(size // len(part) // 10_000):
            stdin.write(part * 10_000)
        stdin.close()
        assert b"[MemoryRef: text_" in stdout.read()
    _, status, spent = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert (0, True) == (process.returncode, spent.ru_maxrss * 1024 < 5 * size)
