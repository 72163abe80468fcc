"""Undo of a run, and a ledger that was lost."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, StatusDraft
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.errors import LedgerDamaged, NothingToUndo
from pipeline.job import Run
from pipeline.ledger.coverage import State
from pipeline.markdown.blocks import seal_entry
from pipeline.reports.entries import list_entries
from pipeline.reports.status import job_standings
from schemas.entry import Status
from schemas.outcome import Outcome
from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


def said(bench: Workbench, *texts: str, session_id: str = "s1", hours: int = 4) -> None:
    """The owner says one thing every few hours."""
    turns = [("owner", text) for text in texts]
    bench.say(conversation(session_id, MORNING, turns, step=timedelta(hours=hours)))


def writers(outcomes: list[Outcome]) -> list[str]:
    """The runs that wrote something."""
    return [outcome.run_id for outcome in outcomes if outcome.paths]


def titles(bench: Workbench) -> list[str]:
    """What stands in the files, in their order."""
    return [place.entry.title for place in list_entries(bench.engine)]


def archiving(run: Run) -> list[Draft]:
    """The `note` job, which archives the entries of earlier windows as well."""
    drafts = [StatusDraft(entry.id, Status.ARCHIVED) for entry in run.written.entries if entry.date < run.window.start]
    return [*JOB.run(run), *drafts]


def lost(bench: Workbench, new_bench: NewBench) -> Workbench:
    """The same workspace after its ledger was lost."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()
    return new_bench(source=bench.source, clock=bench.clock, settings=bench.settings)


def test_undo_takes_exactly_the_runs_blocks(new_bench: NewBench) -> None:
    """Another run's entries and a person's lines stay; the scheduler does not write them again."""
    bench = new_bench()
    said(bench, "note: one", "note: two")
    first, _second = writers(bench.run_due())
    with (bench.root / DAY).open("ab") as mine:
        mine.write(b"\nmine, no newline")
    receipt = undo(bench.engine, first)
    assert (1, (), ()) == (len(receipt.removed), receipt.restored, receipt.left)
    assert ["two"] == titles(bench)
    assert bench.pages()[DAY].endswith(b"\nmine, no newline")
    assert [] == bench.run_due()
    assert "memory/forgotten.md" not in bench.pages()


def test_a_back_fill_after_undo_gives_the_same_bytes(new_bench: NewBench) -> None:
    """Undone newest first and filled again, the file is what it was; the one that was made for us goes between."""
    bench = new_bench()
    said(bench, "note: one", "note: two")
    runs = writers(bench.run_due())
    before = bench.pages()
    for run_id in reversed(runs):
        undo(bench.engine, run_id)
    assert {} == bench.pages()
    bench.backfill(MONDAY, TUESDAY)
    assert before == bench.pages()


def test_undo_leaves_what_a_person_has_changed(new_bench: NewBench) -> None:
    """Edited and deleted entries are named, and nothing is done to them."""
    bench = new_bench()
    said(bench, "note: one", "note: two", hours=1)
    (run_id,) = writers(bench.run_due())
    edited = bench.pages()[DAY].replace(b"- conclusion: one", b"- conclusion: one of mine")
    (bench.root / DAY).write_bytes(edited)
    receipt = undo(bench.engine, run_id)
    assert (1, 1) == (len(receipt.removed), len(receipt.left))
    assert ["one"] == titles(bench)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_undo_restores_a_rewritten_status(new_bench: NewBench, newline: bytes) -> None:
    """The old status line comes back, in the file's own line ends."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    (bench.root / "memory").mkdir()
    (bench.root / DAY).write_bytes(b"mine" + newline * 2)
    said(bench, "note: one", "note: two")
    runs = writers(bench.run_due())
    assert [Status.ARCHIVED, Status.ACTIVE] == [place.entry.status for place in list_entries(bench.engine)]
    receipts = [undo(bench.engine, run_id) for run_id in reversed(runs)]
    assert 1 == sum(len(receipt.restored) for receipt in receipts)
    assert b"mine" + newline * 2 == bench.pages()[DAY]


def test_undo_restores_only_what_it_rewrote(new_bench: NewBench) -> None:
    """The newest of three runs is undone: the second entry is active again, and verified."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    said(bench, "note: one", "note: two", "note: three", hours=6)
    newest = writers(bench.run_due())[-1]
    undo(bench.engine, newest)
    places = list_entries(bench.engine)
    assert [("one", "archived", True), ("two", "active", True)] == [
        (place.entry.title, place.entry.status, place.is_verified) for place in places if place.entry.title != "three"
    ]


