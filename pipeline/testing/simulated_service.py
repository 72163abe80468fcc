"""A month of the service in a minute: a machine whose time is moved by hand, runs in this process, and what happens.

What stands above this package, the service itself and how an engine is opened, is brought by the test.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from random import Random

from pipeline.backfill import due_now, exit_code, work_through
from pipeline.engine import Engine
from pipeline.errors import PipelineError
from pipeline.registry import named, with_upstream
from pipeline.runner import Runner
from pipeline.stopping import SafePoint
from pipeline.testing import behaviours
from pipeline.testing.behaviours import Behaviour, Received, Sent
from pipeline.testing.crashes import Crash, CrashingWorkspace, CrashPlan
from pipeline.testing.house import PROMISE, keeping_promises
from pipeline.testing.transcript_folder import TranscriptFolder, Turn

TIMEOUT_SECONDS = 0.25
"""What the model's `timeout` is to be, so that a server which never answers does not hold up the month."""
_KILLED, _TERMINATED = 137, 15


@dataclass
class SimulatedMachine:
    """The clocks of a machine. `awake` and `through` are seconds; see `pipeline.service.watchfulness.Reading`."""

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


class StoppedSoon(SafePoint):
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
    opened: Callable[[SafePoint], Engine]
    machine: SimulatedMachine
    until: datetime
    dice: Random
    pid: int = 1
    log: Path = Path("run.log")
    code: int | None = None

    def ended(self) -> int | None:
        """Its exit code, once its time is over."""
        if self.code is None and self.machine.now() >= self.until:
            self.code = self._work(SafePoint())
        return self.code

    def stop(self) -> None:
        """Ask it to stop: it gets as far as chance has it."""
        if self.code is None:
            self.code = self._work(StoppedSoon(self.dice.randrange(40)))

    def kill(self) -> None:
        """End it in the middle of a write, or between two."""
        if self.code is None:
            try:
                self._work(SafePoint(), CrashPlan(self.dice.randrange(3), self.dice.random()))
            except Crash:
                pass
            finally:
                self.code = _KILLED

    def _work(self, safe_point: SafePoint, plan: CrashPlan | None = None) -> int:
        try:
            engine = self.opened(safe_point)
        except PipelineError as error:
            return error.exit_code
        try:
            seen = replace(engine, workspace=CrashingWorkspace(engine.workspace, plan)) if plan else engine
            wanted = with_upstream(named([self.job], engine.jobs), engine.jobs)
            return exit_code([outcome.ending for outcome in work_through(Runner(seen), due_now(seen, wanted))])
        except PipelineError as error:
            return error.exit_code
        finally:
            engine.ledger.store.close()


@dataclass
class ToldChild:
    """A child that does nothing and ends when it is told to. `asked` says that it was asked to stop."""

    job: str
    log: Path
    pid: int = 7
    code: int | None = None
    asked: bool = False

    def ended(self) -> int | None:
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


@dataclass
class Weather:
    """How the model's server behaves now. `lied` are the promises of which it has told what nobody said."""

    dice: Random
    behaviour: Behaviour = field(default_factory=lambda: behaviours.answering(keeping_promises))
    lied: set[str] = field(default_factory=set)

    def __call__(self, request: Received) -> Sent:
        """Behave."""
        return self.behaviour(request)

    def clear_up(self) -> None:
        """From now on it answers well."""
        self.behaviour = behaviours.answering(keeping_promises)

    def change(self) -> None:
        """Another way, bad ones and odd ones as likely as good ones."""
        self.behaviour = self.dice.choice([*self.away(), *self.odd(), self._lying(), *self.odd() * 3])

    @staticmethod
    def away() -> list[Behaviour]:
        """Every way not to answer."""
        return [
            *(behaviours.failing(status) for status in (500, 503, 401, 403, 404)),
            *(behaviours.saying(text) for text in (None, "", "I would rather talk about boats.", "{")),
            behaviours.saying('{"candidates": [', finish="length"),
            behaviours.declining(),
            behaviours.rate_limited(),
            behaviours.hanging(),
            behaviours.slow(keeping_promises, 2 * TIMEOUT_SECONDS),
            behaviours.broken_off(),
            behaviours.other_content_type(),
            behaviours.broken_json(),
            behaviours.no_choices(),
        ]

    @staticmethod
    def odd() -> list[Behaviour]:
        """Every way to answer."""
        return [
            behaviours.answering(keeping_promises),
            behaviours.refusing_forms(keeping_promises, "json_schema"),
            behaviours.refusing_forms(keeping_promises, "json_schema", "json_object"),
            behaviours.refusing_temperature(keeping_promises),
            behaviours.code_fenced(keeping_promises),
        ]

    def _lying(self) -> Behaviour:
        lie = self.dice.choice([behaviours.invented_quotes, behaviours.wrong_ids])(keeping_promises)

        def behave(request: Received) -> Sent:
            # The promises that a good answer would have quoted.
            told = keeping_promises(request).get("candidates", ())
            self.lied |= {each["quote"] for each in told}
            return lie(request)

        return behave


