"""The service's decisions, one step at a time: which children have ended, which jobs to start, and the state to write.

Nothing here waits, starts a thread or knows what a process is: the caller gives the readings of the clocks and the way
to start a child, and waits between steps. So a test plays a month of it in a minute.
"""

import json
import os
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock

from pipeline.errors import LedgerNewer, PipelineError, WriteFailed
from pipeline.events import Event
from pipeline.service.scheduling.clock_jumps import ClockWatch
from pipeline.service.scheduling.ports import Child, DispatcherOptions, Starting, WatchedWorkspace
from pipeline.service.scheduling.retry_policy import (
    Ended,
    JobRetryState,
    ScheduledJob,
    is_resumed,
    jobs_to_look_at,
    state_after,
)
from schemas.outcome import SUCCESSES, Ending
from schemas.service_settings import Overlap
from schemas.service_state import ChildState, JobState, Missed, ServiceState
from schemas.settings import JobSettings

_TAIL_BYTES = 64_000
_LONGEST = 500  # characters
_MESSAGE_PREFIX = "memory: "  # the prefix of the command's messages to a person
_NO_SUCCESSES = frozenset(Ending) - SUCCESSES


def last_message(log: Path) -> str:
    """The reason of a failed run, from its log: its last message to a person, or the last warning of an outcome."""
    try:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL_BYTES, 0))
            lines = file.read().decode(errors="replace").split("\n")  # a text of JSON may hold any other line end
    except OSError:
        return ""
    reason = next(filter(None, map(_reason_in, reversed(lines))), "")
    return " ".join(reason.split())[:_LONGEST]


def _reason_in(line: str) -> str:
    """The reason of a failure in a line of the log; empty without one."""
    if line.startswith(_MESSAGE_PREFIX):
        return line.removeprefix(_MESSAGE_PREFIX)
    with suppress(ValueError):
        event = json.loads(line) if line.startswith("{") else {}
        return str(event.get("warning") or "") if str(event.get("ending")) in _NO_SUCCESSES else ""
    return ""


SHORTEST, LONGEST = timedelta(seconds=5), timedelta(minutes=5)
"""The limits of the pause between two notices that are heeded: doubled each time, until a pause goes by without."""


