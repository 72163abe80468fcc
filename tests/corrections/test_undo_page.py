"""Undo of pages: the newest run first, to the byte where nobody has written since, and never over a person's lines."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest

from pipeline.corrections.undo import undo, undo_key
from pipeline.errors import Held, NothingToUndo, UndoNewestFirst
from pipeline.markdown.blocks import find_blocks
from schemas.outcome import Outcome
from tests.support.builders.page_jobs import CHAIN, HOT
from tests.support.builders.scripted_page import FIRST, START, ScriptedPage, cut_out, edit, names
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.tables import table
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MONDAY, SUNDAY = date(2026, 3, 2), date(2026, 3, 15)
PLAN = "memory/archive/weekly-2026-W10.md"


def plain(bench: Workbench, path: str = FIRST) -> list[str]:
    """The lines of a file without our marks."""
    return [line.split(" <!--")[0] for line in bench.pages()[path].decode().splitlines()]


def two_weeks(bench: Workbench) -> list[Outcome]:
    """Two notes on some days of both, and all of it run."""
    for number in (0, 1, 5, 7, 8, 12):
        said = [("owner", f"note: one {number}"), ("owner", f"note: two {number}")]
        bench.say(conversation(f"s{number}", START + timedelta(days=number, hours=9), said))
    bench.clock.moment = START + timedelta(days=14, hours=5)
    return bench.run_due()


def all_standing(bench: Workbench) -> set[tuple[str, str]]:
    """What the ledger expects in the files: path and name."""
    return {(block.path, block.name) for block in bench.engine.ledger.changes.live()}


def all_present(bench: Workbench) -> set[tuple[str, str]]:
    """What stands in the files: path and name."""
    return {
        (path, block.name)
        for path, page in bench.pages().items()
        for block in find_blocks(page)
        if path != "memory/forgotten.md"
    }


@table(
    "mine",
    [
        None,
        b"# mine\n\ntext\n",
        b"no final newline",
        b"# windows\r\n\r\nlines\r\n",
        b"---\ntitle: mine\n---\n\ntext\n",
        b"\xef\xbb\xbfbom\n",
        b"- a list\n  of mine\n",
        b"## Entry\n- id: RULE-1\n- kind: rule\n- check: 000000\n",
    ],
)
def test_untouched_pages_go_back_to_the_byte(tmp_path: Path, mine: bytes | None) -> None:
    """Run by run, the newest first, down to what a person had there; the ledger expects what stands there."""
    script = ScriptedPage(lines=12)
    bench = script.bench(tmp_path)
    if mine is not None:
        (bench.root / FIRST).parent.mkdir(parents=True)
        (bench.root / FIRST).write_bytes(mine)
    story = [
        ("front-matter", "rules:", "a", "b"),
        ("front-matter", "rules:", "a=other", "new:", "c", *"defghijklmn"),
        ("rules:", "b"),
        ("front-matter", "tools:", "x", "rules:", "b", "c"),
        (),
        ("a", "b"),
    ]
    states, runs = [bench.pages()], []
    for wanted in story:
        runs.append(script.step(bench, *wanted).run_id)
        states.append(bench.pages())
    for run_id, state in zip(reversed(runs), reversed(states[:-1]), strict=True):
        undo(bench.engine, run_id)
        assert state == bench.pages()
        assert {(path, name) for path, name in all_present(bench) if name != "RULE-1"} == all_standing(bench)
        assert [] == bench.run_due()


def test_dropped_items_come_back_at_their_place(tmp_path: Path) -> None:
    """Also where a person has written since; their lines and edits stay as they are."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "rules:", "a", "b", "c", "tools:", "d")
    run_id = script.step(bench, "rules:", "a=other", "c", "tools:", "d", "e").run_id
    edit(bench, "- c.", "mine\n- c, I say")
    with (bench.root / FIRST).open("ab") as file:
        file.write(b"\nmy end\n")
    undone = undo(bench.engine, run_id)
    assert ["", "## rules", "- a.", "- b.", "mine", "- c, I say", "", "## tools", "- d.", "", "my end"] == [
        *([""] if plain(bench)[0] else []),
        *plain(bench),
    ]
    assert (("e",), ("a", "b"), ()) == (undone.removed, undone.restored, undone.left)
    before = bench.pages()
    assert [] == bench.run_due()
    script.step(bench, "rules:", "a", "b", "c", "tools:", "d")
    assert before == bench.pages()


