"""What makes jobs due: every kind holds to the same contract, and each has its own rules besides."""

# ruff: noqa: RUF001 - full-width letters and dots are what an attacker writes paths with

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.plan import ALL_TIME, due_now
from pipeline.corrections.undo import undo, undo_key
from pipeline.drafts import ItemDraft
from pipeline.engine.partitioning import partitionings_of
from pipeline.engine.partitioning.base import keep_request
from pipeline.errors import NothingToUndo, RegistryRefused
from pipeline.job import EveryNth, Job, Reads, Target
from pipeline.reports.grid import grid
from pipeline.reports.status import job_standings, outstanding
from pipeline.scheduling.registry import check_jobs
from schemas.outcome import Ending
from schemas.settings import Settings
from tests.support.builders.cadence_jobs import ALL, BOTH, EPISODE, FOLD, GROUP, MONTH, REQUEST, TALK
from tests.support.ports.memory_source import conversation, message
from tests.support.tables import table
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
FEBRUARY = datetime(2026, 2, 10, 8, tzinfo=UTC)
START = datetime(2026, 1, 31, 23, tzinfo=UTC)
every_kind = pytest.mark.parametrize("job", ALL, ids=lambda job: job.name)


def note(bench: Workbench, name: str, text: str) -> None:
    """A person writes a note."""
    file = bench.root / "second-brain" / "notes" / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def prepared(new_bench: NewBench, *jobs: Job, **fields: object) -> Workbench:
    """A workspace with something to do for every kind: two conversations in February, two notes, a request.

    The conversations that a group is of are pages already.
    """
    grouped = any(isinstance(job.schedule, EveryNth) for job in jobs)
    first = (TALK,) if grouped and TALK not in jobs else ()
    bench = new_bench(jobs=first or jobs, settings=Settings(timezone="Europe/Warsaw", start=START), **fields)
    bench.say(conversation("s1", FEBRUARY, [("owner", "one"), ("assistant", "yes"), ("owner", "two")]))
    if grouped:
        bench.say(conversation("s2", FEBRUARY + timedelta(hours=1), [("owner", "three")]))
    if first:
        bench.run_due()
        bench = bench.reopen(jobs=(*first, *jobs))
    note(bench, "a", "apples are red\n")
    note(bench, "b", "pears are green\n")
    if REQUEST in jobs:
        keep_request(bench.engine, REQUEST, "r-1", "write this")
    return bench


def talked(new_bench: NewBench, *texts: str) -> Workbench:
    """A workspace in which conversations an hour apart were archived, and grouped by two."""
    bench = new_bench(jobs=(TALK, GROUP), settings=Settings(timezone="Europe/Warsaw", start=START))
    for place, text in enumerate(texts, 1):
        bench.say(conversation(f"t{place}", FEBRUARY + timedelta(hours=place), [("owner", text)]))
    bench.run_due()
    return bench


def groups(bench: Workbench) -> set[str]:
    """The pages of groups."""
    return {path for path in bench.pages() if "/groups/" in path}


def ours(bench: Workbench) -> dict[str, bytes]:
    """The pages, without the notes and the conversations that a group is of."""
    return {path: data for path, data in bench.pages().items() if "/notes/" not in path and "/talks/" not in path}


