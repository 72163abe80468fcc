"""The contract of every clock: inherit it in a test class, and define how a clock is made."""

from abc import ABC, abstractmethod
from datetime import timedelta

from pipeline.ports.engine import Clock


class ClockContract(ABC):
    """Any clock."""

    @abstractmethod
    def clock(self) -> Clock:
        """A clock."""

    def test_the_moment_is_aware_and_in_utc(self) -> None:
        """Nothing has to guess a zone."""
        assert timedelta(0) == self.clock().now().utcoffset()

    def test_time_does_not_run_back(self) -> None:
        """A later look shows no earlier moment."""
        clock = self.clock()
        first = clock.now()
        assert clock.now() >= first
