"""`memory backfill`, in real processes."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import CommandLine, Said
from tests.support.servers.behaviours import failing
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table

DAY = "memory/2026-02-02.md"
SPAN = ("--from", "2026-02-02", "--to", "2026-02-02")


def test_runs_the_days_windows(workspace: Path, memory: CommandLine) -> None:
    """The windows that start on the days are run; told are those with an outcome worth a line, and what they wrote.

    The first of all runs makes the page that agents read first.
    """
    said = memory("backfill", "micro_sync", *SPAN, "--workspace", workspace)
    assert said.code == 0
    assert ["done", "wrote", "wrote", "done", "9"] == [line.split()[0] for line in said.out.splitlines()]
    assert said.out.endswith(
        "9 windows (7 empty, 2 done): 2 entries written, 1 page brought up to date, 0 candidates rejected.\n"
    )
    assert (workspace / "MEMORY.md").is_file()
    assert (workspace / DAY).read_text().count("- check: ") == 2


def test_a_second_time_changes_nothing(workspace: Path, memory: CommandLine) -> None:
    """What has been done is not done again."""
    memory("backfill", "micro_sync", *SPAN, "--workspace", workspace)
    before = (workspace / DAY).read_bytes()
    said = memory("backfill", "micro_sync", "micro_sync", *SPAN, "--workspace", workspace)
    assert (said.code, said.out) == (0, "Nothing is left to do in these days.\n")
    assert (workspace / DAY).read_bytes() == before


def test_without_a_source_there_is_nothing_to_fill_back_from(workspace: Path, memory: CommandLine) -> None:
    """No [[sources]], or none that can be read: refused with what to do, also as a dry run; nothing is kept of it."""
    (workspace / "sessions").rename(workspace / "away")
    for more in ((), ("--dry-run",)):
        said = memory("backfill", "weekly_compound", "micro_sync", *SPAN, *more, "--workspace", workspace)
        why = "none of the sources can be read (openclaw: No such file or directory)"
        shown = f"memory: There is nothing to fill back from: {why}. `memory doctor` says what mends it.\n"
        assert (2, "", True) == (said.code, said.out, said.err.endswith(shown))
    (workspace / "memory.toml").write_text("")
    said = memory("backfill", "micro_sync", *SPAN, "--workspace", workspace)
    assert (2, True) == (said.code, "back from: memory.toml names no [[sources]]. Add one; " in said.err)
    assert not list(workspace.glob(".memory/backfills/*"))


def test_a_job_that_reads_pages_needs_no_source(workspace: Path, memory: CommandLine) -> None:
    """Its input is in the workspace."""
    (workspace / "memory.toml").write_text("")
    assert 0 == memory("backfill", "weekly_compound", *SPAN, "--workspace", workspace).code


def test_a_source_that_cannot_be_read_stops_no_other(workspace: Path, memory: CommandLine) -> None:
    """The windows of what can be read are run, and the trouble is told."""
    with (workspace / "memory.toml").open("a") as file:
        file.write('[[sources]]\nkind = "claude_code"\npath = "gone"\n')
    said = memory("backfill", "micro_sync", *SPAN, "--workspace", workspace)
    assert (0, 2) == (said.code, (workspace / DAY).read_text().count("- check: "))
    assert "gone" in said.err


def test_both_days_are_inside(workspace: Path, memory: CommandLine) -> None:
    """--from and --to are local days, both included; `--json` tells every window."""
    days = ("--from", "2026-02-01", "--to", "2026-02-02")
    said = memory("backfill", "micro_sync", *days, "--json", "--workspace", workspace)
    starts = [record["window"]["start"] for record in said.records if record["job"] == "micro_sync"]
    assert (starts[0], starts[-1], len(starts)) == ("2026-02-01T00:00:00+00:00", "2026-02-02T21:00:00+00:00", 16)


def test_what_is_left_is_reported_with_the_command_that_goes_on(workspace: Path, memory: CommandLine) -> None:
    """A model that fails leaves windows to run: exit code 4, and the command to type when it is back."""
    with ScriptedServer(failing()) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "m", "MEMORY_MODEL__ATTEMPTS": "1"}
        said = memory("backfill", "micro_sync", *SPAN, "--workspace", workspace, **model)
    assert said.code == 4
    assert not (workspace / DAY).exists()
    again = shlex.split(said.out.splitlines()[-1])
    assert again[:3] == ["memory", "backfill", "--resume"]
    assert again[4:] == ["--workspace", str(workspace)]
    assert memory(*again[1:]).code == 0
    assert (workspace / DAY).exists()


def test_a_dry_run_writes_nothing(workspace: Path, memory: CommandLine) -> None:
    """`--dry-run` shows the pages as they would be, on stdout alone."""
    said = memory("backfill", "micro_sync", *SPAN, "--dry-run", "--workspace", workspace)
    assert said.code == 0
    assert said.out.startswith(f"--- a/{DAY}\n+++ b/{DAY}\n")
    assert not (workspace / "memory").exists()
    assert not (workspace / ".memory").exists()


def test_finds_the_workspace_upward(workspace: Path, memory: CommandLine) -> None:
    """Inside a workspace it needs no name; MEMORY_WORKSPACE names it from elsewhere."""
    said = memory("backfill", "micro_sync", *SPAN, MEMORY_WORKSPACE=str(workspace))
    assert said.code == 0
    assert (workspace / DAY).exists()


def test_deleted_transcripts_lose_nothing(workspace: Path, memory: CommandLine) -> None:
    """Agents delete their sessions; what was written stays, and nothing is due again."""
    memory("backfill", "micro_sync", *SPAN, "--workspace", workspace)
    shutil.rmtree(workspace / "sessions")
    (workspace / "sessions").mkdir()
    said = memory("backfill", "micro_sync", *SPAN, "--workspace", workspace)
    assert (said.code, said.out) == (0, "Nothing is left to do in these days.\n")


@table(
    ("words", "sentence"),
    [
        (
            ("micro_sync", "--from", "2026-02-03", "--to", "2026-02-02"),
            "--from 2026-02-03 is later than --to",
        ),
        (("micro_sync", "--from", "someday", "--to", "2026-02-02"), "'someday' is not a day such as 2026-02-20"),
        (("micro_sync", "--from", "yesterday", "--to", "2026-W06"), "is later than --to 2026-02-08"),
        (("micro_sync", "--from", "2026-02-02"), "--to"),
        (SPAN, "JOB"),
        (("micro_sync", "--from", "2026-02-02", "--to", "9999-12-31"), "between the years"),
        (("micro_sync", "--from", "0001-01-01", "--to", "2026-02-02"), "between the years"),
    ],
)
def test_wrong_use_is_2(words: tuple[str, ...], sentence: str, workspace: Path, call: Callable[..., Said]) -> None:
    """What cannot be done is told in a sentence, with exit code 2."""
    said = call("backfill", *words, "--workspace", workspace)
    assert said.code == 2
    assert sentence in said.err
    assert ("Usage: memory backfill" in said.err) == ("Error: " in said.err)
    assert "Traceback" not in said.err


@table(
    ("words", "sentence"),
    [
        (("nightly", *SPAN), "There is no job 'nightly'. Known: articles, daily_wrapup, entity_pages,"),
        (("micro_sync", "--from", "2998-01-01", "--to", "2998-01-02"), "Error: --from 2998-01-01 has not come yet."),
    ],
)
def test_what_the_worker_refuses_is_2(
    words: tuple[str, ...], sentence: str, workspace: Path, memory: CommandLine
) -> None:
    """Only it knows the jobs and the time; the code and the sentence come through."""
    said = memory("backfill", *words, "--workspace", workspace)
    assert said.code == 2
    assert sentence in said.err
    assert ("Usage: memory backfill" in said.err) == ("Error: " in said.err)
    assert "Traceback" not in said.err