def test_what_a_person_changed_or_deleted_since_is_left(tmp_path: Path) -> None:
    """Neither restored nor removed; the undo says so, and what was deleted stays away afterwards."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b", "c")
    run_id = script.step(bench, "a=other", "b=else", "c", "d", "e").run_id
    edit(bench, "- other.", "- other, I say")
    edit(bench, "- d.", "- d, I say")
    cut_out(bench, "b")
    cut_out(bench, "e")
    undone = undo(bench.engine, run_id)
    assert ["- other, I say", "- c.", "- d, I say"] == plain(bench)
    assert ({"a", "b", "d", "e"}, (), ()) == (set(undone.left), undone.removed, undone.restored)
    script.step(bench, "a", "b", "c", "e")
    assert ["- other, I say", "- c.", "- d, I say"] == plain(bench)


def test_what_a_person_deleted_stays_away_when_the_whole_page_was_undone(tmp_path: Path) -> None:
    """Nothing else was left of the page."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    run_id = script.step(bench, "a", "b").run_id
    cut_out(bench, "b")
    undo(bench.engine, run_id)
    assert FIRST not in bench.pages()
    script.step(bench, "a", "b")
    assert ["a"] == names(bench)


def test_a_page_deleted_by_a_person_is_not_made_again_by_an_undo(tmp_path: Path) -> None:
    """There is nothing to take back."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b")
    run_id = script.step(bench, "a", "b", "c").run_id
    (bench.root / FIRST).unlink()
    undone = undo(bench.engine, run_id)
    assert ({}, ("c",)) == (bench.pages(), undone.left)
    script.step(bench, "a")
    assert ["a"] == names(bench)
    assert "empty" == script.step(bench, "a").ending
    assert "memory/forgotten.md" not in bench.pages()


def test_volumes_are_taken_back_together(tmp_path: Path) -> None:
    """A page that grew over several files, and one that shrank: all as it was."""
    script = ScriptedPage(lines=3)
    bench = script.bench(tmp_path)
    runs, states = [], [bench.pages()]
    for wanted in ("abcd", "xyzabcdefghi", "ab", "abcdefgh"):
        runs.append(script.step(bench, *wanted).run_id)
        states.append(bench.pages())
    for run_id, state in zip(reversed(runs), reversed(states[:-1]), strict=True):
        undo(bench.engine, run_id)
        assert state == bench.pages()


def test_an_older_run_of_a_page_waits_for_the_newer_ones(tmp_path: Path) -> None:
    """The sentence names the newest that stands; what it names can be undone."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    runs = [script.step(bench, *wanted).run_id for wanted in ("a", "ab", "ab", "abc")]
    with pytest.raises(UndoNewestFirst, match=f"{runs[3]} came later .* `memory undo {runs[3]}`"):
        undo(bench.engine, runs[0])
    undo(bench.engine, runs[3])
    with pytest.raises(UndoNewestFirst, match=f"{runs[1]} came later"):
        undo(bench.engine, runs[0])
    undo(bench.engine, runs[1])
    undo(bench.engine, runs[0])
    assert {} == bench.pages()
    with pytest.raises(NothingToUndo, match="has been undone"):
        undo(bench.engine, runs[0])
    with pytest.raises(NothingToUndo, match="wrote nothing"):
        undo(bench.engine, runs[2])


