"""What stands in the place of a file holds nobody up: every command ends, names it, and loses nothing."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.marks import at_length
from tests.support.processes.command_line import CommandLine, Said

DAY = "2026-02-02"
DAILY, WRAP_UP = f"memory/{DAY}.md", f"second-brain/summaries/{DAY}-wrapup.md"
PLAN, PAGE, FORGOTTEN = "memory/archive/weekly-2026-W06.md", "MEMORY.md", "memory/forgotten.md"
LOCK, OWNER = "memory/.locks/micro_sync.lock", "memory/.locks/owner.json"
LEDGER, STATE = ".memory/state.db", ".memory/service/state.json"
BACKFILL = ("backfill", "micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound", "--from", DAY, "--to", DAY)
SECONDS = 60.0
"""For a command that takes half a second: machines at work are slow."""


def huge(file: Path) -> None:
    """More than is read of a file, and no room taken."""
    file.touch()
    os.truncate(file, 200_000_000)


SORTS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "zero": lambda file: file.symlink_to("/dev/zero"),
    "circle": lambda file: file.symlink_to(file.name),
    "nowhere": lambda file: file.symlink_to("/nonexistent/x"),
    "huge": huge,
}


def put(root: Path, path: str, sort: str) -> None:
    """Put something in the place of a file."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    for name in (file, *file.parent.glob(f"{file.name}-*")):
        name.unlink(missing_ok=True)
    SORTS[sort](file)


def pages(root: Path) -> dict[str, bytes]:
    """Every Markdown file that is one."""
    paths = (file for file in root.rglob("*.md") if not file.is_symlink() and file.is_file())
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in paths if file.stat().st_size < 1_000_000}


@pytest.mark.parametrize(
    ("path", "sort"),
    [
        *((DAILY, sort) for sort in ("pipe", "zero", "circle", "huge")),
        (PAGE, "pipe"),
        *((path, "pipe") for path in (PLAN, FORGOTTEN, LOCK, OWNER, LEDGER, STATE)),
        *(
            pytest.param(path, sort, marks=pytest.mark.soak)
            for path, sorts in {
                DAILY: ("folder", "nowhere"),
                PAGE: ("circle", "huge"),
                WRAP_UP: ("pipe",),
                FORGOTTEN: ("zero",),
                LOCK: ("zero",),
            }.items()
            for sort in sorts
        ),
    ],
)
def test_every_command_ends_and_names_it(judged: Path, home: Path, path: str, sort: str) -> None:
    """A run, a search, and what tells how things are; `doctor` fails, and no entry counts as deleted."""
    memory = CommandLine(home, SECONDS)
    put(judged, path, sort)
    before = pages(judged)
    # Not the weekly jobs: on a Monday they have a week to judge, and write pages as they should.
    for words in (("run", "daily_wrapup"), (*BACKFILL, "--yes"), ("status",), ("search", "septic"), ("entries",)):
        said = memory(*words, "--workspace", judged)
        assert (said.code, "Traceback" in said.shown) == (said.code if said.code < 6 else 0, False)
    said = memory("doctor", "--workspace", judged)
    assert (1, True, False) == (said.code, path in said.out, "Traceback" in said.shown)
    assert before == pages(judged)


@pytest.mark.parametrize("path", ["memory", "memory/.locks", "second-brain"])
@pytest.mark.parametrize("sort", ["circle", "huge", "pipe"])
def test_a_folder_that_is_none_is_reported(judged: Path, call: Callable[..., Said], path: str, sort: str) -> None:
    """By its name; what lay in it is not there to be read."""
    (judged / path).rename(judged / "away")
    SORTS[sort](judged / path)
    said = call("doctor", "--workspace", judged)
    assert (1, True) == (said.code, f"{path} cannot be read: it is no folder" in said.out)


def test_settings_that_are_no_file_are_reported(judged: Path, home: Path) -> None:
    """The workspace is the one meant, and not another one above it."""
    put(judged, "memory.toml", "pipe")
    (judged.parent / "memory.toml").write_text("")
    for words in (("run",), ("status",), ("doctor",), ("search", "x"), ("config", "check")):
        said = CommandLine(home, SECONDS)(*words, MEMORY_WORKSPACE=str(judged))
        assert (1, True) == (said.code, f"Cannot read {judged}/memory.toml: it is a named pipe" in said.err)


def test_jobs_that_do_not_need_it_go_on(filled: Path, home: Path) -> None:
    """A day's entries and its story are written while nobody can read MEMORY.md, and that follows once one can."""
    memory = CommandLine(home, SECONDS)
    put(filled, PAGE, "pipe")
    said = memory(*BACKFILL, "--yes", "--workspace", filled)
    assert (3, True) == (said.code, f"Cannot read {PAGE}: it is a named pipe" in said.out)
    assert (filled / WRAP_UP).is_file()
    (filled / PAGE).unlink()
    assert 0 == memory(*BACKFILL, "--yes", "--workspace", filled).code
    assert (filled / PAGE).is_file()


def test_a_transcript_that_is_no_file_is_reported(workspace: Path, memory: CommandLine) -> None:
    """Its time is not run until it can be read, and then it is."""
    file = workspace / "sessions" / "s-one.jsonl"
    memory("status", "--workspace", workspace)
    data = file.read_bytes()
    file.unlink()
    os.mkfifo(file)
    said = memory(*BACKFILL[:2], *BACKFILL[5:], "--yes", "--workspace", workspace)
    assert (True, False) == ("it is a named pipe" in said.shown, (workspace / DAILY).exists())
    assert "s-one.jsonl" in memory("doctor", "--workspace", workspace).out
    file.unlink()
    file.write_bytes(data)
    assert 0 == memory(*BACKFILL[:2], *BACKFILL[5:], "--yes", "--workspace", workspace).code
    assert (workspace / DAILY).is_file()


@pytest.mark.parametrize("sort", ["pipe", "huge", *at_length("folder", "zero", "circle", "nowhere")])
def test_a_dry_run_tells_the_same(judged: Path, home: Path, sort: str) -> None:
    """As the run that follows, and copies no device."""
    put(judged, DAILY, sort)
    (judged / "memory" / "up").symlink_to(".")
    memory = CommandLine(home, SECONDS)
    before = pages(judged)
    (judged / PAGE).unlink()
    refusals: list[Said] = [memory(*BACKFILL, "--yes", *more, "--workspace", judged) for more in (("--dry-run",), ())]
    assert [False, False] == ["Traceback" in said.shown for said in refusals]
    assert 1 == len({said.code for said in refusals})
    assert {path: data for path, data in before.items() if path != PAGE} == pages(judged)