def lose_ledger(bench: Workbench) -> Workbench:
    """The same folder after its ledger was lost."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    return bench.reopen()


@every_kind
def test_it_runs_once(new_bench: NewBench, job: Job) -> None:
    """What is due runs, and then nothing is due until something changes."""
    bench = prepared(new_bench, job)
    assert ["done"] == endings(bench.run_due())
    first = bench.pages()
    assert [] == bench.run_due()
    assert first == bench.pages()


@every_kind
def test_only_its_family_changes(new_bench: NewBench, job: Job) -> None:
    """All that it writes stands in the files of its family."""
    bench = prepared(new_bench, job)
    before = bench.pages().keys()
    [outcome] = bench.run_due()
    made = bench.pages().keys() - before
    assert set(outcome.paths) == made
    assert {path.rpartition("/")[0] for path in made} == {job.writes.family.rpartition("/")[0]}


@every_kind
def test_what_was_undone_comes_back_when_asked_for(new_bench: NewBench, job: Job) -> None:
    """An undo takes back exactly what the run wrote; a back-fill, and nothing else, brings it again."""
    bench = prepared(new_bench, job)
    before = bench.pages()
    [outcome] = bench.run_due()
    after = bench.pages()
    undo(bench.engine, outcome.run_id)
    assert before == bench.pages()
    assert [] == bench.run_due()
    bench.backfill(date(2026, 2, 1), date(2026, 3, 4))
    assert after == bench.pages()


@every_kind
def test_a_lost_ledger_doubles_nothing(new_bench: NewBench, job: Job) -> None:
    """Whatever is rendered or written again comes to the same bytes."""
    bench = prepared(new_bench, job)
    bench.run_due()
    before = bench.pages()
    again = lose_ledger(bench)
    again.run_due()
    again.backfill(date(2026, 2, 1), date(2026, 3, 4))
    assert before == again.pages()


@every_kind
def test_status_and_grid_show_it(new_bench: NewBench, job: Job) -> None:
    """What is due is missing in the grid; what was done is done."""
    bench = prepared(new_bench, job)
    bench.engine.catalog.refresh()
    standing = next(one for one in job_standings(bench.engine) if one.job == job)
    assert (1, None) == (len(standing.due), standing.last_success)
    row = next(one for one in grid(bench.engine, 60) if one.job == job)
    assert ["missing"] == [*dict.fromkeys(cell.value for cell in row.cells.values())]
    bench.run_due()
    standing = next(one for one in job_standings(bench.engine) if one.job == job)
    assert ((), True) == (standing.due, standing.last_success is not None)
    row = next(one for one in grid(bench.engine, 60) if one.job == job)
    assert "done" in {cell.value for cell in row.cells.values()}
    assert "missing" not in {cell.value for cell in row.cells.values()}


def test_a_month_is_named_and_runs_when_it_is_over(new_bench: NewBench) -> None:
    """February runs at the first tick in March."""
    bench = prepared(new_bench, MONTH)
    bench.clock.moment = datetime(2026, 2, 28, 22, tzinfo=UTC)
    assert [] == bench.run_due()
    bench.clock.moment = datetime(2026, 3, 1, 4, 3, tzinfo=UTC)
    [outcome] = bench.run_due()
    assert ("2026-02", ("second-brain/months/2026-02.md",)) == (outcome.key, outcome.paths)


def test_a_month_is_undone_by_its_name(new_bench: NewBench) -> None:
    """Its page goes, nothing brings it back by itself, and a second undo of it is refused."""
    bench = prepared(new_bench, MONTH)
    before = bench.pages()
    bench.run_due()
    [undone] = undo_key(bench.engine, "2026-02")
    assert (before, ()) == (bench.pages(), undone.left)
    assert [] == bench.run_due()
    with pytest.raises(NothingToUndo, match="Day, week or month 2026-02 has written nothing that stands"):
        undo_key(bench.engine, "2026-02")


def test_a_pause_makes_two_episodes(new_bench: NewBench) -> None:
    """Thirty minutes without a word end an episode; one that may go on is not run."""
    bench = new_bench(jobs=(EPISODE,), settings=Settings(start=START))
    early = conversation("s1", FEBRUARY, [("owner", "one"), ("owner", "two")], step=timedelta(minutes=5))
    late = message("s1-3", 3, FEBRUARY + timedelta(minutes=40), ("owner", "three"))
    bench.say(early.model_copy(update={"messages": (*early.messages, late)}))
    bench.clock.moment = FEBRUARY + timedelta(minutes=69)
    assert ["s1@20260210T080000Z"] == [outcome.key for outcome in bench.run_due()]
    bench.clock.moment = FEBRUARY + timedelta(minutes=70)
    assert ["s1@20260210T084000Z"] == [outcome.key for outcome in bench.run_due()]
    text = b"".join(bench.pages().values()).decode()
    assert ("one | two" in text, "1 messages: three" in text) == (True, True)


def test_a_cut_is_made_once(new_bench: NewBench) -> None:
    """A message that comes late into an episode that was run belongs to it; it neither joins nor splits episodes."""
    bench = new_bench(jobs=(EPISODE,), settings=Settings(start=START))
    bench.say(conversation("s1", FEBRUARY, [("owner", "one")]))
    bench.run_due()
    session = conversation("s1", FEBRUARY, [("owner", "one"), ("owner", "late")], step=timedelta(minutes=29))
    bench.say(session)
    [outcome] = bench.run_due()
    assert "s1@20260210T080000Z" == outcome.key


def test_a_group_that_is_not_complete_waits(new_bench: NewBench) -> None:
    """Two pages make a group; the third waits for a fourth; a page with another text makes its group due again."""
    bench = talked(new_bench, "one", "two", "three")
    assert {"second-brain/groups/001.md"} == groups(bench)
    bench.say(conversation("t4", FEBRUARY + timedelta(hours=4), [("owner", "four")]))
    bench.run_due()
    assert {"second-brain/groups/001.md", "second-brain/groups/002.md"} == groups(bench)
    late = [("owner", "one"), ("owner", "late")]
    bench.say(conversation("t1", FEBRUARY + timedelta(hours=1), late, step=timedelta(minutes=29)))
    assert [("talk", "t1@20260210T090000Z"), ("group", "1")] == [(one.job, one.key) for one in bench.run_due()]
    assert b"- late" in bench.pages()["second-brain/groups/001.md"]


def test_a_group_keeps_its_members(new_bench: NewBench) -> None:
    """Also without a ledger, and after an undo; a member that is gone leaves a hole, and nothing fills it."""
    bench = talked(new_bench, "one", "two", "three")
    (bench.root / "second-brain/talks/2026-02-10_001.md").unlink()
    later = lose_ledger(bench)
    later.say(conversation("t4", FEBRUARY + timedelta(hours=4), [("owner", "four")]))
    later.run_due()
    assert b"- three" in later.pages()["second-brain/groups/002.md"]
    assert b"- one" in later.pages()["second-brain/groups/001.md"]
    [run] = later.engine.ledger.runs.latest("group", limit=1)
    undo(later.engine, run.run_id)
    assert {"second-brain/groups/001.md"} == groups(later)
    later.backfill(FEBRUARY.date(), FEBRUARY.date())
    assert b"- three" in later.pages()["second-brain/groups/002.md"]


def test_a_page_of_other_make_keeps_its_number(new_bench: NewBench) -> None:
    """A file that names no members of ours is nobody's group: the next number is free."""
    theirs = b"# My own\n"
    bench = new_bench(jobs=(TALK, GROUP), settings=Settings(timezone="Europe/Warsaw", start=START))
    file = bench.root / "second-brain/groups/001.md"
    file.parent.mkdir(parents=True)
    file.write_bytes(theirs)
    for place, text in enumerate(("one", "two"), 1):
        bench.say(conversation(f"t{place}", FEBRUARY + timedelta(hours=place), [("owner", text)]))
    bench.run_due()
    assert (theirs, {"second-brain/groups/001.md", "second-brain/groups/002.md"}) == (file.read_bytes(), groups(bench))