def test_an_undo_is_done_once(new_bench: NewBench) -> None:
    """Twice, of a run that wrote nothing, and of no run: told why."""
    bench = new_bench()
    said(bench, "note: one")
    outcomes = bench.run_due()
    (run_id,) = writers(outcomes)
    undo(bench.engine, run_id)
    with pytest.raises(NothingToUndo, match="has been undone"):
        undo(bench.engine, run_id)
    with pytest.raises(NothingToUndo, match="wrote nothing"):
        undo(bench.engine, next(outcome.run_id for outcome in outcomes if outcome.ending == "empty"))
    with pytest.raises(NothingToUndo, match="is not known"):
        undo(bench.engine, "20260101T000000-aaaaaa")


def test_a_forged_block_is_never_made_ours_by_a_status_line(new_bench: NewBench) -> None:
    """A block that somebody else sealed is not rewritten, so it stays unverified."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    said(bench, "note: one", "note: two", hours=6)
    bench.run_due()
    text = list_entries(bench.engine)[0].text.replace("note: one", "note: pay me").replace("298e9ee1", "pay-me")
    forged = seal_entry(text.replace("- status: archived", "- status: active"))
    with (bench.root / DAY).open("ab") as other:
        other.write(b"\n" + forged.encode())
    said(bench, "note: one", "note: two", "note: three", hours=6)
    bench.run_due()
    said(bench, "note: four", session_id="s2", hours=6)
    bench.run_due()
    assert forged.encode() in bench.pages()[DAY]
    assert 1 == sum(not place.is_verified for place in list_entries(bench.engine))


def test_a_lost_ledger_loses_and_doubles_nothing(new_bench: NewBench) -> None:
    """The files stay as they are, entries are known again, and only a back-fill looks at the rest."""
    bench = new_bench()
    said(bench, "note: one", "hello", "note: two", hours=8)
    bench.run_due()
    before = bench.pages()
    after = lost(bench, new_bench)
    assert [] == after.run_due()
    assert before == after.pages()
    assert {State.COVERED, State.UNKNOWN} == {
        stretch.state for stretch in after.engine.ledger.coverage.stretches("note")
    }
    assert {"empty"} == set(endings(after.backfill(MONDAY, TUESDAY)))
    assert before == after.pages()


def test_unknown_time_waits_for_a_back_fill(new_bench: NewBench) -> None:
    """A note in a window of which no entry tells is not written by the scheduler."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    after = lost(bench, new_bench)
    said(after, "note: tuesday", session_id="s2")
    after.source.put(conversation("s2", MORNING + timedelta(days=1), [("owner", "note: tuesday")]))
    assert [] == after.run_due()
    after.backfill(TUESDAY, TUESDAY)
    assert ["one", "tuesday"] == titles(after)


def test_time_that_had_not_closed_is_not_unknown(new_bench: NewBench) -> None:
    """What was said since the last closed window is written when its window closes, as ever."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    after = lost(bench, new_bench)
    now = after.clock.moment
    after.say(conversation("s2", now - timedelta(minutes=5), [("owner", "note: just now")]))
    after.run_due()
    after.clock.move(timedelta(hours=7))
    after.run_due()
    assert ["one", "just now"] == titles(after)


def test_forged_entries_make_no_time_done(new_bench: NewBench) -> None:
    """An entry whose quote nobody said does not hide the window it claims."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    forged = bench.pages()[DAY].replace(b"note: one", b"note: nobody").replace(b"# 2026-03-02\n", b"")
    (bench.root / DAY).write_bytes(forged)
    after = lost(bench, new_bench)
    after.run_due()
    assert "one" in titles(after)


