"""`memory undo --backfill`: all of a back-fill as one step."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said, end_of
from tests.support.processes.waiting import soon
from tests.support.workspaces.many_years import years_of_talk

TODAY = datetime.now(UTC).date()
MONDAY = TODAY - timedelta(days=14 + TODAY.weekday())
DAYS = 8
DAY = f"memory/{MONDAY}.md"
ALL = ("backfill", "--all", "--json")
FOLDS = {"weekly_compound", "reflect", "entity_pages", "articles"}


@pytest.fixture
def talked(tmp_path: Path) -> Path:
    """A workspace over eight days from the Monday before last on, of which nothing has been read."""
    return years_of_talk(tmp_path / "w", MONDAY, DAYS)


def pages(root: Path) -> dict[str, bytes]:
    """Every Markdown file of a workspace."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*.md")}


def backfilled(memory: CommandLine, root: Path, *words: object) -> str:
    """Run a back-fill; its id."""
    said = memory(*words, "--workspace", root)
    assert 0 == said.code, said.shown
    [backfill] = {outcome["backfill"] for outcome in said.records}
    return str(backfill)


def test_all_of_it_goes_and_comes_back(talked: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """Every page, in one step; its time is not due by itself, and the same back-fill again makes the same bytes."""
    backfill = backfilled(memory, talked, *ALL)
    whole = pages(talked)
    said = memory("undo", "--backfill", backfill, "--workspace", talked)
    assert 0 == said.code, said.shown
    assert f"Back-fill {backfill} is undone: " in said.out
    assert ", 0 kept.\n" in said.out
    assert "brought MEMORY.md up to date" in said.out
    assert {} == pages(talked)
    runs = call("show", "runs", "--limit", 9_999, "--json", "--workspace", talked).records
    assert all(run["undone"] for run in runs if run["backfill"] and run["job"] not in FOLDS)
    assert 0 == memory("run", "--workspace", talked).code
    assert {} == pages(talked)
    assert backfill != backfilled(memory, talked, *ALL)
    assert whole == pages(talked)


def test_the_named_command_runs_it_again(talked: Path, memory: CommandLine) -> None:
    """All its jobs, from its first day to its last."""
    backfill = backfilled(memory, talked, *ALL)
    whole = pages(talked)
    said = memory("undo", "--backfill", backfill, "--workspace", talked)
    again = said.out.splitlines()[-1].removeprefix("To run it again: ").split()
    jobs = ("micro_sync", "daily_wrapup", "retain", "weekly_plan")
    assert ["memory", "backfill", *jobs, "--from", str(MONDAY)] == again[:-2]
    assert 0 == memory(*again[1:], "--workspace", talked).code
    assert whole == pages(talked)


def test_what_a_person_changed_stays_and_is_named_once(talked: Path, memory: CommandLine) -> None:
    """Edited, or their own; each with its title and why it was kept."""
    backfill = backfilled(memory, talked, *ALL)
    page, hot = talked / DAY, talked / "MEMORY.md"
    page.write_text(page.read_text().replace("- why: not stated", "- why: it rained", 1) + "\nmine\n")
    hot.write_text("# My page\n\n" + hot.read_text())
    said = memory("undo", "--backfill", backfill, "--workspace", talked)
    assert 0 == said.code, said.shown
    kept = [line for line in said.out.splitlines() if line.startswith("  kept")]
    assert 1 == len(kept)
    assert ": changed, moved or deleted since" in kept[0]
    assert ", 1 kept.\n" in said.out
    assert {DAY, "MEMORY.md"} == pages(talked).keys()
    assert "- why: it rained" in page.read_text()
    assert page.read_text().endswith("\nmine\n")
    assert "# My page" == hot.read_text().strip()


def test_killed_in_the_middle_it_goes_on(talked: Path, memory: CommandLine) -> None:
    """The same command again takes back the rest; what a person changed in between stays."""
    backfill = backfilled(memory, talked, *ALL)
    words, newest = ("undo", "--backfill", backfill, "--workspace", talked), max((talked / "memory").glob("*-*-*.md"))
    process = memory.start(*words)
    assert soon(lambda: not newest.exists())
    process.kill()
    end_of(process)
    newest.write_text("mine\n")
    assert memory(*words).code in {0, 2}  # 2: all was taken back before the kill
    assert 0 == memory("run", "--workspace", talked).code
    assert {newest.relative_to(talked).as_posix(): b"mine\n"} == pages(talked)


def test_only_its_own_runs(talked: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """What another back-fill wrote stays, to the byte."""
    days = ("--from", MONDAY, "--to", MONDAY + timedelta(days=1))
    first = backfilled(memory, talked, "backfill", "micro_sync", *days, "--json")
    before = pages(talked)
    second = backfilled(memory, talked, "backfill", "micro_sync", "--all", "--json")
    assert first != second
    [*undone] = call("undo", "--backfill", second, "--json", "--workspace", talked).records
    assert {second} == {run["backfill"] for run in undone}
    assert before == pages(talked)


def test_a_dry_run_says_what_would_go(talked: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """The same report, and nothing is changed; of a single run as well."""
    backfill = backfilled(memory, talked, *ALL)
    whole = {path: path.read_bytes() for path in talked.rglob("*") if path.is_file() and path.suffix in {".md", ".db"}}
    said = memory("undo", "--backfill", backfill, "--dry-run", "--workspace", talked)
    assert (0, True) == (said.code, f"Back-fill {backfill} would be undone: " in said.out), said.shown
    assert "memory: this was a dry run; nothing was changed.\n" in said.err
    run = next(
        run["run_id"]
        for run in call("show", "runs", "--limit", 9_999, "--json", "--workspace", talked).records
        if run["written"]
    )
    assert (0, True) == (
        (single := memory("undo", run, "--dry-run", "--workspace", talked)).code,
        "is undone" in single.out,
    )
    assert whole == {path: path.read_bytes() for path in whole}
    real = memory("undo", "--backfill", backfill, "--workspace", talked)
    assert said.out.replace("would be", "is") == real.out


def test_the_beginning_of_an_id_will_do(talked: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """Where no other back-fill begins so; a second time there is nothing to undo."""
    backfill = backfilled(memory, talked, *ALL)
    assert 0 == call("undo", "--backfill", backfill[:10], "--workspace", talked).code
    twice = call("undo", "--backfill", backfill, "--workspace", talked)
    assert (2, f"memory: Back-fill {backfill} has been undone. `memory show runs` lists the runs.\n") == (
        twice.code,
        twice.err,
    )


@pytest.mark.parametrize("words", [(), ("2026-W06", "--backfill", "x"), ("--backfill", "")])
def test_one_thing_is_named(words: tuple[str, ...], workspace: Path, call: Callable[..., Said]) -> None:
    """A run, a day or a week, or a back-fill."""
    said = call("undo", *words, "--workspace", workspace)
    assert (2, True) == (said.code, "Name either a run" in said.err)


def test_an_unknown_one_is_named(filled: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """With those that are known."""
    backfill = backfilled(memory, filled, "backfill", "daily_wrapup", "--all", "--json")
    said = call("undo", "--backfill", "19990101-aaaaaa", "--workspace", filled)
    assert (2, True) == (said.code, f"Known: {backfill}." in said.err), said.err


def test_a_lost_ledger_has_lost_the_ids(talked: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """Before it is rebuilt, and afterwards: the sentence says so, and nothing is touched."""
    backfill = backfilled(memory, talked, *ALL)
    whole = pages(talked)
    for file in (talked / ".memory").glob("state.db*"):
        file.unlink()
    for sentence in ("The ledger knows no run at all", "The ledger was lost, and rebuilt on "):
        said = call("undo", "--backfill", backfill, "--workspace", talked)
        assert (2, True) == (said.code, sentence in said.err), said.err
        assert "what they wrote stays" in said.err
        assert whole == pages(talked)
        assert 0 == memory("run", "--workspace", talked).code
