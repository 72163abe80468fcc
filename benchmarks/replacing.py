"""What placeholders cost: `memory exec` over the bare command, and the hook of Claude Code over a bare start of Python.

`python -m benchmarks.replacing`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import figures, head, ratio, row
from tests.support.processes.serving_process import serving_process

ROUNDS = 9
_MAIN = "pipeline.surfaces.cli.main"
_HOOK = "pipeline.surfaces.hook.main"


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
        _hooking([_HOOK, "claude-code", str(root), "", str(configuration)])


def _executing(root: Path, how: str) -> None:
    begin = [sys.executable, "-m", _MAIN, "exec", "--workspace", str(root), "--"]
    for name, lines in (("of one line", 1), ("of 1,000 lines", 1_000), ("of 20,000 lines", 20_000)):
        bare = ["seq", "-f", "line %g of the output", str(lines)]
        times = ratio(_run([*begin, *bare]), _run([sys.executable, "-c", "import click"]), ROUNDS)
        row(f"`memory exec` {how}, an output {name}", "a process that imports click", figures(*times))


def _hooking(words: list[str]) -> None:
    for name, lines in (("small", 1), ("of 4 KiB", 160), ("of 30 KiB", 1_200), ("of 256 KiB", 10_000)):
        text = "".join(f"line {number} of an output\n" for number in range(lines))
        event = {
            "session_id": "x",
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "tool_response": {"stdout": text, "stderr": "", "interrupted": False, "isImage": False},
        }
        hook = _run([sys.executable, "-m", *words], json.dumps(event).encode())
        hook()  # the service loads what stores at the first one
        row(
            f"the hook, an output {name}",
            "a bare start",
            figures(*ratio(hook, _run([sys.executable, "-c", ""]), ROUNDS)),
        )


def _run(words: list[str], given: bytes = b"") -> Callable[[], object]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(words, input=given, check=True, capture_output=True, env=environment)


if __name__ == "__main__":
    head()
    with TemporaryDirectory(prefix="memory-benchmarks-") as room:
        replacing(Path(room))
