"""A source over SQLite stores: each session of a store is a file of the source, at `STORE/SESSION`."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, unquote
from weakref import finalize

from pipeline.adapters.sources.reading.files import SourcePlace, file_inside, list_files
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from pipeline.workspace.regular_files import why_unsuitable
from schemas.transcript import Session, TranscriptFile

_PATIENCE = 1  # seconds to wait for a program that keeps the database to itself
_ATTEMPTS = 3  # at a copy of which no part has changed meanwhile
_BESIDE = ("-wal", "-shm", "-journal")
_REFUSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
_LARGEST_VALUE = 512 * 1024 * 1024  # bytes of one value: a column that is computed can make any number of them
_COLUMNS = """
SELECT info.name FROM sqlite_master AS stored, pragma_table_info(stored.name) AS info
WHERE stored.type = 'table' AND stored.rootpage > 0 AND stored.name = ? COLLATE NOCASE
"""
_PRIMARY = 0xFF  # of an error code; the bits above say more

Database = sqlite3.Connection


class StoreVersion(NamedTuple):
    """The state of a database on disk: modification time (ns) and size of the file and of its write-ahead log."""

    file: tuple[int, int]
    log: tuple[int, int]


class Copies:
    """Copies of databases that cannot be read in place: one of each file, of its latest version."""

    def __init__(self) -> None:
        self._made: dict[Path, tuple[StoreVersion | None, Path]] = {}

    def of(self, file: Path) -> Path:
        """A copy of database and log of one moment.

        Raises:
            OSError: the system refuses, or the database changes all the time.
        """
        version, copy = self._made.get(file) or (None, self._folder() / file.name)
        for _ in range(1 + _ATTEMPTS):
            before = version_of(file)
            if before == version:
                return copy
            for ending in ("", "-wal"):
                _copy(_sibling(file, ending), _sibling(copy, ending))
            _sibling(copy, "-shm").unlink(missing_ok=True)
            version = before
            self._made[file] = version, copy
        message = "it changes while it is copied; it is tried again at the next look"
        raise OSError(message)

    def _folder(self) -> Path:
        folder = Path(mkdtemp(prefix="memory-"))
        finalize(self, rmtree, folder, ignore_errors=True)
        return folder


def version_of(file: Path) -> StoreVersion:
    """The version of a database; zeros for a part that is not there."""
    return StoreVersion(_state(file), _state(_sibling(file, "-wal")))


def columns_of(connection: Database, table: str) -> frozenset[str]:
    """The columns of a table; none when there is no such table.

    A view is none, and neither is a table that a module of SQLite makes up: reading one can take forever.
    """
    rows = connection.execute(_COLUMNS, (table,))
    return frozenset(row["name"] for row in rows)


def rows_of(connection: Database, query: str, *values: object) -> Iterator[dict[str, Any]]:
    """The rows that a query gives, as records; bytes in the place of a text are read as one."""
    rows = connection.execute(query, values)
    names = [name for name, *_ in rows.description]
    for row in rows:
        named = zip(names, row, strict=True)
        yield {key: value.decode("utf-8", "replace") if isinstance(value, bytes) else value for key, value in named}


@contextmanager
def open_store(file: Path, tables: Mapping[str, AbstractSet[str]], copies: Copies) -> Iterator[Database]:
    """A database for reading; text that is no UTF-8 is replaced, and rows go by the names of columns.

    Args:
        file: the database.
        tables: the columns that it must have, by table.
        copies: those of databases that cannot be read in place.
    """
    for name in (file.name, *(file.name + ending for ending in _BESIDE)):
        if why := why_unsuitable(file.with_name(name), None):
            raise ReadFailed(str(file), why)
    try:
        own = _open_in_place(file) if _may_write_beside(file) else None
        with closing(own or sqlite3.connect(copies.of(file))) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            for table, columns in tables.items():
                there = columns_of(connection, table)
                if missing := sorted(columns - there):
                    missing_part = f"no table {table}" if not there else f"no column {missing[0]} in its table {table}"
                    reason = f"it is of a version that is not known: there is {missing_part}"
                    raise ReadFailed(str(file), reason)
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of names of columns in a damaged one
        raise ReadFailed(str(file), f"SQLite cannot read it: {error}") from error
    except OSError as error:
        raise ReadFailed(str(file), error.strerror or str(error)) from error


def _open_in_place(file: Path) -> Database | None:
    """A connection to the database itself; `None` when the system refuses that, for a copy may do."""
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if getattr(error, "sqlite_errorcode", 0) & _PRIMARY in _REFUSED:
            return None
        raise
    return connection


def _may_write_beside(file: Path) -> bool:
    """Whether a file that SQLite makes beside the database belongs to the database's own user."""
    return file.stat().st_uid == os.geteuid() and os.access(file.parent, os.W_OK)


