"""The SQLite file under the ledger: its tables, its transactions, and its errors."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.errors import Held, LedgerDamaged, LedgerNewer, PipelineError, WriteFailed
from pipeline.workspace.regular_files import why_unsuitable
from pipeline.write_ahead import write_ahead
from schemas.window import Window

SCHEMA_VERSION = 15

_VERSION_1 = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, job TEXT NOT NULL, key TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL,
    began TEXT NOT NULL, ended TEXT, ending TEXT, outcome TEXT, tokens INTEGER NOT NULL DEFAULT 0, undone TEXT);
CREATE INDEX runs_by_key ON runs (job, key);
CREATE TABLE coverage (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL, state TEXT NOT NULL,
    run TEXT NOT NULL, stale INTEGER NOT NULL DEFAULT 0);
CREATE INDEX coverage_by_end ON coverage (job, end);
CREATE TABLE seen (
    coverage INTEGER NOT NULL, session TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (coverage, session));
CREATE TABLE changes (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    before BLOB, after BLOB NOT NULL, identities TEXT NOT NULL, size INTEGER NOT NULL);
CREATE INDEX changes_by_state ON changes (state);
CREATE TABLE blocks (
    name TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, identity TEXT NOT NULL, run TEXT NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (path, name));
CREATE TABLE files (
    source TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    session TEXT, first TEXT, last TEXT, PRIMARY KEY (source, path));
CREATE TABLE sources (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL);
CREATE INDEX files_by_session ON files (session);
CREATE TABLE answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, answer TEXT NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, asked TEXT NOT NULL);
"""
_VERSION_2 = """
CREATE TABLE unreadable (
    source TEXT NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (source, path));
CREATE TABLE rebuilds (at TEXT NOT NULL);
CREATE INDEX runs_by_time ON runs (began);
CREATE INDEX runs_by_job ON runs (job, began);
"""
_VERSION_3 = """
ALTER TABLE blocks ADD COLUMN file TEXT;
ALTER TABLE blocks ADD COLUMN landed INTEGER;
ALTER TABLE blocks ADD COLUMN before TEXT;
ALTER TABLE blocks ADD COLUMN behind TEXT;
"""
# A file may hold several sessions. The agents of sessions that were read before are not known: the next refresh of the
# sources reads these files once more. Until then they stay, for entries verify by them.
_VERSION_4 = """
ALTER TABLE runs ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE coverage ADD COLUMN subject TEXT NOT NULL DEFAULT '';
CREATE TABLE keyed (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, subject TEXT NOT NULL, key TEXT NOT NULL, start TEXT NOT NULL,
    end TEXT NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL, run TEXT NOT NULL, stale INTEGER NOT NULL DEFAULT 0,
    UNIQUE (job, subject, key));
CREATE TABLE inputs (
    keyed INTEGER NOT NULL, name TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (keyed, name));
CREATE INDEX inputs_by_name ON inputs (name);
CREATE TABLE requests (
    id TEXT PRIMARY KEY, job TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, asked TEXT NOT NULL);
DROP INDEX files_by_session;
ALTER TABLE files RENAME TO files_before;
CREATE TABLE files (
    source TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    session TEXT NOT NULL, agent TEXT NOT NULL, first TEXT, last TEXT, PRIMARY KEY (source, path, session));
INSERT INTO files SELECT source, path, size, mtime_ns, COALESCE(session, ''), '', first, last FROM files_before;
DROP TABLE files_before;
CREATE INDEX files_by_session ON files (session);
UPDATE sources SET fingerprint = '';
"""
# What a session holds, for people who ask which are read, and what distinguishes a source that is read from one that
# only seems to be; the next refresh of the sources fills it in. No words of a person: `forget` would not reach them.
# And the back-fill that a run belongs to: of earlier runs it is not known.
_VERSION_5 = """
ALTER TABLE files ADD COLUMN left_out TEXT NOT NULL DEFAULT '';
ALTER TABLE files ADD COLUMN counts TEXT NOT NULL DEFAULT '{}';
ALTER TABLE files ADD COLUMN opening TEXT NOT NULL DEFAULT '';
ALTER TABLE files ADD COLUMN second TEXT;
ALTER TABLE files ADD COLUMN machine INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN unaccounted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX files_by_opening ON files (opening);
CREATE TABLE other_kinds (
    source TEXT NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL, files INTEGER NOT NULL, PRIMARY KEY (source, kind));
ALTER TABLE runs ADD COLUMN backfill TEXT NOT NULL DEFAULT '';
CREATE INDEX runs_by_backfill ON runs (backfill) WHERE backfill <> '';
CREATE INDEX changes_by_run ON changes (run);
CREATE INDEX changes_by_path ON changes (path);
CREATE INDEX blocks_with_place ON blocks (path, name) WHERE file IS NOT NULL;
UPDATE sources SET fingerprint = '';
"""
# What each model was paid for; of earlier runs its name is not known. The kind of source of a session: sessions of two
# kinds with one id were one, and the next refresh of the sources takes them apart. What waits for a person; and the
# moment that a request is about, which is that of the words that it takes up.
_VERSION_6 = """
CREATE TABLE spending (
    run TEXT NOT NULL, model TEXT NOT NULL, asked INTEGER NOT NULL, cached INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL,
    PRIMARY KEY (run, model));
INSERT INTO spending SELECT id, '', COALESCE(json_extract(outcome, '$.asked'), 0),
    COALESCE(json_extract(outcome, '$.cached'), 0), COALESCE(json_extract(outcome, '$.input_tokens'), tokens),
    COALESCE(json_extract(outcome, '$.output_tokens'), 0), 0 FROM runs WHERE tokens > 0;
CREATE TABLE session_kinds (session TEXT PRIMARY KEY, kind TEXT NOT NULL);
UPDATE sources SET fingerprint = '';
CREATE TABLE suggestions (
    id TEXT PRIMARY KEY, job TEXT NOT NULL, identity TEXT NOT NULL, words TEXT NOT NULL, reason TEXT NOT NULL,
    body TEXT NOT NULL, run TEXT NOT NULL, noted TEXT NOT NULL);
CREATE INDEX suggestions_by_run ON suggestions (run);
CREATE INDEX suggestions_by_words ON suggestions (words);
CREATE TABLE suggestions_said (words TEXT NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (words, identity));
ALTER TABLE requests ADD COLUMN about TEXT;
"""
# The numbers of agents' sessions, and the sessions that have to be looked at for new ones: at first all.
_VERSION_7 = """
CREATE TABLE episodes (
    job TEXT NOT NULL, subject TEXT NOT NULL, key TEXT NOT NULL, day TEXT NOT NULL, number INTEGER NOT NULL,
    ordinal INTEGER NOT NULL, PRIMARY KEY (job, subject, key), UNIQUE (job, subject, ordinal));
CREATE TABLE unsettled (session TEXT PRIMARY KEY);
CREATE TABLE token_counts (digest TEXT PRIMARY KEY, tokens INTEGER NOT NULL);
INSERT INTO unsettled SELECT DISTINCT session FROM files WHERE session <> '';
"""
# Since when agents are declared; one with archived sessions has been since the first of these.
_VERSION_8 = """
CREATE TABLE agents (name TEXT PRIMARY KEY, since TEXT NOT NULL);
INSERT INTO agents SELECT subject, MIN(start) FROM keyed WHERE job = 'agent_sessions' GROUP BY subject;
"""
_VERSION_9 = """
CREATE INDEX coverage_by_run ON coverage (run);
CREATE INDEX keyed_by_run ON keyed (run);
"""
# When the daily files were last looked at for changes of other hands.
_VERSION_10 = "CREATE TABLE sights (at TEXT NOT NULL);"
# The pieces of sessions that were asked about, and until when the last piece of a session is open.
_VERSION_11 = """
CREATE TABLE pieces (
    session TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL, PRIMARY KEY (session, start));
CREATE TABLE open_pieces (session TEXT PRIMARY KEY, over TEXT NOT NULL);
"""
# The entries that agents propose, until their session is read.
_VERSION_12 = """
CREATE TABLE entry_proposals (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL);
"""
# The batches of questions at a server, and their questions by hash, with the replies that nobody has taken yet.
_VERSION_13 = """
CREATE TABLE batches (id TEXT PRIMARY KEY, model TEXT NOT NULL, remote TEXT NOT NULL, sent TEXT NOT NULL);
CREATE TABLE batched (
    question TEXT PRIMARY KEY, batch TEXT NOT NULL, text TEXT, input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0, came TEXT,
    doubtful INTEGER NOT NULL DEFAULT 0);
CREATE INDEX batched_by_batch ON batched (batch);
"""
# The name of the project at a place, with a digest of where its repository comes from, and the project in which each
# session was from a message on; the next refresh of the sources fills them in.
_VERSION_14 = """
CREATE TABLE projects (place TEXT PRIMARY KEY, name TEXT NOT NULL, remote TEXT NOT NULL);
CREATE INDEX projects_by_remote ON projects (remote);
CREATE TABLE session_projects (
    session TEXT NOT NULL, number INTEGER NOT NULL, project TEXT NOT NULL, PRIMARY KEY (session, number));
UPDATE sources SET fingerprint = '';
"""
# The texts that sessions wrote, by digests of their paths; the next refresh of the sources fills it in.
_VERSION_15 = """
CREATE TABLE written_texts (file TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (file, session));
CREATE INDEX written_texts_by_session ON written_texts (session);
UPDATE sources SET fingerprint = '';
"""
_STEPS = (
    _VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4, _VERSION_5, _VERSION_6, _VERSION_7, _VERSION_8, _VERSION_9,
    _VERSION_10, _VERSION_11, _VERSION_12, _VERSION_13, _VERSION_14, _VERSION_15,
)  # fmt: skip
"""The step to each version from the one before; version 0 is an empty file. A released step never changes."""

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
    """The moment that `to_text` wrote; `None` of a column without one."""
    return datetime.fromisoformat(text) if text else None


