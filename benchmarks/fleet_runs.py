"""A week of many workspaces in a fleet, against the same week in local folders: the time of all processors.

`python -m benchmarks.fleet_runs [--workspaces N]`. Every owner says something each day, and the jobs run once a day, by
one process and by two. Workers have a cache folder each, and a PostgreSQL of the measurement's own, whose processes
count too. The clock is given. A day before, in which processes load what they need, is not counted.
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
from tests.fleet.working import SETTINGS, drain, published_files
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer, running

WORKSPACES, DAYS, MESSAGES = 20, 7, 20
MORNING = datetime(2026, 3, 4, 8, tzinfo=UTC)
ENDS = [MORNING + timedelta(days=day, hours=20) for day in range(1 + DAYS)]
"""The moments at which the jobs run."""
_THINGS = ("the boat at the mill", "the kiln in the yard", "the lease of the shop", "the stall on the market")
_TICKS, _ENTRY = 100, "\n- id: "


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


class AtWork:
    """Processes that work on the workspaces of some owners, day after day."""

    def __init__(self, owners: list[Owner], work: list[tuple[Callable[..., None], tuple[Any, ...]]]) -> None:
        """`work` has for each process its function, and what that is given after the days and the seconds."""
        context = get_context("spawn")
        self._owners, self._days, self._seconds = owners, context.Barrier(len(work) + 1), context.Queue()
        self._children = [context.Process(target=do, args=(self._days, self._seconds, *given)) for do, given in work]
        for child in self._children:
            child.start()

    def say(self, day: int) -> None:
        """Let all owners say things on a day."""
        for number, owner in enumerate(self._owners):
            owner.say(number, day)

    def work(self) -> None:
        """Let them work at the end of the next day."""
        self._days.wait()  # they begin
        self._days.wait()  # they have ended

    def end(self) -> float:
        """The seconds of the processors that they took, without the first day."""
        spent = sum(self._seconds.get() for _ in self._children)
        for child in self._children:
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


def _owners_in_fleet(server: PostgresServer, owners: Iterator[Owner]) -> Iterator[Owner]:
    """Owners whose workspaces are in the fleet of a server."""
    with FleetDatabase(server.url) as database:
        database.migrate()
        for owner in owners:
            add_folder(database, owner.root.name, owner.root, ProcessContext({}, FixedClock(MORNING)))
            with database.transaction() as connection:
                workspace = find_workspace(connection, owner.root.name).id
            yield Owner(owner.root, StoreSettings(url=SecretStr(server.url), workspace=str(workspace)))


def _seconds_of(server: PostgresServer) -> float:
    """The seconds of the processors that a server has taken with all of its processes, also those that have ended."""
    postmaster = (server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text(encoding="ascii").split()
    alive = sum(sum(_ticks(child)[:2]) for child in children)
    return (sum(_ticks(postmaster)) + alive) / _TICKS


def _ticks(pid: str) -> list[int]:
    """The time of a process in its own code, in the system, and the same of the children that it waited for."""
    try:
        lines = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except FileNotFoundError:  # it has ended meanwhile, and counts with its parent
        return []
    return [int(line) for line in lines[11:15]]


def measure(workspaces: int, processes: int) -> None:
    """Measure a week with processes that share the folders, and as many workers of a fleet, a day of each in turn."""
    with (
        TemporaryDirectory(prefix="fleet-") as place,
        TemporaryDirectory(prefix="pg-", dir="/tmp") as data,
        running(Path(data)) as server,
    ):
        owners = list(_owners(Path(place) / "folders", workspaces))
        roots = [owner.root for owner in owners]
        folders = AtWork(owners, [(_run_folders, (roots[one::processes],)) for one in range(processes)])
        guests = list(_owners_in_fleet(server, _owners(Path(place) / "from", workspaces)))
        caches = [Path(place) / f"cache-{one}" for one in range(processes)]
        workers, served = AtWork(guests, [(_run_fleet, (server.url, cache)) for cache in caches]), 0.0
        for day, _ in enumerate(ENDS):
            folders.say(day)
            folders.work()
            workers.say(day)
            begun = _seconds_of(server)
            workers.work()
            served += _seconds_of(server) - begun if day else 0
        base, mine = folders.end(), workers.end()
        _compare(server, owners)
    figures = [f"{(mine + served) / base:.2f} x the processors", f"workers {mine:.1f} s", f"server {served:.1f} s"]
    what = f"{workspaces} workspaces, 7 days, {processes} at work"
    row(what, "local folders", [*figures, f"folders {base:.1f} s"])


def _compare(server: PostgresServer, owners: list[Owner]) -> None:
    """Refuse to compare the time where the fleet has other numbers of entries than the folders."""
    with FleetDatabase(server.url) as database:
        for owner in owners:
            with database.transaction() as connection:
                workspace = find_workspace(connection, owner.root.name)
            pages = (page.read_text(encoding="utf-8") for page in owner.root.glob("memory/*.md"))
            published = published_files(database, workspace).items()
            mine = sum(text.count(_ENTRY) for path, text in published if path.count("/") == 1)
            if not mine == sum(text.count(_ENTRY) for text in pages) > 0:
                raise SystemExit(owner.root.name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspaces", type=int, default=WORKSPACES)
    head()
    for number in (1, 2):
        measure(parser.parse_args().workspaces, number)