def test_a_page_that_a_later_job_used_is_undone_after_it(new_bench: NewBench) -> None:
    """First the page of all weeks, then the week's; a day's page may go at any time, for it is not final."""
    bench = new_bench(jobs=CHAIN)
    outcomes = {(outcome.job, outcome.key): outcome.run_id for outcome in two_weeks(bench)}
    with pytest.raises(UndoNewestFirst, match=outcomes["hot", "2026-W11"]):
        undo(bench.engine, outcomes["week", "2026-W11"])
    with pytest.raises(UndoNewestFirst, match="first `memory undo 2026-W11`"):
        undo(bench.engine, outcomes["hot", "2026-W10"])
    undo(bench.engine, outcomes["hot", "2026-W11"])
    undo(bench.engine, outcomes["week", "2026-W11"])
    undo(bench.engine, outcomes["day", "2026-03-03"])
    assert "second-brain/summaries/2026-03-03.md" not in bench.pages()
    assert b"one 1" in bench.pages()[PLAN]


def test_a_week_is_undone_by_its_name_and_comes_again_with_the_same_bytes(new_bench: NewBench) -> None:
    """The page before the plan; nothing is due by itself; a back-fill gives the same bytes, and can be undone too."""
    bench = new_bench(jobs=CHAIN)
    two_weeks(bench)
    whole = bench.pages()
    for _ in range(2):
        undone = undo_key(bench.engine, "2026-W11")
        jobs = [record.job for taken_back in undone if (record := bench.engine.ledger.runs.find(taken_back.run_id))]
        assert ["hot", "week"] == jobs
        assert "memory/archive/weekly-2026-W11.md" not in bench.pages()
        assert b"one 7" not in bench.pages()["MEMORY.md"]
        assert [] == bench.run_due()
        with pytest.raises(NothingToUndo, match="2026-W11"):
            undo_key(bench.engine, "2026-W11")
        assert ["done", "done"] == endings(bench.backfill(date(2026, 3, 9), date(2026, 3, 9)))
        assert whole == bench.pages()
    for key in ("2026-W11", "2026-W10"):
        undo_key(bench.engine, key)
    assert {"MEMORY.md", PLAN}.isdisjoint(bench.pages())
    bench.backfill(MONDAY, SUNDAY)
    assert whole == bench.pages()


def test_a_week_that_a_later_one_rests_on_is_left_whole(new_bench: NewBench) -> None:
    """All is looked at first: also the page of all weeks, which could be taken back, stands as it did.

    The later week has a plan and gave the page nothing new, so that only the plan itself is in the way.
    """
    hot = replace(HOT, run=lambda run: HOT.run(replace(run, key=min(run.key, "2026-W10"))))
    bench = new_bench(jobs=(*CHAIN[:3], hot))
    two_weeks(bench)
    whole, standing = bench.pages(), all_standing(bench)
    with pytest.raises(UndoNewestFirst, match="first `memory undo 2026-W11`"):
        undo_key(bench.engine, "2026-W10")
    assert (whole, standing) == (bench.pages(), all_standing(bench))
    assert {None} == {record.undone for record in bench.engine.ledger.runs.of_key("2026-W10")}


def test_a_week_is_left_whole_while_somebody_is_at_work_on_its_plan(new_bench: NewBench) -> None:
    """The locks of all its pages are held before the first is touched."""
    bench = new_bench(jobs=CHAIN)
    two_weeks(bench)
    whole = bench.pages()
    with (
        bench.engine.locks.hold(["week"], "another", bench.clock.now() + timedelta(hours=1)),
        pytest.raises(Held, match="week"),
    ):
        undo_key(bench.engine, "2026-W11")
    assert whole == bench.pages()
    assert 2 == len(undo_key(bench.engine, "2026-W11"))


def test_a_late_message_does_not_bring_back_what_was_undone(new_bench: NewBench) -> None:
    """Its day was undone by the person; only a back-fill renders it."""
    bench = new_bench(jobs=CHAIN)
    two_weeks(bench)
    undo_key(bench.engine, "2026-03-03")
    bench.say(conversation("late", START + timedelta(days=1, hours=12), [("owner", "note: late")]))
    assert {"note"} == {outcome.job for outcome in bench.run_due()}
    page = "second-brain/summaries/2026-03-03.md"
    assert page not in bench.pages()
    bench.backfill(date(2026, 3, 3), date(2026, 3, 3))
    assert ["- one 1", "- two 1", "- late"] == [line for line in plain(bench, page) if line.startswith("- ")]


