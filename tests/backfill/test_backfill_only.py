"""Which windows a back-fill runs: every one that still has to run is missing, failed or stale."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs.micro_sync import JOB
from pipeline.backfill.plan import Planned, in_days, select_partitions, work_through
from pipeline.corrections.undo import undo
from pipeline.engine.runner import Runner
from schemas.outcome import Ending, Outcome
from schemas.run_options import Only
from schemas.settings import Settings
from schemas.transcript import Session
from schemas.window import PartitionKey, Window
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.fold_bench import fold_bench
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
FIRST = date(2026, 2, 2)
MORNING = datetime(2026, 2, 2, 8, tzinfo=UTC)


def talk(day: int, *texts: str) -> Session:
    """A session of a day."""
    said = [("owner", text) for text in texts]
    return conversation(f"s-{day}", MORNING + timedelta(days=day), said)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """Three days of talk, nothing run."""
    made = new_bench(jobs=(JOB,), settings=Settings(timezone="UTC"))
    made.say(*(talk(day, f"Remember that the key of day {day} hangs here.") for day in range(3)))
    made.engine.catalog.refresh()
    return made


def plan(bench: Workbench, only: Only = Only.ALL) -> list[Planned]:
    """What of the three days still has to run, as far as it is wanted."""
    whole = in_days(bench.engine, bench.engine.jobs, FIRST, FIRST + timedelta(days=2))
    return select_partitions(bench.engine, whole, only)


def starts(planned: Sequence[Planned]) -> list[datetime]:
    """When windows begin."""
    return [planned_run.window.start for planned_run in planned]


def run(bench: Workbench, wanted: Sequence[Planned]) -> list[Outcome]:
    """Run these."""
    return list(work_through(Runner(bench.engine), wanted, again=True))


def test_at_first_all_is_missing(bench: Workbench) -> None:
    """Nobody has tried: 8 windows a day."""
    assert [24, 24, 0, 0] == [len(plan(bench, only)) for only in (Only.ALL, Only.MISSING, Only.FAILED, Only.STALE)]


def test_what_waits_for_its_model_has_failed(bench: Workbench) -> None:
    """The window that was tried, and it alone; the silent ones before it are done, the others missing."""
    failing = bench.reopen(model=ScriptedModel.failing())
    assert ["empty", "empty", "waiting"] == endings(run(failing, plan(failing)))
    assert [MORNING - timedelta(hours=2)] == starts(plan(failing, Only.FAILED))
    assert [22, 21] == [len(plan(failing, only)) for only in (Only.ALL, Only.MISSING)]


def test_a_run_that_was_killed_has_failed(bench: Workbench) -> None:
    """It has no end in the ledger."""
    [first, *_] = plan(bench)
    bench.engine.ledger.runs.begin("killed", JOB.name, PartitionKey(key="key", window=first.window), bench.clock.now())
    assert starts([first]) == starts(plan(bench, Only.FAILED))


def test_the_newest_run_counts(bench: Workbench) -> None:
    """What failed and then was stopped is failed; what failed and then was done is nothing any more."""
    [first, second, *_] = plan(bench)
    for number, ending in enumerate((Ending.FAILED, Ending.INTERRUPTED)):
        _note(bench, f"r{number}", first.window, ending)
    _note(bench, "r2", second.window, Ending.FAILED)
    run(bench, [second])
    assert starts([first]) == starts(plan(bench, Only.FAILED))
    assert second.window.start not in starts(plan(bench))


def _note(bench: Workbench, run_id: str, window: Window, ending: Ending) -> None:
    bench.engine.ledger.runs.begin(run_id, JOB.name, PartitionKey(key="key", window=window), bench.clock.now())
    ended = Outcome(job=JOB.name, key="key", window=window, ending=ending, run_id=run_id)
    bench.engine.ledger.runs.end(ended, bench.clock.now())


def test_what_has_new_messages_is_stale(bench: Workbench) -> None:
    """The window they lie in, and no other."""
    run(bench, plan(bench))
    assert [] == plan(bench)
    bench.say(talk(1, "Remember that the key of day 1 hangs here.", "Remember that the boat leaks."))
    bench.engine.catalog.refresh()
    window = [MORNING + timedelta(days=1, hours=-2)]
    assert [window, window, [], []] == [
        starts(plan(bench, only)) for only in (Only.ALL, Only.STALE, Only.FAILED, Only.MISSING)
    ]


def test_what_a_person_took_back_is_missing(bench: Workbench) -> None:
    """Its run went well, and counts no more."""
    done = next(outcome for outcome in run(bench, plan(bench)) if outcome.written)
    undo(bench.engine, done.run_id)
    assert [done.window.start] == starts(plan(bench, Only.MISSING))
    assert [] == plan(bench, Only.FAILED)


def test_a_fold_that_failed_has_failed(new_bench: NewBench) -> None:
    """Although what it is about has another time at each look."""
    bench = fold_bench(new_bench, fails=True)
    assert [1, 0] == [len(plan(bench, only)) for only in (Only.MISSING, Only.FAILED)]
    bench.run_due()
    assert [0, 1] == [len(plan(bench, only)) for only in (Only.MISSING, Only.FAILED)]


def test_the_order_is_kept(bench: Workbench) -> None:
    """Oldest first, as in the whole plan."""
    [first, *_] = plan(bench)
    run(bench, [first])
    assert sorted(starts(plan(bench, Only.MISSING))) == starts(plan(bench, Only.MISSING))
