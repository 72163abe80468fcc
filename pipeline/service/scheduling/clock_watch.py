"""Keeping watch over the clocks: what time it is, how that came, and which ticks came while nobody looked."""

from collections.abc import Callable, Iterable
from datetime import datetime

from pipeline.service.scheduling.clock_jumps import Gap, Jump, Reading, gap_between, jump_between, unseen
from schemas.service_state import Missed, MissedTick


class Vigil:
    """The clocks as they were read last, and the time since the last look at the ticks in which nobody looked."""

    def __init__(self, read: Callable[[], Reading], alive: datetime | None) -> None:
        """Begins now; `alive` is when the service last told that it was, in its life before."""
        self._read = read
        self._reading = read()
        down = alive is not None and alive < self.now
        self._gaps = [Gap(alive, self.now, Missed.DOWN)] if alive and down else []

    @property
    def now(self) -> datetime:
        """What the clock on the wall showed when it was read last."""
        return self._reading.wall

    @property
    def since(self) -> datetime:
        """From when on ticks may have come that nobody has looked at."""
        return self._gaps[0].start if self._gaps else self.now

    def turn(self) -> Jump | None:
        """Read the clocks; what happened to them besides time going by."""
        before, self._reading = self._reading, self._read()
        jump = jump_between(before, self._reading)
        if gap := gap_between(before, self._reading, jump):
            self._gaps.append(gap)
        return jump

    def missed(self, ticks: Iterable[tuple[str, datetime]]) -> list[MissedTick]:
        """Of the ticks of jobs those at which nobody looked, in their order; from now on somebody has."""
        gaps, self._gaps = self._gaps, []
        found = [
            MissedTick(job=job, at=tick, why=why, noted=self.now) for job, tick in ticks if (why := unseen(tick, gaps))
        ]
        return sorted(found, key=lambda missed: missed.at)
