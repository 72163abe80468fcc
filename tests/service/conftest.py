"""What answers questions in this process, as the service does."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from pipeline.app.index import IndexOptions, open_index
from pipeline.errors import PipelineError, WriteFailed
from pipeline.events import Event
from pipeline.process.context import ProcessContext
from pipeline.service.scheduling.clock_jumps import ClockReading
from pipeline.service.scheduling.dispatcher import Dispatcher
from pipeline.service.scheduling.ports import DispatcherOptions
from pipeline.service.scheduling.retry_policy import ScheduledJob
from pipeline.service.scheduling.state_file import StateFile
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.workspace.service_files import ServiceFolder
from schemas.settings import JobSettings
from tests.support.servers.local_server import local_server
from tests.support.workspaces.simulated_service import SimulatedMachine, StoppableChild, Ticking

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@contextmanager
def _answering(root: Path, **variables: str) -> Iterator[None]:
    with open_index(root, ProcessContext(variables), IndexOptions(linger=60)) as opened:
        in_use = SettingsInUse(root, variables, opened.settings)
        with local_server(root, opened, in_use):
            yield


@pytest.fixture
def answering() -> Callable[..., AbstractContextManager[None]]:
    """Answers about a workspace, `root`, with `variables` in its environment."""
    return _answering


@dataclass
class SimulatedJobs:
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
    children: list[StoppableChild] = field(default_factory=list)
    events: list[tuple[Event, dict[str, object]]] = field(default_factory=list)

    def look(self, since: datetime, now: datetime) -> list[ScheduledJob]:
        """Every job as it stands."""
        if self.broken:
            raise self.broken
        return [self._standing(ticking, tuple(ticking.ticks(since, now)), now) for ticking in self.plans]

    def is_due(self, job: str) -> bool:
        """Whether a tick came since the job last ran."""
        plan = next(ticking for ticking in self.plans if ticking.name == job)
        return bool(plan.ticks(self.done.get(job, NOON), self.machine.now()))

    def start(self, job: str) -> StoppableChild:
        """A child.

        Raises:
            AssertionError: there is one already.
        """
        if not all(child.code is not None for child in self.children):
            raise AssertionError(job)
        if self.unwritable:
            path = "logs"
            raise WriteFailed(path, "it is a test")
        self.children.append(StoppableChild(job, self.root / "run.log"))
        return self.children[-1]

    def end(self, code: int = 0) -> None:
        """Let the child at work end; ending well, it and what it needs have done all that was due."""
        child = self.children[-1]
        child.code = code
        if code == 0:
            needs = next(ticking.needs for ticking in self.plans if ticking.name == child.job)
            self.done |= dict.fromkeys({child.job, *needs}, self.machine.now())

    def serve(self) -> Dispatcher:
        """A life of the service."""
        file = StateFile(ServiceFolder(self.root).state)
        dice = Random(1)  # noqa: S311 - the same every time
        return Dispatcher(self, self.start, DispatcherOptions(self.root, file, "0", self._hear, self._read, dice))

    def started(self) -> list[str]:
        """The jobs that were started, in order."""
        return [child.job for child in self.children]

    def heard(self, event: Event) -> list[dict[str, object]]:
        """What was told with all events of a sort."""
        return [question for heard, question in self.events if heard is event]

    def quiet(self) -> Dispatcher:
        """A service that has had its first look and its first child."""
        service = self.serve()
        service.turn()
        self.end()
        service.turn()
        return service

    def wait(self, service: Dispatcher, time: timedelta, *, leaping: bool = False) -> None:
        """Serve for so long, with all turns that the service wants; `leaping` leaves out those with nothing to come."""
        end = self.machine.through + time.total_seconds()
        while (left := end - self.machine.through) > 0:
            coming = [(moment - self.machine.now()).total_seconds() for moment in service.moments()]
            step = min(coming, default=left) if leaping else service.wait_seconds()
            self.machine.pass_by(min(max(step, 0.001), left))
            service.turn()

    def _standing(self, plan: Ticking, ticks: tuple[datetime, ...], now: datetime) -> ScheduledJob:
        settings, comes = self.settings.get(plan.name, JobSettings()), plan.ticks(now, now + plan.every)[0]
        return ScheduledJob(plan.name, plan.needs, settings, ticks, comes, self.success.get(plan.name))

    def _hear(self, event: Event, **fields: object) -> None:
        self.events.append((event, fields))

    def _read(self) -> ClockReading:
        return ClockReading(self.machine.now(), self.machine.awake, self.machine.through)


@pytest.fixture(scope="session")
def new_jobs() -> type[SimulatedJobs]:
    """Makes others."""
    return SimulatedJobs


@pytest.fixture
def jobs(tmp_path: Path) -> SimulatedJobs:
    """One job, `note`, every hour."""
    return SimulatedJobs(tmp_path, [Ticking(NOON, "note", timedelta(hours=1))])
