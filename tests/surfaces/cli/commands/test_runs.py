"""`memory show runs`: the list, one run, and runs as they come."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.surfaces.cli.commands.runs import follow, until_ended
from pipeline.workspace.service_files import ServiceFolder
from schemas.outcome import Ending, Rejection, Usage
from tests.support.builders.runs import note_run, run_outcome
from tests.support.processes.command_line import Said


def test_lists_runs_newest_first(filled: Path, call: Callable[..., Said]) -> None:
    """Every window is a run; `--limit` and `--job` choose."""
    records = call("show", "runs", "--json", "--workspace", filled).records
    assert len(records) == 8
    assert [record["began"] for record in records] == sorted((record["began"] for record in records), reverse=True)
    assert len(call("show", "runs", "--limit", 3, "--job", "micro_sync", "--json", "--workspace", filled).records) == 3
    lines = call("show", "runs", "--all", "--workspace", filled).out.splitlines()
    assert (lines[0].split()[0], len(lines)) == ("RUN", 9)


def test_a_short_id_stands_for_the_whole_one(filled: Path, call: Callable[..., Said]) -> None:
    """The digits behind the time: lists show them, and commands take them; several runs with one are listed."""
    record = call("show", "runs", "--json", "--workspace", filled).records[0]
    assert record["run_id"].partition("-")[2][:8] == record["short"]
    whole, short = (call("show", "run", name, "--workspace", filled) for name in (record["run_id"], record["short"]))
    assert (0, whole.out) == (short.code, short.out)
    assert record["run_id"] in call("show", "runs", "--all", "--wide", "--workspace", filled).out
    for time in ("20260220T120000", "20260221T120000"):
        note_run(filled, f"{time}-abcdef0123", run_outcome(Ending.EMPTY, run_id=f"{time}-abcdef0123"))
    said = call("undo", "abcdef01", "--workspace", filled)
    assert (2, True) == (said.code, "\n  20260220T120000-abcdef0123  micro_sync" in said.err)


def test_empty_runs_are_only_counted(filled: Path, call: Callable[..., Said]) -> None:
    """Those that did something are listed, as many as `--limit` says, and how many are not."""
    said = call("show", "runs", "--limit", 1, "--workspace", filled)
    head, *lines = said.out.splitlines()
    assert (head.split()[0], [line.split()[4] for line in lines]) == ("RUN", ["done"])
    assert said.err == "7 runs found nothing and are not listed; --all lists all.\n"
    assert call("show", "runs", "--all", "--limit", 2, "--workspace", filled).err == ""


def test_an_empty_run_that_warns_is_listed(workspace: Path, call: Callable[..., Said]) -> None:
    """With its warning under the list; the same one of several runs is told once, with the newest of them."""
    for number in (1, 2):
        outcome = run_outcome(Ending.EMPTY, run_id=f"r-{number}", warning="memory/x.md is away")
        note_run(workspace, f"r-{number}", outcome)
    note_run(workspace, "r-3", run_outcome(Ending.EMPTY, run_id="r-3"))
    said = call("show", "runs", "--workspace", workspace)
    head, *rows, warning = said.out.splitlines()
    assert (["RUN"], ["r-2", "r-1"]) == ([head.split()[0]], [row.split()[0] for row in rows])
    assert "r-2: memory/x.md is away" == warning
    assert "1 run found nothing and is not listed; --all lists all.\n" == said.err


def test_an_empty_run_is_listed_though_there_is_no_other(workspace: Path, call: Callable[..., Said]) -> None:
    """Something has been run, then."""
    note_run(workspace, "r-1", run_outcome(Ending.EMPTY))
    said = call("show", "runs", "--job", "micro_sync", "--workspace", workspace)
    assert (said.out, said.err) == ("", "1 run found nothing and is not listed; --all lists all.\n")
    assert "Nothing has been run yet.\n" == call("show", "runs", "--job", "weekly_plan", "--workspace", workspace).out


def test_shows_a_run(filled: Path, call: Callable[..., Said]) -> None:
    """A run is shown with what it changed."""
    run = next(record for record in call("show", "runs", "--json", "--workspace", filled).records if record["written"])
    (shown,) = call("show", "run", run["run_id"], "--json", "--workspace", filled).records
    (change,) = shown["changes"]
    assert ("memory/2026-02-02.md", "create", run["written"]) == (change["path"], change["kind"], change["blocks"])
    assert change["diff"].splitlines()[:4] == ["--- a/memory/2026-02-02.md", "+++ b/memory/2026-02-02.md",
                                               "@@ -0,0 +1,47 @@", "+# 2026-02-02"]  # fmt: skip
    output = call("show", "run", run["run_id"], "--workspace", filled).out
    assert f"create   memory/2026-02-02.md: {', '.join(run['written'])}" in output


def test_shows_why_candidates_were_rejected(workspace: Path, call: Callable[..., Said]) -> None:
    """Rejections are listed with their reasons, and what was seen again with its count."""
    rejected = Rejection(reason="quote_not_found", session_id="s-one", number=7, detail="no\x1b[31m such words")
    note_run(workspace, "r-1", run_outcome(Ending.EMPTY, rejected=(rejected,), skipped={"same": 2}))
    assert call("show", "runs", "--json", "--workspace", workspace).records[0]["rejected"] == [rejected.model_dump()]
    output = call("show", "run", "r-1", "--workspace", workspace).out
    assert "rejected quote_not_found, s-one #7: no\\u001b[31m such words\n" in output
    assert "passed over as same: 2\n" in output


def test_an_unknown_run_or_job_is_2(filled: Path, call: Callable[..., Said]) -> None:
    """A wrong name is told with the known ones."""
    said = call("show", "run", "r-9", "--workspace", filled)
    assert (said.code, "There is no run 'r-9'. Some are: " in said.err) == (2, True)
    broken = call("undo", "r-\udcff", "--workspace", filled)  # bytes of a terminal that are no text
    assert (2, True) == (broken.code, "is not known" in broken.err), broken.err
    said = call("show", "runs", "--job", "nightly", "--workspace", filled)
    assert (said.code, "There is no job 'nightly'" in said.err) == (2, True)


def test_no_runs_is_a_sentence(workspace: Path, call: Callable[..., Said]) -> None:
    """Before the first run that is said."""
    assert call("show", "runs", "--workspace", workspace).out == "Nothing has been run yet.\n"


def test_what_a_run_read_and_took_is_shown(filled: Path, call: Callable[..., Said]) -> None:
    """Its sessions with their files, its window, how long it took, and where its log is or would be."""
    run = next(record for record in call("show", "runs", "--json", "--workspace", filled).records if record["written"])
    (shown,) = call("show", "run", run["run_id"], "--json", "--workspace", filled).records
    assert ({"s-one": 5}, ["openclaw:s-one.jsonl"]) == (shown["sessions"], shown["files"])
    assert (True, None, False, None) == (0 <= shown["seconds"] < 60, shown["log"], shown["alive"], shown["cost"])
    output = call("show", "run", run["run_id"], "--workspace", filled).out
    assert "  session  s-one, 5 records in the window\n  file     openclaw:s-one.jsonl\n" in output
    assert "  log      none: the service keeps those of its own runs, in .memory/service/logs, for 90 days\n" in output
    assert re.search(r"  window   2026-02-02 [\d:]+ to [\d:]+\n  began    [-\d]+ [\d:]+, took \d+\.\d s\n", output)


def test_what_a_page_was_made_of(judged: Path, call: Callable[..., Said]) -> None:
    """Of a job that reads files, the patterns of them."""
    (run,) = call("show", "runs", "--job", "weekly_compound", "--json", "--workspace", judged).records
    (shown,) = call("show", "run", run["run_id"], "--json", "--workspace", judged).records
    assert ({}, ["memory/*.md", "memory/recent/*.md", "memory/archive/weekly-*.md"]) == (
        shown["sessions"],
        shown["reads"],
    )
    assert "  reads    memory/*.md, memory/recent/*.md, memory/archive/weekly-*.md\n" in (
        call("show", "run", run["run_id"], "--workspace", judged).out
    )


def test_a_day_in_what_a_job_reads_is_that_of_the_run(judged: Path, call: Callable[..., Said]) -> None:
    """A wrap-up reads the files of its day."""
    run = call("show", "runs", "--job", "daily_wrapup", "--json", "--workspace", judged).records[-1]
    (shown,) = call("show", "run", run["run_id"], "--json", "--workspace", judged).records
    assert ["memory/2026-02-02.md", "memory/recent/2026-02-02-*.md"] == shown["reads"]


def test_the_beginning_of_an_id_will_do(filled: Path, call: Callable[..., Said]) -> None:
    """When no other run begins so; else those that do are named."""
    note_run(filled, "x-1", None)
    note_run(filled, "x-27", None)
    assert call("show", "run", "x-2", "--json", "--workspace", filled).records[0]["run_id"] == "x-27"
    said = call("show", "run", "x-", "--workspace", filled)
    expected = "micro_sync, 2026-02-03 09:00 to 12:00"
    sentence = f"More than one run begins with 'x-'; name one of them:\n  x-27  {expected}\n  x-1  {expected}\n"
    assert (said.code, said.err) == (2, f"memory: {sentence}")


def test_all_lists_all(filled: Path, call: Callable[..., Said]) -> None:
    """However many there are; --limit still bounds them, and without either the newest twenty are listed."""
    for number in range(30):
        note_run(filled, f"x-{number}", run_outcome(Ending.DONE))
    assert 38 == len(call("show", "runs", "--all", "--json", "--workspace", filled).records)
    assert 39 == len(call("show", "runs", "--all", "--workspace", filled).out.splitlines())
    assert 25 == len(call("show", "runs", "--all", "--limit", 25, "--json", "--workspace", filled).records)
    assert 20 == len(call("show", "runs", "--json", "--workspace", filled).records)


def test_what_the_model_took_is_shown_with_its_price(workspace: Path, call: Callable[..., Said]) -> None:
    """Questions, known answers, tokens; and money, when the settings say what a million tokens cost."""
    used = {"asked": 3, "cached": 1, "input_tokens": 400_000, "output_tokens": 100_000}
    note_run(workspace, "r-1", run_outcome(Ending.DONE, **used))
    ledger = open_ledger(workspace / ".memory" / "state.db")
    ledger.spending.note("r-1", {"m": Usage(**used)})
    ledger.store.close()
    output = call("show", "run", "r-1", "--workspace", workspace).out
    assert "  model    asked 3 questions, 1 answer known before\n" in output
    assert "  tokens   500000 (400000 in, 100000 out)\n" in output
    prices = {"MEMORY_MODEL__INPUT_PRICE": "2.5", "MEMORY_MODEL__OUTPUT_PRICE": "10", "MEMORY_MODEL__CURRENCY": "EUR"}
    assert ", 2.0000 EUR\n" in call("show", "run", "r-1", "--workspace", workspace, **prices).out
    (shown,) = call("show", "run", "r-1", "--json", "--workspace", workspace, **prices).records
    assert ("2.0000 EUR", used) == (shown["cost"], {name: shown[name] for name in used})


def test_a_run_that_was_killed_is_reported_as_such(workspace: Path, call: Callable[..., Said]) -> None:
    """Nobody holds its lock any more; to follow it is to see that at once."""
    note_run(workspace, "r-1", None)
    said = call("show", "run", "r-1", "--follow", "--workspace", workspace)
    assert "  ending   unfinished: its process was killed; what it had not finished stays due\n" in said.out


def test_the_log_that_the_service_kept_is_named(workspace: Path, call: Callable[..., Said]) -> None:
    """Relative to the workspace."""
    note_run(workspace, "r-1", run_outcome(Ending.FAILED, warning="no room\x1b[31m"))
    log = ServiceFolder(workspace).logs / "20260203T120200.000000Z-micro_sync.log"
    log.parent.mkdir(parents=True)
    log.write_text('{"run":"r-1"}\n')
    output = call("show", "run", "r-1", "--workspace", workspace).out
    assert "  log      .memory/service/logs/20260203T120200.000000Z-micro_sync.log\n" in output
    assert "  why      no room\\u001b[31m\n" in output


def test_what_is_written_cannot_steer_the_terminal(filled: Path, call: Callable[..., Said]) -> None:
    """Text in a difference is anybody's."""
    change = Change("r-9", "memory/x.md", ChangeKind.APPEND, b"fine\n\x1b[2J gone\n", {}, size=7)
    note_run(filled, "r-9", None)
    ledger = open_ledger(filled / ".memory" / "state.db")
    ledger.changes.settle(ledger.changes.intend(change), [])
    ledger.store.close()
    output = call("show", "run", "r-9", "--workspace", filled).out
    assert output.endswith("+++ b/memory/x.md\n@@ appended behind byte 7 @@\n+fine\n+\\u001b[2J gone\n")


