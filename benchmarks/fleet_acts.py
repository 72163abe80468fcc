"""The wait of a person for an act while every workspace has work for hours, against the wait in a fleet at rest.

`python -m benchmarks.fleet_acts [--workspaces N] [--days N] [--acts N]`. Two workers, each a process with a cache
folder of its own, and a PostgreSQL of the measurement's own. Acts correct the title of an entry, one each second, at
owners in turn. A wait ends when the act has its answer, in the generation that everybody reads.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import count
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from benchmarks.measuring import head, row
from pipeline.clock import SystemClock
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.worker_process import serve_worker
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.process.context import ProcessContext
from pipeline.store.conversations import ConversationTable
from pipeline.store.database import open_database
from schemas.conversation import ConversationMessage, ConversationRecord
from schemas.fleet_act import CorrectAct
from schemas.fleet_settings import FleetSettings
from schemas.store_settings import StoreSettings
from schemas.transcript import Role
from tests.fleet.working import MORNING, asked, drain, entries, new_workspace
from tests.support.servers.postgresql import running

WORKSPACES, DAYS, ACTS, ALONE, WORKERS = 20, 200, 300, 20, 2
MESSAGES = 10
_DUE = "UPDATE workspace SET next_due = added"
_AT_WORK = "SELECT count(*) FROM workspace WHERE next_due <= now()"
_WAITING = "SELECT workspace_id, seq FROM act WHERE state = 'waiting'"


class Waits:
    """Acts that were asked for, each with the moment of its question, and the waits of those that are answered."""

    def __init__(self, machine: Machine, owners: list[tuple[FleetWorkspace, str]]) -> None:
        """`owners` have an entry each, which is corrected."""
        self._machine, self._owners, self._numbers = machine, owners, count(1)
        self._asked: dict[tuple[object, int], float] = {}
        self.seconds = list[float]()

    def ask(self) -> None:
        """Ask for an act of the next owner."""
        number = next(self._numbers)
        owner, entry = self._owners[number % len(self._owners)]
        (seq,) = asked(self._machine, owner, CorrectAct(id=entry, title=f"Title {number}"))
        self._asked[owner.id, seq] = time.perf_counter()

    def look(self) -> bool:
        """Note the waits of acts that have their answers; whether any waits still."""
        with self._machine.database.transaction() as connection:
            waiting = {(workspace, seq) for workspace, seq in connection.execute(_WAITING)}
        moment = time.perf_counter()
        self.seconds += [moment - self._asked.pop(act) for act in [*self._asked] if act not in waiting]
        return bool(self._asked)

    def wait(self, until: float = float("inf")) -> None:
        """Look until nothing waits, or until a moment."""
        while self.look() and time.perf_counter() < until:
            time.sleep(0.05)


def measure(workspaces: int, days: int, acts: int) -> None:
    """Print the waits of acts beside work, and at rest."""
    with (
        TemporaryDirectory(prefix="acts-") as room,
        TemporaryDirectory(prefix="pg-", dir="/tmp") as data,
        running(Path(data)) as server,
        FleetDatabase(server.url) as database,
    ):
        database.migrate()
        machine = Machine(database, Path(room) / "cache", ProcessContext({}))
        names = [f"w-{number:02}" for number in range(workspaces)]
        owners = [new_workspace(database, name, Path(room), SystemClock().now()) for name in names]
        drain(machine)
        waits = Waits(machine, [(owner, entries(database, owner)[0]) for owner in owners])
        with _workers(server.url, Path(room)):
            for _ in range(ALONE):
                waits.ask()
                waits.wait()
            alone, waits.seconds = waits.seconds, []
            for owner in owners:
                _say_for_days(database, owner, days)
            with database.transaction() as connection:
                connection.execute(_DUE)
            begun = time.perf_counter()
            for number in range(acts):
                waits.ask()
                waits.wait(begun + number)
                time.sleep(max(0, begun + number - time.perf_counter()))
            with database.transaction() as connection:
                (at_work,) = connection.execute(_AT_WORK).fetchone() or (0,)
            waits.wait()
        if not at_work:
            too_short = "the work ended before the acts: take more --days"
            raise SystemExit(too_short)
        _show(f"an act beside {workspaces} workspaces at work, {WORKERS} workers", waits.seconds, alone, at_work)


def _show(what: str, mine: list[float], alone: list[float], at_work: int) -> None:
    percentiles = statistics.quantiles(mine, n=100)
    middle, at_rest = statistics.median(mine), statistics.median(alone)
    figures = [
        f"{middle / at_rest:.1f} x the time",
        f"p50 {middle:.1f} s, p99 {percentiles[98]:.1f} s, the longest {max(mine):.1f} s of {len(mine)}",
        f"at rest p50 {at_rest:.1f} s",
        f"{at_work} workspaces at work at the end",
    ]
    row(what, "a fleet at rest", figures)


def _say_for_days(database: FleetDatabase, workspace: FleetWorkspace, days: int) -> None:
    """The owner says something on each of so many days, in a conversation."""
    settings = StoreSettings(url=SecretStr(database.url), workspace=str(workspace.id))
    with closing(open_database(Path(), settings)) as store:
        table = ConversationTable(store, settings.workspace)
        for day in range(1, 1 + days):
            morning = MORNING + timedelta(days=day)
            own = {"id": f"{workspace.name}-{day}", "session_id": f"s-{1 + day}", "by_person": True}
            conversation = table.begin(ConversationRecord.model_validate({**own, "created_at": morning}))
            table.append(conversation, [_message(day, at, morning + timedelta(minutes=at)) for at in range(MESSAGES)])


def _message(day: int, at: int, moment: object) -> ConversationMessage:
    words = f"{'remember that' if at % 5 == 0 else 'we spoke of'} the kiln of lot {day}-{at} is for sale"
    own = {"number": 1, "role": Role.USER, "text": words, "tokens": 9, "by_person": True, "created_at": moment}
    return ConversationMessage.model_validate(own)


@contextmanager
def _workers(url: str, room: Path) -> Iterator[None]:
    """Workers that work until the end of the context."""
    processes = get_context("spawn")
    workers: list[BaseProcess] = [
        processes.Process(target=_serve, args=(url, room / f"cache-{number}")) for number in range(WORKERS)
    ]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _serve(url: str, cache: Path) -> None:
    with FleetDatabase(url) as database:
        serve_worker(database, FleetSettings(url=SecretStr(url), cache=str(cache)), ProcessContext({}), once=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name, number in (("workspaces", WORKSPACES), ("days", DAYS), ("acts", ACTS)):
        parser.add_argument(f"--{name}", type=int, default=number)
    head()
    measure(**vars(parser.parse_args()))
