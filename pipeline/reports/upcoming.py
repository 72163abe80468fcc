"""The next window of a job by the clock."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.clocked import schedule_of
from pipeline.job import Job
from pipeline.scheduling.windows import closed_until, closes, name_of, window_around
from schemas.window import Window


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
