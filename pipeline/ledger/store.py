"""The SQLite file under the ledger: its tables, its transactions, and its errors."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.database_copy import copy_database, reading_address, write_ahead
from pipeline.errors import Held, LedgerDamaged, LedgerNewer, PipelineError, WriteFailed
from pipeline.kept_upgrades import drop_upgrades, upgrade_folder
from pipeline.workspace.regular_files import replace_private, why_unsuitable
from schemas.window import Window

SCHEMA_VERSION = 17

_STEP = re.compile(r"^-- version \d+$", re.MULTILINE)
"""The line of `schema.sql` that begins the step to a version."""
_COMMENT = re.compile(r"^--.*\n", re.MULTILINE)
_LATER = "It keeps it for moments as a rule; what was not done stays due, so run it again."
_PRIMARY = 0xFF  # of an error code; the bits above say more
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_NOT_WRITABLE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_WRITE_ERRORS = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE)

Row = sqlite3.Row
Values = Sequence[object] | Mapping[str, object]


def to_text(moment: datetime) -> str:
    """A moment as text that sorts by time."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


sqlite3.register_adapter(datetime, to_text)


def to_moment(text: str | None) -> datetime | None:
    """The moment in a text of `to_text`; `None` for an empty column."""
    return datetime.fromisoformat(text) if text else None


def window_in(row: Row) -> Window:
    """The window in the columns `start` and `end`."""
    return Window(start=datetime.fromisoformat(row["start"]), end=datetime.fromisoformat(row["end"]))


