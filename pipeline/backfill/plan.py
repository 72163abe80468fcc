"""Which partitions to run, in which order, and what a series of runs comes to."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.engine.partition import partition_key
from pipeline.engine.runner import Runner, schedule_of, users_of
from pipeline.errors import Held
from pipeline.job import Job
from pipeline.scheduling.registry import upstream, with_upstream
from pipeline.scheduling.windows import closed_until, closes, due, edges, last_edge, window_around, window_at
from schemas.outcome import EXIT_CODES, SUCCESSES, Ending, Outcome
from schemas.run_options import Only
from schemas.service_settings import CatchUp
from schemas.settings import JobSettings
from schemas.window import Window

FAILURES = 3  # days in a row on which a job failed, after which it is left alone
JUST_NOW = timedelta(hours=1)
"""With `catch_up = "none"`, how long after it has closed a window still runs: time for the retries of a failure."""
_WRITTEN = (Ending.DONE, Ending.DEGRADED)
_STOPPING = (Ending.WAITING, Ending.OVER_BUDGET)
_FAILING = (Ending.FAILED, Ending.TIMED_OUT)


@dataclass(frozen=True)
class Planned:
    """One partition to run."""

    job: Job
    window: Window


def due_now(engine: Engine, jobs: Sequence[Job]) -> list[Planned]:
    """What is due, oldest first: missing, failed or stale since `start`. Nothing when there is no `start`.

    What the settings of a job leave to a back-fill (`catch_up`, `max_age`) is not among it.
    """
    spans = _since_start(engine, jobs)
    closed = {job.name: span.end for job, span in spans}
    return [each for each in _planned(engine, spans, again=False) if _is_caught_up(engine, each, closed[each.job.name])]


def all_due(engine: Engine, jobs: Sequence[Job]) -> list[Planned]:
    """Like `due_now`, with what the settings leave to a back-fill."""
    return _planned(engine, _since_start(engine, jobs), again=False)


def _is_caught_up(engine: Engine, planned: Planned, closed: datetime) -> bool:
    """Whether a window that has to run does so by itself; `closed` is the end of the job's last window that has."""
    settings = engine.settings.jobs.get(planned.job.name, JobSettings())
    if settings.catch_up is CatchUp.LATEST and planned.window.end != closed:
        return False
    limits = [settings.max_age] if settings.max_age else []
    if settings.catch_up is CatchUp.NONE:
        limits.append(JUST_NOW)
    if not limits:
        return True
    age = engine.clock.now() - closes(schedule_of(engine, planned.job), engine.zone, planned.window)
    return age <= min(limits)


def in_days(engine: Engine, jobs: Sequence[Job], first: date, last: date) -> list[Planned]:
    """The windows that start on the local days `first` to `last`, both inside, as far as they still have to run."""
    days = Window(start=day_start(first, engine.zone), end=day_start(last + timedelta(days=1), engine.zone))
    spans = [(job, span) for job in jobs if (span := _starting(engine, job, days))]
    return _planned(engine, spans, again=True)


def selected(engine: Engine, plan: Sequence[Planned], only: Only) -> list[Planned]:
    """Those of a plan that are of the sort wanted, in its order."""
    if only is Only.ALL or not plan:
        return list(plan)
    span = Window(start=min(each.window.start for each in plan), end=max(each.window.end for each in plan))
    bad, stale = dict[str, set[Window]](), dict[str, list[Window]]()
    for name in {each.job.name for each in plan}:
        newest = {attempt.window: attempt.ending for attempt in engine.ledger.runs.attempts(name, span)}
        bad[name] = {window for window, ending in newest.items() if ending not in SUCCESSES}
        stale[name] = [each.window for each in engine.ledger.coverage.stretches(name, span) if each.stale]

    def sort(name: str, window: Window) -> Only:
        if window in bad[name]:
            return Only.FAILED
        place = bisect_right(stale[name], window.start, key=lambda each: each.end)
        return Only.STALE if any(each.start < window.end for each in stale[name][place : place + 1]) else Only.MISSING

    return [planned for planned in plan if sort(planned.job.name, planned.window) is only]


def at(engine: Engine, jobs: Sequence[Job], moment: datetime) -> list[Planned]:
    """The partition of one moment for each job; it sees nothing after the moment."""
    return [Planned(job, window_at(schedule_of(engine, job), engine.zone, moment)) for job in jobs]


def _since_start(engine: Engine, jobs: Sequence[Job]) -> list[tuple[Job, Window]]:
    """Each job with the time from `start` to the end of its last closed window; without those that have none."""
    since = engine.settings.start
    if since is None:
        return []
    return [(job, Window(start=since, end=end)) for job in jobs if (end := _closed(engine, job)) and since < end]


