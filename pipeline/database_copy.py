"""SQLite files that other processes may have open: their copies, and the log in which readers wait for no writer."""

import sqlite3
from contextlib import closing
from pathlib import Path

_SECONDS = 30


def reading_address(path: Path) -> str:
    """The address to read a file by."""
    # The last connection that closes merges the `-wal` of a killed process, unless it may only read.
    mode = "ro" if path.with_name(f"{path.name}-wal").exists() else "rw"
    return f"{path.absolute().as_uri()}?mode={mode}"


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, in place of what the target holds.

    Raises:
        sqlite3.Error: one of them cannot be used; another process keeps it too long.
    """
    with (
        closing(sqlite3.connect(reading_address(source), timeout=_SECONDS, uri=True)) as real,
        closing(sqlite3.connect(target, timeout=_SECONDS)) as copy,
    ):
        real.backup(copy)


_ATTEMPTS = 20
_PRIMARY = 0xFF  # of an error's code, which tells the kind of lock in its upper bits


def write_ahead(connection: sqlite3.Connection) -> None:
    """Let a connection without a transaction use the log; where its file does already, nothing is written.

    Of many that meet at a new file, SQLite refuses all but one at once, whatever their timeout, as they would wait for
    each other (https://sqlite.org/c3ref/busy_handler.html). An empty transaction waits for that one with the timeout.

    Raises:
        sqlite3.DatabaseError: another process has the file for longer than the timeout; or it cannot be used.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if attempt == _ATTEMPTS or error.sqlite_errorcode & _PRIMARY != sqlite3.SQLITE_BUSY:
                raise
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        else:
            return