class Store:
    """One connection to `state.db`."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        self.path = path
        self.fresh = not path.exists()
        self._taken_back = 0
        with _translated_errors(path):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _refuse_unsuitable(self.path)
            # The main thread and the threads that ask a model share the connection; SQLite serialises them.
            self._connection = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            self._connection.row_factory = Row
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        with _translated_errors(self.path):
            self.path.chmod(0o600)
            write_ahead(self._connection)
        # NORMAL: a power cut may lose the last transactions but never harms the file; the identities of entries that
        # were written are then found in the Markdown.
        self.rows("PRAGMA synchronous = NORMAL")
        self.rows("PRAGMA secure_delete = ON")
        if self._version() < SCHEMA_VERSION:
            # Ten processes may meet here; the later ones find the tables made.
            with self.transaction():
                if 0 < (version := self._version()) < SCHEMA_VERSION:
                    # Kept byte for byte before the first change, for who wants to go back.
                    target = upgrade_folder(self.path.parent, "ledger", version, SCHEMA_VERSION) / self.path.name
                    with _translated_errors(target):
                        replace_private(target, self._connection.serialize(), lasting=True)
                for step in schema_steps()[version:]:
                    for statement in _COMMENT.sub("", step).split(";"):
                        if statement.strip():
                            self.write(statement)
                self.write(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _version(self) -> int:
        """The version of the file."""
        version = int(self.value("PRAGMA user_version"))
        if version > SCHEMA_VERSION:
            raise LedgerNewer(str(self.path), version, SCHEMA_VERSION)
        if version < 0:
            raise LedgerDamaged(str(self.path), f"it is of version {version}")
        return version

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all writes inside together or not at all."""
        self.write("BEGIN IMMEDIATE")
        try:
            yield
            self.write("COMMIT")
        except BaseException:
            self._taken_back += 1
            if self._connection.in_transaction:  # SQLite has rolled back by itself when the disk is full
                self.write("ROLLBACK")
            raise

    def version(self) -> tuple[int, int]:
        """The version of the content: it differs after a change of another connection, and after a rollback."""
        return int(self.value("PRAGMA data_version")), self._taken_back

    def write(self, statement: str, values: Values = ()) -> int:
        """Run a statement that changes rows. Returns the id of the new row."""
        return self.execute(statement, values).lastrowid or 0

    def write_all(self, statement: str, values: Iterable[Values]) -> None:
        """Run a statement that changes rows, once for each of the values."""
        with _translated_errors(self.path):
            self._connection.executemany(statement, values)

    def delete(self, statement: str, values: Values = ()) -> int:
        """Run a statement that removes rows. Returns their number."""
        return self.execute(statement, values).rowcount

    def rows(self, query: str, values: Values = ()) -> list[Row]:
        """The rows of a query."""
        with _translated_errors(self.path):
            return self.execute(query, values).fetchall()

    def column(self, query: str, values: Values = ()) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in self.rows(query, values)]

    def value(self, query: str, values: Values = ()) -> Any:  # noqa: ANN401 - of the column's type
        """The first value of a query; `None` without a row."""
        return next(iter(self.column(query, values)), None)

    def execute(self, statement: str, values: Values) -> sqlite3.Cursor:
        """Run one statement."""
        with _translated_errors(self.path):
            return self._connection.execute(statement, values)

    def compact(self) -> None:
        """Move all rows into the main file and overwrite deleted ones; copies from before upgrades go with them."""
        with _translated_errors(self.path):
            drop_upgrades(self.path.parent, "ledger")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        self.write("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def refuse_changes(self) -> None:
        """Refuse every change of a row from now on."""
        self.rows("PRAGMA query_only = ON")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def schema_steps() -> list[str]:
    """The steps of the schema, each to the next version, with what they say about themselves."""
    _, *steps = _STEP.split(Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
    return steps


class LedgerTable:
    """One or more tables of the ledger."""

    def __init__(self, store: Store) -> None:
        self._store = store


class ReadOnlyStore(Store):
    """A connection that only reads a ledger's file: it is neither made nor upgraded, whatever its version."""

    def __init__(self, path: Path) -> None:
        """Open the file."""
        self.path, self.fresh, self._taken_back = path, False, 0
        with _translated_errors(path):
            _refuse_unsuitable(path)
            self._connection = sqlite3.connect(reading_address(path), timeout=30, uri=True)
            self._connection.row_factory = Row


def copy_store(source: Path, target: Path) -> None:
    """Copy the file of a ledger as it is at one moment; it is neither upgraded nor made.

    Raises:
        LedgerDamaged: the file cannot be used.
        WorkspaceError: the system refuses; another process keeps it too long.
    """
    with _translated_errors(source, target):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _refuse_unsuitable(source)
        copy_database(source, target)


def is_alone(path: Path) -> bool:
    """Whether no other connection to a file of SQLite is open; what was committed is in the main file then.

    Raises:
        LedgerDamaged: the file cannot be used.
        WorkspaceError: the system refuses.
    """
    try:
        with _translated_errors(path), closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            return bool(connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "delete")
    except Held:
        return False


@contextmanager
def _translated_errors(path: Path, written: Path | None = None) -> Iterator[None]:
    """Raise errors of SQLite about a file, and of the system about what is written, as our own."""
    try:
        yield
    except sqlite3.Error as error:
        raise _error_of(str(path), error) from error
    except OSError as error:
        raise WriteFailed(str(written or path), error.strerror or str(error)) from error


def _refuse_unsuitable(path: Path) -> None:
    """Raise `LedgerDamaged` if SQLite would wait at the file, or at a file of it, such as at a pipe."""
    for name in (path.name, *(f"{path.name}-{beside}" for beside in ("wal", "shm", "journal"))):
        if why := why_unsuitable(path.with_name(name), None):
            raise LedgerDamaged(str(path.with_name(name)), why)


def _error_of(path: str, error: sqlite3.Error) -> PipelineError:
    """Our error for an error of SQLite: `LedgerDamaged`, with its advice to move the file, only if it is broken."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & _PRIMARY in _BUSY:
        return Held("the ledger", "another process", _LATER)
    if code & _PRIMARY in _NOT_WRITABLE or code in _WRITE_ERRORS:
        return WriteFailed(path, str(error))
    return LedgerDamaged(path, str(error))
