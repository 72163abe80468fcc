"""Safe points: the time of a job, and the time that is not the job's."""

import pytest

from pipeline.errors import Interrupted, Overdue
from pipeline.process.cancellation import CancellationToken, TimeLimit


class HeldClock:
    """A stopwatch that stands still until it is set."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """The seconds so far."""
        return self.seconds


def test_a_job_is_stopped_when_its_time_is_over() -> None:
    """Not before, and nothing is stopped after the job."""
    clock = HeldClock()
    safe_point = CancellationToken(clock=clock)
    with safe_point.limit_job("j", 60):
        clock.seconds = 59
        safe_point()
        clock.seconds = 60
        with pytest.raises(Overdue, match="j did not end within 60 s"):
            safe_point()
    safe_point()


def test_what_has_a_limit_of_its_own_takes_nothing_of_the_time() -> None:
    """The job has as much left after it as before; the supervisor hears of each limit."""
    clock, limits = HeldClock(), list[TimeLimit | None]()
    safe_point = CancellationToken(limits.append, clock=clock)
    with safe_point.limit_job("j", 60):
        clock.seconds = 50
        with safe_point.stop_clock():
            clock.seconds = 5_000
            safe_point()
        clock.seconds = 5_009
        safe_point()
        clock.seconds = 5_010
        with pytest.raises(Overdue):
            safe_point()
    assert [TimeLimit("j", 60, 60), None, TimeLimit("j", 60, 5_010), None] == limits


def test_a_stop_is_heard_in_untimed_work_too() -> None:
    """And the limit stands again after it."""
    safe_point = CancellationToken(clock=HeldClock())
    with safe_point.limit_job("j", 60):
        safe_point.ask_to_stop(15)
        with pytest.raises(Interrupted), safe_point.stop_clock():
            safe_point()


def test_without_a_limit_nothing_is_untimed() -> None:
    """As in a back-fill, which asks ahead between two jobs."""
    limits = list[TimeLimit | None]()
    with CancellationToken(limits.append).stop_clock():
        pass
    assert [] == limits
