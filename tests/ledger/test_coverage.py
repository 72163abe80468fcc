"""Covered time: what is noted, what is overwritten, and which messages were seen in it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.coverage import State, fingerprint, pack, unpack
from schemas.window import Window

ZERO = datetime(2026, 3, 2, tzinfo=UTC)
STEPS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8), st.sampled_from(State)), max_size=8)


def window(start: int, end: int) -> Window:
    """A window in hours."""
    return Window(start=ZERO + timedelta(hours=start), end=ZERO + timedelta(hours=end))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    opened = open_ledger(tmp_path / "state.db")
    yield opened
    opened.store.close()


@given(STEPS)
def test_the_last_word_counts_for_every_hour(steps: list[tuple[int, int, State]]) -> None:
    """However stretches overlap, each hour has the state noted last, and stretches never overlap."""
    expected: dict[int, State] = {}
    with TemporaryDirectory() as folder:
        opened = open_ledger(Path(folder) / "state.db")
        for start, length, state in steps:
            opened.coverage.cover("note", window(start, start + length), state, "run", {})
            expected |= dict.fromkeys(range(start, start + length), state)
        stretches = opened.coverage.stretches("note")
        opened.store.close()
    hours = {
        (stretch.window.start - ZERO) // timedelta(hours=1) + offset: stretch.state
        for stretch in stretches
        for offset in range((stretch.window.end - stretch.window.start) // timedelta(hours=1))
    }
    assert expected == hours
    assert all(first.window.end <= second.window.start for first, second in pairwise(stretches))


def test_what_was_seen_is_not_new(ledger: Ledger) -> None:
    """An id noted with its session is known, and no other."""
    ledger.coverage.cover("note", window(0, 6), State.COVERED, "r1", {"s1": ["a", "b"]})
    (stretch,) = ledger.coverage.stretches("note")
    assert not ledger.coverage.unseen(stretch, "s1", ["b", "a"])
    assert ledger.coverage.unseen(stretch, "s1", ["a", "c"])
    assert ledger.coverage.unseen(stretch, "s2", ["a"])
    assert not ledger.coverage.unseen(stretch, "s2", [])


def test_what_sticks_out_keeps_what_was_seen(ledger: Ledger) -> None:
    """A later, shorter run does not make the rest of an older stretch forget its messages."""
    ledger.coverage.cover("note", window(0, 6), State.COVERED, "r1", {"s1": ["a"]})
    ledger.coverage.cover("note", window(2, 4), State.COVERED, "r2", {"s1": ["b"]})
    before, middle, after = ledger.coverage.stretches("note")
    assert ["r1", "r2", "r1"] == [stretch.run_id for stretch in (before, middle, after)]
    assert not ledger.coverage.unseen(before, "s1", ["a"])
    assert not ledger.coverage.unseen(after, "s1", ["a"])
    assert ledger.coverage.unseen(middle, "s1", ["a"])


def test_what_sticks_out_stays_stale(ledger: Ledger) -> None:
    """A run of a part has seen nothing of the rest, on either side."""
    ledger.coverage.cover("note", window(0, 6), State.COVERED, "r1", {})
    ledger.coverage.mark_stale(ledger.coverage.stretches("note")[0])
    ledger.coverage.cover("note", window(2, 4), State.COVERED, "r2", {})
    assert [True, False, True] == [stretch.stale for stretch in ledger.coverage.stretches("note")]


def test_jobs_do_not_meet(ledger: Ledger) -> None:
    """One job's time says nothing about another's."""
    ledger.coverage.cover("note", window(0, 6), State.COVERED, "r1", {})
    assert [] == ledger.coverage.stretches("other")
    assert ["note"] == ledger.coverage.jobs()


def test_undone_time_is_not_stale(ledger: Ledger) -> None:
    """Who undid a run does not want it back because a message came late."""
    ledger.coverage.cover("note", window(0, 6), State.COVERED, "r1", {})
    ledger.coverage.mark_stale(ledger.coverage.stretches("note")[0])
    ledger.coverage.cover("note", window(0, 6), State.UNDONE, "r1", {})
    assert [(State.UNDONE, False)] == [(stretch.state, stretch.stale) for stretch in ledger.coverage.stretches("note")]


@given(st.lists(st.text(st.characters())))
def test_ids_are_packed_and_recovered(ids: list[str]) -> None:
    """Any ids, lone surrogates too; 8 bytes each."""
    packed = pack(ids)
    assert 8 * len(ids) == len(packed)
    assert {fingerprint(text) for text in ids} == unpack(packed)
