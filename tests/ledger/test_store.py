"""The SQLite file: opened by many, refused when it is not ours, and told apart from a full disk."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.errors import Held, LedgerDamaged, LedgerNewer, WriteFailed
from pipeline.ledger import open_ledger
from pipeline.ledger.evidence import stamp_of
from pipeline.ledger.store import SCHEMA_VERSION, Store, copy_store
from tests.support.tables import table


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    """File and folder are private: quotes and answers stand in there."""
    open_ledger(tmp_path / ".memory" / "state.db").store.close()
    assert (0o700, 0o600) == tuple(
        path.stat().st_mode & 0o777 for path in (tmp_path / ".memory", tmp_path / ".memory" / "state.db")
    )


@table(
    "content", [b"not a database at all, but long enough to look like one" * 40, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_damaged_file_is_reported_with_advice(tmp_path: Path, content: bytes) -> None:
    """What is no database is named, with the way out."""
    path = tmp_path / "state.db"
    path.write_bytes(content)
    with pytest.raises(LedgerDamaged, match=r"state\.db cannot be used.*Move it away and run again"):
        open_ledger(path)


def test_a_ledger_damaged_while_open_is_reported(tmp_path: Path) -> None:
    """A page that is overwritten underneath is noticed at the next query."""
    path = tmp_path / "state.db"
    open_ledger(path).store.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 60_000)
    with pytest.raises(LedgerDamaged, match="Move it away"):  # noqa: PT012 - it may be noticed at once, or at the query
        ledger = open_ledger(path)
        try:
            ledger.runs.latest()
            ledger.coverage.jobs()
        finally:
            ledger.store.close()


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    """A file of a later program is not touched."""
    path = tmp_path / "state.db"
    open_ledger(path).store.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(
        LedgerNewer, match=f"version 99, which a newer program has written; this one knows {SCHEMA_VERSION}"
    ):
        open_ledger(path)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    """Tables that are not ours are not built upon."""
    path = tmp_path / "state.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE runs (what TEXT)")
    connection.close()
    with pytest.raises(LedgerDamaged, match="already exists"):
        open_ledger(path)


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    """What was written before an error is gone with it."""
    store = Store(tmp_path / "state.db")
    with pytest.raises(KeyError), store.transaction():  # noqa: PT012 - the write before the error is the point
        store.write("INSERT INTO answers VALUES ('k', 'm', 'a', 0, 0, 'now')")
        raise KeyError
    assert 0 == store.value("SELECT count(*) FROM answers")
    store.close()


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    """A file where the folder should be: the system's own word."""
    (tmp_path / ".memory").write_text("in the way")
    with pytest.raises(WriteFailed, match="Cannot write"):
        open_ledger(tmp_path / ".memory" / "state.db")


def test_a_ledger_that_is_kept_busy_is_no_damage(tmp_path: Path) -> None:
    """Another process that writes for too long is waited for, then told of; exit code 75."""
    store, other = Store(tmp_path / "state.db"), Store(tmp_path / "state.db")
    other.write("PRAGMA busy_timeout = 20")
    with store.transaction(), pytest.raises(Held, match="the ledger is at work elsewhere"), other.transaction():
        pass
    store.close()
    other.close()


def test_a_copy_is_whole(tmp_path: Path) -> None:
    """A dry run's copy has everything, with nothing left in a side file."""
    store = Store(tmp_path / "state.db")
    store.write("INSERT INTO answers VALUES ('k', 'm', 'a', 0, 0, 'now')")
    copy_store(tmp_path / "state.db", tmp_path / "copy" / "state.db")
    copy = Store(tmp_path / "copy" / "state.db")
    assert ["k"] == copy.column("SELECT key FROM answers")
    assert ["state.db"] == [file.name for file in (tmp_path / "copy").glob("*.db")]
    copy.close()
    store.close()


def test_stamp_of_a_commit(tmp_path: Path) -> None:
    """Another one after a commit of any connection, the same while nothing changes, and none right after a change."""
    path = tmp_path / "state.db"
    with closing(open_ledger(path).store), closing(open_ledger(path).store) as writer:
        stamps, log, now = list[object](), path.with_name("state.db-wal"), path.stat().st_mtime
        for number in range(3):
            writer.write("INSERT INTO sights VALUES (?)", (number,))
            os.utime(log, (now + 1000, now + 1000))  # seconds: as if it was written only now, however long this takes
            assert stamp_of(path) is None
            for age in (1000, 2000):  # as if it had been written so long ago
                for file in (path, log):
                    os.utime(file, (now - age - number, now - age - number))
                stamps.append(stamp_of(path))
                assert stamps[-1] == stamp_of(path)
    assert None not in stamps
    assert 6 == len(set(stamps))
