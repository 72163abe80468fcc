"""The database under the store: opened, brought to the version of this program, and its errors in our words."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from pipeline.database_copy import copy_database, write_ahead
from pipeline.errors import PipelineError
from pipeline.errors.store import (
    StoreBusy,
    StoreDamaged,
    StoreDriverMissing,
    StoreFull,
    StoreNewer,
    StoreRefused,
    StoreUnavailable,
)
from pipeline.kept_upgrades import drop_upgrades, upgrade_folder
from pipeline.store.opening import FILE, FOLDER
from schemas.index_settings import DERIVED
from schemas.store_settings import StoreSettings

if TYPE_CHECKING:
    from alembic.config import Config

VERSION = "3"
"""The version of the tables, as `migrations` names it."""
BUSY_SECONDS = 10.0
CONNECTIONS = 10
"""Connections of a process to one server at most, however many workspaces it has open there."""
_LOCK = 7236431  # of PostgreSQL, so that one process migrates at a time; any number that no other program takes
_BEGIN_AT_ONCE = "begin_at_once"
_FULL = {"53100", "53200"}  # PostgreSQL: disk full, out of memory
_BUSY = {"55P03", "40001", "40P01"}  # lock not available, serialization failure, deadlock
# A process that stands still within a transaction keeps others waiting for its rows, and nobody waits without an end.
_SERVER_LIMITS = "SET idle_in_transaction_session_timeout = '30s'; SET lock_timeout = '1min'"


class Database:
    """A store's database. Both kinds of transaction give a connection, and commit what went well."""

    def __init__(self, engine: Engine, where: str, release: Callable[[], None]) -> None:
        """`where` is how errors name it; `release` is called when it is closed."""
        self._engine, self._writer, self._where = engine, engine.execution_options(**{_BEGIN_AT_ONCE: True}), where
        self._release = release

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads one state of all tables."""
        with self._with_store_errors(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes all or nothing; in SQLite, one at a time."""
        with self._with_store_errors(), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Let go of all connections; others in this process who have the same server open keep theirs."""
        self._release()

    def in_one_transaction(self, begin: Callable[[Connection], None]) -> "OneTransaction":
        """The same database, in which all that is written is one transaction; `begin` is called when that begins."""
        return OneTransaction(self._engine, self._where, self._release, begin)

    def compact(self) -> None:
        """Leave nothing on the disk of what was erased: in SQLite it stays in the log of changes until this.

        Copies from before upgrades go with it.
        """
        with self._with_store_errors(), self._engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("COMMIT")  # a log is not emptied within a transaction
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                try:
                    drop_upgrades(Path(self._where).parents[1] / DERIVED, "store")
                except OSError as error:
                    raise StoreUnavailable(self._where, error.strerror or str(error)) from error

    def check(self) -> None:
        """See whether it answers, and whether this program knows its version, which a newer program may have raised."""
        with self.reading() as connection:
            version = _read_version(connection)
            if version and version != VERSION and not _is_of_fleet(connection):
                _migrations_for(version, self._where)

    def migrate(self, *, with_fleet: bool = False) -> None:
        """Bring the tables to the version of this program; tables of a newer program are refused.

        In a fleet programs of two versions share them: they are left as they are, unless that fleet is migrated.
        """
        with self.reading() as connection:
            version = _read_version(connection)
            if version == VERSION or (not with_fleet and _is_of_fleet(connection)):
                return
        from alembic import command  # noqa: PLC0415 - only a store of another version pays for loading it

        with self.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            # Once more: another process may have migrated meanwhile.
            version = _read_version(connection)
            config = _migrations_for(version, self._where)
            if version not in {"", VERSION} and connection.dialect.name == "sqlite":
                _keep_copy(Path(self._where), version)
            config.attributes["connection"] = connection
            command.upgrade(config, VERSION)

    @contextmanager
    def _with_store_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise _translate_error(self._where, error) from error
        except NoConnectionFree as error:
            raise StoreBusy(self._where) from error
        except PendingRollbackError as error:  # of a connection that was lost before
            raise StoreUnavailable(self._where, "the connection was lost within a transaction") from error


class OneTransaction(Database):
    """A store's database of which everything from the first write on is one transaction, in a server.

    Its holder commits it, by the `connection` of the driver; without that nothing was written. One thread uses it.
    """

    def __init__(
        self, engine: Engine, where: str, release: Callable[[], None], begin: Callable[[Connection], None]
    ) -> None:
        super().__init__(engine, where, release)
        self._begin = begin
        self._begun: Connection | None = None

    @property
    def connection(self) -> Any:  # noqa: ANN401 - of the driver
        """The connection with the transaction; `None` before the first write.

        Raises:
            StoreUnavailable: it was lost, and with it what was written.
        """
        with self._with_store_errors():
            return self._begun.connection.driver_connection if self._begun else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction of its own before the first write, then a part of the one."""
        if self._begun is None:
            with super().reading() as connection:
                yield connection
        else:
            with self._with_store_errors():
                yield self._begun

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A part of the transaction, which is written as a whole or not at all."""
        with self._with_store_errors():
            if self._begun is None:
                with ExitStack() as given_back:
                    begun = given_back.enter_context(self._engine.connect())
                    self._begin(begun)
                    given_back.pop_all()
                self._begun = begun
            with self._begun.begin_nested():
                yield self._begun

    def close(self) -> None:
        """Take back what was not committed, and let go of all connections."""
        if self._begun:
            self._begun.invalidate()  # with its connection goes what it has not committed, also where that is lost
            self._begun.close()
            self._begun = None
        super().close()


def open_database(root: Path, settings: StoreSettings, wait: float = BUSY_SECONDS) -> Database:
    """The database of a workspace, with its tables. Who holds it is waited for, so many seconds.

    Raises:
        StoreError: it cannot be reached; the file is no store; a newer program has written it; PostgreSQL's client is
            not installed.
    """
    url = settings.url.get_secret_value()
    database = share_server(url, wait) if url else _open_file(root / FOLDER, wait)
    try:
        database.migrate()
    except PipelineError:
        database.close()
        raise
    return database


def migrate_with_fleet(url: str) -> None:
    """Bring the tables of a fleet's store to the version of this program; nobody else does.

    Raises:
        StoreError: as `open_database`.
    """
    with closing(share_server(url)) as database:
        database.migrate(with_fleet=True)


def probe_database(root: Path, settings: StoreSettings, wait: float) -> None:
    """Ask the database of a workspace for its version, over a connection of its own; the tables stay as they are."""
    url = settings.url.get_secret_value()
    database = _probed_server(url, wait) if url else _open_file(root / FOLDER, wait)
    try:
        database.check()
    finally:
        database.close()


def copy_file(source: Path, target: Path) -> None:
    """Copy the file of a store as it is at one moment, in place of what the target holds; others may have both open.

    Raises:
        StoreError: one of them cannot be used.
    """
    try:
        copy_database(source, target)
    except sqlite3.Error as error:
        raise _translate_sqlite_error(str(source), getattr(error, "sqlite_errorname", ""), str(error)) from error


def _open_file(folder: Path, wait: float) -> Database:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not (ignored := folder / ".gitignore").exists():
            ignored.write_text("*\n", encoding="ascii")
        path = folder / FILE
        # Made for its owner alone. One that is there is never opened by us: to close it would drop the locks that
        # SQLite has on it in this process, and another process would take the log of what was committed for nobody's.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreUnavailable(str(folder), error.strerror or str(error)) from error
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": wait, "check_same_thread": False})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return Database(engine, str(path), engine.dispose)


@dataclass(frozen=True)
class _SharedEngine:
    """The connections of this process to a server, and who has it open: with the last one they are closed."""

    engine: Engine
    users: set[object] = field(default_factory=set)


_servers = dict[tuple[int, str, float], _SharedEngine]()
"""By process, as a fork must not use the connections of its parent, by address, and by the seconds to wait."""
_servers_lock = Lock()


def share_server(url: str, wait: float = BUSY_SECONDS) -> Database:
    """The database at an address, over connections that all who open it in this process share."""
    key, user = (os.getpid(), url, wait), object()
    with _servers_lock:
        if key not in _servers:
            _servers[key] = _SharedEngine(_server_engine(url, wait))
        shared = _servers[key]
        shared.users.add(user)

    def release() -> None:
        with _servers_lock:
            shared.users.discard(user)
            if not shared.users:
                shared.engine.dispose()

    return Database(shared.engine, _where(url), release)


def _probed_server(url: str, wait: float) -> Database:
    """The database at an address, over connections of its own."""
    engine = _server_engine(url, wait)
    return Database(engine, _where(url), engine.dispose)


def _server_engine(url: str, wait: float) -> Engine:
    try:
        engine = create_engine(
            _address(url, "postgresql+psycopg"),
            pool_pre_ping=True,  # a connection that the server closed meanwhile is made anew
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=wait,
            connect_args={"connect_timeout": max(2, int(wait))},
        )
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreDriverMissing from error
    event.listen(engine, "connect", _prepare_server)
    return engine


def _where(url: str) -> str:
    return _address(url, "postgresql").render_as_string(hide_password=True)


def _address(url: str, driver: str) -> URL:
    """An address as SQLAlchemy takes it."""
    try:
        return make_url(url).set(drivername=driver)
    except (ArgumentError, ValueError):  # whose text may have the password
        where, reason = "of store.url", "its address cannot be read; write postgresql://USER@HOST:PORT/DATABASE"
        raise StoreUnavailable(where, reason) from None


def insertion(connection: Connection, table: Table) -> Any:  # noqa: ANN401 - of either kind, which share no type
    """An insertion that may say what happens when the row is there."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    write_ahead(connection)
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_server(connection: Any, _record: object) -> None:  # noqa: ANN401 - of the driver
    connection.execute(_SERVER_LIMITS)
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    at_once = connection.get_execution_options().get(_BEGIN_AT_ONCE)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if at_once else "BEGIN")


