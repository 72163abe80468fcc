"""The service step by step, with jobs, children and clocks that are told what to do."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import LedgerDamaged, LedgerNewer, PipelineError, WriteFailed
from pipeline.events import Event
from pipeline.service.conductor import MISSED_KEPT, Conductor
from pipeline.service.policy import Standing
from pipeline.service.ports import Around
from pipeline.service.state_file import StateFile
from pipeline.service.watchfulness import Reading
from pipeline.service_folder import ServiceFolder
from pipeline.testing.simulated_service import SimulatedMachine, Ticking, ToldChild
from schemas.service_settings import Overlap
from schemas.service_state import Missed
from schemas.settings import JobSettings

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@dataclass
class House:
    """A `Subject` whose jobs are due for every tick since they last ran, and all that is around the service."""

    root: Path
    plans: Sequence[Ticking]
    machine: SimulatedMachine = field(default_factory=lambda: SimulatedMachine(NOON))
    zone: str = "UTC"
    settings: dict[str, JobSettings] = field(default_factory=dict)
    broken: PipelineError | None = None
    unwritable: bool = False
    success: dict[str, datetime] = field(default_factory=dict)
    done: dict[str, datetime] = field(default_factory=dict)
    children: list[ToldChild] = field(default_factory=list)
    events: list[tuple[Event, dict[str, object]]] = field(default_factory=list)

    def look(self, since: datetime, now: datetime) -> list[Standing]:
        """Every job as it stands."""
        if self.broken:
            raise self.broken
        return [self._standing(each, tuple(each.ticks(since, now)), now) for each in self.plans]

    def is_due(self, job: str) -> bool:
        """Whether a tick came since the job last ran."""
        plan = next(each for each in self.plans if each.name == job)
        return bool(plan.ticks(self.done.get(job, NOON), self.machine.now()))

    def start(self, job: str) -> ToldChild:
        """A child, never beside another one."""
        assert all(child.code is not None for child in self.children)
        if self.unwritable:
            path = "logs"
            raise WriteFailed(path, "it is a test")
        self.children.append(ToldChild(job, self.root / "run.log"))
        return self.children[-1]

    def end(self, code: int = 0) -> None:
        """Let the child at work end; ending well, it and what it needs have done all that was due."""
        child = self.children[-1]
        child.code = code
        if code == 0:
            needs = next(each.needs for each in self.plans if each.name == child.job)
            self.done |= dict.fromkeys({child.job, *needs}, self.machine.now())

    def serve(self) -> Conductor:
        """A life of the service."""
        file = StateFile(ServiceFolder(self.root).state)
        dice = Random(1)  # noqa: S311 - the same every time
        return Conductor(self, self.start, Around(self.root, file, "0", self._hear, self._read, dice))

    def started(self) -> list[str]:
        """The jobs that were started, in order."""
        return [child.job for child in self.children]

    def heard(self, event: Event) -> list[dict[str, object]]:
        """What was told with all events of a sort."""
        return [told for heard, told in self.events if heard is event]

    def _standing(self, plan: Ticking, ticks: tuple[datetime, ...], now: datetime) -> Standing:
        settings, comes = self.settings.get(plan.name, JobSettings()), plan.ticks(now, now + plan.every)[0]
        return Standing(plan.name, plan.needs, settings, ticks, comes, self.success.get(plan.name))

    def _hear(self, event: Event, **told: object) -> None:
        self.events.append((event, told))

    def _read(self) -> Reading:
        return Reading(self.machine.now(), self.machine.awake, self.machine.through)


@pytest.fixture
def house(tmp_path: Path) -> House:
    """One job, `note`, every hour."""
    return House(tmp_path, [Ticking(NOON, "note", HOUR)])


def quiet(house: House) -> Conductor:
    """A service that has had its first look and its first child."""
    service = house.serve()
    service.turn()
    house.end()
    service.turn()
    return service


def wait(house: House, service: Conductor, time: timedelta, *, leaping: bool = False) -> None:
    """Serve for so long, with all turns that the service wants; `leaping` leaves out those with nothing to come."""
    end = house.machine.through + time.total_seconds()
    while (left := end - house.machine.through) > 0:
        coming = [(moment - house.machine.now()).total_seconds() for moment in service.moments()]
        step = min(coming, default=left) if leaping else service.wait_seconds()
        house.machine.pass_by(min(max(step, 0.001), left))
        service.turn()


def test_the_first_child_of_a_life_is_started_whatever_the_ledger_knows(house: House) -> None:
    """It looks at the transcripts; after it, nothing is started before the next tick."""
    service = house.serve()
    service.turn()
    assert ["note"] == house.started()
    assert service.state.child is not None
    assert ("note", 7, "run.log") == (service.state.child.job, service.state.child.pid, service.state.child.log)
    house.end()
    wait(house, service, timedelta(minutes=59))
    assert ["note"] == house.started()
    assert service.child is None
    wait(house, service, MINUTE)
    assert ["note", "note"] == house.started()


def test_nothing_is_started_for_a_tick_with_nothing_due(house: House) -> None:
    """Somebody else has run the job meanwhile."""
    service = quiet(house)
    house.done["note"] = NOON + HOUR
    wait(house, service, HOUR)
    assert ["note"] == house.started()
    assert NOON + HOUR == service.state.jobs["note"].last_look


def test_it_never_sleeps_past_a_tick_nor_for_long(house: House) -> None:
    """At most a minute, and to the second when a tick is nearer."""
    service = quiet(house)
    assert 60 == service.wait_seconds()
    house.machine.pass_by(3600 - 5)
    service.turn()
    assert 5 == service.wait_seconds()
    assert [NOON + HOUR] == service.moments()
    assert NOON + HOUR == service.state.jobs["note"].next_look


@pytest.mark.parametrize(("overlap", "runs"), [(Overlap.QUEUE, 2), (Overlap.SKIP, 1)])
def test_a_tick_while_the_job_is_at_work(tmp_path: Path, overlap: Overlap, runs: int) -> None:
    """It is looked at right after, or dropped; the tick after that counts again."""
    house = House(tmp_path, [Ticking(NOON, "note", HOUR)], settings={"note": JobSettings(overlap=overlap)})
    service = house.serve()
    service.turn()
    wait(house, service, timedelta(minutes=90))
    house.done["note"] = NOON  # what came while it ran is left
    house.children[-1].code = 0
    service.turn()
    assert runs == len(house.started())
    for child in house.children:
        child.code = 0
    wait(house, service, timedelta(minutes=31))
    assert runs + 1 == len(house.started())


def test_a_tick_while_another_job_is_at_work_waits_its_turn(tmp_path: Path) -> None:
    """Also where the settings say `skip`: a day is not lost because its minute fell into somebody else's run."""
    plans = [Ticking(NOON, "a", timedelta(minutes=50)), Ticking(NOON, "b", HOUR)]
    house = House(tmp_path, plans, settings={"b": JobSettings(overlap=Overlap.SKIP)})
    service = quiet(house)
    wait(house, service, timedelta(minutes=65))
    assert ["a", "a"] == house.started()
    house.end()
    service.turn()
    assert ["a", "a", "b"] == house.started()


