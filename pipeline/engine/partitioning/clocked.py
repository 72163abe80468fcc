"""Jobs of a clock: windows between ticks, days, weeks and months."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import Partitioning, ids_seen, subjects
from pipeline.job import Job, Schedule
from pipeline.ledger.changes import REBUILT
from pipeline.ledger.coverage import Covered, State, Stretch, span_of
from pipeline.scheduling.registry import upstream, with_upstream
from pipeline.scheduling.windows import (
    closed_until,
    closes,
    due,
    last_edge,
    missing_in,
    name_of,
    window_around,
    window_at,
)
from pipeline.workspace.families import Slots
from schemas.service_settings import CatchUp
from schemas.transcript import Session
from schemas.window import PartitionKey, Window

_DAY, _INSTANT = timedelta(days=1), timedelta(microseconds=1)
JUST_NOW = timedelta(hours=1)
"""With `catch_up = "none"`, how long after it has closed a window still runs: time for the retries of a failure."""


def schedule_of(engine: Engine, job: Job) -> Schedule | None:
    """A job's schedule, with the crontab line of the settings if they have one; `None` when it has no clock."""
    configured = engine.settings.jobs.get(job.name)
    return job.clock and replace(job.clock, cron=(configured.schedule if configured else None) or job.clock.cron)


