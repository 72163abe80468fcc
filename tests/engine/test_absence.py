"""A file that is gone as a whole is away, not deleted: nothing is banned or written twice, and the run says so."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.drafts import Draft, EntryDraft, ItemDraft, StatusDraft
from pipeline.events import Event
from pipeline.job import Job, Reads, Run, Schedule, Target
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.splice import remove_block
from pipeline.reports.entries import list_entries
from pipeline.workspace.forgotten import read_forgotten
from schemas.entry import Status
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
FIRST, SECOND = "memory/2026-03-02.md", "memory/2026-03-03.md"
ENTRIES = 12  # in the second day's file, so that the first one is a small part of all


def count_page(run: Run) -> list[Draft]:
    """A page that tells how many entries the job saw."""
    return [ItemDraft("count", f"- {len(run.inputs.entries)} entries")]


COUNT = Job(
    "count", "counts entries", Schedule("50 */6 * * *"), Reads(entries=("memory/*.md",)), Target("COUNT.md"), count_page
)


def say(bench: Workbench, *first: str) -> None:
    """What was said on both days; `first` comes on top of two notes of the first one."""
    said = ["note: one", "note: two", *first]
    bench.say(conversation("s1", MORNING, [("owner", text) for text in said]))
    texts = [("owner", f"note: {number}") for number in range(ENTRIES)]
    bench.say(conversation("s2", MORNING + timedelta(days=1), texts))


@contextmanager
def away(bench: Workbench, *paths: str) -> Iterator[None]:
    """The files are elsewhere for a while, and come back as they were."""
    moved = {bench.root / path: bench.root / f"elsewhere-{number}" for number, path in enumerate(paths)}
    for file, elsewhere in moved.items():
        file.rename(elsewhere)
    yield
    for file, elsewhere in moved.items():
        elsewhere.rename(file)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """Two entries of one day, twelve of the next, and all of it dealt with."""
    bench = new_bench()
    bench.clock.moment = MORNING + timedelta(days=2)
    say(bench)
    bench.run_due()
    return bench


def test_a_file_that_is_away_bans_and_doubles_nothing(bench: Workbench) -> None:
    """The run goes on with the rest and warns; when the file is back, all is as it was, and nothing is due."""
    before, written = bench.pages(), bench.engine.ledger.changes.own_digests()
    with away(bench, FIRST):
        say(bench, "hello")
        (outcome,) = bench.run_due()
        assert ("empty", {"forgotten": 2}) == (outcome.ending, outcome.skipped)
        assert f"{FIRST} is gone as a whole, with 2 recorded entries" in outcome.warning
        assert "--allow-shrink" in outcome.warning
        assert {SECOND} == set(bench.pages())
    assert [] == bench.run_due()
    assert (before, written) == (bench.pages(), bench.engine.ledger.changes.own_digests())


@pytest.mark.parametrize("left", [b"", b"\n \n"])
def test_an_empty_file_is_away(bench: Workbench, left: bytes) -> None:
    """Who deletes entries leaves at least the heading of the day."""
    before = (bench.root / FIRST).read_bytes()
    (bench.root / FIRST).write_bytes(left)
    say(bench, "hello")
    assert "gone as a whole" in bench.run_due()[0].warning
    assert [] == read_forgotten(bench.engine.workspace)
    (bench.root / FIRST).write_bytes(before)
    say(bench, "hello", "hello")
    assert "" == bench.run_due()[0].warning


def test_a_file_without_any_of_several_entries_is_away(new_bench: NewBench) -> None:
    """It may be the same day's of another branch; the two of a day may be a person's wish."""
    bench = new_bench()
    bench.clock.moment = MORNING + timedelta(days=2)
    say(bench, "note: three")
    bench.run_due()
    (bench.root / FIRST).write_bytes(b"# mine, of another branch\n")
    say(bench, "note: three", "hello")
    assert "gone as a whole, with 3 recorded entries" in bench.run_due()[0].warning
    assert [] == read_forgotten(bench.engine.workspace)


def test_two_entries_that_a_person_deleted_are_deleted(bench: Workbench) -> None:
    """The heading of the day stands; the file is there."""
    (bench.root / FIRST).write_bytes(b"# 2026-03-02\n")
    say(bench, "hello")
    assert "2 entries that we wrote are gone" in bench.run_due()[0].warning
    assert 2 == len(read_forgotten(bench.engine.workspace))


def test_nothing_is_written_in_the_place_of_a_file_that_is_away(bench: Workbench) -> None:
    """The new file would be overwritten by the old one, or keep it from coming back; so the window stays due."""
    with away(bench, FIRST):
        say(bench, "note: late")
        (outcome,) = bench.run_due()
        assert ("unreadable", ()) == (outcome.ending, outcome.written)
        assert "--allow-shrink" in outcome.warning
        assert FIRST not in bench.pages()
    (outcome,) = bench.run_due()
    assert ("done", 1, "") == (outcome.ending, len(outcome.written), outcome.warning)
    assert ["one", "two", "late"] == [place.entry.title for place in list_entries(bench.engine)][:3]


def test_no_page_is_made_of_a_part(new_bench: NewBench) -> None:
    """A page would lose what rests on the file, and not have it back: it waits."""
    bench = new_bench(jobs=(JOB, COUNT))
    bench.clock.moment = MORNING + timedelta(days=2)
    say(bench)
    bench.run_due()
    page = bench.pages()["COUNT.md"]
    assert b"14 entries" in page
    bench.clock.move(timedelta(hours=7))
    with away(bench, FIRST):
        assert {"unreadable"} == {outcome.ending for outcome in bench.run_due() if outcome.job == "count"}
        assert page == bench.pages()["COUNT.md"]
    assert {"empty"} == set(endings(bench.run_due()))
    assert page == bench.pages()["COUNT.md"]


def test_a_deleted_file_is_given_up_when_the_person_says_so(bench: Workbench) -> None:
    """Also with nothing to run; and removing the lines brings the entries back, from what was said."""
    before = [place.text for place in list_entries(bench.engine)]
    (bench.root / FIRST).unlink()
    engine = bench.engine
    bench.engine = replace(engine, allow_shrink=True)
    assert [] == bench.run_due()
    assert (Event.LOSS_ACCEPTED, {"entries": 2}) in bench.events
    bench.engine = engine
    assert 2 == len(read_forgotten(engine.workspace))
    (bench.root / "memory/forgotten.md").unlink()
    assert "done" in endings(bench.run_due())
    assert before == [place.text for place in list_entries(engine)]


def test_no_status_is_reported_while_a_file_is_away(new_bench: NewBench) -> None:
    """The entry that is away may be the reason why another one does not hold."""

    def restating(run: Run) -> list[Draft]:
        return [*JOB.run(run), *(StatusDraft(entry.id, Status.ARCHIVED) for entry in run.written.entries)]

    bench = new_bench(jobs=(replace(JOB, run=restating),))
    bench.clock.moment = MORNING + timedelta(days=2)
    say(bench)
    bench.run_due()
    bench.say(conversation("s3", MORNING + timedelta(days=1, hours=12), [("owner", "hello")]))
    with away(bench, FIRST):
        before = bench.pages()
        assert "gone as a whole" in bench.run_due()[-1].warning
        assert before == bench.pages()


def test_an_id_of_an_entry_that_is_away_is_not_given_again(new_bench: NewBench) -> None:
    """Two entries of one id would stand there when it comes back."""

    def of_one_name(run: Run) -> list[Draft]:
        named = [draft for draft in JOB.run(run) if isinstance(draft, EntryDraft)]
        return [
            replace(draft, entry=draft.entry.model_copy(update={"id": "DECISION-20260302-same"})) for draft in named
        ]

    bench = new_bench(jobs=(replace(JOB, run=of_one_name),))
    bench.clock.moment = MORNING + timedelta(days=2)
    bench.say(conversation("s1", MORNING, [("owner", "note: one")]))
    bench.run_due()
    with away(bench, FIRST):
        bench.say(conversation("s2", MORNING + timedelta(days=1), [("owner", "note: two")]))
        (outcome,) = bench.run_due()
        assert [] == [name for name in outcome.written if name == "DECISION-20260302-same"]
        assert 1 == len(outcome.written)


def test_an_entry_moved_out_of_a_deleted_file_is_not_away(bench: Workbench, tmp_path: Path) -> None:
    """Only what stands nowhere is."""
    data = (bench.root / FIRST).read_bytes()
    (tmp_path / "memory/2026-03-01.md").write_bytes(data)
    (bench.root / FIRST).unlink()
    say(bench, "hello")
    assert "" == bench.run_due()[0].warning


def test_many_away_at_once_stop_the_run(bench: Workbench) -> None:
    """The folder is not mounted: nothing is written into the place of all that."""
    with away(bench, FIRST, SECOND):
        say(bench, "note: late")
        (outcome,) = bench.run_due()
        assert ("failed", {}) == (outcome.ending, bench.pages())


def test_a_person_may_delete_beside_a_file_that_is_away(bench: Workbench) -> None:
    """The one is a wish and listed, the other is not."""
    data = (bench.root / SECOND).read_bytes()
    block = find_blocks(data)[0]
    (bench.root / SECOND).write_bytes(remove_block(data, block))
    with away(bench, FIRST):
        say(bench, "hello")
        bench.run_due()
        assert [block.name] == [gone.entry_id for gone in read_forgotten(bench.engine.workspace)]
