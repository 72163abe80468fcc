"""A week of many workspaces in a fleet, against the same week in local folders: the time of all processors.

`python -m benchmarks.fleet_runs [--workspaces N]`. Every owner says something each day; the jobs run once a day. The
folders are run one after another, and the fleet by workers with a cache folder each, on a PostgreSQL of
the measurement's own, whose processes count too. The clock is given. A day before, in which processes load what they
need, is not counted.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any
from uuid import UUID

from pydantic import SecretStr

from benchmarks.measuring import head, row
from pipeline.app.runs import run_due
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import find_workspace
from pipeline.process.context import ProcessContext
from pipeline.store.conversations import ConversationTable
from pipeline.store.database import open_database
from schemas.conversation import ConversationMessage, ConversationRecord
from schemas.run_options import RunOptions
from schemas.store_settings import StoreSettings
from schemas.transcript import Role
from tests.fleet.working import SETTINGS, drain
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer, running

WORKSPACES, DAYS, MESSAGES = 20, 7, 20
MORNING = datetime(2026, 3, 4, 8, tzinfo=UTC)
ENDS = [MORNING + timedelta(days=day, hours=20) for day in range(1 + DAYS)]
"""The moments at which the jobs run."""
_THINGS = ("the boat at the mill", "the kiln in the yard", "the lease of the shop", "the stall on the market")
_TICKS = 100


@dataclass(frozen=True)
class Owner:
    """An owner: the folder of a workspace, and where what they say is stored."""

    root: Path
    store: StoreSettings

    def say(self, number: int, day: int) -> None:
        """Say things to remember on a day, in a conversation of it; `number` is the owner's."""
        with closing(open_database(self.root, self.store)) as store:
            table, begun = ConversationTable(store, self.store.workspace), MORNING + timedelta(days=day)
            own = {"id": f"{number}-{day}-{self.root.parent.name}", "session_id": f"s-{day}", "by_person": True}
            conversation = table.begin(ConversationRecord.model_validate({**own, "created_at": begun}))
            table.append(conversation, [_message(number, day, at, begun) for at in range(MESSAGES)])


def _message(number: int, day: int, at: int, begun: datetime) -> ConversationMessage:
    remembered = at % 5 == 0
    text = f"{'remember that ' if remembered else 'we spoke of '}{_THINGS[at % 4]} {number}-{day}-{at} is for sale"
    moment, role = begun + timedelta(minutes=at), Role.USER if at % 2 == 0 or remembered else Role.ASSISTANT
    return ConversationMessage(number=1, role=role, text=text, tokens=9, by_person=True, created_at=moment)


def _owners(folder: Path, workspaces: int) -> Iterator[Owner]:
    """Folders of owners who have said nothing yet."""
    for number in range(workspaces):
        root = folder / f"w-{number:03}"
        (root / "memory").mkdir(parents=True)
        (root / "memory.toml").write_text(SETTINGS, encoding="utf-8")
        yield Owner(root, StoreSettings())


def run_week(
    owners: list[Owner], workers: list[tuple[Callable[..., None], tuple[Any, ...]]], begin: Callable[[], None]
) -> float:
    """Let processes work each day when all owners have spoken; the seconds of the processors that they took.

    `begin` is called after the day that does not count.
    """
    context = get_context("spawn")
    days, seconds = context.Barrier(len(workers) + 1), context.Queue()
    children = [context.Process(target=work, args=(days, seconds, *given)) for work, given in workers]
    for child in children:
        child.start()
    for day, _ in enumerate(ENDS):
        for number, owner in enumerate(owners):
            owner.say(number, day)
        days.wait()  # they begin
        days.wait()  # they have ended
        if day == 0:
            begin()
    spent = sum(seconds.get() for _ in children)
    for child in children:
        child.join()
    return float(spent)


def _run_folders(days: Barrier, seconds: Any, roots: list[Path]) -> None:  # noqa: ANN401 - a queue of processes
    spent = 0.0
    for moment in ENDS:
        days.wait()
        begun = process_time()
        for root in roots:
            for _ in run_due(root, ProcessContext({}, FixedClock(moment)), RunOptions()):
                pass
        spent += process_time() - begun if moment > ENDS[0] else 0
        days.wait()
    seconds.put(spent)


def _run_fleet(days: Barrier, seconds: Any, url: str, cache: Path) -> None:  # noqa: ANN401 - a queue of processes
    clock, spent = FixedClock(MORNING), 0.0
    with FleetDatabase(url) as database:
        machine = Machine(database, cache, ProcessContext({}, clock))
        for moment in ENDS:
            clock.moment = moment
            days.wait()
            begun = process_time()
            drain(machine)
            spent += process_time() - begun if moment > ENDS[0] else 0
            days.wait()
    seconds.put(spent)


def week_in_fleet(folder: Path, workspaces: int, workers: int) -> tuple[float, float]:
    """The seconds of the processors for workers, and for PostgreSQL."""
    with TemporaryDirectory(prefix="pg-", dir="/tmp") as place, running(Path(place)) as server:
        owners = list[Owner]()
        with FleetDatabase(server.url) as database:
            database.migrate()
            for owner in _owners(folder / "from", workspaces):
                add_folder(database, owner.root.name, owner.root, ProcessContext({}, FixedClock(MORNING)))
                with database.transaction() as connection:
                    workspace: UUID = find_workspace(connection, owner.root.name).id
                store = StoreSettings(url=SecretStr(server.url), workspace=str(workspace))
                owners.append(Owner(owner.root, store))
        begun = list[float]()
        work = [(_run_fleet, (server.url, folder / f"cache-{one}")) for one in range(workers)]
        spent = run_week(owners, work, lambda: begun.append(_seconds_of(server)))
        return spent, _seconds_of(server) - begun[0]


def _seconds_of(server: PostgresServer) -> float:
    """The seconds of the processors that a server has taken with all of its processes, also those that have ended."""
    postmaster = (server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text(encoding="ascii").split()
    alive = sum(sum(_ticks(child)[:2]) for child in children)
    return (sum(_ticks(postmaster)) + alive) / _TICKS


def _ticks(pid: str) -> list[int]:
    """The time of a process in its own code, in the system, and the same of the children that it waited for."""
    lines = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return [int(line) for line in lines[11:15]]


def measure(workspaces: int) -> None:
    """Measure a week with one process and with two, which share the folders, or are workers of a fleet.

    Two processes at once slow each other down, so each number has its own baseline.
    """
    for processes in (1, 2):
        with TemporaryDirectory(prefix="fleet-") as place:
            owners = list(_owners(Path(place) / "folders", workspaces))
            roots = [owner.root for owner in owners]
            work = [(_run_folders, (roots[one::processes],)) for one in range(processes)]
            base = run_week(owners, work, lambda: None)
            mine, server = week_in_fleet(Path(place), workspaces, processes)
        figures = [f"{(mine + server) / base:.2f} x the processors", f"workers {mine:.1f} s", f"server {server:.1f} s"]
        what = f"{workspaces} workspaces, 7 days, {processes} at work"
        row(what, "local folders", [*figures, f"folders {base:.1f} s"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspaces", type=int, default=WORKSPACES)
    head()
    measure(parser.parse_args().workspaces)
