"""Blocks that leave their files, and come back."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from itertools import count
from pathlib import Path

import pytest

from jobs import micro_sync
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.review import suggest
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.ledger.changes import BlockState
from pipeline.reports.entries import list_entries
from tests.support.builders import earlier_version
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
DAY = "memory/2026-03-02.md"
JUNK = tuple(f"why is the {thing} so {how}?" for thing, how in (("sky", "blue"), ("sea", "deep"), ("hill", "steep")))


def written(new_bench: NewBench, root: Path) -> Workbench:
    """Three entries of an earlier version, and nothing else in their file."""
    made: Workbench = new_bench(root=root, jobs=(earlier_version.JOB,))
    made.say(conversation("s1", MORNING, [("owner", text) for text in JUNK]))
    made.run_due()
    made = made.reopen(jobs=(micro_sync.JOB,))
    made.engine.catalog.refresh()
    return made


def in_review(new_bench: NewBench, root: Path) -> Workbench:
    """The same three, put before a person."""
    made = written(new_bench, root)
    suggest(made.engine)
    assert len(JUNK) == len(waiting(made.engine))
    return made


@pytest.fixture
def bench(new_bench: NewBench, tmp_path: Path) -> Workbench:
    """Three entries in review."""
    return in_review(new_bench, tmp_path)


def texts(bench: Workbench) -> list[str]:
    """What stands."""
    return [place.entry.conclusion for place in list_entries(bench.engine)]


def test_one_of_several_leaves_and_comes_back(bench: Workbench) -> None:
    """In the line ends of its file; the others are not touched."""
    file = bench.root / DAY
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    before = file.read_bytes()
    [_, second, _] = waiting(bench.engine)
    [run_id] = decline(bench.engine, [second])
    assert [JUNK[0], JUNK[2]] == texts(bench)
    assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")
    undo(bench.engine, run_id)
    assert before == file.read_bytes()


def test_a_person_may_have_taken_the_whole_file_away(bench: Workbench) -> None:
    """The undo makes it again, with what was declined alone."""
    [run_id] = decline(bench.engine, waiting(bench.engine))
    (bench.root / DAY).unlink()
    undo(bench.engine, run_id)
    assert list(JUNK) == texts(bench)


def test_what_stands_again_by_hand_is_expected_again(bench: Workbench) -> None:
    """A person puts the file back that was there before."""
    before = (bench.root / DAY).read_bytes()
    decline(bench.engine, waiting(bench.engine))
    states = {known.state for known in bench.engine.ledger.changes.in_file(DAY)}
    (bench.root / DAY).write_bytes(before)
    bench.say(conversation("s2", MORNING + timedelta(hours=5), [("owner", "hello")]))
    bench.backfill(date(2026, 3, 2), date(2026, 3, 2))
    assert ({BlockState.DROPPED}, len(JUNK)) == (states, len(bench.engine.ledger.changes.expected_in(DAY)))
    assert len(JUNK) == len(waiting(bench.engine))


def test_what_was_kept_before_an_undo_of_the_review_stays_kept(bench: Workbench) -> None:
    """The undo takes the others out of review."""
    [review] = bench.engine.ledger.runs.latest("review")
    accept(bench.engine, waiting(bench.engine)[:1])
    undone = undo(bench.engine, review.run_id)
    assert (1, 2) == (len(undone.left), len(undone.restored))
    assert [1.0, 0.9, 0.9] == [place.entry.confidence for place in list_entries(bench.engine)]
    assert [] == waiting(bench.engine)


@pytest.mark.parametrize("part", [0, 1])
def test_after_any_crash_it_can_be_done_again(new_bench: NewBench, tmp_path: Path, part: float) -> None:
    """Whichever write it was of a review or of a decision: the files end as they do undisturbed."""
    undisturbed = in_review(new_bench, tmp_path / "undisturbed")
    decline(undisturbed.engine, waiting(undisturbed.engine)[1:])
    wanted = undisturbed.pages()[DAY]
    for writes in count():
        bench = written(new_bench, tmp_path / f"{writes}")
        plan, whole = CrashPlan(writes, part), bench.engine
        bench.engine = replace(whole, workspace=CrashingWorkspace(whole.workspace, plan))
        with suppress(Crash):
            suggest(bench.engine)
            decline(bench.engine, waiting(bench.engine)[1:])
        bench.engine = whole
        bench.run_due()
        suggest(bench.engine)
        decline(bench.engine, [one for one in waiting(bench.engine) if one.about.words != JUNK[0]])
        assert ([JUNK[0]], wanted) == (texts(bench), bench.pages()[DAY])
        assert [JUNK[0]] == [one.about.words for one in waiting(bench.engine)]
        if not plan.crashed:
            break
    assert writes >= 3


def test_what_a_run_wrote_that_was_undone_stays_away(bench: Workbench) -> None:
    """Also when it is the decision that is taken back last."""
    [writer] = {known.run_id for known in bench.engine.ledger.changes.standing_in(DAY)}
    [run_id] = decline(bench.engine, waiting(bench.engine)[:1])
    undo(bench.engine, writer)
    undone = undo(bench.engine, run_id)
    assert ([], (), 1) == (texts(bench), undone.restored, len(undone.left))
