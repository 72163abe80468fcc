"""`memory run`."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.workspace.locks import Locks
from tests.support.afternoon import days_ago
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import CommandLine, Said
from tests.support.tables import table

DAY = "memory/2026-02-02.md"
NOON = "2026-02-02T12:00"


def tree(root: Path) -> dict[str, str]:
    """Every file with a hash of its bytes."""
    return {
        str(file.relative_to(root)): sha256(file.read_bytes()).hexdigest() for file in root.rglob("*") if file.is_file()
    }


def test_runs_one_window(workspace: Path, memory: CommandLine) -> None:
    """`--at` runs the window of that time, in the workspace's zone, and tells what it wrote."""
    said = memory("run", "micro_sync", "--at", NOON, "--workspace", workspace)
    assert said.code == 0
    assert said.out.startswith("done ")
    assert "2026-02-02 09:00 to 12:00" in said.out
    assert "1 window (1 done): 2 entries written" in said.out
    assert (workspace / DAY).read_text().count("- check: ") == 2


def test_sees_nothing_after_the_time(workspace: Path, memory: CommandLine) -> None:
    """A window that ends at `--at` does not know what was said later."""
    said = memory("run", "--at", "2026-02-02T10:03:30+01:00", "--json", "--workspace", workspace)
    assert [len(record["written"]) for record in said.records] == [1]


def test_tells_outcomes_as_objects(workspace: Path, memory: CommandLine) -> None:
    """`--json` prints one outcome a line and nothing else; log lines are on stderr."""
    said = memory("run", "--at", NOON, "--json", "--workspace", workspace)
    (record,) = said.records
    assert (record["job"], record["ending"], record["paths"]) == ("micro_sync", "done", [DAY])
    assert "run.ended" in [json.loads(line)["event"] for line in said.err.splitlines()]


def test_runs_all_that_is_due(afternoon: Path, memory: CommandLine) -> None:
    """Without `--at` everything since `start` is run, and the next run finds nothing due."""
    session = afternoon / "sessions" / "s-one.jsonl"
    session.write_text(session.read_text().replace("2026-02-02", str(days_ago(1).date())))
    first = memory("run", "--json", "--workspace", afternoon)
    assert first.code == 0
    written = [(record["job"], len(record["written"])) for record in first.records if record["written"]]
    assert [("micro_sync", 2), ("retain", 1)] == sorted(written)
    second = memory("run", "--workspace", afternoon)
    assert (second.code, second.err) == (0, "")
    when = r"The next window of micro_sync, of [-\d]+, ends at \d\d:00 and is run from \d\d:\d\d"
    assert re.fullmatch(rf"Nothing is due\. {when}; `memory backfill` reads earlier days\.\n", second.out)


def test_a_dry_run_shows_the_difference_and_leaves_no_trace(workspace: Path, memory: CommandLine) -> None:
    """A dry run prints what would be written, with relative sources read, and changes nothing at all."""
    (workspace / "notes.md").write_text("mine\n")
    before = tree(workspace)
    said = memory("run", "--at", NOON, "--dry-run", "--workspace", workspace)
    assert said.code == 0
    assert tree(workspace) == before
    added = [line[1:] for line in said.out.splitlines() if line.startswith("+") and not line.startswith("+++")]
    memory("run", "--at", NOON, "--workspace", workspace)
    assert (workspace / DAY).read_text().splitlines() == added


def test_a_dry_run_knows_what_was_done(filled: Path, memory: CommandLine) -> None:
    """A dry run works on a copy of the ledger, so what is done is not shown again."""
    before = tree(filled)
    said = memory("run", "--at", NOON, "--dry-run", "--json", "--workspace", filled)
    assert said.records == [{"diff": ""}]
    assert tree(filled) == before


def test_another_run_at_work_is_75(workspace: Path, memory: CommandLine) -> None:
    """A lock that somebody holds ends the command with 75, and names who holds it."""
    locks = Locks(workspace / "memory" / ".locks")
    with locks.hold(["micro_sync"], "another", SystemClock().now()):
        said = memory("run", "--at", NOON, "--workspace", workspace)
    assert said.code == 75
    assert "run another" in said.out
    assert not (workspace / DAY).exists()


def test_a_workspace_of_another_host_is_refused_until_taken_over(workspace: Path, memory: CommandLine) -> None:
    """Locks do not reach across hosts: 75, and `--take-over` goes on."""
    Locks(workspace / "memory" / ".locks", "elsewhere").take_over()
    refused = memory("run", "--at", NOON, "--workspace", workspace)
    assert (refused.code, "host elsewhere" in refused.err) == (75, True)
    assert memory("run", "--at", NOON, "--take-over", "--workspace", workspace).code == 0
    assert memory("run", "--at", NOON, "--workspace", workspace).code == 0


