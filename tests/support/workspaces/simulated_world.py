"""What happens around a simulated service: what its owner says, how the model behaves, and whatever comes by chance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import inf
from random import Random

from tests.support.servers import behaviours
from tests.support.servers.behaviours import Behaviour, Received, Sent
from tests.support.workspaces.four_days import PROMISE, keeping_promises
from tests.support.workspaces.simulated_service import SimulatedMachine
from tests.support.workspaces.transcript_folder import TranscriptFolder, Turn

TIMEOUT_SECONDS = 0.25
"""What the model's `timeout` is to be, so that a server which never answers does not hold up the month."""


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
            candidates = keeping_promises(request).get("candidates", ())
            self.lied |= {candidate["quote"] for candidate in candidates}
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
        due = [pair for pair in self._coming if pair[0] <= self.machine.through]
        self._coming = [pair for pair in self._coming if pair[0] > self.machine.through]
        for _, time, happening in due:
            happening()
            self.every(time, happening)

    def _next(self, time: timedelta) -> float:
        return self.machine.through + self.dice.uniform(0.0, 2.0) * time.total_seconds()
