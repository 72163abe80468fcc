"""What a service saves an agent that wakes up: `memory wake` and `memory agents know` by it, and without one.

`python -m benchmarks.waking [--lines N]`. The answer alone is compared with the same one in a process that has all
imported, the command with the least that a command can do.
"""

import argparse
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import figures, head, process, ratio, resident_mebibytes, row, seconds, spread
from pipeline.app.agent_questions import AgentQuestions
from pipeline.service.socket.client import ask
from pipeline.settings.load import load_settings
from tests.support.processes.serving_process import serving_process
from tests.support.workspaces.agent_memory import new_agent_memory, remember

LINES, WARM, CHANGES, ROUNDS = 20, 200, 20, 15
MAIN = "pipeline.surfaces.cli.main"
SETTINGS = 'timezone = "UTC"\n[embedder]\nkind = "none"\n[agents.jaskier]\n'
CLICK = "a process that imports click"
IN_PROCESS = "the same in process"
QUESTION = {"agent": "jaskier"}
NAMES = ("wake", "know")


def waking(folder: Path, lines: int = LINES) -> None:
    """All measurements, on an agent that knows so many lines."""
    texts = (f"The bakery in street {number} keeps its ledger in folder {7 * number}" for number in count())
    root = new_agent_memory(folder / "agent", [next(texts) for _ in range(lines)], SETTINGS)
    with serving_process(root, folder) as service:
        before = resident_mebibytes(service.pid)
        for name in NAMES:
            _warm(root, name, f"{lines} lines")
        _changed(root, texts)
        added = resident_mebibytes(service.pid) - before
        for name in NAMES:
            _cold(root, name)
    row("resident size that these answers add to the service", "-", [f"{added:.0f} MiB", "-"])


def _warm(root: Path, name: str, size: str) -> None:
    """The answer alone, through the socket and in process."""
    settings = load_settings(root, {}).agents
    own = AgentQuestions(root, lambda: settings)
    calls = (lambda: _ask(root, name), lambda: own.answer(name, QUESTION))
    mine, base = ([seconds(call) for _ in range(WARM)] for call in calls)
    share = statistics.median(mine) / statistics.median(base)
    what = f"the answer to `memory {name}` by the service, {size}, p50 / p95"
    row(what, IN_PROCESS, [f"{share:.1f} x the time", f"{spread(mine)} to {spread(base)} ms"])


def _changed(root: Path, texts: Iterator[str]) -> None:
    """The first answer after each of some changes, by another process."""
    mine, base = list[float](), list[float]()
    for _ in range(CHANGES):
        remember(root, next(texts))
        for times in (mine, base):
            times.append(seconds(lambda: _ask(root, "wake")))
    share = statistics.median(mine) / statistics.median(base)
    what = "the first answer to `memory wake` after a change, p50 / p95"
    row(what, "the second", [f"{share:.1f} x the time", f"{spread(mine)} to {spread(base)} ms"])


def _cold(root: Path, name: str) -> None:
    """The whole command, with the service and without."""
    command, click = process("-m", MAIN, name, "jaskier", "--workspace", str(root)), process("-c", "import click")
    command()
    row(f"a cold `memory {name}` by the service", CLICK, figures(*ratio(command, click, ROUNDS)))
    with unserved(root):
        row("the same without a service", CLICK, figures(*ratio(command, click, ROUNDS)))


@contextmanager
def unserved(root: Path) -> Iterator[None]:
    """The service's address is hidden meanwhile."""
    address = root / ".memory" / "service" / "socket"
    hidden = address.rename(address.with_name("hidden"))
    try:
        yield
    finally:
        hidden.rename(address)


def _ask(root: Path, name: str) -> None:
    if ask(root, name, QUESTION) is None:
        message = "the service does not answer"
        raise RuntimeError(message)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.waking", description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES, help="how many lines the agent knows")
    lines = parser.parse_args().lines
    head()
    with TemporaryDirectory(prefix="memory-waking-") as folder:
        waking(Path(folder), lines)


if __name__ == "__main__":
    main()
