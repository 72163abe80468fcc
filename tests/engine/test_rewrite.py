"""Pages of items, run after run: people edit them line by line, they grow over several files, and others write too."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from pipeline.drafts import Draft
from pipeline.job import Job, Period, Reads, Run, Schedule, Target
from pipeline.markdown.blocks import find_blocks
from schemas.settings import Settings
from tests.support.builders.scripted_page import FIRST, SECOND, START, THIRD, ScriptedPage, cut_out, edit, item, names
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.tables import table
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]


def forgotten(bench: Workbench) -> list[str]:
    """What `memory/forgotten.md` lists."""
    lines = bench.pages().get("memory/forgotten.md", b"").decode().splitlines()
    return [line.split()[1] for line in lines if line.startswith("- ")]


def test_what_a_person_writes_and_changes_stays(tmp_path: Path) -> None:
    """Lines of theirs in their place, an item they changed as they left it, and the rest is brought up to date."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "front-matter", "rules:", "a", "b")
    edit(bench, "- a.", "- a, and more")
    edit(bench, "- b.", "mine\n\n- b.")
    outcome = script.step(bench, "front-matter", "rules:", "a=other", "b=else", "c")
    assert (("b", "c"), (FIRST,)) == (outcome.items, outcome.paths)
    text = bench.pages()[FIRST].decode()
    assert ["## rules", "- a, and more", "mine", "", "- else.", "- c."] == [
        line.split(" <!--")[0] for line in text.splitlines()[5:]
    ]
    before = bench.pages()
    assert "empty" == script.step(bench, "front-matter", "rules:", "a=other", "b=else", "c").ending
    assert before == bench.pages()


def test_a_deleted_item_stays_away_until_its_line_is_removed(tmp_path: Path) -> None:
    """It is listed by path and name; who takes the line out of `forgotten.md` lets it come back."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "rules:", "a", "b")
    cut_out(bench, "a")
    script.step(bench, "rules:", "a", "b", "c")
    assert (["rules", "b", "c"], [f"{FIRST}#a"]) == (names(bench), forgotten(bench))
    script.step(bench, "rules:", "a=again", "b")
    assert ["rules", "b"] == names(bench)
    listed = bench.pages()["memory/forgotten.md"].splitlines(keepends=True)
    (bench.root / "memory/forgotten.md").write_bytes(b"".join(line for line in listed if b"#a " not in line))
    script.step(bench, "rules:", "a=again", "b")
    assert (["rules", "a", "b"], []) == (names(bench), forgotten(bench))
    cut_out(bench, "a")
    script.step(bench, "rules:", "a=again", "b")
    assert (["rules", "b"], [f"{FIRST}#a"]) == (names(bench), forgotten(bench))


def test_a_page_deleted_as_a_whole_is_rendered_anew(tmp_path: Path) -> None:
    """Nobody wished its items away; nor does it count for later, when some of them are not wanted any more."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(12)]
    script.step(bench, "rules:", *many)
    (bench.root / FIRST).unlink()
    assert "done" == script.step(bench, "rules:", "new").ending
    assert "empty" == script.step(bench, "rules:", "new").ending
    assert "done" == script.step(bench, "rules:", "new", *many).ending
    assert (["rules", "new", *many], []) == (names(bench), forgotten(bench))
    (bench.root / FIRST).write_bytes(b"")
    script.step(bench, "rules:", *many)
    assert (["rules", *many], []) == (names(bench), forgotten(bench))


@table(("gone", "of", "refused"), [(4, 4, False), (5, 5, True), (20, 20, True), (19, 20, False)])
def test_many_items_gone_at_once_stop_the_run(tmp_path: Path, gone: int, of: int, *, refused: bool) -> None:
    """All of five or more: the page of another time, unless the person says otherwise. Pruning is no accident."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(of)]
    script.step(bench, *many)
    for name in many[:gone]:
        cut_out(bench, name)
    (bench.root / FIRST).write_bytes((bench.root / FIRST).read_bytes() + b"mine\n")
    before = bench.pages()
    outcome = script.step(bench, *many)
    assert ("failed" if refused else "empty") == outcome.ending
    if refused:
        assert f"None of the {gone} lines that we wrote into {FIRST}" in outcome.warning
        assert before == bench.pages()
        bench.engine = replace(bench.engine, allow_shrink=True)
        bench.run_due()
    assert (many[gone:], {f"{FIRST}#{name}" for name in many[:gone]}) == (names(bench), set(forgotten(bench)))


@table(("gone", "expected"), [(4, ""), (5, f"5 lines that were taken out of {FIRST} stay out of it")])
def test_many_lines_taken_out_give_a_warning(tmp_path: Path, gone: int, expected: str) -> None:
    """People prune pages of theirs: a few are no news."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(20)]
    script.step(bench, *many)
    for name in many[:gone]:
        cut_out(bench, name)
    assert expected == script.step(bench, *many).warning.partition(" from now on")[0]


