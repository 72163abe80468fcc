"""A file of SQLite that many open when it is new."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from pipeline.database_copy import write_ahead

FILES = 300
"""Without a second attempt, about one opening of a thousand is refused."""
TOGETHER = 8


def open_all(paths: list[Path], gate: Barrier) -> set[str]:
    """Open one file after the other when all others do; the journal modes."""
    modes = set()
    for path in paths:
        connection = sqlite3.connect(path, timeout=30, isolation_level=None)
        gate.wait(timeout=60)
        write_ahead(connection)
        modes.add(connection.execute("PRAGMA journal_mode").fetchone()[0])
        connection.close()
    return modes


def test_many_may_meet_at_a_new_file(tmp_path: Path) -> None:
    """Eight open files that are new, at the same moment; none is refused, and all use the log."""
    paths = [tmp_path / f"{number}.db" for number in range(FILES)]
    gate = Barrier(TOGETHER)
    with ThreadPoolExecutor(TOGETHER) as pool:
        running = [pool.submit(open_all, paths, gate) for _ in range(TOGETHER)]
    assert [{"wal"}] * TOGETHER == [work.result() for work in running]


def test_a_file_that_another_keeps_is_refused_after_the_timeout(tmp_path: Path) -> None:
    """No endless wait at a file that is written by another all the time."""
    path = tmp_path / "kept.db"
    keeper = sqlite3.connect(path, isolation_level=None)
    keeper.execute("BEGIN EXCLUSIVE")
    waiting = sqlite3.connect(path, timeout=0.01, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(waiting)
    keeper.close()
    waiting.close()


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    """Another error than a lock is not tried again."""
    path = tmp_path / "text.db"
    path.write_text("no database at all" * 100)
    connection = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        write_ahead(connection)
    connection.close()
