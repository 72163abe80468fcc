"""A store that cannot be read: trouble of its source, of no other, and no loss of its sessions."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.stores import Database, StoredSession, StoreSource
from pipeline.backfill.plan import due_now, work_through
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.errors import TranscriptUnreadable
from pipeline.reports.sources import source_reports
from pipeline.reports.transcripts import find_session, listed_sessions
from pipeline.transcripts.catalog import Catalog
from pipeline.transcripts.pieces import Pieces
from pipeline.transcripts.selection import Selection
from pipeline.transcripts.unreadable import REPORTED_AFTER, advice_on
from schemas.checkup import Health
from schemas.outcome import Ending
from schemas.settings import Settings, SourceSettings
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.note_job import JOB
from tests.support.check_results import results_of
from tests.support.ports.memory_source import conversation, message
from tests.support.ports.plain_redactor import PlainRedactor
from tests.support.workspaces.workbench import Workbench

MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
NEXT_DAY = MORNING + timedelta(days=1)
WORDS = SourceSettings(kind="words", path="stores")
OTHER = SourceSettings(kind="memory", path="memory")


class Words:
    """A format of one table: who says what, a minute after the words before."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """One table."""
        return {"words": frozenset({"session", "text"})}

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """Its sessions."""
        for row in store.execute("SELECT session, count(*) AS n FROM words GROUP BY session"):
            yield StoredSession(row["session"], row["n"], 0)

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """The owner says every row."""
        rows = store.execute("SELECT text FROM words WHERE session = ? ORDER BY rowid", (session_id,)).fetchall()
        said = (
            message(f"{session_id}-{number}", number, MORNING + number * timedelta(minutes=1), ("owner", row["text"]))
            for number, row in enumerate(rows, start=1)
        )
        return self._place.session(path, session_id, Assembly(), messages=tuple(said)) if rows else None


def written(file: Path, *rows: tuple[str, str]) -> None:
    """Put rows into a store."""
    with closing(sqlite3.connect(file)) as agent, agent:
        agent.execute("CREATE TABLE IF NOT EXISTS words (session TEXT, text TEXT)")
        agent.executemany("INSERT INTO words VALUES (?, ?)", rows)


@contextmanager
def locked(file: Path) -> Iterator[str]:
    """Its agent writes for long."""
    written(file, ("more", "of the agent's"))
    with closing(sqlite3.connect(file, isolation_level=None)) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        yield "It is read at the next look that its agent lets in"


@contextmanager
def newer(file: Path) -> Iterator[str]:
    """Its agent has got another version."""
    with closing(sqlite3.connect(file)) as agent:
        agent.execute("ALTER TABLE words RENAME TO messages")
    yield "Its agent keeps sessions in a newer or older way"
    with closing(sqlite3.connect(file)) as agent:
        agent.execute("ALTER TABLE messages RENAME TO words")


@contextmanager
def damaged(file: Path) -> Iterator[str]:
    """Its disk has lost its beginning."""
    data = file.read_bytes()
    file.write_bytes(b"lost" + data[4:])
    yield "`sqlite3 "
    file.write_bytes(data)


@pytest.fixture
def engine(tmp_path: Path, new_bench: Callable[..., Workbench]) -> Engine:
    """A workspace with two sources: a store with the session `s/1`, and a source that can always be read."""
    (tmp_path / "memory.toml").touch()
    (tmp_path / "stores").mkdir()
    written(tmp_path / "stores" / "a.db", ("s/1", "note: the boat is green"), ("s/1", "note: the sauna is red"))
    bench = new_bench(settings=Settings(start=datetime(2026, 3, 2, tzinfo=UTC), sources=(WORDS, OTHER)))
    bench.say(conversation("other", NEXT_DAY, [("owner", "note: the kayak is blue")]))
    place = SourcePlace(WORDS, tmp_path / "stores", "UTC")
    store = StoreSource(place, lambda name: name.endswith(".db"), Words(place))
    ledger, pieces = bench.engine.ledger, Pieces(bench.engine.ledger.pieces, bench.clock, [JOB.name])
    selection = Selection((WORDS, OTHER))
    catalog = Catalog([store, bench.source], ledger, PlainRedactor(), pieces, selection)
    return replace(bench.engine, catalog=catalog)


@pytest.mark.parametrize("breaks", [locked, newer, damaged])
def test_a_store_that_cannot_be_read_is_trouble_of_its_source(
    engine: Engine, breaks: Callable[[Path], AbstractContextManager[str]]
) -> None:
    """Its sessions are not gone, the other source is read, and once it can be read again nothing is left of it."""
    store = engine.workspace.root / "stores" / "a.db"
    assert 2 == engine.catalog.refresh().read
    with breaks(store) as advice:
        refreshed = engine.catalog.refresh()
        assert (0, 1) == (refreshed.gone, len(refreshed.unreadable))
        assert {"s/1", "other"} == {session.id for session in listed_sessions(engine)}
        (words, other) = source_reports(engine)
        assert (1, None, ()) == (words.unreadable and words.unreadable.count, other.unreadable, words.alarms)
        assert words.unreadable is not None
        assert advice_on(words.unreadable, store.parent).startswith(advice)
        health = [
            check.health for check in results_of(engine, "sources") if "a.db cannot be read since" in check.message
        ]
        assert [Health.WARN] == health
    refreshed = engine.catalog.refresh()
    assert (0, (), [None, None]) == (
        refreshed.gone,
        refreshed.unreadable,
        [report.unreadable for report in source_reports(engine)],
    )


def test_windows_that_need_it_wait_and_others_are_run(engine: Engine) -> None:
    """The day of the store's session is not read, the next day is; then the first one is read too."""
    engine.catalog.refresh()
    with newer(engine.workspace.root / "stores" / "a.db"):
        engine.catalog.refresh()
        with pytest.raises(TranscriptUnreadable, match=r"a\.db/s%2F1: it is of a version that is not known"):
            engine.catalog.sessions(Window(start=MORNING, end=MORNING + timedelta(hours=1)))
        assert {Ending.UNREADABLE: 1, Ending.DONE: 1} == endings_of_a_run(engine)
    engine.catalog.refresh()
    assert {Ending.DONE: 1} == endings_of_a_run(engine)


