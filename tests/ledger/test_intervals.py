"""Arithmetic of time intervals, checked against sets of minutes."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.ledger.coverage import cut_window, merge, subtract
from schemas.window import Window

ZERO = datetime(2026, 3, 2, tzinfo=UTC)


def window(start: int, end: int) -> Window:
    """A window in minutes."""
    return Window(start=ZERO + timedelta(minutes=start), end=ZERO + timedelta(minutes=end))


def minutes(*windows: Window) -> set[int]:
    """The minutes that lie in any of the windows."""
    spans = [
        ((span.start - ZERO) // timedelta(minutes=1), (span.end - ZERO) // timedelta(minutes=1)) for span in windows
    ]
    return {minute for start, end in spans for minute in range(start, end)}


WINDOWS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda pair: window(pair[0], sum(pair))))


@given(WINDOWS)
def test_merging_keeps_the_time_in_the_fewest_windows(windows: list[Window]) -> None:
    """The same minutes, in order, with a gap between any two."""
    merged = merge(windows)
    assert minutes(*windows) == minutes(*merged)
    assert all(first.end < second.start for first, second in pairwise(merged))
    assert all(span.start < span.end for span in merged)
    assert merged == merge(merged)


@given(st.integers(0, 40), st.integers(1, 20), WINDOWS)
def test_subtracting_leaves_what_is_not_covered(start: int, length: int, covered: list[Window]) -> None:
    """Exactly the minutes of the whole that no window covers, in order, none empty."""
    whole = window(start, start + length)
    left = subtract(whole, covered)
    assert minutes(whole) - minutes(*covered) == minutes(*left)
    assert all(first.end < second.start for first, second in pairwise(left))
    assert all(span.start < span.end for span in left)


@given(st.integers(0, 40), st.integers(1, 20), st.lists(st.integers(-5, 70)))
def test_cutting_loses_nothing(start: int, length: int, places: list[int]) -> None:
    """The pieces follow each other from start to end, with an edge at every moment inside."""
    whole = window(start, start + length)
    pieces = cut_window(whole, [ZERO + timedelta(minutes=place) for place in places])
    assert (whole.start, whole.end) == (pieces[0].start, pieces[-1].end)
    assert all(first.end == second.start for first, second in pairwise(pieces))
    assert {place for place in places if start < place < start + length} == {
        (piece.start - ZERO) // timedelta(minutes=1) for piece in pieces[1:]
    }
