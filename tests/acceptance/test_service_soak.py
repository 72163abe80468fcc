"""The service for a month, in a minute: restarts, kills, sleep, clocks that change, and a model with every fault."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import due_now
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.events import Event
from pipeline.process.cancellation import CancellationToken
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from pipeline.service.scheduling.clock_jumps import ClockReading
from pipeline.service.scheduling.dispatcher import Dispatcher
from pipeline.service.scheduling.ports import DispatcherOptions
from pipeline.service.scheduling.state_file import StateFile
from pipeline.service.scheduling.workspace_view import LedgerWorkspace
from pipeline.workspace.service_files import ServiceFolder
from schemas.service_state import Missed
from tests.support.processes.commands import RealWorkspace
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import JOBS, PROMISE, model_table
from tests.support.workspaces.simulated_service import SimulatedChild, SimulatedMachine
from tests.support.workspaces.simulated_world import TIMEOUT_SECONDS, Happenings, Talk, Weather
from tests.support.workspaces.transcript_folder import TranscriptFolder

LONGEST_STEP = 3600.0
"""Seconds between two turns in which nothing comes: the service would turn in between, and see nothing."""
A_WHILE = timedelta(days=1)
"""How long the service is given to catch up once the model is back: the longest wait is a little over an hour."""


@dataclass
class Simulation:
    """One workspace with its owner, its agent, its model and its machine, and life after life of the service."""

    memory: RealWorkspace
    machine: SimulatedMachine
    zone: str
    weather: Weather
    dice: Random
    events: list[tuple[Event, dict[str, object]]] = field(default_factory=list)
    children: list[SimulatedChild] = field(default_factory=list)
    lives: int = 0

    def __post_init__(self) -> None:
        self.talk = Talk(TranscriptFolder(self.memory.root / "openclaw"), self._session_of)
        self.happenings = Happenings(self.machine, self.dice)
        self.dispatcher = self._new_life()

    def go_on(self, time: timedelta) -> None:
        """Let the world go on for so long, by the clock that nobody can set."""
        end = self.machine.through + time.total_seconds()
        while self.machine.through < end:
            self.dispatcher.turn()
            self.machine.pass_by(max(self._step(), 0.001))
            self.happenings.come()

    def disturb(self) -> None:
        """From now on all happens that happens."""
        for time, happening in (
            (timedelta(hours=3), self._speak),
            (timedelta(hours=17), self._speak_late),
            (timedelta(hours=7), self.weather.change),
            (timedelta(hours=11), self._restart),
            (timedelta(hours=23), self._sleep),
            (timedelta(hours=31), self._kill_child),
            (timedelta(hours=37), self._crash),
            (timedelta(hours=43), self._set_clock),
        ):
            self.happenings.every(time, happening)

    def calm_down(self) -> None:
        """The model is back and stays, nobody says anything any more, and all that was said is written down."""
        self.weather.clear_up()
        self.happenings = Happenings(self.machine, self.dice)
        self.talk.write()

    def come_to_rest(self) -> None:
        """Let what is at work end, and what is to be looked at now be looked at."""
        self.dispatcher.turn()
        while self.dispatcher.child:
            self.machine.pass_by(max((self.children[-1].until - self.machine.now()).total_seconds(), 0.0))
            self.dispatcher.turn()

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """The workspace, for a look at the end."""
        engine = self._opened(CancellationToken())
        yield engine
        engine.ledger.store.close()

    def _step(self) -> float:
        """How long until anything comes that the service would wake for."""
        now = self.machine.now()
        coming = [(moment - now).total_seconds() for moment in self.dispatcher.moments()[:1]]
        at_work = [(child.until - now).total_seconds() for child in self.children[-1:] if child.code is None]
        return min([LONGEST_STEP, self.happenings.wait_seconds(), *coming, *at_work])

    def _new_life(self) -> Dispatcher:
        self.lives += 1
        around = ProcessContext({}, clock=self.machine)
        file = StateFile(ServiceFolder(self.memory.root).state)
        return Dispatcher(
            LedgerWorkspace(self.memory.root, around),
            self._start,
            DispatcherOptions(self.memory.root, file, "0", self._hear, self._read, self.dice),
        )

    def _start(self, job: str) -> SimulatedChild:
        assert all(child.code is not None for child in self.children)
        until = self.machine.now() + timedelta(seconds=self.dice.choice([2, 20, 200, 2000, 7000]))
        self.children.append(SimulatedChild(job, self._opened, self.machine, until, self.dice))
        return self.children[-1]

    def _opened(self, safe_point: CancellationToken) -> Engine:
        engine = open_engine(self.memory.root, ProcessContext({}, self.machine, safe_point=safe_point))
        prepare(engine)
        return engine

    def _read(self) -> ClockReading:
        return ClockReading(self.machine.now(), self.machine.awake, self.machine.through)

    def _hear(self, event: Event, **fields: object) -> None:
        self.events.append((event, fields))

    def _session_of(self, moment: datetime) -> str:
        return f"day-{local_day(moment, self.zone)}"

    # What happens.

    def _speak(self) -> None:
        self.talk.say(self.machine.now())

    def _speak_late(self) -> None:
        """Something is said that the agent writes down hours later."""
        self.talk.say(self.machine.now(), written=False)

    def _restart(self) -> None:
        """As a service manager does it; the machine may be off for a while."""
        self.dispatcher.stop()
        self.dispatcher.turn()
        assert self.dispatcher.child is None
        self.machine.sleep(self.dice.choice([2, 100, 30_000]))
        self.dispatcher = self._new_life()

    def _crash(self) -> None:
        """The service is killed, and its child with it."""
        self._kill_child()
        self.machine.pass_by(self.dice.choice([2, 5000]))
        self.dispatcher = self._new_life()

    def _kill_child(self) -> None:
        for child in self.children[-1:]:
            child.kill()

    def _sleep(self) -> None:
        self.machine.sleep(self.dice.choice([30, 1000, 30_000]))

    def _set_clock(self) -> None:
        self.machine.set_clock(timedelta(minutes=self.dice.choice([-50, -5, 10, 100])))


def play(root: Path, zone: str, start: datetime, days: int, seed: int) -> Simulation:
    """Let the service live for so many days of all that happens, and then in peace until it must have caught up."""
    dice = Random(seed)  # noqa: S311 - the same month every time
    weather = Weather(dice)
    with ScriptedServer(weather) as server:
        source = '[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
        model = model_table(server, timeout=TIMEOUT_SECONDS, give_up_after="P60D")
        # A server that is away holds up each try for real: a few tries are enough.
        patience = "".join(f"[jobs.{job}]\nretry_after = 1800\n" for job in JOBS)
        settings = f'timezone = "{zone}"\nstart = {start.isoformat()}\n{source}{model}{patience}'
        machine = SimulatedMachine(start)
        simulation = Simulation(RealWorkspace(root).configure(settings), machine, zone, weather, dice)
        simulation.disturb()
        simulation.go_on(timedelta(days=days))
        simulation.calm_down()
        simulation.go_on(A_WHILE)
        simulation.come_to_rest()
    return simulation


def check(simulation: Simulation) -> None:
    """Nothing missing, nothing doubled, nothing waiting, and whatever was missed is told of."""
    with simulation.engine() as engine:
        assert [] == due_now(engine, engine.jobs)
        entries = [place.entry for place in list_entries(engine) if place.is_verified]
        runs = engine.ledger.runs.latest(limit=100_000)
        clocked = {job.name for job in engine.jobs if job.clock}
    said = {text for _, text in simulation.talk.said}
    quotes = Counter(entry.quote for entry in entries)
    assert {} == {quote: count for quote, count in quotes.items() if count > 1 or quote not in said}
    assert len(entries) == len({entry.id for entry in entries})
    assert set() == said - set(quotes) - simulation.weather.lied
    assert all(quote.startswith(PROMISE) for quote in quotes)
    assert [] == simulation.memory.torn()
    assert {"waiting", "done"} <= {run.outcome.ending.value for run in runs if run.outcome}
    state = simulation.dispatcher.state
    assert {(0, None)} == {(job.failures, job.parked) for job in state.jobs.values()}
    looks = [state.jobs[name].next_look for name in clocked]
    assert all(look and look > simulation.machine.now() for look in looks)


@pytest.mark.soak
def test_a_weekend_in_which_the_clocks_change(tmp_path: Path) -> None:
    """Three days with a Monday in them: all that was said stands in the files once, and nothing is left to do."""
    check(play(tmp_path, "Europe/Warsaw", datetime(2026, 3, 28, 5, tzinfo=UTC), days=3, seed=0))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("zone", "start", "seed"),
    [
        ("Europe/Warsaw", datetime(2026, 3, 10, 7, tzinfo=UTC), 3),
        ("Europe/Warsaw", datetime(2026, 10, 8, 7, tzinfo=UTC), 10),
        ("Africa/Cairo", datetime(2026, 4, 5, 7, tzinfo=UTC), 4),  # a midnight that does not exist
        ("Africa/Cairo", datetime(2026, 10, 8, 7, tzinfo=UTC), 11),
    ],
)
def test_a_month_in_which_the_clocks_change(tmp_path: Path, zone: str, start: datetime, seed: int) -> None:
    """The same for thirty days; in them the service was down, the machine slept and its clock was set.

    The seeds are such that a tick was missed for each of these reasons.
    """
    simulation = play(tmp_path, zone, start, 30, seed)
    check(simulation)
    assert set(Missed) == {missed.why for missed in simulation.dispatcher.state.missed}
    assert simulation.lives > 30  # days
