"""Copies of SQLite files that other processes may have open."""

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