@table(
    ("words", "sentence"),
    [
        (("--at", "soon"), "'soon' is not a time"),
        (("--at", "0001-01-01"), "'0001-01-01' is before the year 1971."),
        (("--at", "2026-02-30T12:00"), "There is no day 2026-02-30: 2026-02 has the days 01 to 28."),
        (("--wait", "-1"), "--wait"),
    ],
)
def test_wrong_use_is_2(words: tuple[str, ...], sentence: str, workspace: Path, call: Callable[..., Said]) -> None:
    """What cannot be done is told in a sentence, with exit code 2."""
    said = call("run", *words, "--workspace", workspace)
    assert said.code == 2
    assert sentence in said.err
    assert "Traceback" not in said.err


@table(
    ("words", "sentence"),
    [
        (("nightly",), "There is no job 'nightly'. Known: articles, daily_wrapup, entity_pages,"),
        (("--at", "2999-01-01"), "Error: --at 2999-01-01T00:00:00+00:00 has not come yet."),
    ],
)
def test_what_the_worker_refuses_is_2(
    words: tuple[str, ...], sentence: str, workspace: Path, memory: CommandLine
) -> None:
    """Only it knows the jobs and the time; the code and the sentence come through."""
    said = memory("run", *words, "--workspace", workspace)
    assert said.code == 2
    assert sentence in said.err
    assert "Traceback" not in said.err


def test_all_that_is_wrong_with_the_settings_is_reported_at_once(workspace: Path, memory: CommandLine) -> None:
    """Settings that cannot be used stop the command with every problem and its path."""
    (workspace / "memory.toml").write_text('timezone = "Mars"\n[model]\nattempts = 0\n')
    said = memory("run", "--workspace", workspace)
    assert said.code == 2
    assert "timezone:" in said.err
    assert "model.attempts:" in said.err


def test_a_source_that_cannot_be_read_is_named(afternoon: Path, memory: CommandLine) -> None:
    """Nothing due in what could be read; of a store that is no database nobody knows."""
    store = afternoon / "sessions" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    store.parent.mkdir(parents=True)
    store.write_bytes(b"not a database " * 100)
    memory("run", "--workspace", afternoon)
    said = memory("run", "--workspace", afternoon)
    assert said.out.startswith("Nothing is due.")
    assert "openclaw-agent.sqlite cannot be read since" in said.err
    assert "`memory doctor` says what to do." in said.err


def test_a_workspace_without_sources_or_start_says_so(workspace: Path, memory: CommandLine) -> None:
    """Nothing due because nothing is set is not the same as nothing to do."""
    (workspace / "memory.toml").write_text('timezone = "UTC"\n')
    said = memory("run", "--workspace", workspace)
    assert (said.code, said.out.splitlines()[-1]) == (0, "Nothing is due.")
    assert "no [[sources]]" in said.err
    assert "no `start`" in said.err


def test_the_first_run_makes_the_page_that_agents_read_first(workspace: Path, memory: CommandLine) -> None:
    """Nothing on it changes by the day; once taken away, it does not come back by itself."""
    memory("run", "--workspace", workspace)
    page = workspace / "MEMORY.md"
    head = [line.partition(" <!--")[0] for line in page.read_text().splitlines() if line]
    assert ("# Memory", True) == (head[0], head[1].startswith("What to read first"))
    page.unlink()
    memory("run", "--workspace", workspace)
    assert not page.exists()


def test_the_first_run_leaves_a_page_of_other_hands(workspace: Path, memory: CommandLine) -> None:
    """Until a plan promotes something, nothing of ours stands on it."""
    page = workspace / "MEMORY.md"
    page.write_bytes(b"# Mine\r\n\r\n- buy milk\r\n")
    memory("run", "--workspace", workspace)
    assert b"# Mine\r\n\r\n- buy milk\r\n" == page.read_bytes()


def test_no_workspace_is_2(memory: CommandLine) -> None:
    """A worker's errors are told as the command's own."""
    said = memory("run")
    assert said.code == 2
    assert said.err.startswith("memory: There is no memory.toml in ")


def test_a_window_that_overruns_is_124(workspace: Path, memory: CommandLine) -> None:
    """A window that takes longer than it may is stopped, and that is told with what to do."""
    lines = OpenClawLines("s-long")
    for number in range(400):
        lines.user(f"{number}: from now on give every migration a downgrade that was actually run, and {number}")
    lines.write(workspace / "sessions" / "s-long.jsonl")
    said = memory("run", "--at", NOON, "--workspace", workspace, MEMORY_JOBS__MICRO_SYNC__TIMEOUT="PT0.000001S")
    assert said.code == 124
    assert "micro_sync did not end within 1e-06 s and was stopped." in said.shown
    assert "Traceback" not in said.err
