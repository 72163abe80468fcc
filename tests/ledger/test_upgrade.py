"""A ledger of version 1: upgraded where it is opened, whole or not at all, and with all that stands in it."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import LedgerDamaged, LedgerNewer, PipelineError
from pipeline.ledger import open_ledger
from pipeline.ledger.store import SCHEMA_VERSION, Store, Values

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
"""What the program of version 1 made, word for word, with a row here and there."""
VERSION_2 = """
CREATE TABLE unreadable (
    source TEXT NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (source, path));
CREATE TABLE rebuilds (at TEXT NOT NULL);
CREATE INDEX runs_by_time ON runs (began);
CREATE INDEX runs_by_job ON runs (job, began);
"""
"""What the program of version 2 made of it."""

OPEN = (
    "import sys, pathlib; from pipeline.ledger import open_ledger; open_ledger(pathlib.Path(sys.argv[1])).store.close()"
)
KILLED = """
import os, pathlib, signal, sys
from pipeline.ledger.store import Store

class Killed(Store):
    def write(self, statement, values=()):
        if statement.strip().startswith(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(statement, values)

Killed(pathlib.Path(sys.argv[1]))
"""
PLACES = [
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


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger as version 1 left it, in WAL mode."""
    path = tmp_path / ".memory" / "state.db"
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(VERSION_1)
    connection.close()
    return path


def test_what_was_read_of_files_stays_until_they_are_read_again(old: Path) -> None:
    """Entries verify by the sessions that are known; so an upgrade alone makes none of them strange."""
    connection = sqlite3.connect(old)
    moment = "2026-02-02T10:00:00.000000+00:00"
    connection.execute("INSERT INTO files VALUES ('s', 'a.jsonl', 3, 5, 's-one', ?, ?)", (moment, moment))
    connection.execute("INSERT INTO files VALUES ('s', 'notes.jsonl', 3, 5, NULL, NULL, NULL)")
    connection.execute("INSERT INTO sources VALUES ('s', 'print')")
    connection.commit()
    connection.close()
    ledger = open_ledger(old)
    assert [("a.jsonl", "s-one")] == [(record.file.path, record.session) for record in ledger.files.sessions()]
    assert {"a.jsonl", "notes.jsonl"} == ledger.files.by_path("s").keys()
    ledger.files.read_as("s", "print")
    assert {} == ledger.files.by_path("s")


def version(path: Path) -> int:
    """What the file says of itself, to a program that knows nothing of ours."""
    connection = sqlite3.connect(path)
    [(version_number,)] = connection.execute("PRAGMA user_version").fetchall()
    connection.close()
    return int(version_number)


def shape(path: Path) -> set[str]:
    """The statements that made the tables of a file."""
    connection = sqlite3.connect(path)
    names = {" ".join(sql.split()) for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")}
    connection.close()
    return names


def test_an_upgraded_ledger_is_like_a_new_one_and_keeps_its_rows(old: Path, tmp_path: Path) -> None:
    """The same tables and indexes, and everything that stood there."""
    ledger = open_ledger(old)
    assert ("r-1", "yes") == (ledger.runs.latest()[0].run_id, ledger.answers.get("k"))
    assert ["note"] == ledger.coverage.jobs()
    assert ({}, None) == (ledger.unreadable.of("openclaw"), ledger.rebuilds.latest())
    ledger.store.close()
    open_ledger(tmp_path / "new.db").store.close()
    assert (SCHEMA_VERSION, shape(tmp_path / "new.db")) == (version(old), shape(old))


def test_the_blocks_of_an_older_program_are_known_as_they_were(old: Path) -> None:
    """Each in its state, written by it as one word; none of them is written again when it goes away."""
    states = ["live", "found", "forgotten", "adopted", "allowed", "undone", "dropped"]
    connection = sqlite3.connect(old)
    connection.executescript(VERSION_2)
    connection.execute("PRAGMA user_version = 2")
    rows = [(state.upper(), "memory/2026-03-02.md", "0" * 64, "i", "r-1", state) for state in states]
    connection.executemany("INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()
    ledger = open_ledger(old)
    result = {standing.block.name: standing.state.value for standing in ledger.changes.in_file("memory/2026-03-02.md")}
    assert {state.upper(): state for state in states} == result
    assert ({}, ["LIVE", "FOUND"]) == (ledger.changes.places(), [block.name for block in ledger.changes.live()])
    ledger.store.close()
    assert SCHEMA_VERSION == version(old)


def test_it_is_done_once(old: Path) -> None:
    """A second opening changes nothing."""
    first = open_ledger(old)
    first.unreadable.note("openclaw", "a.jsonl", "Permission denied")
    first.store.close()
    second = open_ledger(old)
    assert ["a.jsonl"] == list(second.unreadable.of("openclaw"))
    second.store.close()


def test_ten_processes_meet_at_an_old_ledger(old: Path) -> None:
    """None fails, and it is upgraded once."""
    running = [subprocess.Popen([sys.executable, "-c", OPEN, str(old)], stderr=subprocess.PIPE) for _ in range(10)]
    assert [b""] * 10 == [process.communicate()[1] for process in running]
    assert SCHEMA_VERSION == version(old)


@pytest.mark.parametrize("place", PLACES)
def test_a_kill_in_the_middle_leaves_the_old_ledger(old: Path, place: str) -> None:
    """As it was, to the last table; and the next opening upgrades it."""
    before = shape(old)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(old), place], capture_output=True, check=False)
    assert (-signal.SIGKILL, b"") == (killed.returncode, killed.stderr)
    assert (1, before) == (version(old), shape(old))
    ledger = open_ledger(old)
    assert "r-1" == ledger.runs.latest()[0].run_id
    ledger.store.close()
    assert SCHEMA_VERSION == version(old)


@pytest.mark.parametrize("place", PLACES)
def test_an_error_in_the_middle_leaves_the_old_ledger(old: Path, place: str) -> None:
    """Rolled back, and nothing is held: another process upgrades it at once."""

    class Failing(Store):
        """A store that fails at one statement."""

        def write(self, statement: str, values: Values = ()) -> int:
            if statement.strip().startswith(place):
                raise LedgerDamaged(str(self.path), "as if")
            return super().write(statement, values)

    before = shape(old)
    with pytest.raises(PipelineError, match="as if"):
        Failing(old)
    assert (1, before) == (version(old), shape(old))
    open_ledger(old).store.close()
    assert SCHEMA_VERSION == version(old)


def test_a_program_that_has_an_old_ledger_open_works_on(old: Path) -> None:
    """Another one upgrades it underneath: what the older one knows is still there."""
    connection = sqlite3.connect(old)
    assert [("r-1",)] == connection.execute("SELECT id FROM runs").fetchall()
    open_ledger(old).store.close()
    connection.execute("UPDATE runs SET ended = 'now' WHERE id = 'r-1'")
    connection.commit()
    connection.close()
    ledger = Store(old)
    assert ["now"] == ledger.column("SELECT ended FROM runs")
    ledger.close()


@pytest.mark.parametrize(("strange", "refusal"), [(SCHEMA_VERSION + 1, LedgerNewer), (-1, LedgerDamaged)])
def test_a_version_that_nobody_knows_is_refused(old: Path, strange: int, refusal: type[PipelineError]) -> None:
    """Nothing is changed, and a sound ledger of a later program is not called damaged: nobody shall move it away."""
    connection = sqlite3.connect(old)
    connection.execute(f"PRAGMA user_version = {strange}")
    connection.close()
    before = shape(old)
    with pytest.raises(refusal, match=f"is of version {strange}"):
        open_ledger(old)
    assert (strange, before) == (version(old), shape(old))
