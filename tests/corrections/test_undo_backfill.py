"""Undo of a whole back-fill: all of it or nothing, and never over the work of others."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest

from pipeline.backfill.orders import OrdersFolder
from pipeline.backfill.plan import in_days, work_through
from pipeline.corrections.undo import undo_backfill
from pipeline.engine.runner import Runner
from pipeline.errors import Held, SeveralNames, UndoNewestFirst
from pipeline.errors.corrections import UnknownBackfillRuns
from pipeline.ledger.coverage import State
from schemas.outcome import Outcome
from schemas.run_request import BackfillRequest
from tests.support.builders.page_jobs import CHAIN
from tests.support.builders.scripted_page import START
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MONDAY = date(2026, 3, 2)
SUNDAY, LAST = MONDAY + timedelta(days=6), MONDAY + timedelta(days=13)


def two_weeks(new_bench: NewBench) -> Workbench:
    """Notes on some days of two weeks that are over, of which nothing has been run."""
    bench = new_bench(jobs=CHAIN)
    for number in (0, 1, 5, 7, 8, 12):
        bench.say(conversation(f"s{number}", START + timedelta(days=number, hours=9), [("owner", f"note: {number}")]))
    bench.clock.moment = START + timedelta(days=14, hours=5)
    bench.engine.catalog.refresh()
    return bench


def backfilled(bench: Workbench, backfill: str, first: date = MONDAY, last: date = LAST) -> list[Outcome]:
    """Run all jobs over days, as a back-fill of this id."""
    engine = replace(bench.engine, backfill=backfill)
    return list(work_through(Runner(engine), in_days(engine, engine.jobs, first, last), again=True))


def states(bench: Workbench) -> set[State]:
    """The states of all time that the ledger knows."""
    coverage = bench.engine.ledger.coverage
    return {stretch.state for job in coverage.jobs() for stretch in coverage.stretches(job)}


def test_all_runs_carry_the_id(new_bench: NewBench) -> None:
    """In the outcome and in the ledger, also those of the folds that follow."""
    bench = two_weeks(new_bench)
    outcomes = backfilled(bench, "b-1")
    assert ({"b-1"}, {job.name for job in CHAIN}) == (
        {outcome.backfill for outcome in outcomes},
        {outcome.job for outcome in outcomes},
    )
    assert len(outcomes) == len(bench.engine.ledger.runs.of_backfill("b-1"))


def test_empty_time_is_undone_too(new_bench: NewBench) -> None:
    """So that the same back-fill reads all of it again, with other settings for example."""
    bench = two_weeks(new_bench)
    first = len(backfilled(bench, "b-1"))
    taken = undo_backfill(bench.engine, "b-1")
    assert ({State.UNDONE}, {}) == (states(bench), bench.pages())
    assert len(taken.undone) < len(taken.records)
    assert [] == bench.run_due()
    assert first == len(backfilled(bench, "b-2"))


def test_time_that_another_run_has_dealt_with_since_is_left(new_bench: NewBench) -> None:
    """A message came later into an empty window: the run that read it stands."""
    bench = two_weeks(new_bench)
    backfilled(bench, "b-1")
    bench.say(conversation("late", START + timedelta(days=3, hours=9), [("owner", "note: late")]))
    late = [outcome for outcome in bench.run_due() if outcome.written]
    assert 1 == len(late)
    undo_backfill(bench.engine, "b-1")
    assert {State.COVERED, State.UNDONE} == states(bench)
    assert [True] == ["note: late" in page.decode() for path, page in bench.pages().items() if path in late[0].paths]
    assert [] == bench.run_due()


def test_pages_of_other_runs_are_not_pulled_away_from_under_them(new_bench: NewBench) -> None:
    """A later week that rests on an earlier one goes first; until then nothing is touched."""
    bench = two_weeks(new_bench)
    backfilled(bench, "b-1", last=SUNDAY)
    between = bench.pages()
    backfilled(bench, "b-2")
    whole = bench.pages()
    with pytest.raises(UndoNewestFirst, match="2026-W11"):
        undo_backfill(bench.engine, "b-1")
    assert whole == bench.pages()
    undo_backfill(bench.engine, "b-2")
    assert between == bench.pages()
    undo_backfill(bench.engine, "b-1")
    assert {} == bench.pages()


def test_a_later_back_fill_of_the_same_page_is_named(new_bench: NewBench) -> None:
    """Its runs need not be undone one by one."""
    bench = two_weeks(new_bench)
    backfilled(bench, "b-1")
    bench.say(conversation("late", START + timedelta(hours=15), [("owner", "note: late")]))
    bench.engine.catalog.refresh()
    backfilled(bench, "b-2")
    with pytest.raises(UndoNewestFirst, match="memory undo --backfill b-2"):
        undo_backfill(bench.engine, "b-1")
    undo_backfill(bench.engine, "b-2")
    undo_backfill(bench.engine, "b-1")
    assert {} == bench.pages()


def test_one_under_way_is_refused(new_bench: NewBench) -> None:
    """Between two windows it holds no other lock; one that was stopped is not gone on with afterwards."""
    bench = two_weeks(new_bench)
    backfilled(bench, "b-1", last=SUNDAY)
    whole, folder = bench.pages(), OrdersFolder(bench.engine.workspace.state_folder)
    folder.keep(BackfillRequest(id="b-1"))
    with folder.at_work("b-1"), pytest.raises(Held, match="b-1 is at work elsewhere"):
        undo_backfill(bench.engine, "b-1")
    assert whole == bench.pages()
    undo_backfill(bench.engine, "b-1")
    assert (False, []) == (folder.knows("b-1"), folder.stopped_requests())


def test_ids_that_are_not_known(new_bench: NewBench) -> None:
    """Nothing, or the beginning of several."""
    bench = two_weeks(new_bench)
    with pytest.raises(UnknownBackfillRuns, match="The ledger knows no run at all"):
        undo_backfill(bench.engine, "b-1")
    backfilled(bench, "b-1", last=SUNDAY)
    backfilled(bench, "b-2")
    for given in ("", "c"):
        with pytest.raises(UnknownBackfillRuns, match=r"Known: b-2, b-1\.$"):
            undo_backfill(bench.engine, given)
    with pytest.raises(SeveralNames, match="b-1"):
        undo_backfill(bench.engine, "b")
