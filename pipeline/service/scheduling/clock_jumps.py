"""Sleep of the machine and jumps of its clock, and the ticks that the service missed because of them.

The three clocks differ in how sleep and a jump change them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pipeline.clock import SystemClock, stopwatch, stopwatch_through_sleep
from schemas.service_state import Missed, MissedTick

STEP_SECONDS = 5.0
"""The tolerated difference of the clocks: they are read one after the other, and NTP adjusts them a little."""

STILL_IN_TIME = timedelta(minutes=2)
"""The delay of a look that still counts as in time: twice the longest sleep between two turns of the service."""


@dataclass(frozen=True)
class ClockReading:
    """Three clocks at one moment, seconds in all but the first.

    `wall` can be set; `awake` stands still while the machine sleeps; `through` goes on. Not all systems have the last.
    """

    wall: datetime
    awake: float
    through: float | None


@dataclass(frozen=True)
class Jump:
    """Time that went by, by the wall clock, without the service: slept, or skipped (negative when set back)."""

    why: Missed
    seconds: float


@dataclass(frozen=True)
class Gap:
    """A stretch of wall-clock time in which the service did not look."""

    start: datetime
    end: datetime
    why: Missed


def read_clocks() -> ClockReading:
    """The clocks of this machine."""
    return ClockReading(SystemClock().now(), stopwatch(), stopwatch_through_sleep())


def jump_between(before: ClockReading, after: ClockReading) -> Jump | None:
    """The sleep or the jump between two readings; the larger of the two when there were both.

    Without a clock that goes on through sleep, a step forward counts as sleep: it has the same effect on a waiting
    process.
    """
    awake = after.awake - before.awake
    through = awake if before.through is None or after.through is None else after.through - before.through
    slept = through - awake
    changed = (after.wall - before.wall).total_seconds() - through
    if before.through is None or after.through is None:
        slept, changed = max(changed, 0.0), min(changed, 0.0)
    if max(slept, abs(changed)) < STEP_SECONDS:
        return None
    return Jump(Missed.ASLEEP, slept) if slept >= abs(changed) else Jump(Missed.CLOCK, changed)


def gap_between(before: ClockReading, after: ClockReading, jump: Jump | None) -> Gap | None:
    """The time between two readings when it is too long; with no jump in it, it was the service that stood still."""
    if after.wall - before.wall <= STILL_IN_TIME:
        return None
    return Gap(before.wall, after.wall, jump.why if jump else Missed.DOWN)


def reason_of_miss(tick: datetime, gaps: Iterable[Gap]) -> Missed | None:
    """The reason why a tick was missed; `None` if the service looked in time."""
    return next((gap.why for gap in gaps if gap.start < tick and gap.end - tick > STILL_IN_TIME), None)


class ClockWatch:
    """The last readings of the clocks, and the time since the last check of ticks without a look."""

    def __init__(self, read: Callable[[], ClockReading], alive: datetime | None) -> None:
        """Begins now; `alive` is the last time in the state file, of the previous life."""
        self._read = read
        self._reading = read()
        down = alive is not None and alive < self.now
        self._gaps = [Gap(alive, self.now, Missed.DOWN)] if alive and down else []

    @property
    def now(self) -> datetime:
        """The wall-clock time of the last reading."""
        return self._reading.wall

    @property
    def since(self) -> datetime:
        """The time from which on ticks may have been missed."""
        return self._gaps[0].start if self._gaps else self.now

    def turn(self) -> Jump | None:
        """Read the clocks; returns the jump since the last reading, if any."""
        before, self._reading = self._reading, self._read()
        jump = jump_between(before, self._reading)
        if gap := gap_between(before, self._reading, jump):
            self._gaps.append(gap)
        return jump

    def take_missed(self, ticks: Iterable[tuple[str, datetime]]) -> list[MissedTick]:
        """The missed ticks of jobs, in order; they count as handled from now on."""
        gaps, self._gaps = self._gaps, []
        missed_ticks = [
            MissedTick(job=job, at=tick, why=why, noted=self.now)
            for job, tick in ticks
            if (why := reason_of_miss(tick, gaps))
        ]
        return sorted(missed_ticks, key=lambda missed: missed.at)
