"""`memory run facts`, in real processes."""

import re
from pathlib import Path

import pytest

from tests.support.afternoon import days_ago
from tests.support.processes.command_line import CommandLine
from tests.support.tables import table

FACTS = {"retain", "reflect", "entity_pages", "articles"}


@pytest.fixture
def retained(afternoon: Path) -> Path:
    """The workspace, due for five days, with its session of three days ago."""
    session, settings = afternoon / "sessions" / "s-one.jsonl", afternoon / "memory.toml"
    session.write_text(session.read_text().replace("2026-02-02", ago(3)))
    settings.write_text(re.sub("start = .*", f"start = {days_ago(5).isoformat()}", settings.read_text()))
    return afternoon


def ago(days: int) -> str:
    """The day of so many days ago."""
    return str(days_ago(days).date())


def test_only_the_jobs_of_facts_run(retained: Path, memory: CommandLine) -> None:
    """All that is due of them, and the pages; then nothing is due, and the next window is one of theirs."""
    said = memory("run", "facts", "--json", "--workspace", retained)
    assert (0, FACTS) == (said.code, {record["job"] for record in said.records})
    assert "septic truck" in (retained / "bank" / "world.md").read_text()
    assert not (retained / "memory" / f"{ago(3)}.md").exists()
    again = memory("run", "facts", "--workspace", retained)
    assert (0, True) == (again.code, again.out.startswith("Nothing is due. The next window of retain"))


def test_since_a_day_nothing_earlier_runs(retained: Path, memory: CommandLine) -> None:
    """By the day or by how many days ago it was; what is earlier stays due."""
    early = memory("run", "facts", "--since", "2d", "--json", "--workspace", retained)
    assert [ago(2), ago(1)] == [record["key"] for record in early.records if record["job"] == "retain"]
    assert not (retained / "memory" / "retain").exists()
    dry = memory("run", "facts", "--since", ago(3), "--dry-run", "--workspace", retained)
    assert "septic truck" in dry.out
    assert not (retained / "memory" / "retain").exists()
    late = memory("run", "facts", "--since", ago(3), "--json", "--workspace", retained)
    assert ago(3) == late.records[0]["key"]
    assert (retained / "memory" / "retain" / f"{ago(3)}.md").exists()


@table(("since", "sentence"), [("soon", "'soon' is not a day"), ("2999-01-01", "has not come yet")])
def test_a_day_that_is_none_is_refused(since: str, sentence: str, workspace: Path, memory: CommandLine) -> None:
    """With exit code 2, as a day in the future is."""
    said = memory("run", "facts", "--since", since, "--workspace", workspace)
    assert (2, True) == (said.code, sentence in said.err)