class Notices:
    """The notices that wait to be heeded. May be used from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting = 0
        self._pause = SHORTEST
        self._heeded: datetime | None = None

    def add(self) -> bool:
        """Take a notice. Returns whether no other waits."""
        with self._lock:
            self._waiting += 1
            return self._waiting == 1

    def heed(self, now: datetime) -> int:
        """Heed the notices that wait. Returns their number; 0 during the pause after the last ones."""
        with self._lock:
            if not self._waiting or self._remaining_pause(now):
                return 0
            after = now - self._heeded if self._heeded else LONGEST
            self._pause = min(2 * self._pause, LONGEST) if timedelta() <= after < 2 * self._pause else SHORTEST
            self._heeded, waiting, self._waiting = now, self._waiting, 0
            return waiting

    def wait(self, now: datetime) -> timedelta | None:
        """The time until the waiting notices are heeded; `None` without one."""
        with self._lock:
            return self._remaining_pause(now) if self._waiting else None

    def _remaining_pause(self, now: datetime) -> timedelta:
        """The rest of the pause; zero if the clock was set back."""
        left = self._heeded + self._pause - now if self._heeded else timedelta()
        return left if timedelta() < left <= self._pause else timedelta()


LONGEST_SLEEP_SECONDS = 60.0
"""Between two turns; a machine that wakes up is noticed within it."""
REGULARLY = timedelta(minutes=5)
"""The interval of looks without a tick: settings may be new, or a person has run a parked job."""
SOON = timedelta(seconds=10)
"""The interval while a job is parked."""
REMEMBERED = timedelta(days=32)
"""The age of the oldest ticks that are reported as missed while the service was down."""
MISSED_KEPT = 200


class Dispatcher:
    """The scheduler of one life of the service.

    The serving loop is: `turn()`, then sleep until a child ends or `wait_seconds()` are over, and again. To end:
    `stop()`, then turns until `child` is none.
    """

    def __init__(self, subject: WatchedWorkspace, start: Starting, options: DispatcherOptions) -> None:
        """Take over the state file of the life before; nothing is looked at or started yet."""
        self._subject, self._start, self._options = subject, start, options
        before = options.file.read()
        self.notices = Notices()
        self._clocks = ClockWatch(options.read, before.alive if before else None)
        jobs = before.jobs if before else {}
        self._retry_states = {
            name: JobRetryState(
                job.failures, tries=job.failures, parked=job.parked, requested=True, last_look=job.last_look
            )
            for name, job in jobs.items()
        }
        self._standings: Sequence[ScheduledJob] = ()
        self._seen = max(self._clocks.since, self._now - REMEMBERED)
        self._looked: datetime | None = None
        self._child: Child | None = None
        self._unread, self._stopping = True, False
        self._trouble = self._unwritten = ""
        self._state = ServiceState(
            pid=os.getpid(),
            host=socket.gethostname(),
            version=options.version,
            started=self._now,
            alive=self._now,
            jobs=jobs,
            missed=before.missed if before else (),
        )

    @property
    def child(self) -> Child | None:
        """The child at work."""
        return self._child

    @property
    def trouble(self) -> str:
        """The fault of the workspace or of the state file, as a sentence; mostly empty."""
        return self._trouble or self._unwritten

    @property
    def state(self) -> ServiceState:
        """The service as it stood after the last turn; the same as in the state file, but for `alive`."""
        return self._state

    def turn(self) -> None:
        """One step: handle ended children, sleep, changed clocks and ticks; start the next child; write the state."""
        self._notice_time()
        self._notice_end()
        try:
            self._look_if_time()
            if count := self.notices.heed(self._now):  # agents tell of new records: jobs may be due with them
                self._unread = True
                self._ask(self._retry_states)
                self._options.emit(Event.RECORDS_NOTICED, notices=count)
            if self._child is None and not self._stopping:
                self._start_next()
        except PipelineError as error:
            if isinstance(error, LedgerNewer) and not self._stopping:
                raise
            self._trouble, self._looked = str(error), None
        self._write_state()

    def look_again(self) -> None:
        """Look at the workspace in the next turn: settings may be new, or a person may have mended something."""
        self._looked = None

    def stop(self) -> None:
        """Start nothing any more, and ask the child at work to stop. For the loop, not for a signal handler."""
        if not self._stopping:
            self._stopping = True
            if self._child:
                self._child.stop()

    def moments(self) -> list[datetime]:
        """The moments of the next ticks and retries in the future, sorted."""
        ticks = [standing.next_look for standing in self._standings]
        retries = [retry_state.retry for retry_state in self._retry_states.values() if not retry_state.parked]
        return sorted({moment for moment in [*ticks, *retries] if moment and moment > self._now})

    def wait_seconds(self) -> float:
        """The seconds to sleep until the next turn, if no child ends before; at most 60."""
        now = self._options.read().wall
        pauses = [self._pause, *(tick - now for tick in self.moments()[:1])]
        if (notices := self.notices.wait(now)) is not None:
            pauses.append(notices)
        return min(LONGEST_SLEEP_SECONDS, *(max(pause.total_seconds(), 0.0) for pause in pauses))

    @property
    def _pause(self) -> timedelta:
        """The interval of looks without a tick. A person who mends a parked job waits for the next look."""
        return SOON if any(retry_state.parked for retry_state in self._retry_states.values()) else REGULARLY

    @property
    def _now(self) -> datetime:
        return self._clocks.now

    def _notice_time(self) -> None:
        """Compare the clocks with those of the last turn."""
        jump = self._clocks.turn()
        if jump is None:
            return
        self._options.emit(Event.CLOCK_CHANGED, why=jump.why.value, seconds=round(jump.seconds, 1))
        self._looked = None
        self._ask(self._retry_states)
        if jump.why is Missed.CLOCK:
            # Moments that were reckoned by the old clock mean nothing by the new one.
            self._retry_states = {
                name: retry_state.by_another_clock(self._now) for name, retry_state in self._retry_states.items()
            }

    def _notice_end(self) -> None:
        child = self._child
        if child is None or (code := child.exit_code()) is None:
            return
        self._child, self._looked = None, None
        self._options.emit(Event.JOB_ENDED, job=child.job, code=code, log=str(child.log))
        message = last_message(child.log) if code else ""
        self._note_retry_state(
            child.job, Ended(code, self._now, self._subject.zone, message, as_requested=self._stopping)
        )

    def _note_retry_state(self, job: str, ended: Ended) -> None:
        settings = next((standing.settings for standing in self._standings if standing.job == job), JobSettings())
        retry_state = self._retry_states[job] = state_after(
            self._retry_states.get(job, JobRetryState()), ended, settings, self._options.dice
        )
        if retry_state.parked:
            self._options.emit(
                Event.JOB_PARKED, job=job, reason=retry_state.parked.reason, failures=retry_state.failures
            )
        elif retry_state.retry:
            self._options.emit(Event.JOB_RETRIED, job=job, code=ended.code, at=retry_state.retry.isoformat())

    def _look_if_time(self) -> None:
        """Look at the workspace when a tick has come, something ended or changed, or it has not been for a while."""
        ticks = [standing.next_look for standing in self._standings if standing.next_look]
        if self._looked and self._now < min([self._looked + self._pause, *ticks]):
            return
        self._standings = self._subject.look(min(self._seen, self._now), self._now)
        self._seen = self._looked = self._now
        self._trouble = ""
        self._retry_states = {
            standing.job: self._retry_states.get(standing.job, JobRetryState(requested=True))
            for standing in self._standings
        }
        for standing in self._standings:
            if is_resumed(self._retry_states[standing.job], standing):
                self._retry_states[standing.job] = JobRetryState(requested=True)
                self._options.emit(Event.JOB_RESUMED, job=standing.job)
        self._note_missed()
        self._ask_for_ticks()

    def _note_missed(self) -> None:
        ticks = ((standing.job, tick) for standing in self._standings for tick in standing.ticks)
        missed_ticks = self._clocks.take_missed(ticks)[-MISSED_KEPT:]
        for missed in missed_ticks:
            self._options.emit(Event.TICK_MISSED, job=missed.job, at=missed.at.isoformat(), why=missed.why.value)
        kept = (*self._state.missed, *missed_ticks)[-MISSED_KEPT:]
        self._state = self._state.model_copy(update={"missed": kept})

    def _ask_for_ticks(self) -> None:
        """Request the jobs with a tick, and the jobs that depend on them: they may be due too."""
        ticked = {standing.job for standing in self._standings if standing.ticks}
        at_work = {
            standing.job: standing.needs
            for standing in self._standings
            if self._child and standing.job == self._child.job
        }
        busy = {*at_work, *(name for needs in at_work.values() for name in needs)}
        self._ask(
            standing.job
            for standing in self._standings
            if (standing.job in ticked or standing.needs & ticked)
            and not (standing.job in busy and standing.settings.overlap is Overlap.SKIP)
        )

    def _ask(self, jobs: Iterable[str]) -> None:
        self._retry_states |= {job: replace(self._retry_states[job], requested=True) for job in jobs}

    def _start_next(self) -> None:
        """Start the first due job of the requested ones. The jobs before it have been looked at."""
        while self._child is None and (wanted := jobs_to_look_at(self._standings, self._retry_states, self._now)):
            job = wanted[0]
            # The ledger does not have the new transcripts yet: a child reads them, whatever its job.
            if self._unread or self._subject.is_due(job):
                self._start_job(job)
            else:
                self._retry_states[job] = JobRetryState(last_look=self._now)

    def _start_job(self, job: str) -> None:
        self._unread = False
        self._retry_states[job] = replace(self._retry_states[job], requested=False, retry=None, last_look=self._now)
        try:
            child = self._start(job)
        except PipelineError as error:
            self._note_retry_state(job, Ended(error.exit_code, self._now, self._subject.zone, str(error)))
            return
        self._child = child
        self._options.emit(Event.JOB_STARTED, job=job, pid=child.pid, log=str(child.log))
        log = child.log.relative_to(self._options.root) if child.log.is_absolute() else child.log
        at_work = ChildState(job=job, pid=child.pid, since=self._now, log=log.as_posix())
        self._state = self._state.model_copy(update={"child": at_work})

    def _write_state(self) -> None:
        comes = {standing.job: standing.next_look for standing in self._standings}
        jobs = {
            job: JobState(
                last_look=retry_state.last_look,
                next_look=None if retry_state.parked else retry_state.retry or comes.get(job),
                failures=retry_state.failures,
                parked=retry_state.parked,
            )
            for job, retry_state in self._retry_states.items()
        }
        child = self._state.child if self._child else None
        self._state = self._state.model_copy(update={"alive": self._now, "jobs": jobs, "child": child})
        try:
            self._options.file.renew(self._state)
            self._unwritten = ""
        except WriteFailed as error:
            self._unwritten = str(error)
