"""Databases of agents written by hand, row by row."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path


class StoreRows:
    """A database that its agent has open, with rows that are only in the write-ahead log."""

    def __init__(self, file: Path, *tables: str) -> None:
        """`tables` are as in `messages (id, text)`; a table that is there already stays."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.file = file
        self.connection = sqlite3.connect(file, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        for table in tables:
            self.connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")

    def add(self, table: str, **row: object) -> None:
        """Adds a row."""
        marks = ", ".join("?" * len(row))
        query = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"  # noqa: S608 - names that the test gives
        self.connection.execute(query, tuple(row.values()))

    def close(self) -> None:
        """The agent ends."""
        self.connection.close()


def changed(file: Path, cell: tuple[str, str, int], value: object) -> None:
    """Puts another value into one cell, if the database takes it."""
    table, column, place = cell
    with closing(sqlite3.connect(file)) as store, suppress(sqlite3.IntegrityError):
        query = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"  # noqa: S608 - names of the test's own store
        store.execute(query, (value, place))
        store.commit()


def cells(file: Path) -> Iterator[tuple[str, str, int]]:
    """Where the values of a database stand: table, column and row id."""
    with closing(sqlite3.connect(file)) as store:
        tables = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            places = store.execute(f"SELECT rowid FROM {table}").fetchall()  # noqa: S608 - names of the test's own store
            for (place,) in places:
                yield from ((table, column, place) for column in columns)
