"""A person deletes a line of MEMORY.md, and the run of its job is killed at any step: the line never comes back."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from jobs import daily_wrapup, micro_sync, weekly_compound, weekly_plan
from pipeline.backfill.plan import due_now, work_through
from pipeline.clock import day_start
from pipeline.engine.runner import Runner
from pipeline.job import Job
from pipeline.markdown.blocks import find_blocks
from schemas.hot_page import PATH
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource
from tests.support.processes.kills import killed_at
from tests.support.workspaces.histories import ZONE, History
from tests.support.workspaces.workbench import Workbench, endings

BEFORE = (micro_sync.JOB, daily_wrapup.JOB, weekly_plan.JOB)
COMPOUND = weekly_compound.JOB
FIRST = date(2026, 3, 2)
WEEKS = 2
STEPS = 2000  # more than a run has
SEED = 3
FORGOTTEN = "memory/forgotten.md"


def run(bench: Workbench, *jobs: Job) -> None:
    """What is due of some jobs goes well; the page, which would follow them, is rendered only when it is among them."""
    bench.engine.catalog.refresh()
    engine = replace(bench.engine, jobs=tuple(job for job in bench.jobs if job in jobs or not job.is_fold))
    ended = work_through(Runner(engine), due_now(engine, jobs))
    assert {"done", "empty"} >= set(endings(list(ended)))


def names(root: Path) -> list[str]:
    """The names of the entries on the page."""
    return [block.name for block in find_blocks((root / PATH).read_bytes()) if block.name.startswith("m-")]


def delete(root: Path, name: str) -> None:
    """What a person does with an editor that saves in place."""
    data = (root / PATH).read_bytes()
    (block,) = [block for block in find_blocks(data) if block.name == name]
    (root / PATH).write_bytes(data[: block.start] + data[block.end :])


@dataclass(frozen=True)
class Eve:
    """A workspace in which the job of the page alone is due; `old` stands on the page, and `new` is about to."""

    root: Path
    fields: dict[str, object]
    old: str
    new: str

    def copy(self, root: Path) -> dict[str, object]:
        """The fields of a workbench on a copy."""
        shutil.copytree(self.root, root)
        return self.fields | {"root": root}


@pytest.fixture(scope="module")
def eve(tmp_path_factory: pytest.TempPathFactory) -> Eve:
    """Two weeks of talk; the page is that of the first."""
    root, history = tmp_path_factory.mktemp("eve") / "w", History(SEED, FIRST, WEEKS + 1)
    begun = Settings(timezone=ZONE, start=day_start(FIRST, ZONE))
    clock = FixedClock(day_start(FIRST, ZONE))
    bench = Workbench(root, (*BEFORE, COMPOUND), clock, begun)
    for week in range(1, WEEKS + 1):
        clock.moment = day_start(FIRST + timedelta(weeks=week), ZONE) + timedelta(hours=6)
        bench.say(*history.until(clock.moment))
        run(bench, *BEFORE)
        if week < WEEKS:
            run(bench, COMPOUND)
    bench.engine.ledger.store.close()
    source = MemorySource(*history.until(clock.moment))
    fields: dict[str, object] = {"jobs": bench.jobs, "clock": clock, "settings": begun, "source": source}
    actual = Eve(root, fields, "", "")
    undisturbed = root.with_name("undisturbed")
    before = names(root)
    assert not killed_at(STEPS, actual.copy(undisturbed))
    after = names(undisturbed)
    old, new = (next(name for name in after if (name in before) is there) for there in (True, False))
    return Eve(root, fields, old, new)


def steps(eve: Eve, tmp_path: Path, chosen: range, gone: str = "") -> Iterator[Path]:
    """Workspaces whose run was killed at one step after the other, until it was over before that."""
    for step in chosen:
        root = tmp_path / str(step)
        fields = eve.copy(root)
        if gone:
            delete(root, gone)
        killed = killed_at(step, fields)
        yield root
        shutil.rmtree(root)
        if not killed:
            return
    raise AssertionError(chosen)


def assert_stays_away(eve: Eve, root: Path, name: str) -> None:
    """The next run does not bring it back, nor does that of the week after, which has noticed the deletion."""
    for weeks in (WEEKS, WEEKS + 1):
        now = day_start(FIRST + timedelta(weeks=weeks), ZONE) + timedelta(hours=6)
        source = MemorySource(*History(SEED, FIRST, weeks).until(now))
        fields = eve.fields | {"root": root, "clock": FixedClock(now), "source": source}
        bench = Workbench(**fields)  # type: ignore[arg-type]  # the fields are checked by the dataclass
        ended = bench.run_due()
        bench.engine.ledger.store.close()
        assert {"done", "empty"} >= set(endings(ended))
        assert name not in names(root)
    assert f"- {PATH}#{name} " in (root / FORGOTTEN).read_text(encoding="utf-8")
    assert names(root)


ALL = [
    pytest.param(range(STEPS), marks=pytest.mark.soak, id="everywhere"),
    pytest.param(range(20, STEPS, 108), id="here and there"),
]


@pytest.mark.parametrize("chosen", ALL)
def test_a_line_deleted_before_a_run_that_is_killed_stays_away(eve: Eve, tmp_path: Path, chosen: range) -> None:
    """Wherever it dies: noticing the deletion, writing it down, or rendering the page."""
    for root in steps(eve, tmp_path, chosen, gone=eve.old):
        assert_stays_away(eve, root, eve.old)


@pytest.mark.parametrize("chosen", ALL)
@pytest.mark.parametrize("new", [False, True], ids=["an old line", "a new line"])
def test_a_line_deleted_after_a_run_that_was_killed_stays_away(
    eve: Eve, tmp_path: Path, chosen: range, *, new: bool
) -> None:
    """Also one that this very run had put there, if it came so far."""
    name, deleted = eve.new if new else eve.old, 0
    for root in steps(eve, tmp_path, chosen):
        if name in names(root):
            delete(root, name)
            deleted += 1
            assert_stays_away(eve, root, name)
    assert deleted
