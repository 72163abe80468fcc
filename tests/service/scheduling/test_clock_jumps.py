"""Sleep, a clock that was set, and a service that stood still, told from readings of three clocks."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.scheduling.clock_jumps import (
    STEP_SECONDS,
    STILL_IN_TIME,
    ClockReading,
    Gap,
    Jump,
    gap_between,
    jump_between,
    read_clocks,
    reason_of_miss,
)
from schemas.service_state import Missed
from tests.support.tables import table

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
BEFORE = ClockReading(NOON, 100.0, 1000.0)
SECONDS = st.floats(0, 1e6)


def later(awake: float, slept: float = 0.0, changed: float = 0.0, *, through: bool = True) -> ClockReading:
    """The clocks after so many seconds awake and asleep, and after somebody set the one on the wall by so many."""
    wall = NOON + timedelta(seconds=awake + slept + changed)
    return ClockReading(wall, 100.0 + awake, 1000.0 + awake + slept if through else None)


@given(SECONDS)
def test_time_that_goes_by_is_nothing(awake: float) -> None:
    """However long it is."""
    assert jump_between(BEFORE, later(awake)) is None


@given(SECONDS, st.floats(-STEP_SECONDS / 2, STEP_SECONDS / 2))
def test_clocks_that_differ_a_little_are_nothing(awake: float, drift: float) -> None:
    """NTP bends the clock on the wall all the time."""
    assert jump_between(BEFORE, later(awake, changed=drift)) is None


@table(
    ("reading", "jump"),
    [
        (later(60, slept=3600), Jump(Missed.ASLEEP, 3600)),
        (later(60, changed=3600), Jump(Missed.CLOCK, 3600)),
        (later(60, changed=-3600), Jump(Missed.CLOCK, -3600)),
        (later(60, slept=3600, changed=-30), Jump(Missed.ASLEEP, 3600)),
        (later(60, slept=30, changed=-3600), Jump(Missed.CLOCK, -3600)),
    ],
)
def test_sleep_is_distinguished_from_a_changed_clock(reading: ClockReading, jump: Jump) -> None:
    """When both happened, the larger counts."""
    assert jump == jump_between(BEFORE, reading)


def test_without_a_clock_that_goes_on_both_are_one() -> None:
    """A step forward counts as sleep; one back can only be the clock."""
    before = ClockReading(NOON, 100.0, None)
    assert Jump(Missed.ASLEEP, 3600) == jump_between(before, later(60, slept=3600, through=False))
    assert Jump(Missed.ASLEEP, 3600) == jump_between(before, later(60, changed=3600, through=False))
    assert Jump(Missed.CLOCK, -3600) == jump_between(before, later(60, changed=-3600, through=False))
    assert jump_between(before, later(600, through=False)) is None


def test_a_service_that_stood_still_was_down() -> None:
    """Stopped by a signal, or starved: the clocks agree, and nobody looked."""
    reading = later(3600)
    assert Gap(NOON, reading.wall, Missed.DOWN) == gap_between(BEFORE, reading, jump_between(BEFORE, reading))
    slept = later(1, slept=3600)
    assert Gap(NOON, slept.wall, Missed.ASLEEP) == gap_between(BEFORE, slept, jump_between(BEFORE, slept))
    assert gap_between(BEFORE, later(60), None) is None


def test_a_tick_is_missed_when_nobody_looked_for_long() -> None:
    """One just before the end of a gap was looked at in time; one before the gap was seen."""
    end = NOON + timedelta(hours=8)
    gaps = [Gap(NOON, end, Missed.ASLEEP)]
    assert Missed.ASLEEP is reason_of_miss(NOON + timedelta(hours=1), gaps)
    assert reason_of_miss(NOON, gaps) is None
    assert reason_of_miss(end - STILL_IN_TIME, gaps) is None
    assert Missed.ASLEEP is reason_of_miss(end - STILL_IN_TIME - timedelta(seconds=1), gaps)
    assert reason_of_miss(end + timedelta(hours=1), gaps) is None


def test_the_clocks_of_this_machine() -> None:
    """Two readings, one after the other, show no jump."""
    assert jump_between(read_clocks(), read_clocks()) is None
