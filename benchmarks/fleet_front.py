"""The answers of a front: the first of a workspace that it does not have yet, and those after it.

`python -m benchmarks.fleet_front [--passages N]`. The server of PostgreSQL, the front and the client are on this
machine; the time is that of the client.
"""

import argparse
import statistics
import time
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.process.context import ProcessContext
from tests.fleet.fronts import served_front
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import running
from tests.support.workspaces.many_entries import empty_workspace
from tests.support.workspaces.served_demo import NOW, ServedWorkspace

PASSAGES, ROUNDS, COLD, ON_A_PAGE = 5_000, 20, 3, 100
SEARCH = "/api/v1/search?query=room+1234"


def measure(passages: int) -> None:
    """Print the times of a cold front, and of one that has the workspace."""
    with TemporaryDirectory(prefix="front-", dir="/tmp") as room, running(Path(room)) as server:
        root = _workspace_of(Path(room) / "own", passages)
        with FleetDatabase(server.url) as database:
            database.migrate()
            add_folder(database, "anna", root, ProcessContext({}, FixedClock(NOW)))
            cold, warm = list[float](), list[float]()
            for number in range(COLD):
                with served_front(database, Path(room) / f"cache-{number}", FixedClock(NOW)) as front:
                    anna = front.owner("anna")
                    cold.append(_seconds(anna))
                    warm += (_seconds(anna) for _ in range(ROUNDS))
    first, later = statistics.median(cold), 1000 * statistics.median(warm)
    print(f"{passages:,} passages: the first answer {first:.2f} s, one after it {later:.1f} ms")


def _workspace_of(root: Path, passages: int) -> Path:
    """Pages of notes, of which each line is a passage."""
    empty_workspace(root)
    for first in range(0, passages, ON_A_PAGE):
        lines = (
            f"- In room {number} stands the chair of row {number * 7 % 997}."
            for number in range(first, first + ON_A_PAGE)
        )
        (root / "memory" / f"notes-{first}.md").write_text("\n".join(["# Rooms", "", *lines, ""]))
    return root


def _seconds(workspace: ServedWorkspace) -> float:
    begun = time.perf_counter()
    answer = workspace.ask(SEARCH)
    if answer.status != HTTPStatus.OK or not answer.value["hits"]:
        raise SystemExit(answer.body.decode())
    return time.perf_counter() - begun


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=PASSAGES)
    measure(parser.parse_args().passages)
