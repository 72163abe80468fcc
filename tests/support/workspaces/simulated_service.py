"""A month of the service in a minute: a machine whose time is moved by hand, and runs in this process.

What stands above this package, the service itself and how an engine is opened, is brought by the test.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from pipeline.backfill.plan import due_now, exit_code, work_through
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.errors import PipelineError
from pipeline.process.cancellation import CancellationToken
from pipeline.scheduling.registry import jobs_named, with_upstream
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan

_KILLED, _TERMINATED = 137, 15


@dataclass
class SimulatedMachine:
    """The clocks of a machine. `awake` and `through` are seconds; see `Reading`."""

    moment: datetime
    awake: float = 0.0
    through: float = 0.0

    def now(self) -> datetime:
        """What its clock shows."""
        return self.moment

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.awake += seconds
        self.sleep(seconds)

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        self.through += seconds
        self.moment += timedelta(seconds=seconds)

    def set_clock(self, by: timedelta) -> None:
        """Somebody puts its clock on, or back."""
        self.moment += by


class StoppedSoon(CancellationToken):
    """Somebody asks to stop, so that the run stops at the safe point after `steps` others."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._steps = steps

    def __call__(self) -> None:
        """Stop here, when it is time."""
        self._steps -= 1
        if self._steps < 0:
            self.ask_to_stop(_TERMINATED)
        super().__call__()


@dataclass
class SimulatedChild:
    """A run that does all its work in this process as its time is over, or as it is stopped or killed before.

    `opened` gives an engine that has looked at the transcripts.
    """

    job: str
    opened: Callable[[CancellationToken], Engine]
    machine: SimulatedMachine
    until: datetime
    dice: Random
    pid: int = 1
    log: Path = Path("run.log")
    code: int | None = None

    def exit_code(self) -> int | None:
        """Its exit code, once its time is over."""
        if self.code is None and self.machine.now() >= self.until:
            self.code = self._work(CancellationToken())
        return self.code

    def stop(self) -> None:
        """Ask it to stop: it gets as far as chance has it."""
        if self.code is None:
            self.code = self._work(StoppedSoon(self.dice.randrange(40)))

    def kill(self) -> None:
        """End it in the middle of a write, or between two."""
        if self.code is None:
            try:
                self._work(CancellationToken(), CrashPlan(self.dice.randrange(3), self.dice.random()))
            except Crash:
                pass
            finally:
                self.code = _KILLED

    def _work(self, safe_point: CancellationToken, plan: CrashPlan | None = None) -> int:
        try:
            engine = self.opened(safe_point)
        except PipelineError as error:
            return error.exit_code
        try:
            seen = replace(engine, workspace=CrashingWorkspace(engine.workspace, plan)) if plan else engine
            wanted = with_upstream(jobs_named([self.job], engine.jobs), engine.jobs)
            return exit_code([outcome.ending for outcome in work_through(Runner(seen), due_now(seen, wanted))])
        except PipelineError as error:
            return error.exit_code
        finally:
            engine.ledger.store.close()


@dataclass
class StoppableChild:
    """A child that does nothing and ends when it is told to. `asked` says that it was asked to stop."""

    job: str
    log: Path
    pid: int = 7
    code: int | None = None
    asked: bool = False

    def exit_code(self) -> int | None:
        """What it was told."""
        return self.code

    def stop(self) -> None:
        """Note it."""
        self.asked = True


@dataclass(frozen=True)
class Ticking:
    """A job by its ticks alone, `every` so often from a first moment on."""

    first: datetime
    name: str
    every: timedelta
    needs: frozenset[str] = frozenset()

    def ticks(self, since: datetime, now: datetime) -> list[datetime]:
        """Those after `since` up to `now`."""
        before, last = ((moment - self.first) // self.every for moment in (since, now))
        return [self.first + number * self.every for number in range(before + 1, last + 1)]