@dataclass
class Talk:
    """An owner who asks to remember things, each said once, in a session a day. `said` are all, in their order."""

    folder: TranscriptFolder
    session_of: Callable[[datetime], str]
    said: list[tuple[datetime, str]] = field(default_factory=list)
    _sessions: dict[str, list[Turn]] = field(default_factory=dict)
    _unwritten: set[str] = field(default_factory=set)

    def say(self, moment: datetime, *, written: bool = True) -> None:
        """Say something; what is not `written` comes into its file when the same session is written next."""
        session = self.session_of(moment)
        text = f"{PROMISE} {_thing(len(self.said))} key hangs with {_keeper(len(self.said))}."
        self.said.append((moment, text))
        turns = self._sessions.setdefault(session, [])
        turns += [(moment, "user", text), (moment + timedelta(seconds=20), "assistant", "Noted.")]
        self._unwritten.add(session)
        if written:
            self.write()

    def write(self) -> None:
        """Write all that has not been."""
        for session in sorted(self._unwritten):
            self.folder.say(session, self._sessions[session])
        self._unwritten.clear()


_THINGS = (
    "boat",
    "sauna",
    "kayak",
    "bike",
    "canoe",
    "grill",
    "tent",
    "stove",
    "lamp",
    "ladder",
    "saw",
    "drill",
    "cart",
)
_PLACES = ("mill", "forge", "school", "harbour", "orchard", "tower", "barn", "chapel", "quarry", "dairy", "bridge")
_KEEPERS = ("Anna", "Bartek", "Celina", "Dawid", "Ewa", "Filip", "Gosia", "Henryk", "Iga", "Jacek", "Kasia", "Leon")


def _thing(number: int) -> str:
    """One of 143 things; 13 and 11 have no divisor in common, so that all come before one comes again."""
    return f"{_PLACES[number % len(_PLACES)]} {_THINGS[number % len(_THINGS)]}"


def _keeper(number: int) -> str:
    """Another for the same thing each time that it comes."""
    times, place = divmod(number, len(_THINGS) * len(_PLACES))
    return _KEEPERS[(place + times) % len(_KEEPERS)]


Happening = Callable[[], None]


@dataclass
class Happenings:
    """What comes at its time by the machine's clock that nobody can set, and again after a while of chance."""

    machine: SimulatedMachine
    dice: Random
    _coming: list[tuple[float, timedelta, Happening]] = field(default_factory=list)

    def every(self, time: timedelta, happening: Happening) -> None:
        """Let something happen every so often: after between none and twice that time."""
        self._coming.append((self._next(time), time, happening))

    def wait_seconds(self) -> float:
        """How long until something comes; infinite when nothing does."""
        return max(min((at for at, _, _ in self._coming), default=inf) - self.machine.through, 0.0)

    def come(self) -> None:
        """Let come what is due."""
        due = [each for each in self._coming if each[0] <= self.machine.through]
        self._coming = [each for each in self._coming if each[0] > self.machine.through]
        for _, time, happening in due:
            happening()
            self.every(time, happening)

    def _next(self, time: timedelta) -> float:
        return self.machine.through + self.dice.uniform(0.0, 2.0) * time.total_seconds()
