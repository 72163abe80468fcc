"""The clocks from turn to turn, and the ticks at which nobody looked."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from pipeline.service.scheduling.clock_jumps import ClockReading, ClockWatch, Jump
from schemas.service_state import Missed, MissedTick
from tests.support.workspaces.simulated_service import SimulatedMachine

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = 3600.0


def clock_watch(machine: SimulatedMachine, alive: datetime | None = None) -> ClockWatch:
    """One over the clocks of a machine."""
    return ClockWatch(lambda: ClockReading(machine.now(), machine.awake, machine.through), alive)


def missed_ticks(missed: Iterable[MissedTick]) -> list[tuple[str, datetime, Missed]]:
    """What is told of ticks."""
    return [(tick.job, tick.at, tick.why) for tick in missed]


def test_a_first_life_has_missed_nothing() -> None:
    """Nobody had been there to look."""
    first = clock_watch(SimulatedMachine(NOON))
    assert (NOON, NOON, []) == (first.now, first.since, first.take_missed([("note", NOON - timedelta(hours=1))]))


def test_what_came_while_the_service_was_down_is_reported_once() -> None:
    """In the order of the ticks, whosever they are."""
    alive = NOON - timedelta(hours=3)
    second = clock_watch(SimulatedMachine(NOON), alive)
    assert alive == second.since
    ticks = [("b", NOON - timedelta(hours=1)), ("a", NOON - timedelta(hours=2)), ("a", alive - timedelta(hours=1))]
    expected = [("a", ticks[1][1], Missed.DOWN), ("b", ticks[0][1], Missed.DOWN)]
    assert expected == missed_ticks(second.take_missed(ticks))
    assert (NOON, []) == (second.since, second.take_missed(ticks))


def test_a_life_before_that_knew_a_later_time_was_not_down() -> None:
    """Somebody has set the clock back since."""
    assert NOON == clock_watch(SimulatedMachine(NOON), NOON + timedelta(hours=1)).since


def test_gaps_are_kept_until_somebody_looks() -> None:
    """Of two sleeps with turns between and after, all ticks are told; the time awake was seen."""
    machine = SimulatedMachine(NOON)
    watching = clock_watch(machine)
    assert watching.turn() is None
    machine.sleep(HOUR)
    assert Jump(Missed.ASLEEP, HOUR) == watching.turn()
    machine.pass_by(60)
    assert watching.turn() is None
    machine.sleep(HOUR)
    assert Jump(Missed.ASLEEP, HOUR) == watching.turn()
    assert (NOON, machine.now()) == (watching.since, watching.now)
    ticks = [("note", NOON + timedelta(minutes=minutes)) for minutes in (30, 60, 90)]
    expected = [("note", ticks[0][1], Missed.ASLEEP), ("note", ticks[2][1], Missed.ASLEEP)]
    assert expected == missed_ticks(watching.take_missed(ticks))