def _keep_copy(path: Path, version: str) -> None:
    """Keep a copy from before an upgrade. The caller holds the right to write, so nothing changes meanwhile."""
    state = path.parents[1] / DERIVED
    target = upgrade_folder(state, "store", int(version), int(VERSION)) / path.name
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as real, closing(sqlite3.connect(target)) as copy:
            real.backup(copy)
        target.chmod(0o600)
    except (OSError, sqlite3.Error) as error:
        raise StoreUnavailable(str(target), str(error)) from error


def _read_version(connection: Connection) -> str:
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _is_of_fleet(connection: Connection) -> bool:
    """Whether the tables are those of a fleet, which says itself which programs they are for."""
    return inspect(connection).has_table("fleet_version")


def _migrations_for(version: str, where: str) -> "Config":
    """The migrations, where this program knows the version."""
    from alembic.config import Config  # noqa: PLC0415 - as above
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", "pipeline.store:migrations")
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if version and version not in known:
        raise StoreNewer(where, version)
    return config


def _translate_error(where: str, error: DBAPIError) -> PipelineError:
    cause: Any = error.orig
    reason = str(cause).strip().split("\n", 1)[0]
    if isinstance(cause, sqlite3.Error):
        return _translate_sqlite_error(where, getattr(cause, "sqlite_errorname", ""), reason)
    state = str(getattr(cause, "sqlstate", "") or "")
    if state in _FULL:
        return StoreFull(where)
    if isinstance(error, DataError):
        return StoreRefused(reason)
    return StoreBusy(where) if state in _BUSY else StoreUnavailable(where, reason)


def _translate_sqlite_error(where: str, name: str, reason: str) -> PipelineError:
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(where)
    if name.startswith("SQLITE_FULL"):
        return StoreFull(where)
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return StoreDamaged(where, reason)
    return StoreUnavailable(where, reason)
