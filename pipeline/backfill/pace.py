"""The pace of a back-fill that a model slows down: how long its questions take, and how many a day may hold."""

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.errors import BudgetSpent
from pipeline.model.ask import Budget

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
    """How long one question takes, by the last answers; `None` where nobody knows."""
    model = engine.settings.model
    moments = engine.ledger.answers.newest_moments()
    gaps = [(later - earlier).total_seconds() for later, earlier in pairwise(moments)]
    # A longer gap is a time in which nothing was asked.
    asked = [gap for gap in gaps if gap <= model.patience.total_seconds()]
    if len(asked) >= _FEWEST:
        return median(asked)
    return _OF_A_PROGRAM if model.programs else None


def days_of(engine: Engine, questions: int, tokens: int) -> int | None:
    """How many days so many questions take, by their time and by the limits of a day; `None` where neither is known."""
    model, seconds = engine.settings.model, seconds_a_question(engine)
    limits = [limit for limit in (model.tokens_per_day, model.backfill_tokens_per_day) if limit]
    shares = [tokens / limit for limit in limits] + ([] if seconds is None else [questions * seconds / _DAY])
    return math.ceil(max(shares)) if shares else None
