"""SQLite's write-ahead log, in which readers do not wait for a writer."""

import sqlite3

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
