"""The database under the store: made, brought up to date, and what goes wrong with it."""

import sqlite3
import stat
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import psycopg
import pytest
from pydantic import SecretStr, ValidationError
from sqlalchemy import inspect, text

from pipeline.errors import PipelineError
from pipeline.errors.store import StoreBusy, StoreDamaged, StoreFull, StoreNewer, StoreUnavailable
from pipeline.store.database import CONNECTIONS, VERSION, Database, open_database
from pipeline.store.details import DetailTable
from pipeline.store.tables import metadata
from schemas.detail import DetailFilter, DetailReader, Placement
from schemas.store_settings import StoreSettings
from tests.store.test_details import detail
from tests.support.processes.waiting import soon
from tests.support.servers.postgresql import PostgresServer


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """A folder 0700 that git ignores, and a file 0600."""
    open_database(tmp_path, StoreSettings()).close()
    folder = tmp_path / "store"
    assert 0o700 == stat.S_IMODE(folder.stat().st_mode)
    assert 0o600 == stat.S_IMODE((folder / "memory.db").stat().st_mode)
    assert "*\n" == (folder / ".gitignore").read_text()


def test_the_migrations_make_the_tables_of_the_code(database: Database) -> None:
    """Column by column, with what may be empty."""
    with database.reading() as connection:
        made = inspect(connection)
        assert VERSION == connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        for name, table in metadata.tables.items():
            columns = {column["name"]: column["nullable"] for column in made.get_columns(name)}
            assert {column.name: bool(column.nullable) for column in table.columns} == columns
            indexes = {index["name"] for index in made.get_indexes(name) if not index.get("duplicates_constraint")}
            assert {index.name for index in table.indexes} == indexes


NEW = {
    "agent_memories": ["by_person"],
    "conversations": ["transcript"],
    "conversation_messages": ["record", "record_key"],
}
"""The columns that the first version did not have."""


def test_a_row_of_the_first_version_stays_as_readable_as_it_was(
    database: Database, store_settings: StoreSettings
) -> None:
    """Nobody knows of it whether a person's token stored it: without agent and user it is everybody's."""
    table = DetailTable(database, store_settings.workspace)
    old = table.add(detail(placement=Placement()), [b"text"])
    with database.writing() as connection:
        connection.execute(text("DROP INDEX conversation_messages_by_record"))
        for table_name, columns in NEW.items():
            for column in columns:
                connection.execute(text(f"ALTER TABLE {table_name} DROP COLUMN {column}"))
        connection.execute(text("UPDATE alembic_version SET version_num = '1'"))
    database.migrate()
    assert old == table.find(old.key)
    assert [old] == table.list_details(DetailFilter(reader=DetailReader(frozenset({""}), frozenset({"ann"}))))


def test_many_make_it_at_once(tmp_path: Path, store_settings: StoreSettings) -> None:
    """One of them migrates, and all of them work."""
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(lambda _: open_database(tmp_path, store_settings), range(4)))
    for one in opened:
        DetailTable(one, store_settings.workspace).add(detail(), [b"text"])
        one.close()


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    """A sentence, and no change."""
    database = open_database(tmp_path, StoreSettings())
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '99'"))
    database.close()
    with pytest.raises(StoreNewer, match="version 99"):
        open_database(tmp_path, StoreSettings())


