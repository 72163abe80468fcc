"""Loading: the modules and statements of ours that four short commands import, and the processor time that they take.

`python -m benchmarks.loading` prints a row for an idle `run`, a `search`, a `wake` and the hook of Claude Code, each in
a process of its own without a service; `--modules` lists the modules of each. Tests say what they may not import at
all (`tests/acceptance/surfaces`), and how many statements (`tests/acceptance/test_loading.py`).
"""

import os
import statistics
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.samples import openclaw, workspace, write
from tests.support.processes.imports import TREE, count_statements, imported_files, run_module

COMMANDS = {
    "run": ("pipeline.surfaces.cli.main", "run"),
    "search": ("pipeline.surfaces.cli.main", "search", "invoice"),
    "wake": ("pipeline.surfaces.cli.main", "wake"),
    "memory-hook": ("pipeline.surfaces.hook.main", "claude-code"),
}
ROUNDS = 7


def processor_seconds(words: Sequence[str], root: Path) -> float:
    """The processor time of a command and its worker: the median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        before = os.times()
        run_module(words, root)
        after = os.times()
        user, system = after.children_user - before.children_user, after.children_system - before.children_system
        times.append(user + system)
    return statistics.median(times)


def main() -> None:
    """Print the rows."""
    print("| command | modules | statements | processor time |")
    print("|---|---|---|---|")
    with TemporaryDirectory(prefix="memory-loading-") as folder:
        root, now = Path(folder, "work"), datetime.now(UTC)
        write(Path(folder, "sessions", "one.jsonl"), openclaw(now - timedelta(days=1), 10, "one"))
        workspace(root, str(Path(folder, "sessions")), now)
        run_module(COMMANDS["run"], root)
        for name, words in COMMANDS.items():
            files = imported_files(words, root)
            took = f"{1000 * processor_seconds(words, root):.0f} ms"
            print(f"| {name} | {len(files)} | {count_statements(files):,} | {took} |")
            if "--modules" in sys.argv:
                print("\n".join(str(path.relative_to(TREE)) for path in files), file=sys.stderr)


if __name__ == "__main__":
    main()
