"""What others do while a run is at work, and what a run finds when the world has changed under it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pipeline.backfill.plan import FAILURES, FailurePolicy, Planned, due_now, work_through
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, StatusDraft
from pipeline.engine.partitioning.clocked import Clocked
from pipeline.engine.runner import Runner
from pipeline.errors import NothingToUndo, ReadFailed
from pipeline.job import Run
from pipeline.ledger.coverage import State
from pipeline.reports.entries import explain, list_entries
from schemas.entry import Status
from schemas.outcome import Ending
from schemas.transcript import TranscriptFile
from schemas.window import PartitionKey, Window
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.tables import table
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
MOUNT, GONE = "/mnt/agents", "No such file or directory"
MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


def say(bench: Workbench, *texts: str, session_id: str = "s1", hours: float = 0.1) -> None:
    """The owner says one thing after the other."""
    bench.say(conversation(session_id, MORNING, [("owner", text) for text in texts], step=timedelta(hours=hours)))


def titles(bench: Workbench) -> list[str]:
    """What stands in the files."""
    return [place.entry.title for place in list_entries(bench.engine)]


def test_another_command_that_looks_during_a_run_hides_no_message(new_bench: NewBench) -> None:
    """A message comes while a window is at work, and another process notes its file as known: it is still read."""

    def interrupted(run: Run) -> Sequence[Draft]:
        if len(bench.source.read("s1.jsonl")[0].messages) == 1:
            say(bench, "note: one", "note: two")
            other.engine.catalog.refresh()
        return JOB.run(run)

    bench = new_bench(jobs=(replace(JOB, run=interrupted),))
    other = replace(bench)
    say(bench, "note: one")
    bench.run_due()
    assert ["one"] == titles(bench)
    bench.run_due()
    assert ["one", "two"] == titles(bench)
    assert [] == bench.run_due()


def test_a_source_that_cannot_be_listed_loses_nothing(new_bench: NewBench) -> None:
    """A folder that is not mounted is told; what it held stays known, and its windows stay due until it is back."""

    class Unmounted(MemorySource):
        """A source whose folder comes and goes."""

        there = True

        def files(self) -> Iterator[TranscriptFile]:
            if not self.there:
                raise ReadFailed(MOUNT, GONE)
            return super().files()

        def read(self, path: str) -> object:  # type: ignore[override]  # as the base, or not at all
            if not self.there:
                raise ReadFailed(path, GONE)
            return super().read(path)

    source = Unmounted()
    bench = new_bench(source=source)
    say(bench, "note: one")
    bench.engine.catalog.refresh()
    source.there = False
    assert (f"Cannot read {MOUNT}: {GONE}.",) == bench.engine.catalog.refresh().unreadable
    plan = due_now(bench.engine, bench.engine.jobs)
    assert "failed" in endings(list(work_through(Runner(bench.engine), plan)))
    source.there = True
    bench.run_due()
    assert ["one"] == titles(bench)


def test_other_settings_of_a_source_read_it_anew(new_bench: NewBench) -> None:
    """A session that was left out, because of an `agents` list, say, is read once the settings let it in."""
    bench = new_bench()
    files = bench.engine.ledger.files
    files.read_as("memory", "agents = main")
    say(bench, "note: one")
    bench.engine.catalog.refresh()
    assert ["s1.jsonl"] == list(files.by_path("memory"))
    files.read_as("memory", "agents = all")
    assert [] == list(files.by_path("memory"))


def test_a_status_line_rewritten_later_does_not_keep_an_undo_from_its_entry(new_bench: NewBench) -> None:
    """The text is still ours, and still of the first run."""

    def superseding(run: Run) -> list[Draft]:
        old = [entry for entry in run.written.entries if entry.date < run.window.start]
        return [*JOB.run(run), *(StatusDraft(entry.id, Status.SUPERSEDED, ("X",)) for entry in old)]

    bench = new_bench(jobs=(replace(JOB, run=superseding),))
    say(bench, "note: one", "note: two", hours=7)
    first, second = [outcome for outcome in bench.run_due() if outcome.written]
    assert b"status: superseded" in bench.pages()[DAY]
    story = explain(bench.engine, first.written[0])
    assert first.run_id == story.run_id
    assert first.written == undo(bench.engine, first.run_id).removed
    assert second.written == tuple(place.entry.id for place in list_entries(bench.engine))


def test_what_is_undone_stays_undone_however_its_time_was_noted(new_bench: NewBench) -> None:
    """The run was killed before it noted its time, or another run noted it again: the scheduler leaves it alone."""
    bench = new_bench()
    say(bench, "note: one")
    (run,) = [outcome for outcome in bench.run_due() if outcome.written]
    store = bench.engine.ledger.store
    store.write("DELETE FROM coverage WHERE run = ?", (run.run_id,))
    undo(bench.engine, run.run_id)
    say(bench, "note: one", "nothing")
    bench.run_due()
    assert [] == titles(bench)
    assert State.UNDONE in {stretch.state for stretch in bench.engine.ledger.coverage.stretches("note", run.window)}
    bench.backfill(MONDAY, TUESDAY)
    assert ["one"] == titles(bench)


def test_undo_of_an_unknown_run_is_refused(new_bench: NewBench) -> None:
    """With a sentence that names it."""
    with pytest.raises(NothingToUndo, match="Run r-1 is not known"):
        undo(new_bench().engine, "r-1")


def test_a_lost_ledger_leaves_the_open_window_to_be_read(new_bench: NewBench) -> None:
    """Part of a window was run with `--at`; what came after that part is read when the window closes."""
    bench = new_bench()
    bench.clock.moment = MORNING + timedelta(minutes=30)
    say(bench, "note: one")
    bench.run_due()
    bench.backfill(MONDAY, MONDAY)
    window = Window(start=MORNING - timedelta(hours=1), end=MORNING + timedelta(minutes=5))
    bench.engine.catalog.refresh()
    Runner(replace(bench.engine, horizon=window.end)).run(JOB, Clocked(bench.engine, JOB).key(window))
    assert ["one"] == titles(bench)
    say(bench, "note: one", "note: two")
    (bench.root / ".memory" / "state.db").unlink()
    again = new_bench(root=bench.root, source=bench.source, clock=bench.clock)
    again.run_due()
    again.clock.move(timedelta(hours=12))
    again.run_due()
    assert ["one", "two"] == titles(again)


@table("ending", [Ending.FAILED, Ending.TIMED_OUT])
def test_a_window_that_fails_leaves_its_day_and_not_its_job(ending: Ending) -> None:
    """The next days are tried; after several in a row the job is left alone, and a success starts the count again."""
    policy = FailurePolicy("UTC", [JOB])

    def planned(day: int, hour: int = 0) -> Planned:
        start = datetime(2026, 3, day, hour, tzinfo=UTC)
        return Planned(JOB, PartitionKey(key=str(start), window=Window(start=start, end=start + timedelta(hours=1))))

    policy.note(planned(1), ending)
    assert (True, False) == (policy.is_over(planned(1, 5)), policy.is_over(planned(2)))
    policy.note(planned(2), Ending.DONE)
    for day in range(3, 3 + FAILURES - 1):
        policy.note(planned(day), ending)
    assert not policy.is_over(planned(9))
    policy.note(planned(7), Ending.UNREADABLE)
    assert (True, False) == (policy.is_over(planned(7, 5)), policy.is_over(planned(9)))
    policy.note(planned(8), ending)
    assert policy.is_over(planned(9))


def test_an_entry_with_a_broken_field_is_not_written_twice(new_bench: NewBench) -> None:
    """A person broke a field of it: what we wrote holds, also when the same words are said again."""
    bench = new_bench()
    say(bench, "note: one")
    bench.run_due()
    broken = bench.pages()[DAY].replace(b"confidence: 0.90", b"confidence: high")
    (bench.root / DAY).write_bytes(broken)
    assert ["one"] == titles(bench)
    bench.run_due()
    say(bench, "note: one", "nothing")
    bench.run_due()
    assert ["one"] == titles(bench)
    assert broken == bench.pages()[DAY]


@pytest.mark.parametrize("origin", ["memory", "summary"])
def test_copied_history_and_summaries_make_no_time_stale(new_bench: NewBench, origin: str) -> None:
    """What a resumed session repeats, or an agent sums up, was said, and seen, before."""
    bench = new_bench()
    say(bench, "note: one")
    bench.run_due()
    bench.say(conversation("s2", MORNING, [(origin, "note: one")]))
    assert [] == bench.run_due()
