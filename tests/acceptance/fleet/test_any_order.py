"""Machines that take, publish, die and freeze in any order: what is published is always one whole state."""

import os
import shutil
import tempfile
import uuid
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pipeline.errors.fleet import CheckoutLost
from pipeline.fleet.check import check_generations, check_pieces
from pipeline.fleet.checkout import Checkout
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import add_workspace, find_workspace
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import NOON, check_out, contents
from tests.fleet.crashes import Died, MortalDatabase, StatementCount
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer

PIECE = 65_536
PAGES = st.sampled_from(["memory.toml", "memory/a.md", "memory/b.md", "bank/c.md", "memory/forgotten.md"])
SIZES = st.sampled_from([0, 7, PIECE, 2 * PIECE + 1])
MACHINES = st.integers(0, 1)
STATEMENTS = 13
"""The most that a publication has."""


class FleetMachines(RuleBasedStateMachine):
    """Two machines on one workspace. `published` are the files as others have to see them."""

    server: PostgresServer

    def __init__(self) -> None:
        super().__init__()
        self.room = Path(tempfile.mkdtemp(prefix="memory-fleet-"))
        schema = f"fleet_{uuid.uuid4().hex}"
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        self.database = MortalDatabase(f"{self.server.url}&options=-csearch_path%3D{schema}").__enter__()
        self.database.migrate()
        self.context = ProcessContext({}, FixedClock(NOON))
        self.machines = [self._machine(), self._machine()]
        self.checkouts = dict[int, Checkout]()
        self.newest: int | None = None
        self.published = dict[str, bytes]()
        with self.database.transaction() as connection:
            add_workspace(connection, "anna", NOON, NOON)
            self.workspace = find_workspace(connection, "anna")

    def teardown(self) -> None:
        """Nothing is left behind."""
        self.database.__exit__(None, None, None)
        shutil.rmtree(self.room)

    @initialize()
    def publish_settings(self) -> None:
        """There is a first generation, so that a machine can read its settings."""
        self.take(0)
        self._write(0, "memory.toml", b'timezone = "UTC"\n')
        self.publish(0)

    @rule(machine=MACHINES)
    def take(self, machine: int) -> None:
        """A machine takes the workspace, whoever has it; it gets what is published, whatever its cache holds."""
        self.checkouts[machine] = check_out(self.machines[machine], self.workspace)
        self.newest = machine
        assert self.published == contents(self._root(machine))

    @precondition(lambda self: self.checkouts)
    @rule(machine=MACHINES, page=PAGES, size=SIZES)
    def edit(self, machine: int, page: str, size: int) -> None:
        """A file gets other bytes, or goes where it has none; the settings get more comments."""
        if machine in self.checkouts:
            if page == "memory.toml":
                self._write(machine, page, b'timezone = "UTC"\n' + b"#" * size)
            elif size or not (self._root(machine) / page).exists():
                self._write(machine, page, os.urandom(size))
            else:
                (self._root(machine) / page).unlink()

    @precondition(lambda self: self.newest in self.checkouts)
    @rule(machine=MACHINES)
    def publish(self, machine: int) -> None:
        """The machine that came last publishes what it has; another finds the fence, unless it has no change."""
        checkout = self.checkouts.get(machine)
        if checkout is None:
            return
        now = contents(self._root(machine))
        try:
            self.database.statements = StatementCount()
            published = self.machines[machine].publish(checkout)
            assert self.database.statements.seen <= STATEMENTS
        except CheckoutLost:
            assert machine != self.newest
            return
        if published:
            assert machine == self.newest
            self.checkouts[machine] = published.checkout
            self.published = now

    @precondition(lambda self: self.newest in self.checkouts)
    @rule(after=st.integers(0, STATEMENTS))
    def die(self, after: int) -> None:
        """The machine that came last dies in its publication: all of it is made, or nothing."""
        machine = self.newest
        assert machine is not None
        now = contents(self._root(machine))
        self.database.statements = StatementCount(after)
        try:
            self.machines[machine].publish(self.checkouts.pop(machine))
            died = False
        except Died:
            died = True
        self.database.statements = StatementCount()
        root = self._machine()
        self.checkouts.pop(1 - machine, None)
        seen = contents(root.root_of(check_out(root, self.workspace)))
        assert seen in ((self.published, now) if died else (now,))
        self.published, self.newest = seen, None
        # The same folder, and nothing in memory any more.
        self.machines[machine] = Machine(self.database, self.machines[machine].cache, self.context)

    @invariant()
    def what_is_published_is_whole(self) -> None:
        """A cold machine gets it, and every piece is there; no piece is left that nothing names."""
        with self.database.snapshot() as connection:
            number, damaged = check_pieces(connection)
            assert [] == [*damaged, *check_generations(connection)]
            assert (number,) == connection.execute("SELECT count(DISTINCT hash) FROM manifest_piece").fetchone()

    def _machine(self) -> Machine:
        return Machine(self.database, Path(tempfile.mkdtemp(dir=self.room)), self.context)

    def _root(self, machine: int) -> Path:
        return self.machines[machine].root_of(self.checkouts[machine])

    def _write(self, machine: int, page: str, data: bytes) -> None:
        file = self._root(machine) / page
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)


@pytest.fixture
def machines(postgres: PostgresServer) -> type[FleetMachines]:
    """The machines on a server."""
    FleetMachines.server = postgres
    return FleetMachines


QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def test_machines_in_any_order(machines: type[FleetMachines]) -> None:
    """Enough rounds to find what is easily found."""
    run_state_machine_as_test(machines, settings=settings(QUIET, max_examples=examples(10), stateful_step_count=20))