def test_items_that_the_job_drops_are_no_deletions(tmp_path: Path) -> None:
    """However many; and when a person deletes one that came back, that is one."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(12)]
    for wanted in (many, ["i3"], many, []):
        script.step(bench, *wanted)
        assert (wanted, []) == (names(bench), forgotten(bench))
    assert FIRST not in bench.pages()
    script.step(bench, *many)
    cut_out(bench, "i3")
    script.step(bench, *many)
    assert [f"{FIRST}#i3"] == forgotten(bench)


def test_a_long_page_goes_on_in_volumes(tmp_path: Path) -> None:
    """None longer than it may be, each with the front matter and the heading that its first items belong to."""
    script = ScriptedPage(lines=10)
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(10)]
    script.step(bench, "front-matter", "rules:", *many[:7], "tools:", *many[7:])
    pages = bench.pages()
    assert [SECOND, THIRD, FIRST] == sorted(pages)
    assert all(page.count(b"\n") <= 10 for page in pages.values())
    assert all(names(bench, path)[0] == "front-matter" for path in pages)
    assert many == [name for path in (FIRST, SECOND, THIRD) for name in names(bench, path) if name.startswith("i")]
    assert "empty" == script.step(bench, "front-matter", "rules:", *many[:7], "tools:", *many[7:]).ending


def test_no_volume_ends_with_a_heading_or_is_a_heading_alone(tmp_path: Path) -> None:
    """A section that begins where a volume is full begins in the next one."""
    script = ScriptedPage(lines=8)
    bench = script.bench(tmp_path)
    script.step(bench, "rules:", "a", "b", "c", "d", "tools:", "e", "f")
    assert (["rules", "a", "b", "c", "d"], ["tools", "e", "f"]) == (names(bench), names(bench, SECOND))


def test_a_page_that_needs_fewer_volumes_later(tmp_path: Path) -> None:
    """A volume without a line of a person goes, another one keeps their lines; and they may come back."""
    script = ScriptedPage(lines=4)
    bench = script.bench(tmp_path)
    many = [f"i{number}" for number in range(12)]
    script.step(bench, *many)
    assert [SECOND, THIRD, FIRST] == sorted(bench.pages())
    with (bench.root / SECOND).open("ab") as file:
        file.write(b"mine\n")
    script.step(bench, *many[:3])
    assert {FIRST, SECOND} == set(bench.pages())
    assert b"mine\n" == bench.pages()[SECOND]
    script.step(bench, *many)
    assert many == [name for path in (FIRST, SECOND, THIRD) for name in names(bench, path)]
    assert [] == forgotten(bench)
    before = bench.pages()
    assert "empty" == script.step(bench, *many).ending
    assert before == bench.pages()


def test_what_a_person_changed_in_one_volume_is_in_no_other(tmp_path: Path) -> None:
    """New items push it over to the next file, or fewer pull it back: it stays where it is, once."""
    script = ScriptedPage(lines=4)
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b", "c", "d", "e", "f")
    edit(bench, "- d.", "- d is mine", FIRST)
    edit(bench, "- e.", "- e is mine", SECOND)
    for wanted in (["n", "o", "a", "b", "c", "d", "e", "f"], ["d", "e", "f"], ["e"]):
        script.step(bench, *wanted)
        lines = [name for path in (FIRST, SECOND, THIRD) for name in names(bench, path)]
        assert len(set(lines)) == len(lines)
        assert {*wanted, "d", "e"} == set(lines)
        assert (True, True) == (b"d is mine" in bench.pages()[FIRST], b"e is mine" in bench.pages()[SECOND])


def test_what_a_person_deleted_in_one_volume_comes_back_in_no_other(tmp_path: Path) -> None:
    """New items push it over to the next file: it is still deleted."""
    script = ScriptedPage(lines=4)
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b", "c", "d", "e", "f")
    cut_out(bench, "d", FIRST)
    script.step(bench, "n", "o", "a", "b", "c", "d", "e", "f")
    assert "d" not in [name for path in (FIRST, SECOND, THIRD) for name in names(bench, path)]
    assert [f"{FIRST}#d"] == forgotten(bench)


def test_a_heading_that_a_person_changed_still_stands_over_the_next_volume(tmp_path: Path) -> None:
    """It is repeated there, in our words."""
    script = ScriptedPage(lines=4)
    bench = script.bench(tmp_path)
    script.step(bench, "rules:", "a", "b", "c", "d")
    assert ["rules", "c", "d"] == names(bench, SECOND)
    edit(bench, "## rules", "## My rules", FIRST)
    script.step(bench, "rules:", "a", "b", "c", "d=other")
    assert (["rules", "a", "b"], ["rules", "c", "d"]) == (names(bench), names(bench, SECOND))


def test_an_item_that_a_person_moved_to_another_volume_is_not_lost(tmp_path: Path) -> None:
    """Cut here and pasted there, it is no deletion."""
    script = ScriptedPage(lines=4)
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b", "c", "d", "e", "f")
    moved = cut_out(bench, "b", FIRST)
    with (bench.root / SECOND).open("ab") as file:
        file.write(moved)
    script.step(bench, "a", "b", "c", "d", "e", "f")
    assert list("abcdef") == sorted(name for path in (FIRST, SECOND) for name in names(bench, path))


def test_a_volume_deleted_as_a_whole_is_rendered_anew(tmp_path: Path) -> None:
    """As a page is."""
    script = ScriptedPage(lines=4)
    bench = script.bench(tmp_path)
    wanted = list("abcdefghij")
    script.step(bench, *wanted)
    before = bench.pages()
    (bench.root / SECOND).unlink()
    script.step(bench, *wanted)
    assert before == bench.pages()


def test_a_page_with_windows_line_ends_keeps_them(tmp_path: Path) -> None:
    """An editor saved it with CRLF: nothing of it is taken for edited, and what is new ends so too."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "front-matter", "rules:", "a", "b")
    edit(bench, "\n", "\r\n")
    script.step(bench, "front-matter", "rules:", "a=other", "b", "c", "tools:", "d")
    data = bench.pages()[FIRST]
    assert data.count(b"\n") == data.count(b"\r\n")
    assert all(block.intact for block in find_blocks(data))
    assert b"- other." in data
    script.step(bench, "a=other")
    assert b"\r\n" in bench.pages()[FIRST]
    assert ["a"] == names(bench)


