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


@pytest.fixture(scope="session")
def fleet_template(postgres: PostgresServer) -> str:
    """A database with the tables of a fleet in the schema `fleet`, to be copied: to make them takes much longer."""
    name = new_database(postgres, "template1")
    with psycopg.connect(url_of(postgres, name), autocommit=True) as connection:
        connection.execute("CREATE SCHEMA fleet")
    with FleetDatabase(url_of(postgres, name)) as opened:
        opened.migrate()
    return name


@pytest.fixture
def database(postgres: PostgresServer, fleet_template: str) -> Iterator[FleetDatabase]:
    """A fleet without workspaces."""
    name = new_database(postgres, fleet_template)
    with FleetDatabase(url_of(postgres, name)) as opened:
        yield opened
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def new_database(postgres: PostgresServer, template: str) -> str:
    """The name of a new database, a copy of this one."""
    name = f"fleet_{uuid.uuid4().hex}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    return name


def url_of(postgres: PostgresServer, database: str) -> str:
    """The address of the schema `fleet` of a database."""
    return f"{postgres.url.replace('/postgres?', f'/{database}?')}&options=-csearch_path%3Dfleet"


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
