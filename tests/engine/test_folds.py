"""Folds of pages that jobs write: undo is of the input, and the fold follows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from pipeline.corrections.undo import Undone, undo, undo_key
from pipeline.drafts import Draft, ItemDraft
from pipeline.errors import UndoInputs
from pipeline.job import Job, OnChange, Period, Reads, Run, Schedule, Target
from schemas.settings import Settings
from tests.support.builders.cadence_jobs import MONTH
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
START = datetime(2025, 12, 31, 23, tzinfo=UTC)
PAGE, FEBRUARY = "second-brain/year.md", "second-brain/months/2026-02.md"


def year(run: Run) -> Sequence[Draft]:
    """All lines of all months."""
    lines = sorted({line for file in run.inputs.documents for line in file.text.splitlines() if line.startswith("- ")})
    return [ItemDraft(f"line-{number}", line.partition(" <!--")[0]) for number, line in enumerate(lines)]


MONTHS = replace(MONTH, writes=replace(MONTH.writes, final=True))
YEAR = Job(
    name="year",
    purpose="one page of all months",
    schedule=OnChange(of=("second-brain/months/*.md",)),
    reads=Reads(documents=("second-brain/months/*.md",)),
    writes=Target(PAGE),
    run=year,
)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """Two months with a line of each, and the year's page with both."""
    made = new_bench(jobs=(MONTHS, YEAR), settings=Settings(timezone="Europe/Warsaw", start=START))
    made.say(conversation("s1", datetime(2026, 1, 9, 9, tzinfo=UTC), [("owner", "one")]))
    made.say(conversation("s2", datetime(2026, 2, 9, 9, tzinfo=UTC), [("owner", "two")]))
    assert ["month", "month", "year"] == [outcome.job for outcome in made.run_due()]
    return made


def page(bench: Workbench) -> list[str]:
    """The lines of the year."""
    return [line.partition(" <!--")[0] for line in bench.pages().get(PAGE, b"").decode().splitlines() if line.strip()]


def newest(bench: Workbench, job: Job) -> str:
    """The last run of a job that wrote something."""
    runs, wrote = bench.engine.ledger.runs.latest(job.name, 9), bench.engine.ledger.changes.of_run
    return next(record.run_id for record in runs if wrote(record.run_id))


def undo_february(bench: Workbench) -> Undone:
    """Take back the newest month."""
    return undo(bench.engine, newest(bench, MONTHS))


def test_the_undo_of_an_input_renders_the_fold(bench: Workbench) -> None:
    """In the same command; what is undone stays so, and a back-fill brings it and the fold's line back."""
    before = bench.pages()
    rendered = undo_february(bench).rendered
    assert [("year", (PAGE,))] == [(outcome.job, outcome.paths) for outcome in rendered]
    assert ["- one"] == page(bench)
    assert [] == bench.run_due()
    bench.backfill(date(2026, 2, 1), date(2026, 2, 1))
    assert before == bench.pages()


def test_a_fold_is_not_undone_alone(bench: Workbench) -> None:
    """It would be rendered again: the sentence names the month whose page it rendered last, and that can be undone."""
    with pytest.raises(UndoInputs, match="`memory undo 2026-02`"):
        undo(bench.engine, newest(bench, YEAR))
    assert ["- one", "- two"] == page(bench)
    undo_key(bench.engine, "2026-02")
    assert ["- one"] == page(bench)


def test_the_undo_of_all_inputs_leaves_nothing_of_ours(bench: Workbench) -> None:
    """A page without a line is no page."""
    undo_february(bench)
    january = next(record for record in bench.engine.ledger.runs.latest("month", 9) if record.undone is None)
    undo(bench.engine, january.run_id)
    assert PAGE not in bench.pages()


def test_a_fold_that_somebody_is_at_work_on_is_rendered_by_the_next_run(bench: Workbench) -> None:
    """The undo is done, and says that the page waits; an input that it still shows can be made again."""
    with bench.engine.locks.hold(["year"], "other", bench.engine.clock.now()):
        [outcome] = undo_february(bench).rendered
        assert ("locked", ["- one", "- two"]) == (outcome.ending, page(bench))
    bench.backfill(date(2026, 2, 1), date(2026, 2, 1))
    assert ["- one", "- two"] == page(bench)
    undo_february(bench)
    assert ["- one"] == page(bench)


def test_a_fold_waits_for_an_input_that_is_away(bench: Workbench) -> None:
    """A folder that is not mounted takes no line out of the page; a person may say that the file was deleted."""
    file, before = bench.root / FEBRUARY, bench.pages()
    data = file.read_bytes()
    file.unlink()
    [outcome] = bench.run_due()
    assert ("unreadable", True) == (outcome.ending, FEBRUARY in outcome.warning)
    assert ["- one", "- two"] == page(bench)
    file.write_bytes(data)
    assert [] == bench.run_due()
    assert before == bench.pages()
    file.unlink()
    bench.engine = replace(bench.engine, allow_shrink=True)
    assert ["done"] == endings(bench.run_due())
    bench.engine = replace(bench.engine, allow_shrink=False)
    assert (["- one"], []) == (page(bench), bench.run_due())


def test_a_lost_ledger_renders_nothing_again(bench: Workbench) -> None:
    """The page is there, so nobody can tell that it is not what the months come to."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    before, again = bench.pages(), bench.reopen()
    assert [] == again.run_due()
    assert before == again.pages()


def test_a_fold_of_what_people_write_is_undone_until_they_write(new_bench: NewBench) -> None:
    """No run can be named instead; what was taken back comes again with the next change."""
    bench = new_bench(jobs=(YEAR,), settings=Settings(timezone="Europe/Warsaw", start=START))
    file = bench.root / FEBRUARY
    file.parent.mkdir(parents=True)
    file.write_text("- my own\n")
    bench.run_due()
    undo(bench.engine, newest(bench, YEAR))
    assert ([], []) == (page(bench), bench.run_due())
    file.write_text("- my own\n- and more\n")
    bench.run_due()
    assert ["- and more", "- my own"] == page(bench)


@pytest.mark.parametrize("taken_back", [False, True])
def test_a_job_that_had_a_clock_goes_on_as_a_fold(new_bench: NewBench, *, taken_back: bool) -> None:
    """What an earlier version rendered, or a person took back, stays so until an input changes."""
    by_clock = replace(YEAR, schedule=Schedule("0 5 * * *", period=Period.MONTH))
    bench = new_bench(jobs=(MONTHS, by_clock), settings=Settings(timezone="Europe/Warsaw", start=START))
    bench.say(conversation("s1", datetime(2026, 1, 9, 9, tzinfo=UTC), [("owner", "one")]))
    bench.run_due()
    if taken_back:
        undo(bench.engine, newest(bench, by_clock))
    before, later = bench.pages(), bench.reopen(jobs=(MONTHS, YEAR))
    assert [] == later.run_due()
    assert before == later.pages()
    later.say(conversation("s2", datetime(2026, 2, 9, 9, tzinfo=UTC), [("owner", "two")]))
    later.run_due()
    assert ["- one", "- two"] == page(later)