def test_a_page_that_changes_during_the_run_is_rendered_again(tmp_path: Path) -> None:
    """The job is called once more, with the page as it stands now; the person's line and ours are there."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "rules:", "a")
    script.meanwhile.append(lambda: (bench.root / FIRST).write_bytes(b"mine\n" + bench.pages()[FIRST]))
    assert "done" == script.step(bench, "rules:", "a", "b").ending
    assert ["", "## rules", "mine"] == [text.split("\n")[0].split(" <")[0] for text in script.seen]
    assert bench.pages()[FIRST].startswith(b"mine\n")
    assert ["rules", "a", "b"] == names(bench)


def test_a_page_that_somebody_makes_during_the_run(tmp_path: Path) -> None:
    """Nobody's text is lost when the file was not there at first."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    (bench.root / "memory/archive").mkdir(parents=True)
    script.meanwhile.append(lambda: (bench.root / FIRST).write_bytes(b"mine"))
    assert "done" == script.step(bench, "a").ending
    assert bench.pages()[FIRST].startswith(b"mine\n- a.")


def test_a_page_that_never_rests_is_left_alone(tmp_path: Path) -> None:
    """After some attempts the run fails, and says why; what stands there is the other's."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "a")
    script.meanwhile += [lambda n=n: (bench.root / FIRST).write_bytes(b"%d" % n) for n in range(9)]  # type: ignore[misc]
    outcome = script.step(bench, "a", "b")
    assert ("failed", True) == (outcome.ending, "changed again and again" in outcome.warning)
    assert bench.pages()[FIRST].isdigit()


def test_what_was_to_be_dropped_when_the_page_changed_is_still_known(tmp_path: Path) -> None:
    """The job wanted an item gone, was called again and wants it: when a person deletes it later, it stays away."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b")
    wanted = [[item("a")], [item("a"), item("b")]]

    def meanwhile() -> None:
        script.items = wanted.pop(0)
        if wanted:
            (bench.root / FIRST).write_bytes(b"mine\n" + bench.pages()[FIRST])

    script.meanwhile += [meanwhile, meanwhile]
    script.step(bench, "a")
    assert ["a", "b"] == names(bench)
    cut_out(bench, "b")
    script.step(bench, "a", "b")
    assert (["a"], [f"{FIRST}#b"]) == (names(bench), forgotten(bench))


