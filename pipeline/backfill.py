"""Which partitions to run, in which order, and what a series of runs comes to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pipeline.clock import day_start, local_day
from pipeline.engine import Engine
from pipeline.errors import Held
from pipeline.job import Job
from pipeline.partition import partition_key
from pipeline.runner import Runner, cron_of
from pipeline.scheduler import closed_until, due, window_at
from schemas.outcome import EXIT_CODES, Ending, Outcome
from schemas.window import Window

FAILURES = 3  # days in a row on which a job failed, after which it is left alone
_WRITTEN = (Ending.DONE, Ending.DEGRADED)
_STOPPING = (Ending.WAITING, Ending.OVER_BUDGET)
_FAILING = (Ending.FAILED, Ending.TIMED_OUT)


@dataclass(frozen=True)
class Planned:
    """One partition to run."""

    job: Job
    window: Window


def due_now(engine: Engine, jobs: Sequence[Job]) -> list[Planned]:
    """What is due, oldest first: missing, failed or stale since `start`. Nothing when there is no `start`."""
    since = engine.settings.start
    return _planned(engine, jobs, since, None, again=False) if since else []


def in_days(engine: Engine, jobs: Sequence[Job], first: date, last: date) -> list[Planned]:
    """The windows that start on the local days `first` to `last`, both inside, as far as they still have to run."""
    start, end = day_start(first, engine.zone), day_start(last + timedelta(days=1), engine.zone)
    return _planned(engine, jobs, start, end, again=True)


def at(engine: Engine, jobs: Sequence[Job], moment: datetime) -> list[Planned]:
    """The partition of one moment for each job; it sees nothing after the moment."""
    return [Planned(job, window_at(cron_of(engine, job), engine.zone, moment)) for job in jobs]


def _planned(
    engine: Engine, jobs: Sequence[Job], start: datetime, end: datetime | None, *, again: bool
) -> list[Planned]:
    """The windows of all jobs by time; at the same time in the order of `jobs`, where a job follows what it needs."""
    found: list[tuple[datetime, int, Planned]] = []
    for rank, job in enumerate(jobs):
        closed = closed_until(cron_of(engine, job), engine.zone, engine.clock.now(), job.schedule.settle)
        until = min(closed, end) if closed and end else closed
        if until is None or start >= until:
            continue
        span = Window(start=start, end=until)
        stretches = engine.ledger.coverage.stretches(job.name, span)
        windows = due(cron_of(engine, job), engine.zone, span, stretches, again=again)
        found += [(window.end, rank, Planned(job, window)) for window in windows]
    return [planned for _, _, planned in sorted(found, key=lambda each: each[:2])]


def work_through(
    runner: Runner, plan: Sequence[Planned], *, again: bool = False, wait_seconds: float = 0
) -> Iterator[Outcome]:
    """Run one partition after the other, and yield how each ended; those that others did meanwhile are passed over.

    Another process at work ends the series with an outcome `locked`. When a job is given up for now, see `Patience`.
    """
    patience = Patience(runner.engine.zone)
    for planned in plan:
        if patience.is_over(planned):
            continue
        try:
            outcome = runner.run(planned.job, planned.window, again=again, wait_seconds=wait_seconds)
        except Held as error:
            yield _locked(planned, str(error), runner.engine.zone)
            return
        if outcome is not None:
            patience.note(planned, outcome.ending)
            yield outcome


class Patience:
    """What a failure means for the partitions that follow.

    One failure does not stop the rest, but the other windows of its day would end in the same file, and are left for
    the next run. A job that fails or overruns on several days with no success between them (the disk is full, the
    folder is gone), or whose model does not answer, is left alone.
    """

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self._alone: set[str] = set()
        self._days: set[tuple[str, date]] = set()
        self._failures: Counter[str] = Counter()

    def is_over(self, planned: Planned) -> bool:
        """Whether a partition is not worth trying now."""
        return planned.job.name in self._alone or self._place(planned) in self._days

    def note(self, planned: Planned, ending: Ending) -> None:
        """Take in how a partition ended. One that had nothing to write tells nothing."""
        name = planned.job.name
        if ending in _FAILING:
            self._days.add(self._place(planned))
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
        key=partition_key(planned.window, zone),
        window=planned.window,
        ending=Ending.LOCKED,
        warning=told,
    )


def exit_code(endings: Sequence[Ending]) -> int:
    """The exit code of a series: that of its gravest outcome; `partial` when some failed and some did not."""
    failed = [ending for ending in endings if ending is Ending.FAILED]
    if failed:
        return EXIT_CODES[Ending.FAILED if len(failed) == len(endings) else Ending.PARTIAL]
    return max((EXIT_CODES[ending] for ending in endings), default=0)
