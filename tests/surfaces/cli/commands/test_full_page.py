"""A `MEMORY.md` without room: a person is told where they look, with what mends it, until it is mended."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said

Call = Callable[..., Said]
BACKFILL = (
    *("backfill", "micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound"),
    *("--from", "2026-02-02", "--to", "2026-02-08"),
)
SENTENCE = "found no room: your own text takes 300 of its 200 lines, 2,399 of its 20,000 characters"


@pytest.fixture
def full(workspace: Path) -> Path:
    """The workspace with a page that a person has filled, and a bit more."""
    (workspace / "MEMORY.md").write_text("# Mine\n" + "my line\n" * 299)
    return workspace


def page_problems(call: Call, root: Path) -> list[tuple[str, str]]:
    """What the doctor tells of pages, and what it advises."""
    records = call("doctor", "--json", "--workspace", root).records
    return [(record["told"], record["advice"]) for record in records if record["check"] == "pages"]


def test_it_is_reported_until_it_is_mended(full: Path, call: Call, memory: CommandLine) -> None:
    """At the end of the back-fill, in the status and by the doctor; moving the old text away ends it."""
    said = memory(*BACKFILL, "--workspace", full)
    *_, closing, advice = said.out.splitlines()
    assert (0, True, True) == (said.code, closing.endswith(f"{SENTENCE}."), "`memory doctor adopt`" in advice)
    assert closing in call("status", "--workspace", full).out
    page = call("status", "--json", "--workspace", full).records[-1]
    assert ("MEMORY.md", 2, 300, True) == (page["page"], page["waiting"], page["lines"], page["closed"])
    ((problem, mends),) = page_problems(call, full)
    assert (f"{problem}.", mends) == (closing, advice.strip())
    assert 0 == call("doctor", "adopt", "1", "--yes", "--workspace", full).code
    said = memory(*BACKFILL, "--workspace", full)
    assert (0, False) == (said.code, "found no room" in said.out)
    assert "<!--m:" in (full / "MEMORY.md").read_text()
    assert ([], False) == (page_problems(call, full), "no room" in call("status", "--workspace", full).out)


def test_a_run_reports_it_and_fills_the_room_that_was_made(full: Path, memory: CommandLine) -> None:
    """As its last words, also when nothing else is due; after the move, the same command fills the page."""
    memory(*BACKFILL, "--workspace", full)
    for _ in range(2):
        said = memory("run", "--workspace", full)
        assert (True, True) == (SENTENCE in said.out, "`memory doctor adopt`" in said.out.splitlines()[-1]), said.out
    memory("doctor", "adopt", "1", "--yes", "--workspace", full)
    said = memory("run", "--workspace", full)
    assert (0, False, True) == (said.code, "no room" in said.out, "<!--m:" in (full / "MEMORY.md").read_text())


def test_a_full_page_is_reported_before_anything_waits(full: Path, call: Call) -> None:
    """Whoever comes with a long page hears of it before the first run; one line less than the page has is room."""
    assert page_problems(call, full)[0][0].startswith(
        "MEMORY.md has no room for anything of ours: your own text takes 300 "
    )
    (full / "MEMORY.md").write_text("my line\n" * 199)
    assert [] == page_problems(call, full)


def test_a_back_fill_of_other_jobs_says_nothing_of_it(full: Path, memory: CommandLine) -> None:
    """The page is no concern of who reads sessions."""
    said = memory("backfill", "micro_sync", *BACKFILL[5:], "--workspace", full)
    assert (0, False) == (said.code, "room" in said.out)


def test_programs_learn_the_outcome(full: Path, memory: CommandLine) -> None:
    """Every line stays a run's."""
    said = memory(*BACKFILL, "--json", "--workspace", full)
    assert all("ending" in record for record in said.records)
    assert "found no room" in said.records[-1]["warning"]
