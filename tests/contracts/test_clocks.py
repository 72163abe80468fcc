"""The clocks hold to one contract, so that a test with the fixed one says something about the real one."""

from datetime import UTC, datetime, timedelta

from pipeline.clock import SystemClock
from pipeline.ports.engine import Clock
from tests.support.ports.clock import FixedClock
from tests.support.ports.clock_contract import ClockContract

MOMENT = datetime(2026, 3, 4, 12, tzinfo=UTC)


class TestSystemClock(ClockContract):
    """The clock of this machine."""

    def clock(self) -> Clock:
        """The real thing."""
        return SystemClock()


class TestFixedClock(ClockContract):
    """The clock of the tests."""

    def clock(self) -> Clock:
        """The fake."""
        return FixedClock(MOMENT)

    def test_it_shows_the_time_it_was_set_to(self) -> None:
        """It stands still, and moves both ways when told to."""
        clock = FixedClock(MOMENT)
        assert MOMENT == clock.now()
        clock.move(timedelta(hours=-1))
        assert MOMENT - timedelta(hours=1) == clock.now()
