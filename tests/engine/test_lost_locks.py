"""Somebody removes a lock file while its run goes on: what is free for others then is no more ours to write."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.corrections.undo import undo
from pipeline.drafts import Draft
from pipeline.errors import LockGone
from pipeline.job import Job, Run
from pipeline.reports.entries import list_entries
from schemas.outcome import Ending, Outcome
from tests.support.builders.note_job import JOB
from tests.support.workspaces.workbench import Workbench, endings, say_apart

NewBench = Callable[..., Workbench]


def titles(bench: Workbench) -> list[str]:
    """What stands in the files."""
    return [place.entry.title for place in list_entries(bench.engine)]


def disturbed(happens: Callable[[], None]) -> Job:
    """The job, with something that happens once, while it is at work."""
    left = [happens]

    def run(run: Run) -> Sequence[Draft]:
        if left:
            left.pop()()
        return JOB.run(run)

    return replace(JOB, run=run)


def test_a_run_whose_lock_file_was_removed_does_not_write_beside_another(new_bench: NewBench) -> None:
    """Another run takes the job up and ends; the first one finds that out, writes nothing, and says why."""
    others: list[Outcome] = []

    def another_runs() -> None:
        (bench.engine.workspace.lock_folder / "note.lock").unlink()
        others.extend(replace(bench, jobs=(JOB,)).run_due())

    bench = new_bench(jobs=(disturbed(another_runs),))
    say_apart(bench, "note: one")
    (ended,) = [outcome for outcome in bench.run_due() if outcome.ending is not Ending.EMPTY]
    assert (["done"], Ending.LOCKED) == (endings([outcome for outcome in others if outcome.paths]), ended.ending)
    assert ended.warning.startswith("memory/.locks/note.lock was removed or replaced while this run went on")
    assert ["one"] == titles(bench)
    assert [] == bench.run_due()


@pytest.mark.parametrize("by_others", [False, True])
def test_a_run_without_its_lock_file_stops_and_stays_due(new_bench: NewBench, by_others: bool) -> None:  # noqa: FBT001 - a case of the test
    """Also where nobody took it up meanwhile, or somebody has only looked: the next run does all of it."""

    def removed() -> None:
        (bench.engine.workspace.lock_folder / "note.lock").unlink()
        if by_others:
            assert not other.engine.locks.is_held("note")

    bench = new_bench(jobs=(disturbed(removed),))
    other = replace(bench)
    say_apart(bench, "note: one", "note: two")
    assert ("locked", []) == (endings(bench.run_due())[-1], titles(bench))
    bench.run_due()
    assert ["one", "two"] == titles(bench)


def test_a_run_that_has_nothing_to_write_covers_nothing_without_its_lock(new_bench: NewBench) -> None:
    """What it read may be older than what another run has read since."""

    def removed() -> None:
        (bench.engine.workspace.lock_folder / "note.lock").unlink()

    bench = new_bench(jobs=(disturbed(removed),))
    say_apart(bench, "nothing of note")
    assert "locked" == endings(bench.run_due())[-1]
    assert {"empty"} == set(endings(bench.run_due()))


def test_who_holds_a_lock_no_more_writes_as_before(new_bench: NewBench) -> None:
    """A lock file that is removed between two runs is made again; nobody misses it."""
    bench = new_bench()
    say_apart(bench, "note: one")
    (done,) = [outcome for outcome in bench.run_due() if outcome.paths]
    (bench.engine.workspace.lock_folder / "note.lock").unlink()
    assert done.written == undo(bench.engine, done.run_id).removed


def test_what_is_locked_is_looked_at_before_every_write(new_bench: NewBench) -> None:
    """Of several locks each one counts, and none once it is given back."""
    bench = new_bench()
    locks, until = bench.engine.locks, bench.clock.now() + timedelta(hours=1)
    with locks.hold(["page", "week"], "run", until):
        locks.check()
        (bench.engine.workspace.lock_folder / "week.lock").unlink()
        with pytest.raises(LockGone, match=r"^memory/\.locks/week\.lock was removed"):
            locks.check()
        with pytest.raises(LockGone), bench.engine.workspace.lease("memory/2026-03-02.md"):
            pass
    locks.check()
