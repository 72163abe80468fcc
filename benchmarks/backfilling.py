"""A back-fill with a model that takes a second for each answer, over real HTTP, as a share of the ideal.

`python -m benchmarks.backfilling` takes about two minutes; `--partitions 200` a quarter of a minute. The ideal is what
the answers alone take when as many as allowed are always under way: partitions x latency / parallel.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.measuring import head, row
from benchmarks.samples import openclaw, workspace, write
from tests.support.processes.command_line import CommandLine
from tests.support.servers.behaviours import Received, slow
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import PROMISE, keeping_promises

PARTITIONS = 1_825
PARALLEL = 16
LATENCY = 1.0
TURNS = 3
_HOUR = 9
_SYLLABLES = ("ka", "lo", "mi", "ter", "van", "dro", "sel", "pu", "rin", "bex", "to", "gan", "zu", "hof", "li", "nes")


@dataclass(frozen=True)
class Sizes:
    """How many partitions, how many questions at once, and the seconds that an answer takes."""

    partitions: int = PARTITIONS
    parallel: int = PARALLEL
    latency: float = LATENCY

    @property
    def ideal(self) -> float:
        """Seconds."""
        return self.partitions * self.latency / self.parallel


def backfilling(folder: Path, sizes: Sizes) -> None:
    """Daily windows with a session each, asked about one by one and filled by the command of a person."""
    last = datetime.now(UTC).replace(hour=_HOUR, minute=0, second=0, microsecond=0) - timedelta(days=2)
    first = last - timedelta(days=sizes.partitions - 1)
    root = _workspace(folder, first, sizes)
    span = ("--from", f"{first:%Y-%m-%d}", "--to", f"{last:%Y-%m-%d}")
    with ScriptedServer(slow(_remembering, sizes.latency)) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "scripted"}
        began = perf_counter()
        command = CommandLine(folder, seconds=20 * sizes.ideal + 600)
        words = ("backfill", "micro_sync", *span, "--parallel", sizes.parallel, "--json", "--workspace", root)
        ended = command(*words, **model)
        seconds = perf_counter() - began
    done = sum(record["ending"] == "done" for record in ended.records)
    if (ended.code, done, len(server.requests)) != (0, sizes.partitions, sizes.partitions):
        raise RuntimeError(ended.code, done, len(server.requests), ended.err[-2000:])
    row(
        f"back-fill of {sizes.partitions} partitions, {sizes.parallel} questions at once, {sizes.latency:g} s each",
        "the answers alone",
        [f"{sizes.ideal / seconds:.0%} of the ideal", f"{seconds:.1f} s to {sizes.ideal:.1f} s"],
    )


def _workspace(folder: Path, first: datetime, sizes: Sizes) -> Path:
    root, sessions = folder / "w", folder / "sessions"
    for number in range(sizes.partitions):
        name = f"day-{number:05}"
        write(sessions / f"{name}.jsonl", _session(first + timedelta(days=number), name, number))
    workspace(root, str(sessions), first)
    with (root / "memory.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[jobs.micro_sync]\nschedule = "0 0 * * *"\n')
    return root


def _session(start: datetime, name: str, number: int) -> Iterator[dict[str, Any]]:
    """A session with something to remember that has nothing to do with what was said before."""
    yield from openclaw(start, TURNS, name)
    dice = Random(number)  # noqa: S311 - the same sessions every time
    one, two, three, four = ("".join(dice.choices(_SYLLABLES, k=3)) for _ in range(4))
    said = [{"type": "text", "text": f"{PROMISE} {one} {two} {three} {four}."}]
    moment = (start + timedelta(minutes=TURNS)).isoformat()
    message = {"role": "user", "content": said}
    yield {"type": "message", "id": "ffffffff", "parentId": None, "timestamp": moment, "message": message}


def _remembering(request: Received) -> str:
    """One candidate from each session, so that every partition writes."""
    return json.dumps(keeping_promises(request))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.backfilling", description=__doc__)
    parser.add_argument("--partitions", type=int, default=PARTITIONS)
    parser.add_argument("--parallel", type=int, default=PARALLEL)
    parser.add_argument("--latency", type=float, default=LATENCY, metavar="SECONDS")
    sizes = Sizes(**vars(parser.parse_args()))
    head()
    with TemporaryDirectory(prefix="memory-benchmarks-") as folder:
        backfilling(Path(folder), sizes)


if __name__ == "__main__":
    main()
