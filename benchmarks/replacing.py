"""What placeholders cost: `memory exec` over the bare command, and the hook of Claude Code over a bare start of Python.

`python -m benchmarks.replacing`.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from pydoc_data.topics import topics
from tempfile import TemporaryDirectory

from benchmarks.measuring import figures, head, middle, ratio, row, seconds, spread
from tests.support.processes.serving_process import serving_process

ROUNDS, HOOKED = 9, 41
_KIBIBYTE = 1024
_MAIN = "pipeline.surfaces.cli.main"
_HOOK = Path(sys.executable).with_name("memory-hook")


def replacing(folder: Path) -> None:
    """The rows of the table."""
    root, home = folder / "w", folder / "home"
    for path in (root, home):
        path.mkdir()
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    _executing(root, "without a service")
    configuration = home / ".claude.json"
    configuration.write_text(json.dumps([str(root)]))
    with serving_process(root, home, MEMORY_EMBEDDER__KIND="none"):
        _executing(root, "with a service")
        _hooking([str(_HOOK), "claude-code", str(root), "", str(configuration)])


def _executing(root: Path, how: str) -> None:
    begin = [sys.executable, "-m", _MAIN, "exec", "--workspace", str(root), "--"]
    for name, lines in (("of one line", 1), ("of 1,000 lines", 1_000), ("of 20,000 lines", 20_000)):
        bare = ["seq", "-f", "line %g of the output", str(lines)]
        times = ratio(_run([*begin, *bare]), _run([sys.executable, "-c", "import click"]), ROUNDS)
        row(f"`memory exec` {how}, an output {name}", "a process that imports click", figures(*times))


def _hooking(words: list[str]) -> None:
    for kibibytes in (1, 30, 256):
        _hooked(words, f"an output of {kibibytes} KiB", _lines(), kibibytes * _KIBIBYTE)
    for name, text in (("code", code()), ("a diff", diff()), ("prose", _prose())):
        _hooked(words, f"256 KiB of {name}", text, 256 * _KIBIBYTE)


def _hooked(words: list[str], what: str, text: str, size: int) -> None:
    bare = _run([sys.executable, "-c", ""])
    made = (_run(words, _event(f"run {number}\n{text}", size)) for number in count())  # none is stored already
    next(made)()  # the service compiles its first statements
    pairs = [(seconds(next(made)), seconds(bare)) for _ in range(HOOKED)]
    times, _, _ = middle(pairs)
    mine, base = zip(*pairs, strict=True)
    figures = [f"{times:.1f} x the time", f"{spread(mine)} to {spread(base)} ms"]
    row(f"the hook, {what}, p50 / p95", "a bare start of Python", figures)


def _lines() -> str:
    return "".join(f"line {line} of an output\n" for line in range(16 * _KIBIBYTE))


def code() -> str:
    """The modules of `asyncio`, one behind the other."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(Path(asyncio.__file__).parent.glob("*.py")))


def diff() -> str:
    """The same code as a change to it shows it: one line in three is new, one in seven is gone."""
    lines = enumerate(code().splitlines(keepends=True))
    head = "diff --git a/code.py b/code.py\n--- a/code.py\n+++ b/code.py\n@@ -1,5000 +1,6000 @@\n"
    changed = (f"{'+' if number % 3 == 0 else '-' if number % 7 == 0 else ' '}{line}" for number, line in lines)
    return head + "".join(changed)


def _prose() -> str:
    """What `help` tells about Python."""
    return "\n".join(topics.values())


def _event(text: str, size: int) -> bytes:
    output = text.encode()[: size - 1].decode(errors="ignore")
    event = {
        "session_id": "x",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": output, "stderr": "", "interrupted": False, "isImage": False},
    }
    return json.dumps(event).encode()


def _run(words: list[str], given: bytes = b"") -> Callable[[], object]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(words, input=given, check=True, capture_output=True, env=environment)


if __name__ == "__main__":
    head()
    with TemporaryDirectory(prefix="memory-benchmarks-") as room:
        replacing(Path(room))