def endings_of_a_run(engine: Engine) -> Counter[Ending]:
    """How the due windows end, without the empty ones."""
    outcomes = work_through(Runner(engine), due_now(engine, engine.jobs))
    return Counter(outcome.ending for outcome in outcomes if outcome.ending is not Ending.EMPTY)


def test_trouble_that_lasts_fails_the_doctor(engine: Engine) -> None:
    """After a day nobody is writing for a moment any more."""
    engine.catalog.refresh()
    with damaged(engine.workspace.root / "stores" / "a.db"):
        engine.catalog.refresh()
        later = replace(engine, clock=_Later(engine))
        health = [
            check.health for check in results_of(later, "sources") if "a.db cannot be read since" in check.message
        ]
    assert [Health.FAIL] == health


class _Later:
    """The clock when patience has ended."""

    def __init__(self, engine: Engine) -> None:
        self._now = engine.clock.now() + REPORTED_AFTER

    def now(self) -> datetime:
        """Always that moment."""
        return self._now


def test_a_session_that_is_taken_out_of_its_store_is_gone(engine: Engine) -> None:
    """And one whose store is taken away."""
    store = engine.workspace.root / "stores" / "a.db"
    written(store, ("s/2", "note: the pier is long"))
    engine.catalog.refresh()
    with closing(sqlite3.connect(store)) as agent, agent:
        agent.execute("DELETE FROM words WHERE session = 's/2'")
    assert (1, ["other", "s/1"]) == (engine.catalog.refresh().gone, _ids(engine))
    store.unlink()
    assert (1, ["other"]) == (engine.catalog.refresh().gone, _ids(engine))


def test_a_session_of_a_store_is_named_by_a_beginning(engine: Engine) -> None:
    """Of its id, or of the last part of its path."""
    written(engine.workspace.root / "stores" / "a.db", ("t/2", "note: the pier is long"))
    engine.catalog.refresh()
    assert ["s/1", "s/1", "t/2"] == [find_session(engine, name).session_id for name in ("s", "s%2F", "t/2")]


def _ids(engine: Engine) -> list[str]:
    return sorted(session.id or "" for session in listed_sessions(engine))