def test_a_request_is_kept_before_it_is_carried_out(new_bench: NewBench) -> None:
    """It outlives the process that took it, and asking twice with one id asks once."""
    bench = new_bench(jobs=(REQUEST,))
    assert keep_request(bench.engine, REQUEST, "r-1", "write this") == keep_request(
        bench.engine, REQUEST, "r-1", "write that"
    )
    later = bench.reopen()
    assert ["r-1"] == [outcome.key for outcome in later.run_due()]
    assert b"- write this" in b"".join(later.pages().values())


def test_a_job_takes_requests_beside_its_schedule(new_bench: NewBench) -> None:
    """A request runs once, whether it is undone or not; a back-fill runs again what the schedule says."""
    bench = prepared(new_bench, BOTH)
    keep_request(bench.engine, BOTH, "r-1", "write this")
    requested, scheduled = sorted(bench.run_due(), key=lambda outcome: outcome.key != "r-1")
    assert ("r-1", "done", "done") == (requested.key, requested.ending, scheduled.ending)
    written = b"".join(ours(bench).values())
    assert (1, 1) == (written.count(b"- write this"), written.count(b"- 2 messages"))
    for outcome in (scheduled, requested):
        undo(bench.engine, outcome.run_id)
    assert [scheduled.key] == [outcome.key for outcome in bench.backfill(date(2026, 2, 1), date(2026, 3, 31))]
    assert [] == bench.run_due()
    known = [one for kind in partitionings_of(bench.engine, BOTH) for one in kind.find_covered(ALL_TIME)]
    assert {"r-1": "undone", scheduled.key: "covered"} == {one.partition.key: one.state for one in known}


