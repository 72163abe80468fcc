"""`memory runs` and `memory status`."""

import json
import os
import re
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.errors import ModelUnavailable
from pipeline.ledger import open_ledger
from pipeline.testing.command_line import Said
from schemas.outcome import Ending, Outcome, Rejection
from schemas.window import Window

WINDOW = Window(start=datetime(2026, 2, 3, 9, tzinfo=UTC), end=datetime(2026, 2, 3, 12, tzinfo=UTC))
KEY = "2026-02-03T09:00+00:00/2026-02-03T12:00+00:00"


def note_run(root: Path, run_id: str, ended: Outcome | None) -> None:
    """Put a run into the ledger as if it had been; without an outcome it goes on."""
    ledger = open_ledger(root / ".memory" / "state.db")
    ledger.runs.begin(run_id, "micro_sync", KEY, WINDOW, datetime(2026, 2, 3, 12, 2, tzinfo=UTC))
    if ended:
        ledger.runs.end(ended, datetime(2026, 2, 3, 12, 3, tzinfo=UTC))
    ledger.store.close()


def outcome(ending: Ending, **fields: object) -> Outcome:
    """How a run of the window ended."""
    given = {"job": "micro_sync", "key": KEY, "window": WINDOW, "ending": ending, "run_id": "r-1"}
    return Outcome.model_validate(given | fields)


def test_lists_runs_newest_first(filled: Path, call: Callable[..., Said]) -> None:
    """Every window is a run; `--limit` and `--job` choose."""
    records = call("runs", "--json", "--workspace", filled).records
    assert len(records) == 8
    assert [record["began"] for record in records] == sorted((record["began"] for record in records), reverse=True)
    assert len(call("runs", "--limit", 3, "--job", "micro_sync", "--json", "--workspace", filled).records) == 3
    lines = call("runs", "--all", "--workspace", filled).out.splitlines()
    assert (lines[0].split()[0], len(lines)) == ("RUN", 9)


def test_runs_that_found_nothing_are_only_counted(filled: Path, call: Callable[..., Said]) -> None:
    """Those that did something are listed, as many as `--limit` says, and how many are not."""
    said = call("runs", "--limit", 1, "--workspace", filled)
    head, *lines = said.out.splitlines()
    assert (head.split()[0], [line.split()[4] for line in lines]) == ("RUN", ["done"])
    assert said.err == "7 runs found nothing and are not listed; --all lists all.\n"
    assert call("runs", "--all", "--limit", 2, "--workspace", filled).err == ""


def test_shows_a_run(filled: Path, call: Callable[..., Said]) -> None:
    """A run is shown with what it changed."""
    run = next(record for record in call("runs", "--json", "--workspace", filled).records if record["written"])
    (shown,) = call("runs", "show", run["run_id"], "--json", "--workspace", filled).records
    assert shown["changes"] == [{"path": "memory/2026-02-02.md", "kind": "create", "blocks": run["written"]}]
    told = call("runs", "show", run["run_id"], "--workspace", filled).out
    assert f"create   memory/2026-02-02.md: {', '.join(run['written'])}" in told


def test_shows_why_candidates_were_rejected(workspace: Path, call: Callable[..., Said]) -> None:
    """Rejections are listed with their reasons, and what was seen again with its count."""
    rejected = Rejection(reason="quote_not_found", session_id="s-one", number=7, detail="no\x1b[31m such words")
    note_run(workspace, "r-1", outcome(Ending.EMPTY, rejected=(rejected,), skipped={"same": 2}))
    assert call("runs", "--json", "--workspace", workspace).records[0]["rejected"] == [rejected.model_dump()]
    told = call("runs", "show", "r-1", "--workspace", workspace).out
    assert "rejected quote_not_found, s-one #7: no [31m such words\n" in told
    assert "passed over as same: 2\n" in told


def test_an_unknown_run_or_job_is_2(filled: Path, call: Callable[..., Said]) -> None:
    """A wrong name is told with the known ones."""
    said = call("runs", "show", "r-9", "--workspace", filled)
    assert (said.code, "There is no run 'r-9'. Known: " in said.err) == (2, True)
    said = call("runs", "--job", "nightly", "--workspace", filled)
    assert (said.code, "There is no job 'nightly'" in said.err) == (2, True)


