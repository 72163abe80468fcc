"""The state of the service, in `.memory/service/state.json`, for readers from outside."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from schemas.base import Value


class Missed(StrEnum):
    """The reason of a missed tick: the service was down, the machine slept, or its clock was changed."""

    DOWN = "down"
    ASLEEP = "asleep"
    CLOCK = "clock"


class MissedTick(Value):
    """A moment at which a job should have been looked at and was not; `noted` is when that was found out."""

    job: str
    at: AwareDatetime
    why: Missed
    noted: AwareDatetime


class Parked(Value):
    """A job that failed too often and is left alone until a run by hand ends well; `reason` is the last failure."""

    since: AwareDatetime
    failures: int
    reason: str


class JobState(Value):
    """The state of a job: its last look, its next look, and the number of failed runs in a row."""

    last_look: AwareDatetime | None = None
    next_look: AwareDatetime | None = None
    failures: int = 0
    parked: Parked | None = None


class ChildState(Value):
    """The child process at work: which job it runs, since when, and the log it writes, relative to the workspace."""

    job: str
    pid: int
    since: AwareDatetime
    log: str


class ServiceState(Value):
    """The last state of the service. `alive` is its time; `missed` are the last missed ticks, oldest first."""

    pid: int
    host: str
    version: str
    started: AwareDatetime
    alive: AwareDatetime
    jobs: dict[str, JobState] = Field(default_factory=dict)
    child: ChildState | None = None
    missed: tuple[MissedTick, ...] = ()