def test_a_fold_follows_its_inputs(new_bench: NewBench) -> None:
    """A page is made for what comes, changed with what changes, and emptied of ours with what goes."""
    bench = prepared(new_bench, FOLD)
    bench.run_due()
    assert ["bank/apples.md", "bank/pears.md"] == sorted(ours(bench))
    note(bench, "b", "plums are blue\n")
    [outcome] = bench.run_due()
    assert ["bank/pears.md", "bank/plums.md"] == sorted(outcome.paths)
    assert ["bank/apples.md", "bank/plums.md"] == sorted(ours(bench))


def test_a_fold_follows_what_people_write_where_it_sees_nothing_else(new_bench: NewBench) -> None:
    """It is due for a line of theirs in a file of which it sees theirs alone."""
    bench = prepared(new_bench, replace(FOLD, reads=replace(FOLD.reads, by_people=("MEMORY.md",))))
    (bench.root / "MEMORY.md").write_text("- mine\n")
    assert ["done"] == endings(bench.run_due())
    assert [] == bench.run_due()
    (bench.root / "MEMORY.md").write_text("- mine\n- mine too\n")
    assert ["empty"] == endings(bench.run_due())


def test_a_person_keeps_their_lines_in_a_page_that_is_left(new_bench: NewBench) -> None:
    """What is ours goes, and the rest stays word for word."""
    bench = prepared(new_bench, FOLD)
    bench.run_due()
    page = bench.root / "bank" / "pears.md"
    page.write_text(page.read_text() + "\nmy own words\n")
    (bench.root / "second-brain" / "notes" / "b.md").unlink()
    bench.run_due()
    assert (True, False) == ("my own words" in page.read_text(), "green" in page.read_text())


def test_a_line_that_a_person_takes_out_of_a_page_stays_out(new_bench: NewBench) -> None:
    """Also of a page among many, and when others are rendered again."""
    bench = prepared(new_bench, FOLD)
    bench.run_due()
    page = bench.root / "bank" / "apples.md"
    page.write_text("# Apples\n")
    note(bench, "c", "figs are soft\n")
    bench.run_due()
    assert "red" not in page.read_text()


def test_a_page_that_is_gone_is_rendered_again(new_bench: NewBench) -> None:
    """A file that is away as a whole deletes nothing."""
    bench = prepared(new_bench, FOLD)
    bench.run_due()
    before = bench.pages()
    (bench.root / "bank" / "apples.md").unlink()
    bench.run_due()
    assert before == bench.pages()


def test_a_request_is_no_page_that_is_rendered_again(new_bench: NewBench) -> None:
    """A page that is gone after a request was carried out is rendered by the schedule, because a request runs once."""
    job = replace(FOLD, on_request=True)
    bench = prepared(new_bench, job)
    bench.run_due()
    keep_request(bench.engine, job, "r-1", "now")
    assert ["r-1"] == [outcome.key for outcome in bench.run_due()]
    before = bench.pages()
    (bench.root / "bank" / "apples.md").unlink()
    assert ["all"] == [outcome.key for outcome in bench.run_due()]
    assert before == bench.pages()


