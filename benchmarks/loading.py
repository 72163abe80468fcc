"""Loading: the modules and lines of ours that four short commands import, and the processor time that they take.

`python -m benchmarks.loading` prints a row for an idle `run`, a `search`, a `wake` and the hook of Claude Code, each in
a process of its own without a service; `--modules` lists the modules of each. What they may not import at all is tested
(`tests/surfaces/cli/terminal/test_lazy.py`, `tests/surfaces/hook/test_main.py`).
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.samples import openclaw, workspace, write

TREE = Path(__file__).parents[1]
COMMANDS = {
    "run": ("pipeline.surfaces.cli.main", "run"),
    "search": ("pipeline.surfaces.cli.main", "search", "invoice"),
    "wake": ("pipeline.surfaces.cli.main", "wake"),
    "memory-hook": ("pipeline.surfaces.hook.main", "claude-code"),
}
ROUNDS = 7


def imported(words: Sequence[str], root: Path) -> list[Path]:
    """The files of ours that a command and its worker import."""
    done = _run(["-X", "importtime", "-m", *words], root)
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    files = []
    for name in sorted(names):
        place = TREE.joinpath(*name.split("."))
        files += [path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]
    return [*files, TREE.joinpath(*words[0].split(".")).with_suffix(".py")]


def processor_seconds(words: Sequence[str], root: Path) -> float:
    """The processor time of a command and its worker: the median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        before = os.times()
        _run(["-m", *words], root)
        after = os.times()
        user, system = after.children_user - before.children_user, after.children_system - before.children_system
        times.append(user + system)
    return statistics.median(times)


def _run(words: Sequence[str], root: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MEMORY_WORKSPACE": str(root), "MEMORY_EMBEDDER__KIND": "none", "HOME": str(root)}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=TREE, env=environment, input="{}", capture_output=True, text=True, check=False)


def main() -> None:
    """Print the rows."""
    print("| command | modules | lines | processor time |")
    print("|---|---|---|---|")
    with TemporaryDirectory(prefix="memory-loading-") as folder:
        root, now = Path(folder, "work"), datetime.now(UTC)
        write(Path(folder, "sessions", "one.jsonl"), openclaw(now - timedelta(days=1), 10, "one"))
        workspace(root, str(Path(folder, "sessions")), now)
        _run(["-m", *COMMANDS["run"]], root)
        for name, words in COMMANDS.items():
            files = imported(words, root)
            lines = sum(len(path.read_bytes().splitlines()) for path in files)
            print(f"| {name} | {len(files)} | {lines:,} | {1000 * processor_seconds(words, root):.0f} ms |")
            if "--modules" in sys.argv:
                print("\n".join(str(path.relative_to(TREE)) for path in files), file=sys.stderr)


if __name__ == "__main__":
    main()
