"""When the service looks: as windows close, and woken by timers."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from threading import Semaphore

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.job import Period, Schedule
from pipeline.scheduling.windows import Looks, closed_until, looks
from schemas.window import Window


@settings(max_examples=60)
@given(
    st.datetimes(datetime(2026, 3, 1), datetime(2026, 11, 20), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds the zone
    st.integers(1, 20),
    st.sampled_from(["0 */3 * * *", "20 3 * * *", "10 4 * * 1", "30 2 * * *", "*/45 0,12 * * 0,3"]),
    st.sampled_from(Period),
    st.sampled_from(["Europe/Warsaw", "Africa/Cairo"]),
)
def test_a_look_is_when_a_window_closes(start: datetime, days: int, cron: str, period: Period, zone: str) -> None:
    """At each look one more window has closed, which had not the moment before; between two looks none does."""
    schedule = Schedule(cron, period=period)
    span = Window(start=start, end=start + timedelta(days=days))
    found = looks(schedule, zone, span)
    assert sorted(set(found)) == found
    assert all(span.start < moment <= span.end for moment in found)
    closed = [closed_until(schedule, zone, moment) for moment in (span.start, *found)]
    before = [closed_until(schedule, zone, moment - timedelta(microseconds=1)) for moment in (*found, span.end)]
    assert closed[: len(found)] == before[: len(found)]
    assert all(first != second for first, second in pairwise(closed))
    ending = found[-1] == span.end if found else False
    assert ending or closed[-1] == before[-1]


def woken(patience: float, every: timedelta, *moments: datetime) -> Semaphore:
    """Looks that are set to these moments; how often they woke us, after a first time within `patience` seconds."""
    calls = Semaphore(0)
    with Looks(lambda: calls.release(), every) as timers:  # noqa: PLW0108 - `release` takes arguments
        timers.set(moments)
        assert calls.acquire(timeout=patience)
    return calls


def test_looks_wake_at_a_moment() -> None:
    """Also at one that has just passed; and then no more for the same."""
    now = datetime.now(UTC)
    calls = Semaphore(0)
    with Looks(lambda: calls.release(), timedelta(hours=1)) as timers:  # noqa: PLW0108 - `release` takes arguments
        timers.set([now + timedelta(seconds=0.2), now + timedelta(days=1), now])
        assert calls.acquire(timeout=20)
        assert calls.acquire(timeout=20)
        timers.set([now + timedelta(days=2), now + timedelta(seconds=0.2)])
        assert 1 == len([moment for moment in timers._set if moment > now + timedelta(hours=1)])
        assert not calls.acquire(timeout=0.1)
    assert datetime.now(UTC) >= now + timedelta(seconds=0.2)


def test_looks_wake_at_regular_times_too() -> None:
    """Whatever moments are set."""
    woken(20, timedelta(seconds=0.05))
    woken(20, timedelta(seconds=0.05), datetime.now(UTC) + timedelta(days=1))


def test_moments_that_hold_no_more_wake_nobody() -> None:
    """The settings have changed."""
    calls = Semaphore(0)
    with Looks(lambda: calls.release(), timedelta(hours=1)) as timers:  # noqa: PLW0108 - `release` takes arguments
        timers.set([datetime.now(UTC) + timedelta(seconds=0.3)])
        timers.set([])
        assert not calls.acquire(timeout=0.6)