def test_what_a_person_deletes_during_the_run_stays_away(tmp_path: Path) -> None:
    """A job may take minutes: the item was there when it began, and is gone when it ends."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "a", "b", "c")
    script.meanwhile.append(lambda: cut_out(bench, "b"))
    script.step(bench, "a", "b", "c", "d")
    assert (["a", "c", "d"], [f"{FIRST}#b"]) == (names(bench), forgotten(bench))


def test_the_volumes_of_a_week_that_began_late_are_recovered(new_bench: NewBench) -> None:
    """`start` was a Wednesday, and the page has two volumes: rendered again, both are brought up to date."""
    words = ["a", "b", "c"]

    def run(_: Run) -> Sequence[Draft]:
        return [item(f"{word}{number}") for word in words for number in range(3)]

    target = Target("memory/archive/weekly-{week}.md", overflow="memory/archive/weekly-{week}-{volume}.md", lines=5)
    job = Job("week", "p", Schedule("0 4 * * 1", period=Period.WEEK), Reads(transcripts=True), target, run)
    bench = new_bench(jobs=(job,), settings=Settings(start=START + timedelta(days=2, hours=5)))
    bench.clock.moment = START + timedelta(days=7, hours=5)
    bench.say(conversation("s", START + timedelta(days=3), [("owner", "hello")]))
    assert ["done"] == endings(bench.run_due())
    words.append("d")
    bench.say(conversation("s", START + timedelta(days=3), [("owner", "hello"), ("owner", "late")]))
    assert ["done"] == endings(bench.run_due())
    lines = [name for number in ("", "-2", "-3") for name in names(bench, f"memory/archive/weekly-2026-W10{number}.md")]
    assert [f"{word}{number}" for word in "abcd" for number in range(3)] == lines


@table("part", [0, 1])
def test_any_crash_between_volumes_leaves_no_trace(tmp_path: Path, part: float) -> None:
    """Three volumes change, grow and go; whichever write it was, the next run gives the same bytes."""
    series = [list("abcdefghijk"), list("xyabcdefghijk"), list("ab"), list("abcdefgh")]

    def work(root: Path, crash_at: int, writes: int) -> tuple[Workbench, bool]:
        script = ScriptedPage(lines=4)
        bench = script.bench(root)
        crashed = False
        for number, wanted in enumerate(series):
            engine = bench.engine
            if number == crash_at:
                plan = CrashPlan(writes, part)
                bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, plan))
            try:
                script.step(bench, *wanted)
            except Crash:
                crashed = True
                bench.engine = engine
                assert {"done", "empty"} >= set(endings(bench.run_due()))
            bench.engine = engine
            with (root / FIRST).open("ab") as file:
                file.write(b"mine\n")
        return bench, crashed

    undisturbed, _ = work(tmp_path / "undisturbed", -1, 0)
    for crash_at in (1, 2):
        writes, crashed = 0, True
        while crashed:
            bench, crashed = work(tmp_path / f"{crash_at}-{writes}", crash_at, writes)
            assert undisturbed.pages() == bench.pages()
            assert [] == bench.engine.ledger.changes.intended_changes()
            writes += 1
        assert writes >= 2
