"""The pace of a back-fill: by what the last answers took, and by the limits of a day."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs.micro_sync import JOB as SYNC
from pipeline.backfill.estimate import BackfillBudget, days_of, seconds_a_question
from pipeline.backfill.plan import Planned, in_days, newest_first
from pipeline.errors import BudgetSpent
from pipeline.job import Period
from pipeline.ports.engine import Reply
from pipeline.scheduling.registry import discover
from schemas.outcome import Usage
from schemas.settings import ModelSettings, Settings
from schemas.window import PartitionKey, Window
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def bench_with(new_bench: NewBench, **model: object) -> Workbench:
    """A bench with a model of such settings, which is not asked."""
    return new_bench(jobs=(SYNC,), settings=Settings(timezone="UTC", model=ModelSettings.model_validate(model)))


def answered(bench: Workbench, *gaps: float) -> None:
    """Answers that came one after another, so many seconds apart."""
    for number, gap in enumerate((0, *gaps)):
        bench.clock.move(timedelta(seconds=gap))
        bench.engine.ledger.answers.put_answer(f"key-{number}", "m", Reply("{}"))


def test_a_question_takes_as_long_as_the_last_ones(new_bench: NewBench) -> None:
    """The middle of the stretches between answers; a night in which nothing was asked is none."""
    bench = bench_with(new_bench, program="claude")
    answered(bench, 8, 10, 40_000, 12, 9, 11, 30)
    assert 10.5 == seconds_a_question(bench.engine)


@pytest.mark.parametrize(("model", "seconds"), [({"program": "claude"}, 15), ({}, None)])
def test_before_anything_was_asked(new_bench: NewBench, model: dict[str, str], seconds: float | None) -> None:
    """A program is taken to need some seconds, a server may be anything."""
    bench = bench_with(new_bench, **model)
    answered(bench, 1, 1)
    assert seconds == seconds_a_question(bench.engine)


@pytest.mark.parametrize(
    ("model", "days"),
    [
        ({"program": "claude"}, 2),
        ({"program": "claude", "tokens_per_day": 100_000}, 10),
        ({"program": "claude", "tokens_per_day": 100_000, "backfill_tokens_per_day": 50_000}, 20),
        ({"program": "claude", "backfill_tokens_per_day": 10_000_000}, 2),
        ({}, None),
    ],
)
def test_the_slowest_of_all_decides(new_bench: NewBench, model: dict[str, object], days: int | None) -> None:
    """6000 questions of a million tokens: 15 seconds each, and what may be used on a day."""
    assert days == days_of(bench_with(new_bench, **model).engine, 6_000, 1_000_000)


class Boundless:
    """A budget that allows all."""

    def check(self, spent: int, ahead: int = 0) -> None:
        """Allow it."""


def test_back_fills_leave_the_rest_of_a_day_to_others(new_bench: NewBench) -> None:
    """Their own runs of the local day count, and what they have not booked yet; those of other runs do not."""
    bench = bench_with(new_bench, backfill_tokens_per_day=100)
    bench.clock.move(NOON - bench.clock.now())
    window = Window(start=NOON - timedelta(hours=3), end=NOON)
    for run_id, began, backfill in (
        ("yesterday", NOON - timedelta(days=1), "b"),
        ("ordinary", NOON, ""),
        ("today", NOON, "b"),
    ):
        bench.engine.ledger.runs.begin(run_id, "note", PartitionKey(key=run_id, window=window), began, backfill)
        bench.engine.ledger.spending.note(run_id, {"m": Usage(input_tokens=60)})
    budget = BackfillBudget(Boundless(), bench.engine)
    budget.check(30, 9)
    with pytest.raises(BudgetSpent, match=r"100 of 100 tokens of back-fills today \(model.backfill_tokens_per_day\)"):
        budget.check(30, 10)


def test_the_newest_week_comes_first(new_bench: NewBench) -> None:
    """Each week in the order of time, in which a job follows what it needs; folds come last."""
    jobs = tuple(job for job in discover() if not job.per_agent)
    bench = new_bench(jobs=jobs, settings=Settings(timezone="UTC"))
    bench.clock.move(datetime(2026, 3, 20, 12, tzinfo=UTC) - bench.clock.now())
    plan = in_days(bench.engine, bench.engine.jobs, date(2026, 3, 4), date(2026, 3, 17))
    fold = next(job for job in jobs if job.is_fold)
    changed = Planned(fold, PartitionKey(key="now", window=plan[0].window))
    *clocked, last = newest_first([changed, *plan], "UTC")
    assert (changed, sorted(map(repr, plan))) == (last, sorted(map(repr, clocked)))
    weeks = {week: [item for item in clocked if week == _week_of(item)] for week in map(_week_of, clocked)}
    assert [12, 11, 10] == list(weeks)
    assert clocked == [item for items in weeks.values() for item in sorted(items, key=lambda item: item.window.end)]
    assert Period.WEEK is weeks[11][-1].job.period


def _week_of(item: Planned) -> int:
    return item.window.start.date().isocalendar().week