def test_a_job_waits_for_what_it_needs(tmp_path: Path) -> None:
    """What it needs comes first, and while that fails nothing else is started."""
    house = House(tmp_path, [Ticking(NOON, "a", HOUR), Ticking(NOON, "b", HOUR, frozenset("a"))])
    service = quiet(house)
    wait(house, service, HOUR)
    house.end(4)
    wait(house, service, timedelta(minutes=5))
    assert {"a"} == set(house.started())
    house.end()
    service.turn()
    assert "b" == house.started()[-1]


def test_a_failing_job_is_parked_and_told_of(house: House) -> None:
    """The reason is what the run said last; it is left alone, also by the next life of the service."""
    house.done["note"] = NOON - HOUR
    service = house.serve()
    (house.root / "run.log").write_text(json.dumps({"ending": "failed", "warning": "no room"}) + "\n", encoding="utf-8")
    service.turn()
    for _ in range(6):
        house.end(1)
        wait(house, service, timedelta(hours=2), leaping=True)
    assert (6, 5) == (len(house.started()), len(house.heard(Event.JOB_RETRIED)))
    assert ["exit code 1 (it failed): no room"] == [told["reason"] for told in house.heard(Event.JOB_PARKED)]
    again = house.serve()
    wait(house, again, timedelta(days=1), leaping=True)
    assert 6 == len(house.started())
    told = again.state.jobs["note"]
    assert (6, None) == (told.failures, told.next_look)
    assert told.parked is not None