class Enough(Exception):
    """The test has seen what it wanted."""


def test_runs_are_followed_as_they_begin_and_end(workspace: Path) -> None:
    """What has ended before is not told; what goes on is, and then each beginning and each end once."""
    note_run(workspace, "r-0", run_outcome(Ending.DONE, run_id="r-0"))
    note_run(workspace, "r-1", None)
    ledger, looks = open_ledger(workspace / ".memory" / "state.db"), count()

    def between() -> None:
        look = next(looks)
        if look == 1:
            ledger.runs.end(run_outcome(Ending.EMPTY), datetime(2026, 2, 3, 12, 3, tzinfo=UTC))
        if look == 2:
            note_run(workspace, "r-2", run_outcome(Ending.FAILED, run_id="r-2"))
        if look == 3:
            raise Enough

    actual = list[tuple[str, str]]()
    with pytest.raises(Enough):
        actual.extend((happening.record.run_id, happening.name) for happening in follow(ledger.runs, between=between))
    ledger.store.close()
    assert [("r-1", "began"), ("r-1", "ended"), ("r-2", "ended")] == actual


def test_one_run_is_followed_until_it_ends(workspace: Path) -> None:
    """Or until its process is gone, or nobody knows of it any more."""
    note_run(workspace, "r-1", None)
    ledger = open_ledger(workspace / ".memory" / "state.db")
    ends = partial(ledger.runs.end, run_outcome(Ending.EMPTY), datetime(2026, 2, 3, 12, 3, tzinfo=UTC))
    ended = until_ended(ledger.runs, "r-1", lambda _: True, between=ends)
    assert ended is not None
    assert (Ending.EMPTY, True) == (ended.outcome and ended.outcome.ending, ended.ended is not None)
    note_run(workspace, "r-2", None)
    gone = until_ended(ledger.runs, "r-2", lambda _: False)
    assert gone is not None
    assert gone.ended is None
    assert until_ended(ledger.runs, "r-3", lambda _: True) is None
    ledger.store.close()
