"""The database of a fleet: its connections, the version of its tables, and its errors in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from types import TracebackType
from typing import Self

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout

from pipeline.errors.fleet import FleetFull, FleetOtherVersion, FleetUnavailable
from pipeline.fleet.queue import LIMIT_STANDSTILL, read_queue_schema
from pipeline.store.database import migrate_with_fleet

VERSION = 4
"""The version of the tables that this program makes. A new version of those of the store is a step too."""
LEAST_PROGRAM = 1
"""The version of the oldest program that works with these tables: a step expands, and the next one contracts."""
_QUEUE_STEP = 2
"""The step that makes the tables of the queue, as its pinned library has them."""
_LOCK = 7236432  # so that one process migrates at a time; the store has the number before
_CONNECTIONS = 8
_CONNECT_SECONDS = 10.0
_FULL = ("53100", "53200")  # disk full, out of memory

_ONE_STATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
_MIGRATE_ALONE = "SELECT pg_advisory_xact_lock(%s)"
# Not by `to_regclass`, which may remember that there was none before this transaction waited for its turn.
_HAS_VERSION = """
SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'fleet_version' AND pg_table_is_visible(oid))
"""
_READ_VERSION = "SELECT version, least_program FROM fleet_version"
_MAKE_VERSION = "CREATE TABLE fleet_version (version integer NOT NULL, least_program integer NOT NULL)"
_WRITE_VERSION = "INSERT INTO fleet_version VALUES (%s, %s)"
_DROP_VERSION = "DELETE FROM fleet_version"


class FleetDatabase:
    """The database of a fleet while it is entered; threads may share it.

    The tables are in the schema that the address names with `?options=-csearch_path=NAME`, else in `public`.
    """

    def __init__(self, url: str, wait: float = _CONNECT_SECONDS) -> None:
        """`url` is the address, such as `postgresql://memory@db.example/fleet`; `wait` seconds for a connection."""
        self._pool: ConnectionPool[Connection[TupleRow]] = ConnectionPool(
            url,
            min_size=0,
            max_size=_CONNECTIONS,
            open=False,
            configure=_prepare,
            check=ConnectionPool.check_connection,  # the server may have been restarted since
            timeout=wait,
            # While the server is away, a pool tries ever more rarely, and it would be minutes until it sees the return.
            reconnect_timeout=wait,
        )
        self.url = url
        address = conninfo_to_dict(url)
        self.where = f"{address.get('host', 'localhost')}/{address.get('dbname', '')}"
        """The place of the database, as errors name it: without a password."""

    def __enter__(self) -> Self:
        self._pool.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection[TupleRow]]:
        """A transaction, which writes all or nothing.

        Raises:
            FleetError: the database cannot be reached, or refuses.
        """
        with self.with_fleet_errors(), self._pool.connection() as connection, connection.transaction():
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection[TupleRow]]:
        """A transaction that reads one state of all tables, whatever others publish or drop meanwhile.

        Raises:
            FleetError: the database cannot be reached, or refuses.
        """
        with self.transaction() as connection:
            connection.execute(_ONE_STATE)
            yield connection

    def migrate(self) -> bool:
        """Bring the tables to the version of this program; whether there was anything to do.

        Raises:
            FleetError: the database cannot be used; a newer program has made its tables.
            StoreError: the same, of the tables of conversations and details.
        """
        with self.transaction() as connection:
            if self._read_version(connection) > VERSION:
                return False
        migrate_with_fleet(self.url)
        with self.transaction() as connection:
            connection.execute(_MIGRATE_ALONE, [_LOCK])
            version = self._read_version(connection)
            for number in range(version + 1, VERSION + 1):
                connection.execute(_step(number).encode())
            if version < VERSION:
                connection.execute(_DROP_VERSION if version else _MAKE_VERSION)
                connection.execute(_WRITE_VERSION, [VERSION, LEAST_PROGRAM])
        return version < VERSION

    def check(self) -> None:
        """See whether the tables are of a version that this program works with.

        Raises:
            FleetError: the database cannot be used; its tables are older, missing, or too new.
        """
        with self.transaction() as connection:
            if (version := self._read_version(connection)) < VERSION:
                raise FleetOtherVersion(self.where, version, VERSION)

    def _read_version(self, connection: Connection[TupleRow]) -> int:
        """The version of the tables; 0 without tables."""
        if connection.execute(_HAS_VERSION).fetchone() != (True,):
            return 0
        version, least = connection.execute(_READ_VERSION).fetchone() or (0, 0)
        if least > VERSION:
            raise FleetOtherVersion(self.where, version, VERSION)
        return int(version)

    @contextmanager
    def with_fleet_errors(self) -> Iterator[None]:
        """Tell the errors of a connection as those of the fleet.

        Raises:
            FleetError: the database cannot be reached, or refuses.
        """
        try:
            yield
        except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError, PoolTimeout) as error:
            if getattr(error, "sqlstate", None) in _FULL:
                raise FleetFull(self.where) from error
            raise FleetUnavailable(self.where, str(error).strip().partition("\n")[0]) from error


def _step(number: int) -> str:
    """The statements from a version of the tables to the next one."""
    if number == _QUEUE_STEP:
        return read_queue_schema()
    return files("pipeline.fleet").joinpath("schema", f"{number}.sql").read_text(encoding="utf-8")


def _prepare(connection: Connection[TupleRow]) -> None:
    connection.execute(LIMIT_STANDSTILL)
    connection.commit()
