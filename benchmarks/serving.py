"""What the service costs: how soon it is ready, what it takes at rest, and what it adds to a run to watch over it.

`python -m benchmarks.serving [--windows N]`. A supervised run is what the service starts: `memory run` in a process of
its own, which has another one do the work.
"""

import argparse
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import head, middle, process, resident_mebibytes, row, seconds, ticks
from benchmarks.samples import openclaw, workspace, write
from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import due_now, work_through
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named
from tests.support.processes.command_line import CommandLine, end_of
from tests.support.processes.serving_process import serving_process
from tests.support.servers.service_manager import ServiceManager

JOB = "micro_sync"
MAIN = "pipeline.surfaces.cli.main"
WINDOWS, ROUNDS = 10, 9
SETTLING_SECONDS, IDLE_SECONDS = 10.0, 60.0
PYDANTIC = "a process that imports pydantic"
DIRECT = "the same by a call, in a process that has all imported"
SETTINGS = f'\n[jobs.{JOB}]\nschedule = "0 0 * * *"\n\n[embedder]\nkind = "none"\n'


def serving(folder: Path, windows: int = WINDOWS) -> None:
    """All measurements, on a workspace with so many windows due."""
    template = _with_windows_due(folder / "template", folder / "sessions", windows)
    done = Path(shutil.copytree(template, folder / "done"))
    _direct(done)
    _ready(folder, done)
    _at_rest(folder, done)
    copies = (shutil.copytree(template, folder / f"copy-{number}") for number in count())
    _supervised(f"a supervised run of {windows} windows", lambda: next(copies), windows)
    _supervised("a supervised run that finds nothing due", lambda: done, 0)


def _with_windows_due(root: Path, sessions: Path, windows: int) -> Path:
    """A workspace whose windows, of a day each, all hold a session and are all due."""
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    for day in range(1, windows + 1):
        write(sessions / f"day-{day:03}.jsonl", openclaw(noon - timedelta(days=day), 6, f"day-{day:03}"))
    workspace(root, str(sessions), noon.replace(hour=0) - timedelta(days=windows))
    with (root / "memory.toml").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    return root


def _ready(folder: Path, root: Path) -> None:
    """From the start of the process to READY, as a service manager is told it."""
    base = partial(seconds, process("-c", "import pydantic"))
    times, mine, other = middle([(_start_to_ready(folder, root), base()) for _ in range(ROUNDS)])
    row("`memory serve`, from its start to READY", PYDANTIC, _figures(times, mine, other))


def _start_to_ready(folder: Path, root: Path) -> float:
    with ServiceManager(folder / "manager") as manager:
        children = []

        def start() -> None:
            children.append(CommandLine(folder).start("serve", "--workspace", root, **manager.environment))
            manager.hear_until("READY=1")

        took = seconds(start)
        for child in children:
            child.terminate()
            end_of(child)
    return took


def _at_rest(folder: Path, root: Path) -> None:
    """What the service takes while nothing is due and nobody asks."""
    with serving_process(root, folder) as service:
        time.sleep(SETTLING_SECONDS)
        before = ticks(service.pid)
        time.sleep(IDLE_SECONDS)
        share = (ticks(service.pid) - before) / IDLE_SECONDS
        figures = [f"{share:.2f} % of a core", f"{resident_mebibytes(service.pid):.0f} MiB"]
    row(f"`memory serve` at rest for {IDLE_SECONDS:.0f} s", "-", figures)


def _supervised(what: str, root: Callable[[], Path], windows: int) -> None:
    def by_process() -> float:
        return seconds(process("-m", MAIN, "run", JOB, "--json", "--workspace", str(root())))

    def directly() -> float:
        place, done = root(), list[int]()
        took = seconds(lambda: done.append(_direct(place)))
        if done != [windows]:
            raise RuntimeError(done)
        return took

    times, mine, base = middle([(by_process(), directly()) for _ in range(ROUNDS)])
    row(what, DIRECT, _figures(times, mine, base))


def _direct(root: Path) -> int:
    """Run what is due in this process; how many windows that were."""
    engine = open_engine(root, ProcessContext({}))
    with closing(engine.ledger.store):
        prepare(engine)
        plan = due_now(engine, jobs_named([JOB], engine.jobs))
        return len(list(work_through(Runner(engine), plan)))


def _figures(times: float, mine: float, base: float) -> list[str]:
    return [f"{times:.1f} x the time", f"{mine:.2f} s to {base:.3f} s"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--windows", type=int, default=WINDOWS, help="how many windows are due")
    windows = parser.parse_args().windows
    head()
    with TemporaryDirectory(prefix="memory-serving-") as folder:
        serving(Path(folder), windows)


if __name__ == "__main__":
    main()
