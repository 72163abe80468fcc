"""Queries about all blocks and transcripts at once, and digests that tell whether their answers can have changed."""

import hashlib
from datetime import datetime
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.ledger.changes import STANDING
from pipeline.ledger.runs import ID_BYTES
from pipeline.ledger.store import Store

_BLOCKS = "SELECT group_concat(name || path || digest || identity || run || state, char(10)) FROM blocks"
_FILES = "SELECT group_concat(source || path || size || mtime_ns || session || left_out, char(10)) FROM files"
_PROJECTS = "SELECT count(*) FROM session_projects"

_STANDING = "FROM blocks WHERE state IN (?, ?)"


def evidence_digest(store: Store) -> str:
    """The hash of all known blocks and transcripts; it does not depend on the clock.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    known = f"{store.value(_BLOCKS)}\n{store.value(_FILES)}\n{store.value(_PROJECTS)}"
    return hashlib.sha256(known.encode(errors="replace")).hexdigest()


def written_paths(store: Store) -> list[str]:
    """The files that we have written blocks into, sorted.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    return store.column("SELECT DISTINCT path FROM blocks ORDER BY path")


def standing_blocks(store: Store) -> frozenset[tuple[str, str]]:
    """The names and the digests of the blocks that should be in the files.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    return frozenset(map(tuple, store.rows(f"SELECT name, digest {_STANDING}", STANDING)))


def blocks_written(store: Store, moment: datetime, most: int = -1) -> list[tuple[str, datetime]]:
    """The names of entries that stand, by runs that began at or after a moment, each with the begin of its run.

    The newest first, and no more than `most`, if that is not negative.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    query = """
        SELECT blocks.name, runs.began FROM runs JOIN blocks ON blocks.run = runs.id
        WHERE runs.began >= ? AND blocks.state IN (?, ?) AND blocks.name GLOB '[A-Z]*-[0-9]*'
        ORDER BY runs.began DESC, blocks.rowid DESC LIMIT ?"""
    rows = store.rows(query, (moment, *STANDING, most))
    return [(name, datetime.fromisoformat(began)) for name, began in rows]


def records_read(store: Store, moment: datetime) -> list[tuple[datetime, int]]:
    """The runs that read transcripts and began at or after a moment: their begin, and how many records they read.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    query = """
        SELECT runs.began, SUM(LENGTH(seen.ids)) / ? FROM runs
        JOIN coverage ON coverage.run = runs.id JOIN seen ON seen.coverage = coverage.id
        WHERE runs.began >= ? GROUP BY runs.id"""
    return [(datetime.fromisoformat(began), number) for began, number in store.rows(query, (ID_BYTES, moment))]


def run_of_block(store: Store, name: str) -> str:
    """The run that wrote the block of this name that should be in a file; empty without such a block.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    query = f"SELECT run {_STANDING} AND name = ? ORDER BY rowid DESC"
    return str(store.value(query, (*STANDING, name)) or "")


_STEP_SECONDS = 0.1  # more than a step of the times of any file system in use


def stamp_of(path: Path) -> object:
    """A value that is another one after each commit to a database; `None` while that cannot be told.

    It is made of the sizes, times and inodes of the file and of its log. The times of a file system have steps, so for
    a moment after a change the next one may look the same. The files are not opened: SQLite would lose its locks, for
    POSIX drops those of a process with any descriptor of the file (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    stamp, now = list[tuple[int, int, int]](), SystemClock().now().timestamp()
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = file.stat()
        except FileNotFoundError:
            continue
        except OSError:
            return None
        if status.st_size:  # an empty log is left there by a reader
            if not now - status.st_mtime > _STEP_SECONDS:
                return None
            stamp.append((status.st_size, status.st_mtime_ns, status.st_ino))
    return tuple(stamp)


_TABLES = ("runs", "coverage", "keyed", "changes", "blocks", "suggestions", "requests", "entry_proposals", "answers")


def deeds_digest(store: Store) -> str:
    """The hash of all that runs and persons have brought about; what a look at the transcripts notes is none of it.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    digest = hashlib.sha256()
    for table in _TABLES:
        for row in store.rows(f"SELECT * FROM {table} ORDER BY rowid"):  # noqa: S608 - of the list above
            digest.update(repr(tuple(row)).encode(errors="replace"))
    return digest.hexdigest()