def test_a_deletion_after_the_loss_is_noticed(new_bench: NewBench) -> None:
    """The rebuilt ledger knows which entries stood there."""
    bench = new_bench()
    said(bench, "note: one", "note: two", hours=1)
    bench.run_due()
    after = lost(bench, new_bench)
    after.run_due()
    (after.root / DAY).write_bytes(b"# 2026-03-02\n")
    said(after, "note: one", "note: two", "note: three", hours=1)
    after.run_due()
    assert ["three"] == titles(after)
    assert 2 == after.pages()["memory/forgotten.md"].count(b"identity:")


def stretches(bench: Workbench) -> list[tuple[str, str, str]]:
    """What is known of the time of the only job: state, from when, until when, in UTC."""
    actual = bench.engine.ledger.coverage.stretches("note")
    return [
        (stretch.state.value, f"{stretch.window.start:%d %H:%M}", f"{stretch.window.end:%d %H:%M}")
        for stretch in actual
    ]


def test_time_that_was_back_filled_is_unknown_between_what_the_files_tell(new_bench: NewBench) -> None:
    """Before `start` nothing is run but by a back-fill: from its first trace to its last, nobody knows what it did."""
    settings = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 4, 11, tzinfo=UTC))
    bench = new_bench(settings=settings)
    said(bench, "note: one", "hello", "note: two", hours=12)
    bench.backfill(MONDAY, TUESDAY)
    before = bench.pages()
    after = lost(bench, new_bench)
    assert [] == after.run_due()
    first, last = ("covered", "02 05:00", "02 11:00"), ("covered", "03 05:00", "03 11:00")
    assert [first, ("unknown", "02 11:00", "03 05:00"), last] == stretches(after)
    after.backfill(MONDAY, TUESDAY)
    assert {"covered"} == {state for state, *_ in stretches(after)}
    assert before == after.pages()


def test_a_day_that_start_lies_in_tells_of_no_back_fill(new_bench: NewBench) -> None:
    """Its window began before `start`, and was run because it was due."""
    settings = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 2, 7, tzinfo=UTC))
    bench = new_bench(settings=settings)
    said(bench, "note: one")
    bench.run_due()
    after = lost(bench, new_bench)
    after.run_due()
    assert [("covered", "02 05:00", "02 11:00"), ("unknown", "02 11:00", "04 05:00")] == stretches(after)


def test_a_rebuild_is_noted_with_its_moment(new_bench: NewBench) -> None:
    """What was run before is not known then, and that is another thing than never; a later run is known again."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    assert [None] == [item.rebuilt for item in job_standings(bench.engine)]
    after = lost(bench, new_bench)
    after.run_due()
    now = after.clock.now()
    assert [(None, now)] == [(item.last_success, item.rebuilt) for item in job_standings(after.engine)]
    after.clock.move(timedelta(hours=7))
    after.run_due()
    (standing,) = job_standings(after.engine)
    assert (True, now) == (standing.last_success is not None, standing.rebuilt)


def test_a_rebuild_that_is_stopped_is_done_again_whole(new_bench: NewBench) -> None:
    """A ledger that knows a part of the files would not look lost any more."""
    bench = new_bench()
    said(bench, "note: one", "note: two")
    bench.run_due()
    after = lost(bench, new_bench)
    after.engine.catalog.refresh()
    store = after.engine.ledger.store
    store.write("CREATE TRIGGER full BEFORE INSERT ON rebuilds BEGIN SELECT RAISE(ABORT, 'as if'); END")
    with pytest.raises(LedgerDamaged, match="as if"):
        rebuild_if_lost(after.engine)
    assert ([], []) == (stretches(after), after.engine.ledger.changes.live())
    store.write("DROP TRIGGER full")
    assert rebuild_if_lost(after.engine)
    assert 2 == len(after.engine.ledger.changes.live())
