"""`memory undo`."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import CommandLine, Said

DAY = "memory/2026-02-02.md"
PLAN = "memory/archive/weekly-2026-W06.md"
WEEKLY = "memory backfill weekly_plan --from 2026-02-02 --to 2026-02-02"


def ids(call: Callable[..., Said], root: Path) -> list[str]:
    """The ids of all entries."""
    return [record["id"] for record in call("show", "entries", "--json", "--workspace", root).records]


def headings(page: Path) -> list[str]:
    """The headings of a page below its title."""
    return [line.removeprefix("## ") for line in page.read_text().splitlines() if line.startswith("## ")]


def writer(call: Callable[..., Said], root: Path, job: str) -> str:
    """The run of a job that wrote something."""
    runs = call("show", "runs", "--limit", 999, "--json", "--workspace", root).records
    return str(next(record["run_id"] for record in runs if record["job"] == job and record["paths"]))


def test_undoes_a_run(filled: Path, call: Callable[..., Said]) -> None:
    """Exactly the run's blocks go, told by their titles; a second time there is nothing to undo."""
    run, titles = writer(call, filled, "micro_sync"), headings(filled / DAY)
    said = call("undo", run, "--workspace", filled)
    assert 0 == said.code
    page, *removed, undone, again = said.out.splitlines()
    assert DAY == page
    assert [f"  removed   {title} (22 lines)" for title in titles] == removed
    assert f"Run {run} (micro_sync, 2026-02-02 09:00 to 12:00) is undone." == undone
    assert "To run it again: memory backfill micro_sync --from 2026-02-02 --to 2026-02-02" == again
    assert [] == ids(call, filled)
    twice = call("undo", run, "--workspace", filled)
    assert (2, f"memory: Run {run} has been undone. `memory show runs` lists the runs.\n") == (twice.code, twice.err)


def test_undo_leaves_what_a_person_changed(filled: Path, call: Callable[..., Said]) -> None:
    """A block that was edited since stays, and is named."""
    run = writer(call, filled, "micro_sync")
    first, second = ids(call, filled)
    page = filled / DAY
    page.write_text(page.read_text().replace("- why: not stated", "- why: it failed twice", 1))
    (undone,) = call("undo", run, "--json", "--workspace", filled).records
    assert ([second], [first]) == (undone["removed"], undone["left"])
    assert ("micro_sync", "memory backfill micro_sync --from 2026-02-02 --to 2026-02-02") == (
        undone["job"],
        undone["again"],
    )


def test_a_person_reads_what_was_left_by_its_title(filled: Path, call: Callable[..., Said]) -> None:
    """The file, the entry with its lines, and why it was left; no name that only the ledger knows."""
    run, (first, second) = writer(call, filled, "micro_sync"), headings(filled / DAY)
    page = filled / DAY
    page.write_text(page.read_text().replace("- why: not stated", "- why: it failed twice", 1))
    said = call("undo", run, "--workspace", filled).out
    kept = f"  kept      {first} (22 lines): changed, moved or deleted since"
    assert [DAY, f"  removed   {second} (22 lines)", kept] == said.splitlines()[:3]


def test_what_an_adoption_moved_is_described_by_its_lines(judged: Path, call: Callable[..., Said]) -> None:
    """It has no name of ours: the page and the lines it stood in."""
    page = judged / "MEMORY.md"
    page.write_text(page.read_text() + "\n## My own\n\nkeep this\n")
    (number,) = [
        block["number"] for block in call("doctor", "adopt", "--json", "--workspace", judged).records[0]["blocks"]
    ]
    (done,) = call("doctor", "adopt", number, "--yes", "--json", "--workspace", judged).records
    said = call("undo", done["run_id"], "--workspace", judged).out
    assert re.fullmatch(r"restored  MEMORY\.md, lines \d+-\d+\nRun \S+ \(adopt, \S+\) is undone\.\n", said)


def test_a_week_is_described_by_its_headings(judged: Path, call: Callable[..., Said]) -> None:
    """Each page with how many lines of each part went: none of the names in the pages' comments is told."""
    names = set(re.findall(r"memory:(\S+)", (judged / PLAN).read_text()))
    said = call("undo", "2026-W06", "--workspace", judged).out
    assert re.search(rf'^{PLAN}\n  removed   \d+ lines at the top\n  removed   \d+ lines of "', said, re.MULTILINE)
    assert (True, set()) == (len(names) > 2, {name for name in names if f" {name}" in said})


def test_a_week_goes_and_comes_back(judged: Path, memory: CommandLine) -> None:
    """MEMORY.md is rendered without its plan; the command that is told makes the same bytes of both again."""
    pages = {path: (judged / path).read_bytes() for path in ("MEMORY.md", PLAN)}
    said = memory("undo", "2026-W06", "--workspace", judged)
    assert 0 == said.code
    lines = [line for line in said.out.splitlines() if line.endswith("is undone.")]
    assert ["(weekly_plan, 2026-W06)"] == [line.split(" ", 2)[2][:-11] for line in lines]
    assert "weekly_compound  all  brought MEMORY.md up to date\n" in said.out
    assert f"To run it again: {WEEKLY}\n" in said.out
    assert [False, False] == [(judged / path).exists() for path in pages]
    assert 0 == memory(*WEEKLY.split()[1:], "--workspace", judged).code
    assert pages == {path: (judged / path).read_bytes() for path in pages}


def test_a_week_as_programs_get_it(judged: Path, call: Callable[..., Said]) -> None:
    """One object a run, and with the last one the pages that were rendered again."""
    (undone,) = call("undo", "2026-W06", "--json", "--workspace", judged).records
    assert ("weekly_plan", WEEKLY) == (undone["job"], undone["again"])
    assert (["MEMORY.md"], []) == (undone["rendered"], undone["warnings"])


def test_a_page_made_of_plans_is_not_undone_alone(judged: Path, call: Callable[..., Said]) -> None:
    """It would be rendered again: the sentence names the week to undo instead."""
    page = (judged / "MEMORY.md").read_bytes()
    said = call("undo", writer(call, judged, "weekly_compound"), "--workspace", judged)
    assert (2, True) == (said.code, "`memory undo 2026-W06`" in said.err)
    assert page == (judged / "MEMORY.md").read_bytes()


def test_the_beginning_of_an_id_will_do(filled: Path, call: Callable[..., Said]) -> None:
    """What is undone is named in full; a beginning that several runs have undoes nothing."""
    run = writer(call, filled, "micro_sync")
    assert 2 == call("undo", run[:4], "--workspace", filled).code
    assert 2 == call("undo", "", "--workspace", filled).code
    said = call("undo", run[:-1], "--workspace", filled)
    assert (0, True) == (said.code, said.err.startswith(f"memory: undoing run {run} (micro_sync, 2026-02-02 "))
    assert call("show", "run", run, "--json", "--workspace", filled).records[0]["undone"]


def test_a_key_of_which_nothing_stands_is_2(filled: Path, call: Callable[..., Said]) -> None:
    """A day, a week or a run that is not known is told as such."""
    for key in ("2026-W01", "2026-01-01", "nothing"):
        said = call("undo", key, "--workspace", filled)
        assert (2, True) == (said.code, key in said.err)