@dataclass(frozen=True)
class Clocked(Partitioning):
    """The windows of a job. The ledger keeps intervals, not windows, so a changed schedule makes no time missing."""

    @cached_property
    def schedule(self) -> Schedule:
        """The job's schedule, as configured."""
        schedule = schedule_of(self.engine, self.job)
        if schedule is None:  # `partitioning_of` makes none for such a job
            message = f"{self.job.name} has no clock"
            raise TypeError(message)
        return schedule

    def due(self) -> list[PartitionKey]:
        """The missing, failed or stale windows since `start`, less those that the settings leave to a back-fill."""
        return [self.key(window, subject) for window, subject in self._due()]

    def due_windows(self) -> list[Window]:
        """The windows of these, without their names: there may be thousands."""
        return [window for window, _ in self._due()]

    def windows_or_left(self, since: datetime) -> list[Window]:
        """The windows that are missing, failed or stale, without their names."""
        span = self._since_start()
        if span is None or span.end <= since:
            return []
        later = Window(start=max(span.start, since), end=span.end)
        return [window for window, _ in self._open(later, again=False)]

    def _due(self) -> Iterator[tuple[Window, str]]:
        if span := self._since_start():
            still_open = self._open(span, again=False)
            yield from (
                (window, subject)
                for window, subject in still_open
                if self._is_caught_up(window, span.end) or self._was_open(window, subject)
            )

    def due_or_left(self) -> list[PartitionKey]:
        """The missing, failed or stale windows since `start`; none without a `start`."""
        span = self._since_start()
        return [self.key(window, subject) for window, subject in self._open(span, again=False)] if span else []

    def within(self, days: Window) -> list[PartitionKey]:
        """The closed windows that start in these days and have to run."""
        closed, zone = self._closed_until(), self.engine.zone
        first = window_around(self.schedule, zone, days.start - _INSTANT).end
        if closed is None or first >= days.end:
            return []
        end = min(closed, window_around(self.schedule, zone, days.end - _INSTANT).end)
        windows = self._open(Window(start=first, end=end), again=True) if first < end else ()
        return [self.key(window, subject) for window, subject in windows]

    def at(self, moment: datetime) -> PartitionKey | None:
        """The window of the moment, cut off there."""
        return self.key(window_at(self.schedule, self.engine.zone, moment))

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether any time of the window has to run."""
        if users_of(self.engine, self.job, partition.window):
            return False
        stretches = self._stretches_known(partition.window, partition.subject, again=again)
        return bool(missing_in(partition.window, stretches, again=again))

    def sessions(self, partition: PartitionKey) -> list[Session]:
        """The sessions with pieces in the window; for a subject, those of the agent."""
        agents = self.engine.settings.agents
        sessions = self.engine.catalog.sessions(partition.window, self.engine.horizon)
        return [
            session
            for session in sessions
            if partition.subject in {"", agents.of_session(session.source, session.agent)}
        ]

    def cover(self, partition: PartitionKey, run_id: str, sessions: Sequence[Session]) -> None:
        """Note the interval, and the messages seen in it."""
        self._note(partition, State.COVERED, run_id, ids_seen(sessions, partition.window))

    def open_among(self, partitions: Sequence[PartitionKey], *, again: bool) -> list[PartitionKey]:
        """The partitions, all of one subject, that have to run, as `is_due` says of each."""
        subject, readers = partitions[0].subject, final_readers(self.engine, self.job)
        span = span_of(partition.window for partition in partitions)
        known, still_open = self._stretches_known(span, subject, again=again), list[PartitionKey]()
        for partition in partitions:
            window = partition.window
            first = bisect_right(known, window.start, key=lambda stretch: stretch.window.end)
            last = bisect_left(known, window.end, key=lambda stretch: stretch.window.start)
            missing = missing_in(window, known[first:last], again=again)
            if missing and not any(_users(self.engine, self.job, readers, window)):
                still_open.append(partition)
        return still_open

    def cover_idle(self, runs: Mapping[PartitionKey, str]) -> None:
        """Note the intervals of partitions of one subject, each with its run, in which there was no message."""
        (subject,) = {partition.subject for partition in runs}
        windows = {partition.window: run_id for partition, run_id in runs.items()}
        self.engine.ledger.coverage.cover_all(self.job.name, windows, subject=subject)

    def mark_undone(self, partition: PartitionKey, run_id: str) -> None:
        """Note the interval as undone."""
        self._note(partition, State.UNDONE, run_id, {})

    def _note(self, partition: PartitionKey, state: State, run_id: str, messages: Mapping[str, list[str]]) -> None:
        coverage, subject = self.engine.ledger.coverage, partition.subject
        coverage.cover(self.job.name, partition.window, state, run_id, messages, subject=subject)

    def find_covered(self, span: Window) -> list[Covered]:
        """The stretches of all subjects in a span."""
        return [
            Covered(self.key(stretch.window, subject), stretch.state, stretch.run_id, stretch.stale)
            for subject in self.engine.ledger.coverage.subjects(self.job.name)
            for stretch in self._stretches(span, subject)
        ]

    def mark_stale(self, span: Window | None = None) -> bool:
        """Note the covered stretches of a span as stale, or the last one of each subject."""
        marked = False
        for subject in self.engine.ledger.coverage.subjects(self.job.name):
            stretches = self._stretches(span, subject)
            for stretch in stretches if span else stretches[-1:]:
                if stretch.state is State.COVERED:
                    self.engine.ledger.coverage.mark_stale(stretch)
                    marked = True
        return marked

    def key(self, window: Window, subject: str = "") -> PartitionKey:
        """A window with its name."""
        return PartitionKey(key=name_of(self.schedule, self.engine.zone, window), window=window, subject=subject)

    def _stretches(self, span: Window | None, subject: str) -> list[Stretch]:
        return self.engine.ledger.coverage.stretches(self.job.name, span, subject)

    def _stretches_known(self, span: Window, subject: str, *, again: bool) -> list[Stretch]:
        """The stretches of a span. A back-fill runs again what a lost ledger was rebuilt with, for its suggestions.

        What stands is known by its words, and not written twice.
        """
        stretches = self._stretches(span, subject)
        if not (again and self.job.on_request):
            return stretches
        return [
            replace(stretch, state=State.UNKNOWN) if stretch.run_id == REBUILT else stretch for stretch in stretches
        ]

    def _open(self, span: Window, *, again: bool) -> Iterator[tuple[Window, str]]:
        """The windows that have to run, each with its subject."""
        readers = final_readers(self.engine, self.job)
        for subject in subjects(self.engine, self.job):
            windows = due(
                self.schedule, self.engine.zone, span, self._stretches_known(span, subject, again=again), again=again
            )
            free = (window for window in windows if not any(_users(self.engine, self.job, readers, window)))
            yield from ((window, subject) for window in free)

    def _is_caught_up(self, window: Window, closed: datetime) -> bool:
        """Whether a window runs by itself; `closed` is the end of the last closed window."""
        settings = self.engine.settings.jobs.get(self.job.name)
        if settings is None:
            return True
        if settings.catch_up is CatchUp.LATEST and window.end != closed:
            return False
        limits = [settings.max_age] if settings.max_age else []
        if settings.catch_up is CatchUp.NONE:
            limits.append(JUST_NOW)
        if not limits:
            return True
        return self.engine.clock.now() - closes(self.schedule, self.engine.zone, window) <= min(limits)

    def _was_open(self, window: Window, subject: str) -> bool:
        """Whether a window may have closed over a talk that went on, and has to run again now that this is over.

        That is no missed window, so `catch_up` and `max_age` do not hold for it. No talk is open for a day.
        """
        stale = any(stretch.stale for stretch in self._stretches(window, subject))
        return stale and self.engine.clock.now() - closes(self.schedule, self.engine.zone, window) <= _DAY

    def _since_start(self) -> Window | None:
        """The time from `start` to the end of the last closed window."""
        since, end = self.engine.settings.start, self._closed_until()
        return Window(start=since, end=end) if since and end and since < end else None

    def _closed_until(self) -> datetime | None:
        """The end of the last window that has closed, for the job and for all of a clock that it depends on."""
        now, zone = self.engine.clock.now(), self.engine.zone
        needed = (schedule_of(self.engine, job) for job in with_upstream([self.job], self.engine.jobs))
        ends = [closed_until(schedule, zone, now) for schedule in needed if schedule]
        known = [end for end in ends if end]
        return last_edge(self.schedule, zone, min(known)) if len(known) == len(ends) else None


def users_of(engine: Engine, job: Job, window: Window) -> list[tuple[Job, Covered]]:
    """The jobs that have read the final pages of a job in `window`, each with its covered partition.

    A stale fold does not count: it will be rendered without the page.
    """
    return list(_users(engine, job, final_readers(engine, job), window))


def final_readers(engine: Engine, job: Job) -> list[Job]:
    """The jobs that read the final pages of a job, if it writes any."""
    return [other for other in engine.jobs if job.writes.final and job in upstream(other, engine.jobs)]


def _users(engine: Engine, job: Job, readers: Sequence[Job], window: Window) -> Iterator[tuple[Job, Covered]]:
    for other in readers:
        if other.is_fold:
            slots = Slots(day=local_day(window.start, engine.zone))
            page = engine.family(job).path(slots)
            records = engine.ledger.keyed.with_input(other.name, page)
            covered: Sequence[Covered] = [record for record in records if not record.stale]
        elif other.clock:
            stretches = Clocked(engine, other).find_covered(window)
            covered = [stretch for stretch in stretches if stretch.partition.window.end >= window.end]
        else:
            continue
        yield from ((other, part) for part in covered if part.state is State.COVERED)


@dataclass(frozen=True)
class Upcoming:
    """The next window that becomes due by itself, its name, and the moment from which it is run."""

    window: Window
    run_from: datetime
    key: str = ""


def upcoming(engine: Engine, job: Job) -> Upcoming | None:
    """The next window by the clock; `None` when there is none: there is no `start`, or the job has no clock."""
    start, schedule = engine.settings.start, schedule_of(engine, job)
    if start is None or schedule is None:
        return None
    # A window that has ended is still the next one until it has closed.
    closed = closed_until(schedule, engine.zone, engine.clock.now())
    window = window_around(schedule, engine.zone, max(closed, start) if closed else start)
    return Upcoming(window, closes(schedule, engine.zone, window), name_of(schedule, engine.zone, window))