def _copy(source: Path, target: Path) -> None:
    try:
        with source.open("rb") as read, target.open("wb") as written:
            while piece := read.read(1 << 20):
                written.write(piece)
    except FileNotFoundError:
        target.unlink(missing_ok=True)


def _sibling(file: Path, ending: str) -> Path:
    return file.with_name(file.name + ending)


def _state(file: Path) -> tuple[int, int]:
    try:
        state = file.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size


class StoredSession(NamedTuple):
    """A session in a store's listing.

    Its number of `records` and the time (ns) of its latest `change` together differ after every change.
    """

    session_id: str
    records: int
    change: int


class StoreFormat(Protocol):
    """The form in which one agent keeps sessions in a database."""

    def tables(self) -> dict[str, frozenset[str]]:
        """The columns that are read, by table; a store without one of them is of another version."""

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions of a store."""

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """A session; `path` is its name in entries. `None` when it is gone, or not the agent's."""


class StoreSource:
    """The sessions in the stores below a folder."""

    def __init__(
        self,
        place: SourcePlace,
        keep: Callable[[str], object],
        stored: StoreFormat,
        aside: AbstractSet[str] = frozenset(),
    ) -> None:
        """`keep` accepts the names of files that are stores; folders of a name in `aside` hold none."""
        self._place = place
        self._keep = keep
        self._format = stored
        self._aside = aside
        self._copies = Copies()
        self._listed: dict[str, tuple[StoreVersion, list[TranscriptFile]]] = {}

    @property
    def name(self) -> str:
        """The name of this root in entries."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """All sessions of all stores, in the order of their paths; a store that cannot be read stands for itself."""
        stores = list_files(self._place.root, self._keep, self._aside)
        listed = [file for store in stores for file in self._sessions(store)]
        yield from sorted(listed, key=lambda file: file.path)

    def holds(self, path: str) -> bool:
        """Whether a path is that of a store or of a session in one."""
        return any(self._keep(part) for part in path.split("/"))

    def _sessions(self, store: TranscriptFile) -> list[TranscriptFile]:
        file = self._place.root / store.path
        version = version_of(file)
        known = self._listed.get(store.path)
        if known and known[0] == version:
            return known[1]
        try:
            with open_store(file, self._format.tables(), self._copies) as connection:
                sessions = [
                    TranscriptFile(
                        path=f"{store.path}/{quote(session.session_id, safe='')}",
                        size=session.records,
                        mtime_ns=session.change,
                    )
                    for session in self._format.listing(connection)
                ]
        except ReadFailed:  # reading it raises the same
            return [store]
        self._listed[store.path] = version, sessions
        return sessions

    def read(self, path: str) -> Sequence[Session]:
        """The session of one path; of the path of a store alone there is none."""
        store, session_id = self._split_path(path)
        try:
            file = file_inside(self._place.root, store)
            with open_store(file, self._format.tables(), self._copies) as connection:
                session = self._format.read(connection, session_id, path) if session_id else None
        except ReadFailed as error:
            raise ReadFailed(path, error.reason) from error
        return (session,) if session else ()

    def open_database(self, store: Path) -> AbstractContextManager[Database]:
        """A store for reading; entering it raises `ReadFailed` when it cannot be read."""
        return open_store(store, self._format.tables(), self._copies)

    def _split_path(self, path: str) -> tuple[str, str]:
        """The store's path and the session's id; the id is empty of the path of a store."""
        folder, _, last = path.rpartition("/")
        if self._keep(last) and not (self._place.root / folder).is_file():  # a session can have the name of a store
            return path, ""
        return folder, unquote(last)


class JoinedSource:
    """The sessions in stores and in files of one folder."""

    def __init__(
        self, stores: StoreSource, files: TranscriptSource, session_id: Callable[[str], str] | None = None
    ) -> None:
        """`session_id` gives that of a file by its path: what a store holds as well is read there alone.

        Without it both are read, for the ids of messages are the same in both.
        """
        self._stores = stores
        self._files = files
        self._session_id = session_id

    @property
    def name(self) -> str:
        """The name by which entries cite this root."""
        return self._stores.name

    def files(self) -> Iterator[TranscriptFile]:
        """All sessions, in the order of their paths."""
        stored = list(self._stores.files())
        ids = {unquote(file.path.rpartition("/")[2]) for file in stored}
        older = [file for file in self._files.files() if not self._session_id or self._session_id(file.path) not in ids]
        yield from sorted([*stored, *older], key=lambda file: file.path)

    def read(self, path: str) -> Sequence[Session]:
        """The sessions of one path."""
        return (self._stores if self._stores.holds(path) else self._files).read(path)
