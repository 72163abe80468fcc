"""When `memory run` lets the ledger go of what is old, in real processes."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from pipeline.ledger.answers import Answers
from pipeline.ports.engine import Reply
from tests.support.ports.clock import FixedClock
from tests.support.processes.command_line import CommandLine, Said

LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def old(workspace: Path) -> Path:
    """The workspace before its first run, with an answer that is older than `retention`."""
    ledger = open_ledger(workspace / ".memory" / "state.db")
    Answers(ledger.store, FixedClock(LONG_AGO)).put_answer("old", "m", Reply("said long ago", 1, 1))
    ledger.store.close()
    return workspace


def is_kept(workspace: Path) -> bool:
    """Whether the answer is still there."""
    ledger = open_ledger(workspace / ".memory" / "state.db")
    kept = ledger.answers.get("old") is not None
    ledger.store.close()
    return kept


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "micro_sync", "--at", "2026-02-02T12:00"),
        ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02", "--yes"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_the_first_run_of_a_day_prunes(old: Path, memory: CommandLine, words: tuple[str, ...]) -> None:
    """Whoever starts it, a timer, the service or a person, over whatever time; it says so in a log line."""
    said = memory(*words, "--json", "--workspace", old)
    assert (0, False) == (said.code, is_kept(old))
    actual = [line for line in map(json.loads, said.err.splitlines()) if line["event"] == "ledger.pruned"]
    assert [("info", 1, 0)] == [(line["level"], line["answers"], line["runs"]) for line in actual]


@pytest.mark.parametrize(
    "words",
    [("run",), ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02", "--yes")],
    ids=lambda words: words[0],
)
def test_a_dry_run_prunes_nothing(old: Path, memory: CommandLine, words: tuple[str, ...]) -> None:
    """It changes nothing at all."""
    assert 0 == memory(*words, "--dry-run", "--workspace", old).code
    assert is_kept(old)


def test_logs_that_are_kept_for_ever_are_reported_as_such(filled: Path, call: Callable[..., Said]) -> None:
    """Without a number of days, which there is none of."""
    (run, *_) = call("show", "runs", "--all", "--json", "--workspace", filled).records
    output = call("show", "run", run["run_id"], "--workspace", filled, MEMORY_RETENTION="PT0S").out
    assert "  log      none: the service keeps those of its own runs, in .memory/service/logs\n" in output


def test_expired_details_go_before_the_first_run_of_a_day(
    workspace: Path, call: Callable[..., Said], memory: CommandLine
) -> None:
    """Those alone; a store that cannot be used keeps no job from its run."""
    settings = workspace / "memory.toml"
    kept = call("store", "--json", "--workspace", workspace, answer="kept for thirty days\n" * 400).records[0]["key"]
    settings.write_text(f"{settings.read_text()}\n[store]\nretention = 0\n")
    call("store", "--workspace", workspace, answer="of this moment alone\n" * 400)
    said = memory("run", "--json", "--workspace", workspace)
    assert [1] == [line["details"] for line in said.log if line["event"] == "details.pruned"]
    assert [kept] == [record["key"] for record in call("store", "list", "--json", "--workspace", workspace).records]


def test_a_store_that_cannot_be_used_keeps_no_job_from_its_run(workspace: Path, memory: CommandLine) -> None:
    """The log says so, and the details go on another day."""
    (workspace / "store").mkdir()
    (workspace / "store" / "memory.db").write_text("no database at all" * 100)
    said = memory("run", "--json", "--workspace", workspace)
    assert 0 == said.code
    assert ["details.kept"] == [line["event"] for line in said.log if line["event"].startswith("details.")]
