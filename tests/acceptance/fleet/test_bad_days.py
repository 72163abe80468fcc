"""Bad days of a fleet: its server stops, is full or takes no writes; an owner goes; a machine runs out of room."""

import os
import subprocess
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from pipeline.errors.fleet import FleetUnavailable
from pipeline.fleet.acts import MOST_TRIES
from pipeline.fleet.cache import CacheLimits
from pipeline.fleet.check import check_generations, check_pieces
from pipeline.fleet.checkout import Checkout, Published
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import EndTransaction, Machine
from pipeline.fleet.queue import WorkQueue, offer_work
from pipeline.fleet.slice_store import SliceStore
from pipeline.fleet.slices import AGAIN, Worker
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from schemas.fleet_act import ForgetAct
from tests.fleet.conftest import NOON, check_out, contents
from tests.fleet.working import DAY, WORDS, asked, drain, entries, new_workspace, published_files, reported, rows, said
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import awaited
from tests.support.servers.postgresql import PostgresServer
from tests.support.servers.relay import Relay, relayed

_FULL = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON piece EXECUTE FUNCTION refuse()
"""
_FETCHING = "SELECT FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%fetch_job%'"


class InterruptedMachine(Machine):
    """A machine to which something happens before it publishes for the first time."""

    happens: Callable[[], None] | None = None

    def publish(
        self, checkout: Checkout, end: EndTransaction = lambda _, __: None, store: SliceStore | None = None
    ) -> Published | None:
        """Let it happen, then publish."""
        happens, self.happens = self.happens, None
        if happens:
            happens()
        return super().publish(checkout, end, store)


@pytest.fixture
def machine(database: FleetDatabase, new_machine: Callable[[], Machine], tmp_path: Path) -> InterruptedMachine:
    """A machine of the fleet."""
    return InterruptedMachine(database, tmp_path / "machine", new_machine().context)


def test_the_server_is_restarted_in_a_slice(
    machine: InterruptedMachine, database: FleetDatabase, spoken: FleetWorkspace, postgres: PostgresServer
) -> None:
    """What was run is published over a new connection."""

    def restart() -> None:
        postgres.stop()
        postgres.start()

    machine.happens = restart
    Worker(machine).work_on(spoken.id)
    assert WORDS[0] in published_files(database, spoken)[DAY]


def test_the_server_is_restarted_in_a_slice_that_forgets(
    machine: InterruptedMachine,
    database: FleetDatabase,
    spoken: FleetWorkspace,
    postgres: PostgresServer,
    clock: FixedClock,
) -> None:
    """Nothing of it has happened, and the next try does it."""
    drain(machine)
    asked(machine, spoken, ForgetAct(id=entries(database, spoken)[1]))

    def restart() -> None:
        postgres.stop()
        postgres.start()

    machine.happens = restart
    Worker(machine).work_on(spoken.id)
    assert (True, [("waiting",)]) == (WORDS[1] in said(database), rows(database, "SELECT state FROM act"))
    assert "cannot be used" in reported(database, "anna").failure
    clock.move(AGAIN)
    drain(machine)
    assert (False, [("done",)]) == (WORDS[1] in said(database), rows(database, "SELECT state FROM act"))


def test_a_database_without_room(
    machine: InterruptedMachine, database: FleetDatabase, spoken: FleetWorkspace, clock: FixedClock
) -> None:
    """The list says so, nothing is published, and the time stays due."""
    with database.transaction() as connection:
        connection.execute(_FULL)
    drain(machine)
    failed = reported(database, "anna")
    assert (1, 0, "ready") == (failed.generation, failed.deaths, failed.state)
    assert "no room left" in failed.failure
    with database.transaction() as connection:
        connection.execute("DROP TRIGGER full_disk ON piece")
    clock.move(AGAIN)
    drain(machine)
    assert WORDS[0] in published_files(database, spoken)[DAY]


def test_an_act_for_which_the_database_has_no_room(
    machine: InterruptedMachine, database: FleetDatabase, spoken: FleetWorkspace, clock: FixedClock
) -> None:
    """It waits, however often it was tried."""
    drain(machine)
    asked(machine, spoken, ForgetAct(id=entries(database, spoken)[1]))
    with database.transaction() as connection:
        connection.execute(_FULL.replace("INSERT ON piece", "UPDATE ON conversation_messages"))
    for _ in range(MOST_TRIES + 1):
        drain(machine)
        assert [("waiting", 0)] == rows(database, "SELECT state, tried FROM act")
        clock.move(AGAIN)
    with database.transaction() as connection:
        connection.execute("DROP TRIGGER full_disk ON conversation_messages")
    drain(machine)
    assert [("done",)] == rows(database, "SELECT state FROM act")


def test_a_database_that_takes_no_writes(
    machine: InterruptedMachine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """A standby, for example: no worker begins anything there."""
    standby = database.url.replace("-csearch_path", "-cdefault_transaction_read_only%3Don%20-csearch_path")
    with FleetDatabase(standby) as reading, pytest.raises(FleetUnavailable, match="read-only"):
        drain(Machine(reading, machine.cache, machine.context))
    drain(machine)
    assert WORDS[0] in published_files(database, spoken)[DAY]


def test_an_owner_who_goes_while_a_worker_has_the_copy(
    machine: InterruptedMachine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """Nothing of them is left: neither in a table nor in a folder."""

    def remove() -> None:
        with database.transaction() as connection:
            remove_workspace(connection, spoken.id)

    machine.happens = remove
    drain(machine)
    machine.evict()
    assert [] == [path for path in machine.cache.rglob("*") if path.is_file()]
    everything = "SELECT schema_to_xml(current_schema(), true, false, '')::text"
    ((left,),) = rows(database, everything)
    assert [False, False] == [words in left for words in (str(spoken.id), WORDS[1])]


def test_folders_with_forgotten_words_go(
    new_machine: Callable[[], Machine], machine: Machine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """Also from a worker that does not get the workspace again; one that has no forgotten words stays."""
    drain(machine)
    other = new_machine()
    check_out(other, spoken)
    other.evict()
    assert other.root_of(check_out(other, spoken)).exists()
    asked(machine, spoken, ForgetAct(id=entries(database, spoken)[1]))
    drain(machine)
    other.evict()
    assert [] == [*other.cache.iterdir()]
    machine.evict()
    assert [str(spoken.id)] == [path.name for path in machine.cache.iterdir()]


def test_folders_go_when_there_are_too_many(database: FleetDatabase, machine: Machine, tmp_path: Path) -> None:
    """The one used longest ago first; it is fetched again as it was published."""
    owners = [new_workspace(database, name, tmp_path, NOON) for name in ("anna", "ben", "eva")]
    drain(machine)
    small = Machine(database, tmp_path / "small", machine.context, CacheLimits(folders=2))
    for place, owner in enumerate(owners):
        small.evict()
        os.utime(small.root_of(checkout := check_out(small, owner)), (place, place))
        before = contents(small.root_of(checkout))
    small.evict()
    assert {str(owner.id) for owner in owners[1:]} == {path.name for path in small.cache.iterdir()}
    fetched = small.fetched
    assert before.keys() == contents(small.root_of(check_out(small, owners[0]))).keys()
    assert small.fetched > fetched


def test_folders_go_when_the_disk_is_full(database: FleetDatabase, machine: Machine, tmp_path: Path) -> None:
    """All that nobody works in, before a slice begins."""
    anna, ben = (new_workspace(database, name, tmp_path, NOON) for name in ("anna", "ben"))
    full = Machine(database, tmp_path / "full", machine.context, CacheLimits(free=1 << 62))
    for owner in (anna, ben):
        Worker(full).work_on(owner.id)
    assert [str(ben.id)] == [path.name for path in full.cache.iterdir()]
    assert WORDS[0] in published_files(database, anna)[DAY]


def test_a_dump_and_its_restoration(
    machine: InterruptedMachine,
    database: FleetDatabase,
    spoken: FleetWorkspace,
    postgres: PostgresServer,
    tmp_path: Path,
) -> None:
    """The whole fleet stands in one dump: every piece is there, and a worker goes on in it."""
    drain(machine)
    (schema,) = rows(database, "SELECT current_schema()")[0]
    copy, dump = f"fleet_{uuid.uuid4().hex}", tmp_path / "fleet.dump"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {copy}".encode())
    there = postgres.url.replace("/postgres?", f"/{copy}?")
    subprocess.run([postgres.programs / "pg_dump", "-Fc", "-n", schema, "-f", dump, database.url], check=True)
    subprocess.run([postgres.programs / "pg_restore", "-d", there, dump], check=True)
    with FleetDatabase(f"{there}&options=-csearch_path%3D{schema}") as restored:
        restored.check()
        with restored.snapshot() as connection:
            number, damaged = check_pieces(connection)
            assert [] == [*damaged, *check_generations(connection)]
        assert number
        assert published_files(database, spoken) == published_files(restored, spoken)
        elsewhere = Machine(restored, tmp_path / "elsewhere", machine.context)
        asked(elsewhere, spoken, ForgetAct(id=entries(restored, spoken)[1]))
        drain(elsewhere)
        assert [("done",)] == rows(restored, "SELECT state FROM act")
        assert [True, False] == [WORDS[1] in said(one) for one in (database, restored)]


@pytest.mark.soak
def test_a_worker_that_stands_still_as_it_fetches(
    database: FleetDatabase, postgres: PostgresServer, anna: FleetWorkspace
) -> None:
    """The server ends its transaction after half a minute, so that others who begin or fetch do not wait for it."""
    with (
        TemporaryDirectory(prefix="relay-", dir="/tmp") as room,  # a socket's path has at most 107 bytes
        relayed(Path(room) / "0", postgres.folder) as relay,
        ThreadPoolExecutor() as pool,
    ):
        url = database.url.replace(str(postgres.folder), f"{room}/0")
        for message in count():
            with database.transaction() as connection:
                offer_work(connection, anna.id)
            relay.stand_still_at(message, os.getpid())
            draining = pool.submit(WorkQueue(url, "here", lambda _: None, lambda: None).drain)
            assert stands_still(relay, draining)
            if rows(database, _FETCHING):
                break
            relay.go_on()
            draining.result()
        awaited(lambda: not rows(database, _FETCHING) or None)
        relay.go_on()
        with pytest.raises(FleetUnavailable):
            draining.result()


def stands_still(relay: Relay, draining: Future[None]) -> bool:
    """Whether a relay stands still before a worker has ended."""
    awaited(lambda: draining.done() or relay.moments.poll() or None)
    return relay.moments.poll()
