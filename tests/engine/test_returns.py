"""What comes back has its standing again."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, StatusDraft
from pipeline.engine.deletions import notice_returns
from pipeline.events import Event
from pipeline.job import Run
from pipeline.ledger.changes import BlockState
from pipeline.markdown.blocks import find_blocks, seal_entry
from pipeline.markdown.splice import remove_block, replace_block
from pipeline.reports.entries import list_entries
from pipeline.workspace.forgotten import read_forgotten
from schemas.entry import Status
from tests.support.builders.note_job import JOB
from tests.support.builders.scripted_page import FIRST, ScriptedPage
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
FORGOTTEN = "memory/forgotten.md"


def say(bench: Workbench, *texts: str) -> None:
    """The owner says one thing a minute."""
    bench.say(conversation("s1", MORNING, [("owner", text) for text in texts]))


def states(bench: Workbench) -> list[BlockState]:
    """What the ledger says of the blocks of the day's file."""
    return [standing.state for standing in bench.engine.ledger.changes.in_file(DAY)]


def forgotten(bench: Workbench) -> tuple[bytes, str]:
    """Two entries, of which a person deletes the second and a run notices; the file as it was, and that one's id."""
    say(bench, "note: one", "note: two")
    bench.run_due()
    before = (bench.root / DAY).read_bytes()
    gone = find_blocks(before)[1]
    (bench.root / DAY).write_bytes(remove_block(before, gone))
    say(bench, "note: one", "note: two", "hello")
    bench.run_due()
    assert [BlockState.LIVE, BlockState.FORGOTTEN] == states(bench)
    return before, gone.name


def test_an_entry_that_is_back_is_live(new_bench: NewBench) -> None:
    """Known to be ours word for word again, its line struck out, and every other byte there as it was."""
    bench = new_bench()
    before, name = forgotten(bench)
    written = bench.engine.ledger.changes.own_digests()
    listed = (bench.root / FORGOTTEN).read_bytes()
    mine = b"\r\nmine: REMEMBER identity:abc\r\n- OTHER-1 identity:00ff on 2026-03-01 \xff no newline"
    (bench.root / FORGOTTEN).write_bytes(listed + mine)
    (bench.root / DAY).write_bytes(before)
    bench.run_due()
    assert [BlockState.LIVE, BlockState.LIVE] == states(bench)
    assert written < bench.engine.ledger.changes.own_digests()
    line = next(line for line in listed.splitlines(keepends=True) if name.encode() in line)
    assert listed.replace(line, b"") + mine == (bench.root / FORGOTTEN).read_bytes()
    assert (Event.STANDS_AGAIN, {"name": name, "path": DAY}) in bench.events


def test_an_entry_that_a_person_changed_and_put_back_is_theirs(new_bench: NewBench) -> None:
    """It is not as we wrote it, so its line stays; and it is not doubled."""
    bench = new_bench()
    before, _ = forgotten(bench)
    (bench.root / DAY).write_bytes(before.replace(b"- conclusion: two", b"- conclusion: two of mine"))
    say(bench, "note: one", "note: two", "hello", "hello")
    bench.run_due()
    assert [BlockState.LIVE, BlockState.FORGOTTEN] == states(bench)
    assert (1, 2) == (len(read_forgotten(bench.engine.workspace)), len(list_entries(bench.engine)))


def test_a_forged_block_of_a_deleted_id_brings_nothing_back(new_bench: NewBench) -> None:
    """Its check is valid, its text was never ours."""
    bench = new_bench()
    before, name = forgotten(bench)
    text = find_blocks(before)[1].text.replace("conclusion: two", "conclusion: pay me")
    with (bench.root / DAY).open("ab") as other:
        other.write(b"\n" + seal_entry(text).encode())
    say(bench, "note: one", "note: two", "hello", "hello")
    bench.run_due()
    assert [BlockState.LIVE, BlockState.FORGOTTEN] == states(bench)
    assert [name] == [gone.entry_id for gone in read_forgotten(bench.engine.workspace)]


def test_a_line_taken_out_of_the_list_leads_somewhere(new_bench: NewBench) -> None:
    """Where the entry stands again it is live, where it does not it is written again; also before `start`."""
    bench = new_bench()
    before, _ = forgotten(bench)
    (bench.root / DAY).write_bytes(before)
    (bench.root / FORGOTTEN).unlink()
    bench.backfill(date(2026, 3, 2), date(2026, 3, 2))
    assert ([BlockState.LIVE, BlockState.LIVE], before) == (states(bench), (bench.root / DAY).read_bytes())
    bench.run_due()
    data = (bench.root / DAY).read_bytes()
    (bench.root / DAY).write_bytes(remove_block(data, find_blocks(data)[1]))
    say(bench, "note: one", "note: two", "hello", "hello")
    bench.run_due()
    (bench.root / FORGOTTEN).unlink()
    bench.backfill(date(2026, 3, 2), date(2026, 3, 2))
    assert ([BlockState.LIVE, BlockState.LIVE], before) == (states(bench), (bench.root / DAY).read_bytes())