@pytest.mark.parametrize(
    "name", ["../../MEMORY", "．．／．．／ＭＥＭＯＲＹ", "/etc/passwd", "..", "a" * 300, "\N{SNOWMAN}"]
)
def test_no_page_leaves_its_folder(new_bench: NewBench, name: str, tmp_path: Path) -> None:
    """Whatever words a page is named by, it stands in the folder of its family."""
    bench = prepared(new_bench, FOLD)
    note(bench, "c", f"{name} is a name\n")
    bench.run_due()
    assert {Path(path).parent.as_posix() for path in ours(bench)} == {"bank"}
    assert not (tmp_path / "MEMORY.md").exists()
    assert 3 == len(ours(bench))


def test_an_item_of_no_page_is_refused(new_bench: NewBench) -> None:
    """A family of named pages needs a name; the run fails with a sentence, and none of its pages is written."""
    drafts = [ItemDraft("one", "- one", page="apples"), ItemDraft("two", "- two", page=" ")]
    bench = prepared(new_bench, replace(FOLD, run=lambda _: drafts))
    [outcome] = bench.run_due()
    assert (Ending.FAILED, {}) == (outcome.ending, ours(bench))
    assert "Job fold wrote an item without the name of a page, which its family bank/{page}.md needs" in outcome.warning


def test_an_item_of_another_page_is_refused(new_bench: NewBench) -> None:
    """A family with one page has no other: what a job names would be lost without a word."""
    bench = prepared(new_bench, replace(GROUP, run=lambda _: [ItemDraft("one", "- one", page="../apples")]))
    [outcome] = bench.run_due()
    assert (Ending.FAILED, {}) == (outcome.ending, ours(bench))
    assert "the page '../apples', but its family second-brain/groups/{number}.md names no pages" in outcome.warning


def test_a_family_of_parts_has_one_without_a_name(new_bench: NewBench) -> None:
    """The name of a `{part}` may be empty."""
    drafts = [ItemDraft("one", "- one"), ItemDraft("two", "- two", page="more")]
    bench = prepared(new_bench, replace(FOLD, writes=Target("bank/all{part}.md"), run=lambda _: drafts))
    assert ["done"] == endings(bench.run_due())
    assert {"bank/all.md", "bank/all_more.md"} == ours(bench).keys()


def test_names_that_differ_in_case_are_one_page(new_bench: NewBench) -> None:
    """Some file systems do not tell them apart."""
    bench = prepared(new_bench, FOLD)
    note(bench, "c", "Apples are sweet\n")
    bench.run_due()
    assert 2 == len(ours(bench))


def test_jobs_of_every_kind_go_together(new_bench: NewBench) -> None:
    """One series runs what is due of all of them, and what has become due by it."""
    bench = prepared(new_bench, *ALL)
    assert {job.name for job in ALL} == {outcome.job for outcome in bench.run_due()}
    assert [] == due_now(bench.engine, bench.engine.jobs)
    assert not any(outstanding(bench.engine, job) for job in bench.engine.jobs)


def test_a_job_that_follows_none_is_refused() -> None:
    """What it would wait for never comes."""
    with pytest.raises(RegistryRefused, match="Job group follows talk, which is no job"):
        check_jobs([GROUP])


@table(
    ("job", "expected"),
    [
        (Job("x", "", FOLD.schedule, Reads(transcripts=True), Target("bank/{page}.md"), FOLD.run), "transcripts"),
        (Job("x", "", FOLD.schedule, Reads(), Target("bank/{day}.md"), FOLD.run), "no time"),
        (Job("x", "", GROUP.schedule, GROUP.reads, Target("bank/{page}.md"), GROUP.run), "{number}"),
        (Job("x", "", MONTH.schedule, Reads(), Target("bank/{agent}/{month}.md"), FOLD.run), "{agent}"),
    ],
)
def test_what_does_not_go_together_is_refused(job: Job, expected: str) -> None:
    """With a sentence that names the job."""
    with pytest.raises(RegistryRefused, match=f"Job x .*{expected}"):
        check_jobs([job])
