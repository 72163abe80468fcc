"""Databases of other programs: read in place or from a copy, never written, and whole sessions or trouble."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.stores import (
    Copies,
    Database,
    StoredSession,
    StoreSource,
    columns_of,
    open_store,
    rows_of,
    version_of,
)
from pipeline.errors import ReadFailed
from schemas.settings import SourceSettings
from schemas.transcript import Session
from tests.support.tables import table

TABLES = {"words": frozenset({"session", "text"})}


class Words:
    """A format of one table."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """One table."""
        return TABLES

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """Its sessions, which never change in place."""
        for row in store.execute("SELECT session, count(*) AS n FROM words GROUP BY session"):
            yield StoredSession(row["session"], row["n"], 0)

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """The words of a session, as its project."""
        rows = store.execute("SELECT text FROM words WHERE session = ?", (session_id,)).fetchall()
        project = " ".join(row["text"] for row in rows)
        return self._place.session(path, session_id, Assembly(), project=project) if rows else None


def source(root: Path) -> StoreSource:
    """A source over the stores below a folder."""
    place = SourcePlace(SourceSettings(kind="words", path=str(root)), root, "UTC")
    return StoreSource(place, lambda name: name.endswith(".db"), Words(place))


def written(file: Path, *rows: tuple[str, str]) -> sqlite3.Connection:
    """A store that its agent has open, with rows that are only in the write-ahead log."""
    agent = sqlite3.connect(file, isolation_level=None)
    agent.execute("PRAGMA journal_mode = WAL")
    agent.execute("CREATE TABLE IF NOT EXISTS words (session TEXT, text TEXT)")
    agent.executemany("INSERT INTO words VALUES (?, ?)", rows)
    return agent


def test_every_session_is_a_file_of_its_own(tmp_path: Path) -> None:
    """Sessions are listed in order, and each is read alone, whatever signs are in its id."""
    with closing(written(tmp_path / "a.db", ("s/1", "one"), ("s/1", "two"), ("r", "three"))):
        words = source(tmp_path)
        assert ["a.db/r", "a.db/s%2F1"] == [file.path for file in words.files()]
        (session,) = words.read("a.db/s%2F1")
        assert ("s/1", "one two") == (session.session_id, session.project)
        assert words.read("a.db/gone") == ()


def test_a_session_with_the_name_of_a_store_is_read(tmp_path: Path) -> None:
    """Also in a folder of such a name."""
    (tmp_path / "c.db").mkdir()
    for folder in (tmp_path, tmp_path / "c.db"):
        with closing(written(folder / "a.db", ("a.db", "one"))):
            pass
    words = source(tmp_path)
    assert [1, 1] == [len(words.read(path)) for path in ("a.db/a.db", "c.db/a.db/a.db")]
    assert {"a.db/a.db", "c.db/a.db/a.db"} <= {file.path for file in words.files()}


def test_what_an_agent_adds_is_seen(tmp_path: Path) -> None:
    """The listing follows the write-ahead log."""
    with closing(written(tmp_path / "a.db", ("s", "one"))) as agent:
        words = source(tmp_path)
        before = list(words.files())
        assert before == list(words.files())
        agent.execute("INSERT INTO words VALUES ('s', 'two')")
        (after,) = words.files()
        assert [after] != before


def test_nothing_of_an_agents_is_written(tmp_path: Path) -> None:
    """The database and its log keep their bytes."""
    with closing(written(tmp_path / "a.db", ("s", "one"))):
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")}
        assert source(tmp_path).read("a.db/s")
        assert before == {name: (tmp_path / name).read_bytes() for name in before}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into every folder")
def test_a_folder_that_cannot_be_written_is_read_from_a_copy(tmp_path: Path) -> None:
    """With the words of the write-ahead log."""
    with closing(written(tmp_path / "a.db", ("s", "one"))):
        (tmp_path / "a.db-shm").unlink()
        tmp_path.chmod(0o500)
        try:
            assert source(tmp_path).read("a.db/s")
        finally:
            tmp_path.chmod(0o700)


def test_a_copy_holds_the_log_and_is_made_once(tmp_path: Path) -> None:
    """A copy is of one moment; as long as the database stands still it is used again."""
    with closing(written(tmp_path / "a.db", ("s", "one"))) as agent:
        copies = Copies()
        assert texts(copies.of(tmp_path / "a.db")) == ["one"]
        with closing(sqlite3.connect(copies.of(tmp_path / "a.db"))) as copy:
            copy.execute("DELETE FROM words")
            copy.commit()
        assert texts(copies.of(tmp_path / "a.db")) == []
        agent.execute("INSERT INTO words VALUES ('s', 'two')")
        assert texts(copies.of(tmp_path / "a.db")) == ["one", "two"]


def texts(file: Path) -> list[str]:
    """The words in a database."""
    with closing(sqlite3.connect(file)) as database:
        return [text for (text,) in database.execute("SELECT text FROM words")]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_database_of_another_user_gets_no_file_beside_it(tmp_path: Path) -> None:
    """A file of ours there would keep the agent out of its own database."""
    file = tmp_path / "a.db"
    with closing(written(file, ("s", "one"))):
        pass
    os.chown(file, 12345, 12345)
    with open_store(file, TABLES, Copies()) as store:
        assert store.execute("SELECT count(*) FROM words").fetchone()[0] == 1
        assert [file] == list(tmp_path.iterdir())


@table("content", [b"", b"SQLite format 3\0" + b"\xff" * 4096, b"no database at all" * 100])
def test_what_is_no_such_store_is_trouble_of_the_store(tmp_path: Path, content: bytes) -> None:
    """A store that cannot be read stands in the listing for itself, and reading it tells why."""
    (tmp_path / "a.db").write_bytes(content)
    words = source(tmp_path)
    assert ["a.db"] == [file.path for file in words.files()]
    with pytest.raises(ReadFailed, match=r"a\.db"):
        words.read("a.db")


def test_a_store_of_another_version_is_named(tmp_path: Path) -> None:
    """A table or a column that is missing tells which version is not known."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as agent:
        agent.execute("CREATE TABLE words (session TEXT)")
    with pytest.raises(ReadFailed, match="no column text in its table words"):
        source(tmp_path).read("a.db/s")


