"""The retry policy: when a job is tried again, when it is parked, and which job is next. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from signal import SIGINT, SIGKILL, SIGTERM

from pipeline.clock import day_start, local_day
from schemas.exit_codes import BUG, FAILED, HELD, OVER_BUDGET, OVERDUE, PARTIAL, SIGNALLED, UNUSABLE, WAITING, WELL
from schemas.service_state import Parked
from schemas.settings import JobSettings

LONGEST_WAIT = timedelta(hours=1)
"""The longest wait by doubling; the settings may begin with a longer one."""
LONGEST_WAIT_FOR_A_LOCK = timedelta(minutes=10)
"""A lock is released sooner than the cause of a failure is mended."""
SHORTEST_WAIT = timedelta(seconds=1)
"""The shortest wait: with less, an absent model would be called without a pause."""
JITTER = 0.2
"""The part of a wait by which chance makes it longer or shorter, so that many services do not come all at once."""

_STOPPED = {SIGNALLED + number for number in (SIGINT, SIGTERM, SIGKILL)}  # SIGKILL: the second stop request
_DOUBLINGS = 12  # from a second to more than an hour
_MEANINGS = {
    FAILED: "it failed",
    UNUSABLE: "the command or the settings cannot be used",
    BUG: "a bug in the program",
    OVERDUE: "it took longer than its `timeout`",
}


@dataclass(frozen=True)
class ScheduledJob:
    """A job by the ledger and the settings.

    `needs` are the jobs it depends on, at any remove. `ticks` are the moments since the last look from which a window
    of the job is run, `next_look` is the next such moment. `success` is when its last good run ended.
    """

    job: str
    needs: frozenset[str]
    settings: JobSettings
    ticks: tuple[datetime, ...]
    next_look: datetime | None
    success: datetime | None


@dataclass(frozen=True)
class JobRetryState:
    """The service's state of a job.

    `failures` are the failed runs in a row, `tries` the runs in a row that left something undone for any reason.
    `partly` means that the last of them did everything else: a window with an unreadable transcript must not delay the
    others. `retry` is when it is tried again; until then its ticks change nothing. `requested` means that it is to be
    looked at.
    """

    failures: int = 0
    tries: int = 0
    partly: bool = False
    retry: datetime | None = None
    parked: Parked | None = None
    requested: bool = False
    last_look: datetime | None = None

    @property
    def is_troubled(self) -> bool:
        """Whether the jobs that need this job have to wait."""
        return bool(self.parked or (self.tries and not self.partly))

    def by_another_clock(self, now: datetime) -> "JobRetryState":
        """The state after the clock was set: no retry waits for a moment of the old clock."""
        parked = self.parked and self.parked.model_copy(update={"since": min(self.parked.since, now)})
        return replace(self, retry=None, parked=parked)


@dataclass(frozen=True)
class Ended:
    """The end of a job's process, at `now` in the workspace's zone. `message` is the last that it printed."""

    code: int
    now: datetime
    zone: str
    message: str = ""
    as_requested: bool = False
    """Whether the service itself had asked it to stop."""


def state_after(retry_state: JobRetryState, ended: Ended, settings: JobSettings, dice: Random) -> JobRetryState:
    """The state of a job after its process has ended."""
    if ended.code == WELL:
        return JobRetryState(requested=retry_state.requested, last_look=retry_state.last_look)
    if ended.as_requested and ended.code in _STOPPED:
        return replace(retry_state, requested=True)
    left = replace(retry_state, tries=retry_state.tries + 1, partly=ended.code == PARTIAL, requested=False)
    if retry := _retry_without_failure(left, ended, settings, dice):
        return replace(left, retry=retry)
    failed = replace(left, failures=retry_state.failures + 1)
    if ended.code == UNUSABLE or failed.failures > settings.retries:
        return replace(failed, parked=Parked(since=ended.now, failures=failed.failures, reason=failure_reason(ended)))
    return replace(failed, retry=ended.now + backoff(settings.retry_after, failed.failures, dice))


def failure_reason(ended: Ended) -> str:
    """The reason of a failed run: the meaning of its exit code, and its last message."""
    unlisted = f"ended by signal {ended.code - SIGNALLED}" if ended.code > SIGNALLED else _MEANINGS[FAILED]
    means = _MEANINGS.get(ended.code, unlisted)
    return f"exit code {ended.code} ({means})" + (f": {ended.message}" if ended.message else "")


def backoff(first: timedelta, tries: int, dice: Random, longest: timedelta = LONGEST_WAIT) -> timedelta:
    """The wait after so many tries: `first`, doubled each time up to `longest`, and a little chance."""
    plain = max(first, SHORTEST_WAIT)
    for _ in range(min(tries - 1, _DOUBLINGS)):
        plain = min(2 * plain, longest) if plain < longest else plain
    return plain * dice.uniform(1 - JITTER, 1 + JITTER)


def _retry_without_failure(left: JobRetryState, ended: Ended, settings: JobSettings, dice: Random) -> datetime | None:
    """The moment to retry a job that left work undone without a failure; `None` if it failed."""
    if ended.code == OVER_BUDGET:  # the budget is one of local days
        return day_start(local_day(ended.now, ended.zone) + timedelta(days=1), ended.zone)
    if ended.code not in {PARTIAL, WAITING, HELD}:
        return None
    longest = LONGEST_WAIT_FOR_A_LOCK if ended.code == HELD else LONGEST_WAIT
    return ended.now + backoff(settings.retry_after, left.tries, dice, longest)


def jobs_to_look_at(
    standings: Sequence[ScheduledJob], retry_states: Mapping[str, JobRetryState], now: datetime
) -> list[str]:
    """The jobs to look at, in the order of `standings`, in which each follows what it needs.

    A requested job waits while a job that it needs is parked or is about to be tried again: its own run would
    begin with that job's.
    """
    return [
        standing.job
        for standing in standings
        if is_requested_now(retry_states[standing.job], now)
        and not any(retry_states[name].is_troubled for name in standing.needs if name in retry_states)
    ]


def is_requested_now(retry_state: JobRetryState, now: datetime) -> bool:
    """Whether a look at a job was requested, or its retry is due."""
    if retry_state.parked:
        return False
    return retry_state.requested if retry_state.retry is None else retry_state.retry <= now


def is_resumed(retry_state: JobRetryState, standing: ScheduledJob) -> bool:
    """Whether a parked job was run well since."""
    return bool(retry_state.parked and standing.success and standing.success > retry_state.parked.since)
