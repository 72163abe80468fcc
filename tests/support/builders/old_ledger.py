"""A ledger of version 1, and the version and tables of a ledger as SQLite shows them."""

import sqlite3
from pathlib import Path

VERSION_1 = """
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
INSERT INTO runs (id, job, key, start, end, began) VALUES
    ('r-1', 'note', 'k', '2026-03-02T00:00:00+00:00', '2026-03-02T03:00:00+00:00', '2026-03-02T03:02:00+00:00');
INSERT INTO coverage VALUES
    (1, 'note', '2026-03-02T00:00:00+00:00', '2026-03-02T03:00:00+00:00', 'covered', 'r-1', 0);
INSERT INTO answers VALUES ('k', 'm', 'yes', 1, 1, '2026-03-02T03:02:00+00:00');
PRAGMA user_version = 1;
"""
"""The statements of the program of version 1, word for word, with some rows."""
UPGRADE_STATEMENTS = [
    "CREATE TABLE unreadable",
    "CREATE TABLE rebuilds",
    "ALTER TABLE blocks ADD COLUMN landed",
    "ALTER TABLE files RENAME",
    "INSERT INTO files",
    "CREATE TABLE session_kinds",
    "CREATE TABLE suggestions",
    "PRAGMA user_version",
    "COMMIT",
]
"""The beginnings of statements of the upgrade, from the first to the last."""


def write_old_ledger(path: Path) -> Path:
    """A ledger as version 1 left it, in WAL mode."""
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(VERSION_1)
    connection.close()
    return path


def ledger_version(path: Path) -> int:
    """The version that the file itself states."""
    connection = sqlite3.connect(path)
    [(version_number,)] = connection.execute("PRAGMA user_version").fetchall()
    connection.close()
    return int(version_number)


def ledger_shape(path: Path) -> set[str]:
    """The statements that made the tables of a file."""
    connection = sqlite3.connect(path)
    names = {" ".join(sql.split()) for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")}
    connection.close()
    return names
