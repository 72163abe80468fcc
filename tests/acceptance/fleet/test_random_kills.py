"""Workers, fronts and the server die at random while they work, 200 times: the pages are those of a calm run."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from http.client import HTTPException
from itertools import product
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from pipeline.errors.fleet import FleetUnavailable
from pipeline.fleet.acts import read_act
from pipeline.fleet.check import check_generations, check_pieces
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.tokens import NewToken, add_token
from pipeline.fleet.workspaces import FleetWorkspace, resume_workspace
from pipeline.process.context import ProcessContext
from schemas.fleet_act import CorrectAct, FleetAct, ForgetAct
from tests.fleet.conftest import NOON, new_schema
from tests.fleet.disturbing import Disturbed, Disturber
from tests.fleet.fronts import served_front
from tests.fleet.working import (
    asked,
    drain,
    drain_alone,
    entries,
    new_workspace,
    published_files,
    say,
    time_passes,
    without_salts,
)
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer
from tests.support.servers.relay import relayed
from tests.support.workspaces.served_demo import ServedWorkspace

KILLS = 200
KINDS = {"a worker killed", "a worker stopped", "a front killed", "the server crashed", "sockets cut"}
OWNERS = ("anna", "ben")
THINGS = ("the boat lies at the mill", "the kiln is fired on mondays", "the stall costs ten euros")
MOST_TRIES = 100
"""Processes that are disturbed before the work of a moment is done: more would be work that never ends."""
_MESSAGES_OF_FRONT = 150
_LEFT = """
SELECT EXISTS (SELECT FROM act WHERE state = 'waiting') OR EXISTS (
  SELECT FROM workspace WHERE next_due IS NULL OR next_due <= %s OR failure <> '' OR deaths > 0 OR state = 'parked'
)
"""
_PARKED = "SELECT id FROM workspace WHERE state = 'parked'"
_TRY_AGAIN = "UPDATE workspace SET next_due = added WHERE failure <> ''"
_DUE = "UPDATE workspace SET next_due = added"
_ASKED = "SELECT acts FROM workspace WHERE id = %s"


def work_alone(url: str, cache: Path, moment: datetime) -> None:
    """Work until nothing is due; without a database a worker ends."""
    with suppress(FleetUnavailable):
        drain_alone(url, cache, moment)


def serve_alone(url: str, cache: Path, moment: datetime, pipe: Connection) -> None:
    """Serve until somebody says that it is enough."""
    with FleetDatabase(url) as database, served_front(database, cache, FixedClock(moment)) as fleet:
        pipe.send(fleet.address)
        pipe.recv()


class OwnedFleet:
    """A fleet with its owners, each with a token."""

    def __init__(self, database: FleetDatabase, room: Path, clock: FixedClock) -> None:
        database.migrate()
        room.mkdir()
        self.database, self.room, self.clock = database, room, clock
        self.owners = [new_workspace(database, name, room, NOON) for name in OWNERS]
        with database.transaction() as connection:
            self.tokens = {owner.id: add_token(connection, owner, NewToken("me"), NOON) for owner in self.owners}

    def machine(self, name: str) -> Machine:
        """A machine of the fleet."""
        return Machine(self.database, self.room / name, ProcessContext({}, self.clock))

    def begin_day(self, day: int) -> None:
        """Owners say something, and it is due."""
        for owner in self.owners:
            say(self.database, owner, [f"{thing} since day {day}" for thing in THINGS], day=day)
        with self.database.transaction() as connection:
            connection.execute(_DUE)

    def wishes(self, kind: str) -> list[tuple[FleetWorkspace, FleetAct]]:
        """An act of each owner on an entry of the day."""
        day, wished = f"memory/{self.clock.moment:%Y-%m-%d}.md", list[tuple[FleetWorkspace, FleetAct]]()
        for owner in self.owners:
            first, second, *_ = entries(self.database, owner, day)
            wished.append((owner, CorrectAct(id=first, title=day) if kind == "correct" else ForgetAct(id=second)))
        return wished

    def has_work(self) -> bool:
        """Whether work goes on."""
        with self.database.transaction() as connection:
            return connection.execute(_LEFT, [self.clock.moment]).fetchone() == (True,)

    def pages(self) -> list[dict[str, str]]:
        """The pages of all owners."""
        return [without_salts(published_files(self.database, owner)) for owner in self.owners]


@dataclass
class DisturbedFleet:
    """A fleet whose processes speak with the database over a relay, at `url`, and are disturbed."""

    fleet: OwnedFleet
    url: str
    disturber: Disturber

    def work(self) -> None:
        """Have workers work, and disturb them, until all is done."""
        tries = 0
        while self.fleet.has_work():
            assert (tries := tries + 1) <= MOST_TRIES
            self._disturb_worker()
            self._pass_time()

    def ask(self, owner: FleetWorkspace, act: FleetAct) -> int:
        """Ask fronts for an act, until it stands in the database; its number."""
        before = number = self._acts(owner)
        while number == before:
            self._ask_front(owner, act)
            number = self._acts(owner)
        assert before + 1 == number
        return number

    def _begin_worker(self, machine: int) -> Disturbed:
        cache = self.fleet.room / f"machine-{machine}"
        return self.disturber.begin(work_alone, self.url, cache, self.fleet.clock.moment)

    def _disturb_worker(self) -> None:
        disturber = self.disturber
        machine, fate = disturber.dice.below(2), disturber.dice.below(10)
        worker = self._begin_worker(machine)
        if not worker.comes_to_its_moment():
            worker.end()
        elif fate < 4:
            disturber.note("a worker killed")
            worker.kill()
        elif fate < 7:
            disturber.note("a worker stopped")
            worker.stop()
            time_passes(self.fleet.database)
            other = self._begin_worker(1 - machine)
            is_at_work = other.comes_to_its_moment()
            worker.wake()
            if is_at_work:
                other.go_on()
            other.end()
            worker.end()
        else:
            disturber.break_connections(crash=fate < 9)
            worker.go_on()
            worker.end()

    def _pass_time(self) -> None:
        """Who died is taken for dead, what failed is tried again, and an operator lets go what is parked."""
        time_passes(self.fleet.database)
        with self.fleet.database.transaction() as connection:
            for (workspace,) in connection.execute(_PARKED).fetchall():
                resume_workspace(connection, workspace, self.fleet.clock.moment)
            connection.execute(_TRY_AGAIN)

    def _acts(self, owner: FleetWorkspace) -> int:
        with self.fleet.database.transaction() as connection:
            (number,) = connection.execute(_ASKED, [owner.id]).fetchone() or (0,)
        return int(number)

    def _ask_front(self, owner: FleetWorkspace, act: FleetAct) -> None:
        """Ask a front for an act and for the entries, and disturb it meanwhile."""
        fleet, disturber, (ours, theirs) = self.fleet, self.disturber, Pipe()
        front = disturber.start(serve_alone, self.url, fleet.room / "front", fleet.clock.moment, theirs)
        token = fleet.tokens[owner.id]
        served = ServedWorkspace(fleet.room, f"{ours.recv()}/w/{owner.name}", token, "")
        disturber.relay.stand_still_at(disturber.dice.below(_MESSAGES_OF_FRONT), front.process.pid or 0)
        answered, answer = Pipe(duplex=False)
        refused = list[bytes]()

        def request() -> None:
            with suppress(OSError, HTTPException):
                route = {"correct": "corrections", "forget": "forget"}[act.kind]
                body = act.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)
                said = served.ask(f"/api/v1/{route}", "POST", body)
                refused.extend([said.body] if 400 <= said.status < 500 else [])
                served.ask("/api/v1/entries")
            answer.send("answered")

        asking = Thread(target=request)
        asking.start()
        if front.comes_to_its_moment(answered):
            if (fate := disturber.dice.below(10)) < 6:
                disturber.counted["a front killed"] += 1
                front.kill()
            else:
                disturber.break_connections(crash=fate < 8)
                front.go_on()
        asking.join()
        assert [] == refused
        if front.process.is_alive():
            ours.send("enough")
            front.end()


@pytest.mark.soak
def test_pages_after_random_kills(
    database: FleetDatabase, tmp_path: Path, postgres: PostgresServer, clock: FixedClock
) -> None:
    """Byte for byte, with acts in between that are carried out once; every piece is there, also on the machines."""
    with (
        TemporaryDirectory(prefix="relay-", dir="/tmp") as room,  # a socket's path has at most 107 bytes
        FleetDatabase(new_schema(postgres)) as calm_database,
        relayed(Path(room) / "0", postgres.folder) as relay,
    ):
        url = database.url.replace(str(postgres.folder), f"{room}/0")
        calm = OwnedFleet(calm_database, tmp_path / "calm", clock)
        fleet = OwnedFleet(database, tmp_path / "killed", clock)
        disturber = Disturber(postgres, relay, fleet.has_work)
        disturbed = DisturbedFleet(fleet, url, disturber)
        while disturber.counted.total() < KILLS:
            before = disturber.counted.total()
            clock.move(timedelta(days=1))
            run_day(calm, disturbed, (clock.moment - NOON).days)
            assert calm.pages() == fleet.pages()
            assert before < disturber.counted.total()
        assert KINDS == {*+disturber.counted}
    with database.snapshot() as connection:
        _, damaged = check_pieces(connection)
        assert [] == [*damaged, *check_generations(connection)]
    for name, owner in product(("machine-0", "machine-1", "front"), fleet.owners):
        root = (machine := fleet.machine(name)).root_of(machine.fill_newest(owner))
        there = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.md")}
        assert published_files(database, owner) == there


def run_day(calm: OwnedFleet, disturbed: DisturbedFleet, day: int) -> None:
    """Run a day of both fleets: what is due, then acts of their owners, until each is done."""
    fleet, machine = disturbed.fleet, calm.machine("machine")
    calm.begin_day(day)
    fleet.begin_day(day)
    drain(machine)
    disturbed.work()
    for kind in ("correct", "forget"):
        for owner, act in calm.wishes(kind):
            asked(machine, owner, act)
        drain(machine)
        wished = fleet.wishes(kind)
        while wished:
            numbers = [disturbed.ask(*wish) for wish in wished]
            disturbed.work()
            wished = [wish for wish, number in zip(wished, numbers, strict=True) if is_refused(fleet, wish[0], number)]


def is_refused(fleet: OwnedFleet, owner: FleetWorkspace, number: int) -> bool:
    """Whether an act has to be asked for once more, because two workers died with it."""
    with fleet.database.transaction() as connection:
        act = read_act(connection, owner.id, number)
    assert act
    assert act.state == "done" or "several times" in str(act.answer)
    return act.state != "done"
