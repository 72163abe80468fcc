"""The cost of a series of runs, estimated before it begins: as exact as possible, without a question or a write."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import median

from pipeline.backfill.foresee import OUTPUT_SHARE, foresee, size_of
from pipeline.backfill.plan import Planned, in_days
from pipeline.backfill.series import Estimate, Progress
from pipeline.backfill.silence import Spoken
from pipeline.clock import day_start, local_day, stopwatch
from pipeline.engine.context import Engine
from pipeline.errors import BudgetSpent
from pipeline.job import Period
from pipeline.model.ask import Budget
from pipeline.model.prices import price
from pipeline.scheduling.registry import with_upstream
from schemas.outcome import Usage

_FEWEST = 5
"""Stretches between two answers from which on they tell the pace."""
_OF_A_PROGRAM = 15.0
"""Seconds that a question to a program takes before anything is measured."""
_DAY = 86_400


@dataclass(frozen=True)
class BackfillBudget:
    """A `pipeline.model.ask.Budget` of a back-fill: the given one, and the tokens of a day that are for back-fills."""

    given: Budget
    engine: Engine

    def check(self, spent: int, ahead: int = 0) -> None:
        """Refuse when nothing is left of either."""
        self.given.check(spent, ahead)
        engine, limit = self.engine, self.engine.settings.model.backfill_tokens_per_day
        if limit:
            today = day_start(local_day(engine.clock.now(), engine.zone), engine.zone)
            used = spent + ahead + engine.ledger.runs.tokens_since(today, backfills=True)
            if used >= limit:
                raise BudgetSpent(used, limit, "of back-fills today (model.backfill_tokens_per_day)")


def seconds_a_question(engine: Engine) -> float | None:
    """The seconds that one question takes, by the last answers; `None` without an answer."""
    model = engine.settings.model
    moments = engine.ledger.answers.newest_moments()
    gaps = [(later - earlier).total_seconds() for later, earlier in pairwise(moments)]
    # A longer gap is a time in which nothing was asked.
    asked = [gap for gap in gaps if gap <= model.patience.total_seconds()]
    if len(asked) >= _FEWEST:
        return median(asked)
    return _OF_A_PROGRAM if model.programs else None


def days_of(engine: Engine, questions: int, tokens: int) -> int | None:
    """The days that so many questions take, by their time and by the limits of a day; `None` where neither is known."""
    model, seconds = engine.settings.model, seconds_a_question(engine)
    limits = [limit for limit in (model.tokens_per_day, model.backfill_tokens_per_day) if limit]
    shares = [tokens / limit for limit in limits] + ([] if seconds is None else [questions * seconds / _DAY])
    return math.ceil(max(shares)) if shares else None


FIRST_SECONDS = 5.0
"""Seconds for which windows are run before the rest is estimated."""

EVERY_SECONDS = 30.0
"""Between two estimates."""


class TimeLeft:
    """Counts the windows of a series."""

    def __init__(self, windows: int, clock: Callable[[], float] = stopwatch) -> None:
        """`clock` gives seconds, and runs from now on."""
        self._windows, self._clock, self._done = windows, clock, 0
        self._began = clock()
        self._next = self._began + FIRST_SECONDS

    def note(self) -> Progress | None:
        """Count one more; how far the series is, where it is time to say so and windows are left."""
        self._done += 1
        now, left = self._clock(), self._windows - self._done
        if now < self._next or left <= 0:
            return None
        self._next = now + EVERY_SECONDS
        return Progress(self._done, self._windows, round((now - self._began) / self._done * left))


def estimate(engine: Engine, plan: Sequence[Planned]) -> Estimate:
    """The estimate of a plan. The catalog must have been refreshed."""
    spoken = Spoken(engine)
    reading = [part for part in plan if part.job.reads.transcripts]
    asker, asked, answered = engine.asker(), dict[str, tuple[str, int]](), set[str]()
    for partition in reading:
        if asker.kept is None:
            break
        engine.safe_point()
        if spoken.during(partition.window):
            foreseen = foresee(engine, partition, asker)
            answered |= foreseen.answered
            new = {key: task for key, task in foreseen.asked.items() if key not in asked}
            asked |= {key: (asker.kept.name_of(task), size_of(task)) for key, task in new.items()}
    sizes = Counter[str]()
    for name, size in asked.values():
        sizes[name] += size
    usages = {name: Usage(input_tokens=size, output_tokens=round(size * OUTPUT_SHARE)) for name, size in sizes.items()}
    expected = price(engine.settings.model, usages)
    tokens = sum(usage.tokens for usage in usages.values())
    return Estimate(
        partitions=len(plan),
        sessions=spoken.sessions([part.window for part in reading]),
        model=", ".join(sorted({name for name, _ in asked.values()})) or asker.way,
        questions=len(asked),
        answered=len(answered),
        input_tokens=sum(usage.input_tokens for usage in usages.values()),
        output_tokens=sum(usage.output_tokens for usage in usages.values()),
        cost=expected.amount if expected else None,
        currency=expected.currency if expected else "",
        takes_days=days_of(engine, len(asked), tokens) if asked else None,
    )


def whole_to(engine: Engine, plan: Sequence[Planned], last: date) -> str:
    """The day to which days would have to go on, that end on `last`, to cut no week that is run among them.

    A week is cut when days of it come later that the same plan's jobs still have to run: it is judged without them,
    and not again. Empty when none is.
    """
    clocked = [item for item in plan if item.job.clock]
    ends = [(local_day(item.window.end - timedelta(microseconds=1), engine.zone), item.job) for item in clocked]
    cut = [(day, job) for day, job in ends if day > last]
    if not cut:
        return ""
    until, known = max(day for day, _ in cut), {item.job.name for item in plan}
    needed = [job for job in with_upstream([job for _, job in cut], engine.jobs) if job.name in known]
    rest = [job for job in needed if job.period is not Period.WEEK]
    return until.isoformat() if in_days(engine, rest, last + timedelta(days=1), until) else ""