def test_what_is_no_store(tmp_path: Path) -> None:
    """A file of something else, and a folder in the place of the file."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "memory.db").write_bytes(b"not a database, but long enough to look like one" * 100)
    with pytest.raises(StoreDamaged):
        open_database(tmp_path, StoreSettings())
    other = tmp_path / "other"
    (other / "store" / "memory.db").mkdir(parents=True)
    with pytest.raises(StoreUnavailable):
        open_database(other, StoreSettings())


def test_a_locked_store(tmp_path: Path) -> None:
    """It waits a while, then says who is in the way."""
    database = open_database(tmp_path, StoreSettings(), wait=0.1)
    other = sqlite3.connect(tmp_path / "store" / "memory.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy):
        DetailTable(database).add(detail(), [b"text"])
    other.execute("ROLLBACK")
    assert detail().key == DetailTable(database).add(detail(), [b"text"]).key
    other.close()
    database.close()


def test_a_full_store(tmp_path: Path) -> None:
    """Nothing of it is kept, and what stands can be read."""
    database = open_database(tmp_path, StoreSettings())
    table = DetailTable(database)
    table.add(detail("log_a_0000000000"), [b"text"])
    with database.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    noise = bytes(range(256)) * 4_000
    with pytest.raises(StoreFull):
        table.add(detail("log_b_0000000000"), [noise[i:] + noise[:i] for i in range(50)])
    assert table.find("log_b_0000000000") is None
    assert table.find("log_a_0000000000")
    database.close()


def test_a_server_that_is_gone_for_a_while(postgres: PostgresServer, tmp_path: Path) -> None:
    """Meanwhile a sentence without the password; afterwards it goes on with the same connections."""
    url = postgres.url.replace("@", ":secret-word@")
    database = open_database(tmp_path, StoreSettings(url=SecretStr(url), workspace="gone"))
    table = DetailTable(database, "gone")
    table.add(detail(), [b"text"])
    postgres.stop()
    with pytest.raises(StoreUnavailable) as gone:
        table.find(detail().key)
    assert "secret-word" not in str(gone.value)
    postgres.start()
    assert table.find(detail().key)
    table.erase([detail().key])
    database.close()


def test_workspaces_on_one_server_share_connections(postgres: PostgresServer, tmp_path: Path) -> None:
    """However many are open at once; with the last one that is closed all of them go."""
    url = f"{postgres.url}&application_name=sharing"
    opened = [
        open_database(tmp_path, StoreSettings(url=SecretStr(url), workspace=f"w{number}")) for number in range(20)
    ]
    everybody = Barrier(CONNECTIONS)

    def add(number: int) -> None:
        with opened[number].writing():
            if number < CONNECTIONS:
                everybody.wait()

    with psycopg.connect(postgres.url, autocommit=True) as other, ThreadPoolExecutor(len(opened)) as pool:

        def connections() -> int:
            count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sharing'"
            return int((other.execute(count).fetchone() or (0,))[0])

        list(pool.map(add, range(len(opened))))
        assert CONNECTIONS == connections()
        for database in opened[1:]:
            database.close()
            database.close()
        assert CONNECTIONS == connections()
        opened[0].close()
        assert soon(lambda: connections() == 0)


def test_a_client_that_stands_still_in_a_write(postgres: PostgresServer, tmp_path: Path) -> None:
    """The server ends it, and its row is free. Who waits for a row in vain is told that the store is busy."""
    settings = StoreSettings(url=SecretStr(postgres.url), workspace=uuid.uuid4().hex)
    database = open_database(tmp_path, settings)
    table = DetailTable(database, settings.workspace)
    key = table.add(detail(), [b"text"]).key
    with database.reading() as connection:
        limits = ("idle_in_transaction_session_timeout", "lock_timeout")
        assert ["30s", "1min"] == [connection.execute(text(f"SHOW {limit}")).scalar() for limit in limits]
    pin = text("UPDATE agent_memories SET pinned = true WHERE workspace = :w").bindparams(w=settings.workspace)

    def pin_hastily() -> None:
        with database.writing() as hasty:
            hasty.execute(text("SET LOCAL lock_timeout = '1ms'"))
            hasty.execute(pin)

    def pin_slowly() -> None:
        with database.writing() as frozen:
            frozen.execute(pin)
            with pytest.raises(StoreBusy):
                pin_hastily()
            frozen.execute(text("SET LOCAL idle_in_transaction_session_timeout = '1ms'"))
            assert 1 == table.pin([key], pinned=False)  # it waits until the row is free
            frozen.execute(pin)

    with pytest.raises(StoreUnavailable):
        pin_slowly()
    kept = table.find(key)
    assert kept
    assert not kept.pinned
    table.erase([key])
    database.close()


def test_no_connection_is_free(postgres: PostgresServer, tmp_path: Path) -> None:
    """After a while it is a sentence."""
    settings = StoreSettings(url=SecretStr(f"{postgres.url}&application_name=full"), workspace="w")
    database = open_database(tmp_path, settings, wait=0.1)
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            stack.enter_context(database.reading())
        with pytest.raises(StoreBusy), database.reading():
            pass
    database.close()


def test_an_address_that_is_none() -> None:
    """It is refused with the settings, and so is a server without a name for the workspace."""
    with pytest.raises(ValidationError, match="postgresql://"):
        StoreSettings(url=SecretStr("mysql://host/db"), workspace="w")
    with pytest.raises(ValidationError, match="set workspace too"):
        StoreSettings(url=SecretStr("postgresql://host/db"))


def test_a_server_that_never_was(tmp_path: Path) -> None:
    """A sentence of ours."""
    url = SecretStr(f"postgresql://me@/db?host={tmp_path}")
    with pytest.raises(PipelineError, match="cannot be reached"):
        open_database(tmp_path, StoreSettings(url=url, workspace="w"))


_OTHER = """
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
print(store.execute("SELECT count(*) FROM agent_memories").fetchone()[0])
store.close()
"""


def test_what_was_committed_survives_a_second_opening(tmp_path: Path) -> None:
    """A process that opens it twice keeps its locks: when another one closes it, the log of changes stays."""
    first = open_database(tmp_path, StoreSettings())
    second = open_database(tmp_path, StoreSettings())
    path = str(tmp_path / "store" / "memory.db")

    def seen_by_another() -> str:
        return subprocess.run([sys.executable, "-c", _OTHER, path], capture_output=True, text=True, check=True).stdout

    assert "0\n" == seen_by_another()
    DetailTable(first).add(detail(), [b"text"])
    assert "1\n" == seen_by_another()
    DetailTable(second).add(detail("log_b_0000000000"), [b"text"])
    assert "2\n" == seen_by_another()
    for database in (first, second):
        database.close()


def test_an_address_that_cannot_be_read(tmp_path: Path) -> None:
    """The sentence does not repeat it, as it has a password."""
    settings = StoreSettings(url=SecretStr("postgresql://u:secret@h:abc/db"), workspace="w")
    with pytest.raises(StoreUnavailable, match="its address cannot be read") as refused:
        open_database(tmp_path, settings)
    assert "secret" not in str(refused.value)