def test_a_parked_job_that_somebody_ran_well_is_looked_after_again(house: House) -> None:
    """Within seconds, for whoever mended it looks whether that helped; and without a restart."""
    service = house.serve()
    service.turn()
    house.end(2)
    wait(house, service, timedelta(hours=3))
    assert ["note"] == house.started()
    house.success["note"] = house.machine.now()
    wait(house, service, timedelta(seconds=15))
    assert [{"job": "note"}] == house.heard(Event.JOB_RESUMED)
    assert ["note", "note"] == house.started()


def test_it_looks_again_when_told_to(house: House) -> None:
    """Settings that were read anew count at once."""
    service = house.serve()
    service.turn()
    house.end()
    service.turn()
    house.broken = LedgerDamaged(str(house.root), "it is a test")
    service.turn()
    assert "" == service.trouble
    service.look_again()
    service.turn()
    assert "it is a test" in service.trouble


def test_a_child_that_cannot_be_started_is_a_failure(house: House) -> None:
    """It is tried again, and it may work then."""
    house.unwritable = True
    service = house.serve()
    service.turn()
    assert 1 == service.state.jobs["note"].failures
    house.unwritable = False
    wait(house, service, HOUR)
    house.end()
    service.turn()
    assert 0 == service.state.jobs["note"].failures


def test_stopping_asks_the_child_once_and_starts_nothing(house: House) -> None:
    """What it then tells is no failure."""
    service = house.serve()
    service.turn()
    service.stop()
    service.stop()
    assert house.children[0].asked
    house.end(143)
    service.turn()
    assert (None, 0) == (service.child, service.state.jobs["note"].failures)
    wait(house, service, timedelta(hours=3))
    assert ["note"] == house.started()


def test_ticks_that_found_the_service_down_are_told_of(house: House) -> None:
    """The next life finds in the state file since when; and then it looks."""
    quiet(house)
    house.machine.pass_by(3.5 * 3600)
    service = house.serve()
    service.turn()
    found = [(each.job, each.at, each.why) for each in service.state.missed]
    assert [("note", NOON + number * HOUR, Missed.DOWN) for number in (1, 2, 3)] == found
    assert 3 == len(house.heard(Event.TICK_MISSED))
    assert ["note", "note"] == house.started()


def test_ticks_that_found_the_machine_asleep_are_told_of(house: House) -> None:
    """The jobs are looked at as it wakes up."""
    service = quiet(house)
    house.machine.sleep(2.5 * 3600)
    service.turn()
    assert [Missed.ASLEEP] * 2 == [each.why for each in service.state.missed]
    assert [{"why": "asleep", "seconds": 9000.0}] == house.heard(Event.CLOCK_CHANGED)
    assert ["note", "note"] == house.started()


def test_ticks_that_the_clock_has_skipped_are_told_of(house: House) -> None:
    """Put back again, it shows the same ticks once more, and nothing is missed by that."""
    service = quiet(house)
    house.machine.set_clock(2.5 * HOUR)
    service.turn()
    assert [Missed.CLOCK] * 2 == [each.why for each in service.state.missed]
    house.end()
    house.machine.set_clock(-2.5 * HOUR)
    service.turn()
    assert 2 == len(service.state.missed)
    assert NOON + HOUR == service.state.jobs["note"].next_look
    house.machine.pass_by(10)
    assert service.wait_seconds() <= 60


def test_a_clock_that_is_set_back_ends_all_waits(house: House) -> None:
    """A retry would else come after as long as it was set back."""
    service = house.serve()
    service.turn()
    house.end(4)
    service.turn()
    house.machine.set_clock(-timedelta(days=300))
    house.done["note"] = NOON - timedelta(days=400)
    service.turn()
    assert ["note", "note"] == house.started()


