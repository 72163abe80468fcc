"""A fleet of the tests: a schema of its own in a real PostgreSQL, and machines with a cache folder each."""

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from pipeline.fleet.checkout import Checkout
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import FleetWorkspace, add_workspace, find_workspace
from pipeline.process.context import ProcessContext
from tests.fleet.working import new_workspace
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
SETTINGS = 'timezone = "UTC"\n'


@pytest.fixture
def fleet_url(postgres: PostgresServer) -> str:
    """The address of an empty schema."""
    return new_schema(postgres)


def new_schema(postgres: PostgresServer) -> str:
    """The address of a new schema."""
    schema = f"fleet_{uuid.uuid4().hex}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return f"{postgres.url}&options=-csearch_path%3D{schema}"


@pytest.fixture
def database(fleet_url: str) -> Iterator[FleetDatabase]:
    """A fleet without workspaces."""
    with FleetDatabase(fleet_url) as opened:
        opened.migrate()
        yield opened


@pytest.fixture
def clock() -> FixedClock:
    """The clock of all machines; noon."""
    return FixedClock(NOON)


@pytest.fixture
def anna(database: FleetDatabase) -> FleetWorkspace:
    """An empty workspace."""
    return added(database, "anna")


def added(database: FleetDatabase, name: str) -> FleetWorkspace:
    """A new workspace of this name."""
    with database.transaction() as connection:
        add_workspace(connection, name, NOON, NOON)
        return find_workspace(connection, name)


@pytest.fixture
def new_machine(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Callable[[], Machine]:
    """Makes machines that share nothing but the database."""
    names = (f"machine-{number}" for number in range(1_000_000))
    return lambda: Machine(database, tmp_path / next(names), ProcessContext({}, clock))


def check_out(machine: Machine, workspace: FleetWorkspace) -> Checkout:
    """Take a workspace, and get its newest generation into the folder of the machine."""
    checkout = machine.take(workspace)
    machine.fill(checkout)
    return checkout


def contents(root: Path) -> dict[str, bytes]:
    """All files below a folder but those of the index."""
    files = (file for file in sorted(root.rglob("*")) if file.is_file())
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


@pytest.fixture
def spoken(database: FleetDatabase, tmp_path: Path) -> FleetWorkspace:
    """A workspace in which something was said, and no job has run."""
    return new_workspace(database, "anna", tmp_path, NOON)


def write(root: Path, **pages: str | bytes) -> None:
    """Write pages into `memory/`."""
    for name, text in pages.items():
        file = root / "memory" / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)


def begin(machine: Machine, workspace: FleetWorkspace, **pages: str | bytes) -> Checkout:
    """A checkout after a first generation with settings and these pages."""
    checkout = check_out(machine, workspace)
    root = machine.root_of(checkout)
    (root / "memory.toml").write_text(SETTINGS)
    write(root, **pages)
    published = machine.publish(checkout)
    assert published
    return published.checkout