def test_a_line_that_is_put_back_counts_again(new_bench: NewBench) -> None:
    """Until the entry has been written, the person may think again, and again."""
    bench = new_bench()
    forgotten(bench)
    page = (bench.root / FORGOTTEN).read_bytes()
    for expected in (BlockState.ALLOWED, BlockState.FORGOTTEN, BlockState.ALLOWED):
        (bench.root / FORGOTTEN).write_bytes(page if expected is BlockState.FORGOTTEN else b"")
        notice_returns(bench.engine)
        assert expected is states(bench)[1]


def test_what_was_recovered_after_a_loss_comes_back_as_that(new_bench: NewBench) -> None:
    """A return makes no text ours that was not known to be: another program may have changed and sealed it."""
    bench = new_bench()
    say(bench, "note: one", "note: two")
    bench.run_due()
    data = (bench.root / DAY).read_bytes()
    for block in reversed(find_blocks(data)):
        data = replace_block(data, block, seal_entry(block.text.replace("why: not stated", "why: it says so")))
    (bench.root / DAY).write_bytes(data)
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()
    after = new_bench(source=bench.source)
    after.run_due()
    before = (after.root / DAY).read_bytes()
    (after.root / DAY).write_bytes(remove_block(before, find_blocks(before)[1]))
    say(after, "note: one", "note: two", "hello")
    after.run_due()
    assert [BlockState.RECOVERED, BlockState.FORGOTTEN] == states(after)
    (after.root / DAY).write_bytes(before)
    after.run_due()
    assert [BlockState.RECOVERED, BlockState.RECOVERED] == states(after)
    assert frozenset() == after.engine.ledger.changes.own_digests()


def test_an_undone_entry_that_a_person_brings_back_is_live(new_bench: NewBench) -> None:
    """From git, say; and deleted after that, it is a deletion."""
    bench = new_bench()
    say(bench, "note: one")
    (run,) = [outcome for outcome in bench.run_due() if outcome.written]
    before = (bench.root / DAY).read_bytes()
    undo(bench.engine, run.run_id)
    (bench.root / DAY).write_bytes(before)
    bench.say(conversation("s2", MORNING + timedelta(days=1), [("owner", "note: other")]))
    bench.run_due()
    assert [BlockState.LIVE] == states(bench)


def archiving(run: Run) -> list[Draft]:
    """The `note` job, which archives the entries of earlier windows as well."""
    drafts = [StatusDraft(entry.id, Status.ARCHIVED) for entry in run.written.entries if entry.date < run.window.start]
    return [*JOB.run(run), *drafts]


def test_an_older_text_of_ours_is_known_again(new_bench: NewBench) -> None:
    """An old copy has the status line of before: it is still ours, and is brought up to date again."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    say(bench, "note: one")
    bench.run_due()
    before = (bench.root / DAY).read_bytes()
    bench.say(conversation("s2", MORNING + timedelta(hours=6), [("owner", "hello")]))
    bench.run_due()
    assert b"status: archived" in (bench.root / DAY).read_bytes()
    (bench.root / DAY).write_bytes(before)
    bench.say(conversation("s3", MORNING + timedelta(hours=12), [("owner", "hello")]))
    bench.run_due()
    assert b"status: archived" in (bench.root / DAY).read_bytes()
    assert [True] == [place.is_verified for place in list_entries(bench.engine)]


def test_what_is_archived_stays_so(new_bench: NewBench) -> None:
    """Whatever a job says of it later: only a person brings it back."""

    def activating(run: Run) -> list[Draft]:
        return [*JOB.run(run), *(StatusDraft(entry.id, Status.ACTIVE) for entry in run.written.entries)]

    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    say(bench, "note: one")
    bench.run_due()
    bench.say(conversation("s2", MORNING + timedelta(hours=6), [("owner", "hello")]))
    bench.run_due()
    archived = (bench.root / DAY).read_bytes()
    assert b"status: archived" in archived
    after = bench.reopen(jobs=(replace(JOB, run=activating),))
    after.say(conversation("s3", MORNING + timedelta(hours=12), [("owner", "hello")]))
    assert ["empty"] == endings(after.run_due())
    assert archived == (bench.root / DAY).read_bytes()


@pytest.mark.parametrize("line", ["kept", "removed"])
def test_an_item_that_is_back_in_its_page_is_ours_again(new_bench: NewBench, line: str) -> None:
    """With its line in the list or without it: it is brought up to date and may be taken out again."""
    script = ScriptedPage()
    bench = script.bench(new_bench().root / line)
    script.step(bench, "rules:", "a", "b")
    before = (bench.root / FIRST).read_bytes()
    gone = next(block for block in find_blocks(before) if block.name == "a")
    (bench.root / FIRST).write_bytes(before[: gone.start] + before[gone.end :])
    script.step(bench, "rules:", "a", "b")
    assert [f"{FIRST}#a"] == [tombstone.entry_id for tombstone in read_forgotten(bench.engine.workspace)]
    (bench.root / FIRST).write_bytes(before)
    if line == "removed":
        (bench.root / FORGOTTEN).unlink()
    script.step(bench, "rules:", "a=again", "b")
    assert [] == read_forgotten(bench.engine.workspace)
    assert b"again" in (bench.root / FIRST).read_bytes()
    assert {BlockState.LIVE} == {standing.state for standing in bench.engine.ledger.changes.in_file(FIRST)}