def test_a_look_just_after_a_tick_misses_nothing(house: House) -> None:
    """A minute is what the service may sleep."""
    service = quiet(house)
    house.machine.pass_by(3600 + 60)
    service.turn()
    assert () == service.state.missed
    assert ["note", "note"] == house.started()


def test_only_the_last_missed_ticks_are_kept(tmp_path: Path) -> None:
    """Years without the service do not fill its state."""
    house = House(tmp_path, [Ticking(NOON, "note", timedelta(minutes=5))])
    quiet(house)
    house.machine.pass_by(timedelta(days=900).total_seconds())
    service = house.serve()
    service.turn()
    assert MISSED_KEPT == len(service.state.missed) == len(house.heard(Event.TICK_MISSED))
    assert house.machine.now() - service.state.missed[-1].at <= timedelta(minutes=10)


def test_a_workspace_that_cannot_be_looked_at_does_not_end_the_service(house: House) -> None:
    """It says why, and goes on once it can; ticks meanwhile are looked at then."""
    service = quiet(house)
    house.broken = LedgerDamaged(str(house.root), "it is a test")
    wait(house, service, 2 * HOUR)
    assert "it is a test" in service.trouble
    assert 60 == service.wait_seconds()
    house.broken = None
    wait(house, service, timedelta(minutes=2))
    assert ("", ["note", "note"]) == (service.trouble, house.started())


def test_a_ledger_of_a_newer_program_ends_the_service(house: House) -> None:
    """It can never be used again; but a service that is stopping waits for its run as ever."""
    service = quiet(house)
    house.broken = LedgerNewer(str(house.root), 99, 2)
    service.look_again()
    with pytest.raises(LedgerNewer, match="of version 99, which a newer program has written"):
        service.turn()
    service.stop()
    service.turn()
    assert "of version 99" in service.trouble


def test_a_state_that_cannot_be_written_does_not_end_the_service(house: House) -> None:
    """It says so, and works on."""
    folder = ServiceFolder(house.root).path
    folder.parent.mkdir()
    folder.write_text("in the way", encoding="utf-8")
    service = quiet(house)
    assert "state.json" in service.trouble
    folder.unlink()
    wait(house, service, HOUR)
    assert ("", ["note", "note"]) == (service.trouble, house.started())
    assert StateFile(ServiceFolder(house.root).state).read() is not None


CODES = st.sampled_from([0, 0, 0, 1, 3, 4, 5, 75, 137])
NEEDS = st.sampled_from([(), ("a",)])


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(1, 200), CODES, st.sampled_from(["", "", "sleep", "clock", "down"])), max_size=15),
    st.tuples(NEEDS, NEEDS),
    st.sampled_from(list(Overlap)),
    st.integers(0),
)
def test_whatever_happens_all_that_is_due_is_run_in_the_end(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[int, int, str]],
    needs: tuple[tuple[str, ...], tuple[str, ...]],
    overlap: Overlap,
    seed: int,
) -> None:
    """One child at a time (`House.start` sees to it); once children end well, nothing stays due."""
    told = JobSettings(retries=100, overlap=overlap)
    plans = [Ticking(NOON, "a", 3 * HOUR)]
    plans += [
        Ticking(NOON, name, HOUR * hours, frozenset(each))
        for name, hours, each in zip("bc", (5, 8), needs, strict=True)
    ]
    house = House(tmp_path_factory.mktemp("house"), plans, settings=dict.fromkeys("abc", told))
    service, dice = house.serve(), Random(seed)  # noqa: S311 - drawn
    for minutes, code, happening in steps:
        wait(house, service, minutes * MINUTE, leaping=True)
        if house.children and house.children[-1].code is None:
            house.end(code)
        if happening == "sleep":
            house.machine.sleep(dice.choice([30, 30_000]))
        if happening == "clock":
            house.machine.set_clock(timedelta(minutes=dice.choice([-100, 100])))
        if happening == "down" and not (house.children and house.children[-1].code is None):
            service = house.serve()
    for _ in range(25):
        wait(house, service, HOUR, leaping=True)
        while service.child:
            house.end()
            service.turn()
    assert [] == [plan.name for plan in plans if house.is_due(plan.name)]
    assert {0} == {job.failures for job in service.state.jobs.values()}
