"""The checks of the daily files: what breaks off, what cannot be read, and what is no text."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pipeline.doctor.entries import check_torn_entries
from pipeline.doctor.run_check import NAMED
from pipeline.reports.entries import list_entries
from schemas.checkup import CheckResult, Health
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A day with nine entries."""
    made = new_bench()
    say(made, *(f"note: number {number}" for number in range(9)))
    return made


def say(bench: Workbench, *texts: str) -> None:
    """The owner says one thing a minute, and it is run."""
    bench.say(conversation("s1", MORNING, [("owner", text) for text in texts]))
    bench.run_due()


def findings(bench: Workbench) -> list[CheckResult]:
    """What the checks found; all of it is a warning."""
    checks = list(check_torn_entries(bench.engine))
    assert {Health.WARN} >= {check.health for check in checks}
    return checks


def test_files_as_they_were_written_are_no_finding(bench: Workbench) -> None:
    """Nor is what a person wrote or edited in them."""
    assert [] == findings(bench)
    page = bench.root / DAY
    page.write_text(page.read_text("utf-8").replace("why: not stated", "why: so", 1) + "\n- id: 3\n", "utf-8")
    assert [] == findings(bench)


def test_an_entry_that_breaks_off_is_named_and_mended(bench: Workbench) -> None:
    """With its file and line; `--fix` writes the rest, and all entries count again."""
    page, whole, last = bench.root / DAY, bench.pages()[DAY], list_entries(bench.engine)[-1].entry.id
    page.write_bytes(whole[:-200])
    assert 8 == len(list_entries(bench.engine))
    (check,) = findings(bench)
    line = whole[:-201].count(b"\n") + 1
    assert f"{last} in {DAY} breaks off at line {line}" == check.message
    assert "`memory doctor --fix` writes the rest again" in check.advice
    assert check.mend is not None
    assert "as it was written" in check.mend()
    assert (whole, 9, []) == (page.read_bytes(), len(list_entries(bench.engine)), findings(bench))


def test_what_was_written_again_is_left_to_the_person(bench: Workbench) -> None:
    """The advice names the other entry and the lines to be taken out."""
    page = bench.root / DAY
    page.write_bytes(page.read_bytes()[:-200])
    say(bench, *(f"note: number {number}" for number in range(9)), "hello")
    again = list_entries(bench.engine)[-1].entry.id
    (check,) = findings(bench)
    assert check.advice.startswith(f"It was written again as {again}: take lines ")
    assert check.mend is None


def test_what_the_ledger_does_not_have_is_reported_with_the_way_out(bench: Workbench, new_bench: NewBench) -> None:
    """Of many in one file only some are named; one that a person broke can be corrected by hand."""
    page = bench.root / DAY
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()
    page.write_bytes(page.read_bytes().replace(b"- kind: ", b"- kinds: ")[:-200])
    *named, more = findings(new_bench(source=bench.source))
    assert (NAMED, f"{9 - NAMED} more in {DAY}") == (len(named), more.message)
    assert {True} == {"correct them by hand" in check.advice for check in named}
    page.write_bytes(page.read_bytes().replace(b"- kinds: ", b"- kind: "))
    (check,) = findings(new_bench(source=bench.source))
    assert ("breaks off at line" in check.message, "memory/forgotten.md" in check.advice) == (True, True)
    assert check.mend is None
