"""Which jobs and days a back-fill covers when its request leaves them open."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from jobs.micro_sync import JOB as SYNC
from jobs.weekly_plan import JOB as PLAN
from pipeline.backfill.plan import EARLIEST, BackfillScope, all_open, scope
from schemas.run_request import BackfillRequest
from schemas.settings import Settings
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
EVERYTHING = BackfillRequest(id="20260304-aaaaaa")
THURSDAY = datetime(2026, 2, 19, 8, tzinfo=UTC)
TODAY = date(2026, 3, 4)


def spoken_on(new_bench: NewBench, *moments: datetime, **fields: object) -> Workbench:
    """A bench on which the owner spoke at these moments."""
    bench = new_bench(**({"jobs": (SYNC,)} | fields))
    for number, moment in enumerate(moments):
        bench.say(conversation(f"s-{number}", moment, [("owner", "good morning")]))
    bench.engine.catalog.refresh()
    return bench


def test_from_the_first_message_to_today(new_bench: NewBench) -> None:
    """In the workspace's zone, whatever order the sessions are in."""
    late = datetime(2026, 2, 18, 23, 30, tzinfo=UTC)
    bench = spoken_on(new_bench, THURSDAY, late, settings=Settings(timezone="Europe/Warsaw"))
    assert BackfillScope((SYNC,), date(2026, 2, 19), TODAY) == scope(bench.engine, EVERYTHING)


def test_the_first_week_is_whole(new_bench: NewBench) -> None:
    """A week runs when it begins within the days: so they begin with the Monday before the first message."""
    bench = spoken_on(new_bench, THURSDAY, jobs=(SYNC, PLAN))
    covered = scope(bench.engine, EVERYTHING)
    assert covered
    assert date(2026, 2, 16) == covered.first
    weeks = [item.partition.key for item in all_open(bench.engine, EVERYTHING) if item.job is PLAN]
    assert ["2026-W08", "2026-W09"] == weeks


def test_what_is_given_stays(new_bench: NewBench) -> None:
    """Jobs and days narrow it down, also without any message."""
    bench = spoken_on(new_bench, jobs=(SYNC, PLAN))
    given = EVERYTHING.model_copy(update={"jobs": (PLAN.name,), "first": date(2026, 1, 1), "last": date(2026, 1, 2)})
    assert BackfillScope((PLAN,), date(2026, 1, 1), date(2026, 1, 2)) == scope(bench.engine, given)
    assert (True, False) == (EVERYTHING.is_open, given.is_open)


def test_without_a_message_there_is_nothing(new_bench: NewBench) -> None:
    """It has no beginning."""
    bench = spoken_on(new_bench)
    assert (None, []) == (scope(bench.engine, EVERYTHING), all_open(bench.engine, EVERYTHING))


@pytest.mark.parametrize("year", [1905, 1970])
def test_a_broken_clock_is_no_failure(year: int, new_bench: NewBench) -> None:
    """Of messages before the time that zones can be computed for."""
    covered = scope(spoken_on(new_bench, datetime(year, 1, 1, tzinfo=UTC)).engine, EVERYTHING)
    assert covered
    assert EARLIEST == covered.first