def test_no_runs_is_a_sentence(workspace: Path, call: Callable[..., Said]) -> None:
    """Before the first run that is said."""
    assert call("runs", "--workspace", workspace).out == "Nothing has been run yet.\n"


def test_status_of_a_new_workspace(workspace: Path, call: Callable[..., Said]) -> None:
    """Time is due since `start`; nothing has succeeded; the sources are counted."""
    job, *others, source = call("status", "--json", "--workspace", workspace).records
    assert ["daily_wrapup", "weekly_plan", "weekly_compound"] == [other["job"] for other in others]
    assert (job["job"], job["last_success"], job["at_work"]) == ("micro_sync", None, None)
    assert job["due"] >= 8
    assert job["oldest_due"] is not None
    assert set(job["next"]) == {"start", "end", "run_from"}
    assert (source["source"], source["sessions"], source["first"][:10]) == ("openclaw", 1, "2026-02-02")
    told = call("status", "--workspace", workspace).out
    assert re.search(r"\n  next          [-\d]+, run from [-\d]+ 03:22\n", told)
    assert re.search(r"\n  next          \d{4}-W\d\d, run from [-\d]+ 04:12\n", told)
    assert "last success  never" in told
    assert "windows, the oldest of " in told
    assert re.search(r"\n  next          [-\d]+ \d\d:00 - \d\d:00, run from \d\d:02\n", told)


def test_status_without_a_start(workspace: Path, call: Callable[..., Said]) -> None:
    """Nothing comes next when nothing ever becomes due, and that is said."""
    (workspace / "memory.toml").write_text("")
    assert call("status", "--json", "--workspace", workspace).records[0]["next"] is None
    assert "next          nothing, because memory.toml sets no `start`" in call("status", "--workspace", workspace).out


@pytest.mark.parametrize("ending", [Ending.WAITING, Ending.FAILED])
def test_status_tells_what_did_not_end_well(ending: Ending, workspace: Path, call: Callable[..., Said]) -> None:
    """A window that waits for the model, or failed, is named until it is done."""
    note_run(workspace, "r-1", outcome(ending, warning=str(ModelUnavailable("m", "it is away"))))
    (trouble,) = call("status", "--json", "--workspace", workspace).records[0]["troubled"]
    assert (trouble["run_id"], trouble["ending"], "it is away" in trouble["warning"]) == ("r-1", ending.value, True)
    assert f"{ending.value:<13} {KEY}" in call("status", "--workspace", workspace).out
    note_run(workspace, "r-2", outcome(Ending.DONE, run_id="r-2"))
    assert call("status", "--json", "--workspace", workspace).records[0]["troubled"] == []


def test_status_tells_who_is_at_work(workspace: Path, call: Callable[..., Said]) -> None:
    """A run that has not ended, and whose process lives, is at work; one whose process is gone is not."""
    note_run(workspace, "r-1", None)
    lock = workspace / "memory" / ".locks" / "micro_sync.lock"
    lock.parent.mkdir(parents=True)
    told = {"pid": os.getppid(), "host": socket.gethostname(), "run": "r-1"}
    lock.write_text(json.dumps(told))
    assert (
        call("status", "--json", "--workspace", workspace).records[0]["at_work"] == f"process {os.getppid()}, run r-1"
    )
    assert "at work       process" in call("status", "--workspace", workspace).out
    lock.write_text(json.dumps(told | {"pid": 2**22 + 1}))
    assert call("status", "--json", "--workspace", workspace).records[0]["at_work"] is None


def test_status_tells_the_back_fill_of_unknown_time(filled: Path, call: Callable[..., Said]) -> None:
    """After the ledger was lost, time that may not have been done is named with the command that makes sure."""
    for file in (filled / ".memory").glob("state.db*"):
        file.unlink()
    job = call("status", "--json", "--workspace", filled).records[0]
    assert job["unknown"] != []
    assert job["backfill"].startswith("memory backfill micro_sync --from ")
    assert job["backfill"] in call("status", "--workspace", filled).out