def test_a_day_that_was_rendered_twice_is_undone_by_its_name(new_bench: NewBench) -> None:
    """Both of its runs, the newest first."""
    bench = new_bench(jobs=CHAIN)
    two_weeks(bench)
    bench.say(conversation("late", START + timedelta(days=1, hours=12), [("owner", "note: late")]))
    bench.run_due()
    assert 2 == len(undo_key(bench.engine, "2026-03-03"))
    assert "second-brain/summaries/2026-03-03.md" not in bench.pages()


def test_a_plan_that_a_run_used_without_writing_can_be_undone(new_bench: NewBench) -> None:
    """Nothing of it was new for the page of all weeks; it is taken back all the same, and a back-fill renders it."""
    bench = new_bench(jobs=(*CHAIN[:3], replace(HOT, run=lambda _: [])))
    two_weeks(bench)
    whole = bench.pages()
    undo_key(bench.engine, "2026-W11")
    assert "memory/archive/weekly-2026-W11.md" not in bench.pages()
    bench.backfill(date(2026, 3, 9), date(2026, 3, 9))
    assert whole == bench.pages()


def test_after_any_crash_and_a_clean_run_undo_still_works(new_bench: NewBench, tmp_path: Path) -> None:
    """Whichever write of the chain it was: the same bytes as without it, and a week that can be taken back."""
    undisturbed = new_bench(root=tmp_path / "undisturbed", jobs=CHAIN)
    two_weeks(undisturbed)
    taken_back = new_bench(root=tmp_path / "back", jobs=CHAIN, source=undisturbed.source)
    two_weeks(taken_back)
    undo_key(taken_back.engine, "2026-W11")
    for writes, part in [*product((0, 1, 7, *range(12, 16)), (0, 1)), (16, 0)]:
        bench = new_bench(root=tmp_path / f"{writes}-{part}", jobs=CHAIN, source=undisturbed.source)
        real = bench.engine
        bench.engine = replace(real, workspace=CrashingWorkspace(real.workspace, CrashPlan(writes, part)))
        try:
            two_weeks(bench)
        except Crash:
            crashed = True
        else:
            crashed = False
        bench.engine = real
        assert (writes < 16) is crashed
        bench.run_due()
        assert undisturbed.pages() == bench.pages()
        undo_key(bench.engine, "2026-W11")
        assert taken_back.pages() == bench.pages()
        assert [] == bench.run_due()
        bench.engine.ledger.store.close()


@table("part", [0, 1])
def test_a_crash_inside_an_undo_is_no_deletion(tmp_path: Path, part: float) -> None:
    """It is done again, and gives what it would have given; nothing is listed as forgotten."""
    for writes in range(2):
        script = ScriptedPage(lines=3)
        bench = script.bench(tmp_path / str(writes))
        script.step(bench, *"abcd")
        before = bench.pages()
        run_id = script.step(bench, *"xbcyz").run_id
        crashing = replace(bench.engine, workspace=CrashingWorkspace(bench.engine.workspace, CrashPlan(writes, part)))
        with pytest.raises(Crash):
            undo(crashing, run_id)
        undo(bench.engine, run_id)
        assert before == bench.pages()
        assert all_present(bench) == all_standing(bench)
        script.step(bench, *"abcd")
        assert before == bench.pages()


def test_a_page_that_is_gone_is_not_made_by_an_undo_with_a_part_of_it(tmp_path: Path) -> None:
    """Else all that is missing would look like what a person took out."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(9)]
    script.step(bench, *many)
    run_id = script.step(bench, *many[1:], "new").run_id
    (bench.root / FIRST).unlink()
    undo(bench.engine, run_id)
    assert {} == bench.pages()
    script.step(bench, *many)
    assert many == names(bench)
