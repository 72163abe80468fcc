"""A ledger of version 1: upgraded where it is opened, whole or not at all, and with all that stands in it."""

import sqlite3
from pathlib import Path

import pytest

from pipeline.errors import LedgerDamaged, LedgerNewer, PipelineError
from pipeline.ledger import open_ledger
from pipeline.ledger.store import SCHEMA_VERSION, Store, Values
from tests.support.builders.old_ledger import UPGRADE_STATEMENTS, ledger_shape, ledger_version, write_old_ledger

VERSION_2 = """
CREATE TABLE unreadable (
    source TEXT NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (source, path));
CREATE TABLE rebuilds (at TEXT NOT NULL);
CREATE INDEX runs_by_time ON runs (began);
CREATE INDEX runs_by_job ON runs (job, began);
"""
"""What the program of version 2 made of it."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger as version 1 left it."""
    return write_old_ledger(tmp_path / ".memory" / "state.db")


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


def test_an_upgraded_ledger_is_like_a_new_one_and_keeps_its_rows(old: Path, tmp_path: Path) -> None:
    """The same tables and indexes, and everything that stood there."""
    ledger = open_ledger(old)
    assert ("r-1", "yes") == (ledger.runs.latest()[0].run_id, ledger.answers.get("k"))
    assert ["note"] == ledger.coverage.jobs()
    assert ({}, None) == (ledger.unreadable.of("openclaw"), ledger.rebuilds.latest())
    ledger.store.close()
    open_ledger(tmp_path / "new.db").store.close()
    assert (SCHEMA_VERSION, ledger_shape(tmp_path / "new.db")) == (ledger_version(old), ledger_shape(old))


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
    assert SCHEMA_VERSION == ledger_version(old)


def test_it_is_done_once(old: Path) -> None:
    """A second opening changes nothing."""
    first = open_ledger(old)
    first.unreadable.note("openclaw", "a.jsonl", "Permission denied")
    first.store.close()
    second = open_ledger(old)
    assert ["a.jsonl"] == list(second.unreadable.of("openclaw"))
    second.store.close()


@pytest.mark.parametrize("place", UPGRADE_STATEMENTS)
def test_an_error_in_the_middle_leaves_the_old_ledger(old: Path, place: str) -> None:
    """Rolled back, and nothing is held: another process upgrades it at once."""

    class Failing(Store):
        """A store that fails at one statement."""

        def write(self, statement: str, values: Values = ()) -> int:
            if statement.strip().startswith(place):
                raise LedgerDamaged(str(self.path), "as if")
            return super().write(statement, values)

    before = ledger_shape(old)
    with pytest.raises(PipelineError, match="as if"):
        Failing(old)
    assert (1, before) == (ledger_version(old), ledger_shape(old))
    open_ledger(old).store.close()
    assert SCHEMA_VERSION == ledger_version(old)


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
    before = ledger_shape(old)
    with pytest.raises(refusal, match=f"is of version {strange}"):
        open_ledger(old)
    assert (strange, before) == (ledger_version(old), ledger_shape(old))
