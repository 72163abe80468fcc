"""Ticks that found the service down, the machine asleep, or the clock changed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.events import Event
from pipeline.service.scheduling.dispatcher import MISSED_KEPT
from schemas.service_state import Missed
from tests.support.workspaces.simulated_service import Ticking

SimulatedJobs = Any  # of conftest.py, which is no module that could be imported
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_ticks_while_the_service_was_down_are_reported(jobs: SimulatedJobs) -> None:
    """The next life finds in the state file since when; and then it looks."""
    jobs.quiet()
    jobs.machine.pass_by(3.5 * 3600)
    service = jobs.serve()
    service.turn()
    actual = [(tick.job, tick.at, tick.why) for tick in service.state.missed]
    assert [("note", NOON + number * HOUR, Missed.DOWN) for number in (1, 2, 3)] == actual
    assert 3 == len(jobs.heard(Event.TICK_MISSED))
    assert ["note", "note"] == jobs.started()


def test_ticks_while_the_machine_slept_are_reported(jobs: SimulatedJobs) -> None:
    """The jobs are looked at as it wakes up."""
    service = jobs.quiet()
    jobs.machine.sleep(2.5 * 3600)
    service.turn()
    assert [Missed.ASLEEP] * 2 == [tick.why for tick in service.state.missed]
    assert [{"why": "asleep", "seconds": 9000.0}] == jobs.heard(Event.CLOCK_CHANGED)
    assert ["note", "note"] == jobs.started()


def test_ticks_that_the_clock_has_skipped_are_reported(jobs: SimulatedJobs) -> None:
    """Put back again, it shows the same ticks once more, and nothing is missed by that."""
    service = jobs.quiet()
    jobs.machine.set_clock(2.5 * HOUR)
    service.turn()
    assert [Missed.CLOCK] * 2 == [tick.why for tick in service.state.missed]
    jobs.end()
    jobs.machine.set_clock(-2.5 * HOUR)
    service.turn()
    assert 2 == len(service.state.missed)
    assert NOON + HOUR == service.state.jobs["note"].next_look
    jobs.machine.pass_by(10)
    assert service.wait_seconds() <= 60


def test_a_clock_that_is_set_back_ends_all_waits(jobs: SimulatedJobs) -> None:
    """A retry would else come after as long as it was set back."""
    service = jobs.serve()
    service.turn()
    jobs.end(4)
    service.turn()
    jobs.machine.set_clock(-timedelta(days=300))
    jobs.done["note"] = NOON - timedelta(days=400)
    service.turn()
    assert ["note", "note"] == jobs.started()


def test_a_look_just_after_a_tick_misses_nothing(jobs: SimulatedJobs) -> None:
    """A minute is what the service may sleep."""
    service = jobs.quiet()
    jobs.machine.pass_by(3600 + 60)
    service.turn()
    assert () == service.state.missed
    assert ["note", "note"] == jobs.started()


def test_only_the_last_missed_ticks_are_kept(new_jobs: Callable[..., SimulatedJobs], tmp_path: Path) -> None:
    """Years without the service do not fill its state."""
    jobs = new_jobs(tmp_path, [Ticking(NOON, "note", timedelta(minutes=5))])
    jobs.quiet()
    jobs.machine.pass_by(timedelta(days=900).total_seconds())
    service = jobs.serve()
    service.turn()
    assert MISSED_KEPT == len(service.state.missed) == len(jobs.heard(Event.TICK_MISSED))
    assert jobs.machine.now() - service.state.missed[-1].at <= timedelta(minutes=10)
