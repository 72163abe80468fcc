"""Pieces of sessions: cut by the times of messages alone, and once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.ledger import Ledger, open_ledger
from pipeline.scheduling.windows import second_edge
from pipeline.transcripts.pieces import Pieces, cut_pieces
from schemas.transcript import Session
from schemas.window import Window
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """An empty ledger."""
    return open_ledger(tmp_path / "state.db")


@pytest.fixture
def pieces(ledger: Ledger) -> Callable[[datetime], Pieces]:
    """The pieces of a workspace with ticks every three hours, as of a moment."""

    def at(now: datetime) -> Pieces:
        clock = FixedClock(now)
        return Pieces(ledger.pieces, clock, latest=lambda first: second_edge("0 */3 * * *", "UTC", first))

    return at


def said(*minutes: int) -> Session:
    """A session with messages so many minutes after nine."""
    whole = conversation("s", NINE, [("owner", "x")] * len(minutes))
    times = zip(whole.messages, minutes, strict=True)
    moved = tuple(message.model_copy(update={"time": NINE + at * MINUTE}) for message, at in times)
    return whole.model_copy(update={"messages": moved})


def spans(windows: list[Window]) -> list[tuple[float, float]]:
    """The first and the last minute of windows after nine."""
    last = timedelta(microseconds=1)
    return [((one.start - NINE) / MINUTE, (one.end - last - NINE) / MINUTE) for one in windows]


CUTS = {
    "an hour of silence is within a piece": ((0, 60), [(0, 60)]),
    "more than an hour ends it": ((0, 30, 91), [(0, 30), (91, 91)]),
    "the second tick ends it": ((10, 60, 119, 175, 179, 200, 239, 299, 355, 360), [(10, 355), (360, 360)]),
    "midnight ends it": ((870, 899, 900, 910), [(870, 899), (900, 910)]),
}


@table("case", CUTS)
def test_a_piece_ends(pieces: Callable[[datetime], Pieces], case: str) -> None:
    """By the times of its messages."""
    minutes, expected = CUTS[case]
    assert expected == spans(pieces(NINE + 2 * timedelta(days=1)).closed_pieces(said(*minutes)))


def test_a_piece_is_closed_once_it_is_over(pieces: Callable[[datetime], Pieces]) -> None:
    """After an hour of silence; until then it is known when."""
    session = said(0, 30)
    assert [] == pieces(NINE + 89 * MINUTE).closed_pieces(session)
    assert NINE + 90 * MINUTE == pieces(NINE + 89 * MINUTE).next_over(session)
    assert [(0, 30)] == spans(pieces(NINE + 90 * MINUTE).closed_pieces(session))
    assert pieces(NINE + 90 * MINUTE).next_over(session) is None


def test_a_piece_that_was_asked_is_not_cut_anew(ledger: Ledger, pieces: Callable[[datetime], Pieces]) -> None:
    """Neither by a late message in it, nor by one soon after, nor by another that is kept over it."""
    at = pieces(NINE + 5 * HOUR)
    ledger.pieces.keep("s", at.closed_pieces(said(0, 30)))
    ledger.pieces.keep("s", [Window(start=NINE + 20 * MINUTE, end=NINE + 2 * HOUR)])
    assert [(0, 30), (40, 50)] == spans(at.closed_pieces(said(0, 15, 30, 40, 50)))
    assert [(-20, -5), (0, 30), (40, 40)] == spans(at.closed_pieces(said(-20, -5, 0, 30, 40)))


def test_a_horizon_cuts_and_hides(ledger: Ledger, pieces: Callable[[datetime], Pieces]) -> None:
    """What was said up to it is asked about at once, and nothing from it on is seen, also of what was asked."""
    session, at = said(0, 30, 40, 45), pieces(NINE + 41 * MINUTE)
    assert [(0, 30)] == spans(at.closed_pieces(session, NINE + 40 * MINUTE))
    ledger.pieces.keep("s", [Window(start=NINE, end=NINE + 46 * MINUTE)])
    [seen] = at.closed_pieces(session, NINE + 40 * MINUTE)
    assert (NINE, NINE + 40 * MINUTE) == (seen.start, seen.end)


MINUTES = st.lists(st.integers(0, 3_000), max_size=40).map(sorted)
TAKEN = st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 200)), max_size=3)


@given(MINUTES, TAKEN, st.integers(1, 120))
def test_cuts_make_up_what_is_free(minutes: list[int], taken: list[tuple[int, int]], silence: int) -> None:
    """Each message outside of what is taken lies in one cut; cuts follow one another, and reach into nothing taken."""
    windows, end = list[Window](), -1
    for start, length in sorted(taken):
        if start > end:
            end = start + length
            windows.append(Window(start=NINE + start * MINUTE, end=NINE + end * MINUTE))
    times = [NINE + at * MINUTE for at in minutes]
    made = list(cut_pieces(times, silence * MINUTE, windows))
    free = [time for time in times if not any(time in window for window in windows)]
    assert free == [time for one in made for time in free if one.first <= time <= one.last]
    assert all(one.last < one.over <= later.first for one, later in pairwise(made))
    assert not any(window.start < one.over and one.first < window.end for one in made for window in windows)