def window_in(row: Row) -> Window:
    """The window in the columns `start` and `end`."""
    return Window(start=datetime.fromisoformat(row["start"]), end=datetime.fromisoformat(row["end"]))


class Store:
    """One connection to `state.db`."""

    def __init__(self, path: Path) -> None:
        """Open the file; a missing one is made."""
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
                for statement in (statement for step in _STEPS[self._version() :] for statement in step.split(";")):
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
        """All writes inside happen together or not at all."""
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
        """Another one after a change by another connection, and after a transaction that came to nothing."""
        return int(self.value("PRAGMA data_version")), self._taken_back

    def write(self, statement: str, values: Values = ()) -> int:
        """Run one statement that changes something; the new row's id."""
        return self.execute(statement, values).lastrowid or 0

    def delete(self, statement: str, values: Values = ()) -> int:
        """Run one statement that removes rows; how many it removed."""
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
        """Move all rows into the main file and overwrite deleted ones."""
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        self.write("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class LedgerTable:
    """One or more tables of the ledger."""

    def __init__(self, store: Store) -> None:
        self._store = store


def copy_store(source: Path, target: Path) -> None:
    """Make a consistent copy of a ledger's file, for a dry run; the file is neither upgraded nor made.

    Raises:
        LedgerDamaged: the file cannot be used.
        WorkspaceError: the system refuses; another process keeps it too long.
    """
    # The last connection that closes merges the `-wal` of a killed process, unless it may only read.
    mode = "ro" if source.with_name(f"{source.name}-wal").exists() else "rw"
    with _translated_errors(source, target):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _refuse_unsuitable(source)
        address = f"{source.absolute().as_uri()}?mode={mode}"
        with (
            closing(sqlite3.connect(address, timeout=30, uri=True)) as real,
            closing(sqlite3.connect(target)) as copy,
        ):
            real.backup(copy)


@contextmanager
def _translated_errors(path: Path, written: Path | None = None) -> Iterator[None]:
    """Raise errors of SQLite about a file, and of the system about what is written, as our own."""
    try:
        yield
    except sqlite3.Error as error:
        raise _refusal(str(path), error) from error
    except OSError as error:
        raise WriteFailed(str(written or path), error.strerror or str(error)) from error


def _refuse_unsuitable(path: Path) -> None:
    """Raises `LedgerDamaged` for the file, or one beside it, if SQLite would wait at it, such as at a pipe."""
    for name in (path.name, *(f"{path.name}-{beside}" for beside in ("wal", "shm", "journal"))):
        if why := why_unsuitable(path.with_name(name), None):
            raise LedgerDamaged(str(path.with_name(name)), why)


def _refusal(path: str, error: sqlite3.Error) -> PipelineError:
    """The error of ours for one of SQLite: only for a broken file, the advice is to move it away."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & _PRIMARY in _BUSY:
        return Held("the ledger", "another process", _LATER)
    if code & _PRIMARY in _NOT_WRITABLE or code in _WRITE_ERRORS:
        return WriteFailed(path, str(error))
    return LedgerDamaged(path, str(error))
