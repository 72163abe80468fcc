"""The plan of a series of runs: its partitions in their order, and its result."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitioning_of, partitionings_of
from pipeline.engine.partitioning.base import Requested
from pipeline.engine.partitioning.clocked import schedule_of
from pipeline.errors import Held, RequestRefused
from pipeline.job import AfterEpisode, EveryNth, Job, OnChange
from pipeline.ledger.coverage import span_of
from pipeline.ledger.runs import Attempt
from pipeline.scheduling.registry import jobs_named, upstream, with_upstream
from pipeline.scheduling.windows import window_around
from schemas.outcome import EXIT_CODES, SUCCESSES, Ending, Outcome
from schemas.run_options import Only
from schemas.run_request import BackfillRequest
from schemas.window import PartitionKey, Window

if TYPE_CHECKING:
    from pipeline.engine.runner import Runner

ALL_TIME = Window(start=datetime.min.replace(tzinfo=UTC), end=datetime.max.replace(tzinfo=UTC))

_SEVERAL = 8
"""The partitions of a plan from which on the empty ones are looked for."""
FAILURES = 3  # days in a row on which a job failed, after which it is left alone
_WRITTEN = (Ending.DONE, Ending.DEGRADED)
_STOPPING = (Ending.WAITING, Ending.OVER_BUDGET)
_FAILING = (Ending.FAILED, Ending.TIMED_OUT)


@dataclass(frozen=True)
class Planned:
    """A partition to run."""

    job: Job
    partition: PartitionKey

    @property
    def window(self) -> Window:
        """The time that it is about."""
        return self.partition.window


def due_now(engine: Engine, jobs: Sequence[Job]) -> list[Planned]:
    """The due partitions, oldest first: missing, failed, stale or changed since `start`.

    Clock jobs have none without `start`.

    Windows that a job's settings leave to a back-fill (`catch_up`, `max_age`) are not among them.
    """
    return _in_order((job, kind.due()) for job in jobs for kind in partitionings_of(engine, job))


def in_days(engine: Engine, jobs: Sequence[Job], first: date, last: date) -> list[Planned]:
    """The windows that start on the local days `first` to `last`, both inside, and have to run; folds whole.

    With a job that cuts episodes come those that follow it: they run after each of its episodes anyway.
    """
    days = Window(start=day_start(first, engine.zone), end=day_start(last + timedelta(days=1), engine.zone))
    names, open_keys = {job.name for job in jobs}, dict[str, list[PartitionKey]]()
    whole = [*jobs, *(job for job in engine.jobs if job.name not in names and _episode_job_of(job) in names)]
    for job in whole:
        known = [partition for kind in partitionings_of(engine, job) for partition in kind.within(days)]
        ids = {(key.subject, key.key) for key in known}
        coming = (key for key in open_keys.get(_episode_job_of(job), ()) if (key.subject, key.key) not in ids)
        partitioning = partitioning_of(engine, job)
        open_keys[job.name] = [*known, *(key for key in coming if partitioning.is_due(key, again=True))]
    return _in_order((job, open_keys[job.name]) for job in whole)


def _episode_job_of(job: Job) -> str:
    """The name of the job whose episodes a job follows; empty without one."""
    return job.schedule.of if isinstance(job.schedule, AfterEpisode) else ""


def follow_ups(engine: Engine, jobs: Iterable[Job]) -> list[Planned]:
    """The partitions of folds, groups and later episodes that are due because of what these jobs wrote."""
    written, later = list(jobs), AfterEpisode | OnChange | EveryNth
    made = [candidate for candidate in engine.jobs if isinstance(candidate.schedule, later)]
    return due_now(
        engine,
        [candidate for candidate in made if any(job in with_upstream([candidate], engine.jobs) for job in written)],
    )


def select_partitions(engine: Engine, plan: Sequence[Planned], only: Only) -> list[Planned]:
    """The partitions of the wanted sort in a plan, in its order."""
    if only is Only.ALL or not plan:
        return list(plan)
    span = span_of(item.window for item in plan)
    bad, stale = dict[str, set[Window]](), dict[str, list[Window]]()
    for name in {item.job.name for item in plan}:
        (job,) = jobs_named([name], engine.jobs)
        newest = newest_attempts(engine, job, span, [item.window for item in plan if item.job is job])
        bad[name] = {window for window, attempt in newest.items() if attempt.ending not in SUCCESSES}
        stale[name] = [
            covered.partition.window for covered in partitioning_of(engine, job).find_covered(span) if covered.stale
        ]

    def sort(name: str, window: Window) -> Only:
        if window in bad[name]:
            return Only.FAILED
        place = bisect_right(stale[name], window.start, key=lambda stale_window: stale_window.end)
        return (
            Only.STALE
            if any(stale_window.start < window.end for stale_window in stale[name][place : place + 1])
            else Only.MISSING
        )

    return [planned for planned in plan if sort(planned.job.name, planned.window) is only]


def newest_attempts(engine: Engine, job: Job, span: Window, due: Iterable[Window]) -> dict[Window, Attempt]:
    """The newest attempt of each window that overlaps `span`; of a fold its newest of all, for every window of `due`.

    A fold is about no time, so its window is the moment at which somebody asks what is due.
    """
    if job.is_fold:
        newest = engine.ledger.runs.attempts(job.name, ALL_TIME)[-1:]
        return {window: attempt for window in due for attempt in newest}
    return {attempt.window: attempt for attempt in engine.ledger.runs.attempts(job.name, span)}


def at(engine: Engine, jobs: Sequence[Job], moment: datetime) -> list[Planned]:
    """The partition of one moment for each job of a clock; it sees nothing after the moment."""
    due = ((job, partitioning_of(engine, job).at(moment)) for job in jobs)
    return [Planned(job, partition) for job, partition in due if partition]


def newest_first(plan: Sequence[Planned], zone: str) -> list[Planned]:
    """The plan with its newest week first, each in the order of time; what has no clock comes last, as it was.

    The last weeks matter most where a model takes days for all of them.
    """

    def week(item: Planned) -> date:
        day = local_day(item.window.start, zone)
        return day - timedelta(days=day.weekday())

    clocked = sorted((item for item in plan if item.job.clock), key=week, reverse=True)
    return [*clocked, *(item for item in plan if not item.job.clock)]


def _in_order(keys_by_job: Iterable[tuple[Job, Sequence[PartitionKey]]]) -> list[Planned]:
    """Partitions by time; at the same time in the order of their jobs, in which a job follows what it needs."""
    ranked = [(key.window.end, rank, Planned(job, key)) for rank, (job, keys) in enumerate(keys_by_job) for key in keys]
    return [planned for _, _, planned in sorted(ranked, key=lambda entry: entry[:2])]


IsOver = Callable[[Planned], bool]
"""Whether a partition is not worth trying now."""


def work_through(
    runner: "Runner",
    plan: Sequence[Planned],
    *,
    again: bool = False,
    wait_seconds: float = 0,
    before: Callable[[int, IsOver], None] = lambda _place, _is_over: None,
) -> Iterator[Outcome]:
    """Run the partitions in order, and yield each outcome; those that another process has done meanwhile are skipped.

    Partitions that become due because of a write (see `follow_ups`) run at the end, each once. When another process
    holds a lock, the series ends with an outcome `locked`. `FailurePolicy` decides when a job is given up for now.
    `before` is called with the place in the plan of each partition that is about to run.
    """
    policy = FailurePolicy(runner.engine.zone, runner.engine.jobs)
    queue, wrote, idle = list(plan), dict[str, Job](), None
    if len(plan) >= _SEVERAL:
        from pipeline.backfill.silence import IdleRuns  # noqa: PLC0415 - most runs find little that is due

        idle = IdleRuns(runner, plan, again=again)
    for place, planned in enumerate(_with_follow_ups(runner.engine, queue, wrote)):
        if policy.is_over(planned):
            policy.pass_over(planned)
            continue
        if place < len(plan):
            before(place, policy.is_over)
        try:
            together = idle.run_from(place, policy.is_over) if idle else None
            outcome = together or runner.run(planned.job, planned.partition, again=again, wait_seconds=wait_seconds)
        except Held as error:
            yield _locked_outcome(planned, str(error))
            return
        if outcome is not None:
            policy.note(planned, outcome.ending)
            if outcome.paths:
                wrote[planned.job.name] = planned.job
            yield outcome
            if outcome.ending is Ending.LOCKED:
                return


def _with_follow_ups(engine: Engine, queue: list[Planned], wrote: dict[str, Job]) -> Iterator[Planned]:
    """The queue, then the partitions that `wrote` has made due, until there are no new ones; each partition once."""
    tried = set[tuple[str, str, str]]()
    while queue:
        for planned in queue:
            tried.add((planned.job.name, planned.partition.subject, planned.partition.key))
            yield planned
        # The pages of folds that somebody asked for rest on no window, so every series makes them at its end.
        folds = [job for job in engine.jobs if job.is_fold and job.on_request]
        requested = _in_order((job, Requested(engine, job).due()) for job in folds)
        planned_next = [*requested, *follow_ups(engine, list(wrote.values()))]
        wrote.clear()
        queue = [
            follow_up
            for follow_up in planned_next
            if (follow_up.job.name, follow_up.partition.subject, follow_up.partition.key) not in tried
        ]


class FailurePolicy:
    """The consequences of a failure for the partitions that follow.

    After one failure the series goes on, except for the other windows of that day: they write to the same file, and are
    left for the next run. A job is given up when it fails or overruns on several days without a success between them
    (the disk is full, the folder is gone), or when its model does not answer. Unreadable transcripts do not count:
    other windows do not need them. Partitions that depend on a failed one wait for it.
    """

    def __init__(self, zone: str, jobs: Sequence[Job]) -> None:
        """`jobs` are all jobs; their dependencies are derived from them."""
        self._zone = zone
        self._needs = {job.name: {other.name for other in upstream(job, jobs)} for job in jobs}
        self._unsettled: list[tuple[str, Window]] = []
        self._alone: set[str] = set()
        self._days: set[tuple[str, date]] = set()
        self._failures: Counter[str] = Counter()

    def is_over(self, planned: Planned) -> bool:
        """Whether a partition is not worth trying now."""
        failed = bool(self._days) and self._place(planned) in self._days  # which in most series none did
        alone = planned.job.name in self._alone or failed
        mine = planned.window
        return alone or any(
            name in self._needs[planned.job.name] and window.start < mine.end and mine.start < window.end
            for name, window in self._unsettled
        )

    def pass_over(self, planned: Planned) -> None:
        """Take in that a partition was not tried."""
        self._unsettled.append((planned.job.name, planned.window))

    def note(self, planned: Planned, ending: Ending) -> None:
        """Record the outcome of a partition. An outcome without anything to write changes nothing."""
        name = planned.job.name
        if ending not in SUCCESSES:
            self.pass_over(planned)
        if ending in (*_FAILING, Ending.UNREADABLE):
            self._days.add(self._place(planned))
        if ending in _FAILING:
            self._failures[name] += 1
        elif ending in _WRITTEN:
            self._failures[name] = 0
        if ending in _STOPPING or self._failures[name] >= FAILURES:
            self._alone.add(name)

    def _place(self, planned: Planned) -> tuple[str, date]:
        return planned.job.name, local_day(planned.window.start, self._zone)


def _locked_outcome(planned: Planned, warning: str) -> Outcome:
    return Outcome(
        job=planned.job.name,
        subject=planned.partition.subject,
        key=planned.partition.key,
        window=planned.window,
        ending=Ending.LOCKED,
        warning=warning,
    )


def exit_code(endings: Sequence[Ending]) -> int:
    """The exit code of a series: that of its gravest outcome; `partial` when some failed and some did not."""
    if Ending.FAILED in endings:
        return EXIT_CODES[Ending.FAILED if {Ending.FAILED, Ending.UNREADABLE} >= set(endings) else Ending.PARTIAL]
    return max((EXIT_CODES[ending] for ending in endings), default=0)


EARLIEST = date(1971, 1, 1)
"""Arithmetic with zones ends near the first year; a message of such a time has a broken clock."""


@dataclass(frozen=True)
class BackfillScope:
    """The jobs of a back-fill, in the order of the registry, and its local days, both inside."""

    jobs: tuple[Job, ...]
    first: date
    last: date


def scope(engine: Engine, request: BackfillRequest) -> BackfillScope | None:
    """The scope of a request, of the jobs that still exist; `None` when it begins with a message and there is none.

    The catalog must have been refreshed.
    """
    # The registry's order, not the request's: it decides which job comes first at the same time.
    jobs = tuple(job for job in engine.jobs if not request.jobs or job.name in request.jobs)
    first = request.first or _first_day(engine, jobs)
    return BackfillScope(jobs, first, request.last or local_day(engine.clock.now(), engine.zone)) if first else None


def to_run(engine: Engine, request: BackfillRequest) -> list[Planned]:
    """The windows of the wanted sort that a back-fill still has to run."""
    return select_partitions(engine, all_open(engine, request), request.only)


def all_open(engine: Engine, request: BackfillRequest) -> list[Planned]:
    """The windows of a back-fill that still have to run, of every sort."""
    whole = scope(engine, request)
    return in_days(engine, whole.jobs, whole.first, whole.last) if whole else []


def _first_day(engine: Engine, jobs: Iterable[Job]) -> date | None:
    """The first day of the longest window around the first message: a week has to begin within the days to be run."""
    first = min((record.first for record in engine.catalog.listing() if record.first), default=None)
    if first is None:
        return None
    if first.date() <= EARLIEST:
        return EARLIEST
    schedules = [schedule_of(engine, job) for job in jobs]
    begins = (window_around(schedule, engine.zone, first).start if schedule else first for schedule in schedules)
    return min(local_day(begin, engine.zone) for begin in begins)


def refuse_future(field: str, given: str, *, late: bool) -> None:
    """Refuse a time in the future; `late` is whether the time `given` is later than now.

    Raises:
        RequestRefused: it is.
    """
    if late:
        raise RequestRefused(field, f"{{field}} {given} has not come yet.")