def _closed(engine: Engine, job: Job) -> datetime | None:
    """The end of the last window that has closed, for the job and for all that it depends on."""
    now, schedule = engine.clock.now(), schedule_of(engine, job)
    ends = [closed_until(schedule_of(engine, each), engine.zone, now) for each in with_upstream([job], engine.jobs)]
    known = [end for end in ends if end]
    return last_edge(schedule, engine.zone, min(known)) if len(known) == len(ends) else None


def _starting(engine: Engine, job: Job, days: Window) -> Window | None:
    """The time of the job's closed windows that start in `days`; `None` when there are none."""
    schedule, closed = schedule_of(engine, job), _closed(engine, job)
    before = Window(start=days.start - timedelta(microseconds=1), end=days.end - timedelta(microseconds=1))
    starts = edges(schedule, engine.zone, before)
    if not starts or closed is None:
        return None
    end = min(closed, window_around(schedule, engine.zone, starts[-1]).end)
    return Window(start=starts[0], end=end) if starts[0] < end else None


def _planned(engine: Engine, spans: Sequence[tuple[Job, Window]], *, again: bool) -> list[Planned]:
    """The windows of all jobs by time; at the same time in their order, in which a job follows what it needs."""
    found: list[tuple[datetime, int, Planned]] = []
    for rank, (job, span) in enumerate(spans):
        stretches = engine.ledger.coverage.stretches(job.name, span)
        windows = due(schedule_of(engine, job), engine.zone, span, stretches, again=again)
        open_ones = [window for window in windows if not users_of(engine, job, window)]
        found += [(window.end, rank, Planned(job, window)) for window in open_ones]
    return [planned for _, _, planned in sorted(found, key=lambda each: each[:2])]


IsOver = Callable[[Planned], bool]
"""Whether a partition is not worth trying now."""


def _nothing_before(place: int, is_over: IsOver) -> None:
    del place, is_over


def work_through(
    runner: Runner,
    plan: Sequence[Planned],
    *,
    again: bool = False,
    wait_seconds: float = 0,
    before: Callable[[int, IsOver], None] = _nothing_before,
) -> Iterator[Outcome]:
    """Run one partition after the other, and yield how each ended; those that others did meanwhile are passed over.

    Another process at work ends the series with an outcome `locked`. When a job is given up for now, see `Patience`.
    `before` is called with the place in the plan of each partition that is about to be run.
    """
    patience = Patience(runner.engine.zone, runner.engine.jobs)
    for place, planned in enumerate(plan):
        if patience.is_over(planned):
            patience.pass_over(planned)
            continue
        before(place, patience.is_over)
        try:
            outcome = runner.run(planned.job, planned.window, again=again, wait_seconds=wait_seconds)
        except Held as error:
            yield _locked(planned, str(error), runner.engine.zone)
            return
        if outcome is not None:
            patience.note(planned, outcome.ending)
            yield outcome
            if outcome.ending is Ending.LOCKED:
                return


class Patience:
    """What a failure means for the partitions that follow.

    One failure does not stop the rest, but the other windows of its day would end in the same file, and are left for
    the next run. A job that fails or overruns on several days with no success between them (the disk is full, the
    folder is gone), or whose model does not answer, is left alone; not so when transcripts cannot be read, which other
    windows do not need. What depends on a partition that did not end well waits for it.
    """

    def __init__(self, zone: str, jobs: Sequence[Job]) -> None:
        """`jobs` are all there are: they tell who depends on whom."""
        self._zone = zone
        self._needs = {job.name: {other.name for other in upstream(job, jobs)} for job in jobs}
        self._unsettled: list[tuple[str, Window]] = []
        self._alone: set[str] = set()
        self._days: set[tuple[str, date]] = set()
        self._failures: Counter[str] = Counter()

    def is_over(self, planned: Planned) -> bool:
        """Whether a partition is not worth trying now."""
        alone = planned.job.name in self._alone or self._place(planned) in self._days
        mine = planned.window
        return alone or any(
            name in self._needs[planned.job.name] and window.start < mine.end and mine.start < window.end
            for name, window in self._unsettled
        )

    def pass_over(self, planned: Planned) -> None:
        """Take in that a partition was not tried."""
        self._unsettled.append((planned.job.name, planned.window))

    def note(self, planned: Planned, ending: Ending) -> None:
        """Take in how a partition ended. One that had nothing to write tells nothing."""
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


def _locked(planned: Planned, told: str, zone: str) -> Outcome:
    return Outcome(
        job=planned.job.name,
        key=partition_key(planned.job, planned.window, zone),
        window=planned.window,
        ending=Ending.LOCKED,
        warning=told,
    )


def exit_code(endings: Sequence[Ending]) -> int:
    """The exit code of a series: that of its gravest outcome; `partial` when some failed and some did not."""
    if Ending.FAILED in endings:
        return EXIT_CODES[Ending.FAILED if {Ending.FAILED, Ending.UNREADABLE} >= set(endings) else Ending.PARTIAL]
    return max((EXIT_CODES[ending] for ending in endings), default=0)