def test_a_locked_store_is_trouble(tmp_path: Path) -> None:
    """An agent that keeps its database to itself is waited for, and not for long."""
    file = tmp_path / "a.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as agent:
        agent.execute("CREATE TABLE words (session TEXT, text TEXT)")
        agent.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ReadFailed, match="locked"):
            source(tmp_path).read("a.db/s")


def test_a_missing_store_has_no_version(tmp_path: Path) -> None:
    """Nothing raises when a store is gone."""
    assert version_of(tmp_path / "a.db") == ((0, 0), (0, 0))


def test_names_of_columns_that_are_no_text_are_trouble(tmp_path: Path) -> None:
    """As in a database that is damaged."""
    file = tmp_path / "a.db"
    with closing(sqlite3.connect(file)) as agent:
        agent.execute("CREATE TABLE words (session TEXT, text TEXT, marked TEXT)")
    file.write_bytes(file.read_bytes().replace(b"marked", b"mark\xff\xfe"))
    with (
        pytest.raises(ReadFailed, match="SQLite cannot read it"),
        open_store(file, TABLES, Copies()) as store,
    ):
        list(rows_of(store, "SELECT * FROM words"))


def test_bytes_in_the_place_of_a_text_are_read_as_one(tmp_path: Path) -> None:
    """With what is no UTF-8 replaced; a table that is not there has no columns."""
    with closing(written(tmp_path / "a.db", ("s", "one"))) as agent:
        agent.execute("UPDATE words SET text = X'6FFF'")
        with open_store(tmp_path / "a.db", TABLES, Copies()) as store:
            assert [{"session": "s", "text": "o\ufffd"}] == list(rows_of(store, "SELECT * FROM words"))
            assert columns_of(store, "words") == {"session", "text"}
            assert columns_of(store, "gone") == frozenset()


def test_folders_aside_hold_no_store(tmp_path: Path) -> None:
    """They are not entered; a path tells whether it is of a store."""
    (tmp_path / "aside").mkdir()
    with closing(written(tmp_path / "aside" / "a.db", ("s", "one"))):
        place = SourcePlace(SourceSettings(kind="words", path=str(tmp_path)), tmp_path, "UTC")
        words = StoreSource(place, lambda name: name.endswith(".db"), Words(place), {"aside"})
        assert list(words.files()) == []
        assert [True, True, False] == [words.holds(path) for path in ("a.db", "b/a.db/s", "b/s.json")]


ENDLESS = "WITH RECURSIVE all_of(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_of) SELECT"


@table(
    "schema",
    [
        f"CREATE VIEW words AS {ENDLESS} 's' AS session, 'one' AS text FROM all_of",
        f"CREATE VIEW WORDS AS {ENDLESS} 's' AS session, 'one' AS text FROM all_of",
        "CREATE VIRTUAL TABLE words USING fts5(session, text)",
    ],
)
def test_what_only_looks_like_a_table_is_not_read(tmp_path: Path, schema: str) -> None:
    """A view can give rows without end."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as agent:
        agent.execute(schema)
    words = source(tmp_path)
    assert ["a.db"] == [file.path for file in words.files()]
    with pytest.raises(ReadFailed, match="no table words"):
        words.read("a.db/s")


def test_a_computed_value_that_is_too_large_is_trouble_of_the_store(tmp_path: Path) -> None:
    """A row of a few bytes can hold a column of a gigabyte."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as agent:
        agent.execute("CREATE TABLE words (session TEXT, text TEXT, more AS (hex(zeroblob(400000000))))")
        agent.execute("INSERT INTO words VALUES ('s', 'one')")
        agent.commit()
    assert source(tmp_path).read("a.db/s")
    with pytest.raises(ReadFailed, match="too big"), open_store(tmp_path / "a.db", TABLES, Copies()) as store:
        store.execute("SELECT * FROM words").fetchall()
