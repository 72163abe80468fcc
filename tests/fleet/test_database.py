"""The database of a fleet: made, brought up to date, away, and of another version."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from pydantic import SecretStr

from pipeline.errors.fleet import FleetOtherVersion, FleetUnavailable
from pipeline.fleet.database import VERSION, FleetDatabase
from pipeline.fleet.workspaces import list_workspaces
from pipeline.store.conversations import ConversationTable
from pipeline.store.database import VERSION as STORE_VERSION
from pipeline.store.database import migrate_with_fleet, open_database, probe_database
from schemas.store_settings import StoreSettings
from tests.support.servers.postgresql import PostgresServer


def test_many_make_it_at_once(fleet_url: str) -> None:
    """One of them makes the tables, and all of them can work."""
    with ThreadPoolExecutor(4) as pool, FleetDatabase(fleet_url) as database:
        assert [False, False, False, True] == sorted(pool.map(lambda _: database.migrate(), range(4)))
        database.check()
        with database.transaction() as connection:
            assert [] == list_workspaces(connection)


def test_tables_that_are_missing(fleet_url: str) -> None:
    """The sentence names the command that makes them."""
    with FleetDatabase(fleet_url) as database, pytest.raises(FleetOtherVersion, match="memory fleet init"):
        database.check()


def test_an_older_fleet(fleet_url: str) -> None:
    """It gets the steps that it lacks, and is refused before."""
    first = files("pipeline.fleet").joinpath("schema", "1.sql").read_bytes()
    migrate_with_fleet(fleet_url)
    with FleetDatabase(fleet_url) as database:
        with database.transaction() as connection:
            connection.execute(first)
            connection.execute("CREATE TABLE fleet_version AS SELECT 1 AS version, 1 AS least_program")
        with pytest.raises(FleetOtherVersion, match="memory fleet init"):
            database.check()
        assert database.migrate()
        assert not database.migrate()
        database.check()
        with database.transaction() as connection:
            connection.execute("SELECT failure, failures, failing FROM act WHERE state = 'aside'")


def test_a_newer_fleet(database: FleetDatabase) -> None:
    """A program of the version before goes on; one that is too old is refused, and changes nothing."""
    with database.transaction() as connection:
        connection.execute("UPDATE fleet_version SET version = %s", [VERSION + 1])
    database.check()
    assert not database.migrate()
    with database.transaction() as connection:
        connection.execute("UPDATE fleet_version SET least_program = %s", [VERSION + 1])
    with pytest.raises(FleetOtherVersion, match="update the program"):
        database.check()


def test_a_newer_store_of_a_fleet(database: FleetDatabase) -> None:
    """A program of the version before goes on with wider tables, and opening them changes nothing."""
    settings = StoreSettings(url=SecretStr(database.url), workspace="w")
    with database.transaction() as connection:
        connection.execute("UPDATE alembic_version SET version_num = '99'")
        connection.execute("ALTER TABLE conversations ADD newer text")
    with closing(open_database(Path(), settings)) as store:
        assert [] == ConversationTable(store, "w").list_conversations()
    probe_database(Path(), settings, 10)
    with database.transaction() as connection:
        connection.execute("UPDATE alembic_version SET version_num = '1'")
    open_database(Path(), settings).close()
    with database.transaction() as connection:
        assert [("1",)] == connection.execute("SELECT version_num FROM alembic_version").fetchall()


def test_versions_of_a_fleet_and_of_its_store() -> None:
    """Who makes a new version of the store raises that of the fleet too: programs look at that alone."""
    assert (4, "3") == (VERSION, STORE_VERSION)


def test_two_fleets_in_one_database(fleet_url: str, postgres: PostgresServer) -> None:
    """Each has the tables of its schema; the address of one without a schema is another fleet."""
    with FleetDatabase(fleet_url) as database:
        database.migrate()
        database.check()
    with FleetDatabase(postgres.url) as other, pytest.raises(FleetOtherVersion):
        other.check()
    assert fleet_url.startswith(postgres.url)


def test_a_server_that_is_away_for_a_while(database: FleetDatabase, postgres: PostgresServer) -> None:
    """Meanwhile a sentence; afterwards it goes on."""
    postgres.stop()
    try:
        with (
            FleetDatabase(database.url, wait=0.5) as impatient,
            pytest.raises(FleetUnavailable, match="Nothing was published"),
            impatient.transaction() as connection,
        ):
            list_workspaces(connection)
    finally:
        postgres.start()
    with database.transaction() as connection:
        assert [] == list_workspaces(connection)


def test_a_server_that_takes_no_writes(database: FleetDatabase) -> None:
    """It is a sentence too."""
    with pytest.raises(FleetUnavailable, match="read-only"), database.snapshot() as connection:
        connection.execute("DELETE FROM workspace")
