"""The table of what cannot be read: since when, and written only when something has changed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.transcripts import WHOLE, UnreadableFile
from tests.support.ports.clock import FixedClock

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    """Noon, to begin with."""
    return FixedClock(NOON)


@pytest.fixture
def ledger(tmp_path: Path, clock: FixedClock) -> Iterator[Ledger]:
    """A new ledger."""
    opened = open_ledger(tmp_path / "state.db", clock)
    yield opened
    opened.store.close()


def test_a_trouble_keeps_its_beginning(ledger: Ledger, clock: FixedClock) -> None:
    """Met again, it may have another reason; cleared and met again, it is a new one."""
    ledger.unreadable.note("a", "x.jsonl", "Permission denied")
    clock.move(timedelta(hours=3))
    ledger.unreadable.note("a", "x.jsonl", "Input/output error")
    assert UnreadableFile("a", "x.jsonl", "Input/output error", NOON) == ledger.unreadable.of("a")["x.jsonl"]
    ledger.unreadable.clear("a", "x.jsonl")
    assert {} == ledger.unreadable.of("a")
    ledger.unreadable.note("a", "x.jsonl", "Permission denied")
    assert NOON + timedelta(hours=3) == ledger.unreadable.of("a")["x.jsonl"].since


def test_the_oldest_comes_first(ledger: Ledger, clock: FixedClock) -> None:
    """Of each source its own; then by path."""
    ledger.unreadable.note("a", "z.jsonl", "r")
    clock.move(timedelta(hours=1))
    for source, path in (("a", "y.jsonl"), ("a", WHOLE), ("b", "x.jsonl")):
        ledger.unreadable.note(source, path, "r")
    assert (["z.jsonl", WHOLE, "y.jsonl"], ["a", "b"]) == (
        list(ledger.unreadable.of("a")),
        ledger.unreadable.sources(),
    )


def test_nothing_is_written_when_nothing_has_changed(ledger: Ledger, tmp_path: Path) -> None:
    """Another process that is writing is not waited for: looking is not in a run's way."""
    ledger.unreadable.note("a", "x.jsonl", "r")
    ledger.store.rows("PRAGMA busy_timeout = 0")
    other = open_ledger(tmp_path / "state.db")
    with other.store.transaction():
        ledger.unreadable.note("a", "x.jsonl", "r")
        ledger.unreadable.clear("a", "other.jsonl")
    other.store.close()
    assert ["x.jsonl"] == list(ledger.unreadable.of("a"))
