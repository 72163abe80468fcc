"""`memory status`."""

import json
import os
import re
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pipeline.errors import ModelUnavailable
from pipeline.scheduling.registry import discover
from pipeline.surfaces.cli.main import cli
from pipeline.workspace.locks import Latch
from pipeline.workspace.service_files import ServiceFolder
from schemas.outcome import Ending
from schemas.service_state import ChildState, JobState, Missed, MissedTick, Parked, ServiceState
from tests.support.builders.runs import KEY, WINDOW, note_run, run_outcome
from tests.support.processes.command_line import CommandLine, Said
from tests.support.workspaces.transcript_folder import TranscriptFolder


def named(said: Said, name: str) -> list[dict[str, Any]]:
    """The objects of a listing that tell of a sort of thing."""
    return [record for record in said.records if name in record]


def tell(root: Path, **fields: object) -> ServiceFolder:
    """Put a state where the service puts it."""
    folder, now = ServiceFolder(root), datetime.now(UTC)
    given = {"pid": 4711, "host": "house", "version": "1", "started": now - timedelta(days=1), "alive": now}
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.state.write_text(ServiceState.model_validate(given | fields).model_dump_json())
    return folder


def test_status_of_a_new_workspace(workspace: Path, call: Callable[..., Said]) -> None:
    """Time is due since `start`; nothing has succeeded; the sources are counted."""
    said = call("status", "--json", "--workspace", workspace)
    (job, *others), (source,) = named(said, "job"), named(said, "source")
    shared = [declared.name for declared in discover() if not declared.per_agent]
    assert shared[1:] == [other["job"] for other in others]
    assert (job["job"], job["last_success"], job["at_work"]) == ("micro_sync", None, None)
    assert job["due"] >= 8
    assert job["oldest_due"] is not None
    assert set(job["next"]) == {"start", "end", "run_from"}
    assert (source["source"], source["sessions"], source["first"][:10]) == ("openclaw", 1, "2026-02-02")
    output = call("status", "--workspace", workspace).out
    assert re.search(r"\ndaily_wrapup +never +\S+ +[-\d]+, from [-\d]+ 03:22\n", output)
    assert re.search(r"\nweekly_plan +never +\S+ +\d{4}-W\d\d, from [-\d]+ 04:12\n", output)
    assert "windows, the oldest of " in output
    assert re.search(r"\nmicro_sync +never +\S+ +[-\d]+ \d\d:00 to \d\d:00, from \d\d:02\n", output)


def test_the_index_of_what_was_said(workspace: Path, call: Callable[..., Said]) -> None:
    """What waits for it, and then what it has; nothing is told of it where it is not wanted."""
    (before,) = named(call("status", "--json", "--workspace", workspace), "said")
    assert ("none", 0, 1, False) == (before["said"], before["messages"], before["behind"], before["owed"])
    call("doctor", "reindex", "--workspace", workspace)
    (now,) = named(call("status", "--json", "--workspace", workspace), "said")
    assert ("fresh", 1, 0, None) == (now["said"], now["sessions"], now["behind"], now["erase"])
    output = call("status", "--workspace", workspace).out
    assert f"said     {now['messages']} message(s) of 1 session(s)\n" in output
    assert [] == named(call("status", "--json", "--workspace", workspace, MEMORY_SEARCH__SAID="false"), "said")


def test_status_without_a_start(workspace: Path, call: Callable[..., Said]) -> None:
    """Nothing comes next when nothing ever becomes due, and that is said."""
    (workspace / "memory.toml").write_text("")
    assert call("status", "--json", "--workspace", workspace).records[0]["next"] is None
    assert "  nothing: memory.toml sets no `start`" in call("status", "--workspace", workspace).out


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("Europe/Warsaw", "2026-02-03 10:00 to 13:00"), ("Pacific/Auckland", "2026-02-03 22:00 to 2026-02-04 01:00")],
)
def test_a_window_that_failed_is_reported_in_the_workspaces_zone(
    zone: str, expected: str, workspace: Path, call: Callable[..., Said]
) -> None:
    """The day stands there once when the window begins and ends on it; `doctor` says the same."""
    words = {"MEMORY_TIMEZONE": zone, "MEMORY_START": "2026-02-03T09:00:00Z"}
    note_run(workspace, "r-1", run_outcome(Ending.FAILED, warning="the disk is full"))
    status, doctor = (call(name, "--workspace", workspace, **words).out for name in ("status", "doctor"))
    assert f"  failed        {expected}: the disk is full\n" in status
    assert f"job micro_sync: {expected}, failed: the disk is full\n" in doctor
    assert (0, 0) == (status.count(KEY), doctor.count(KEY))


def test_a_window_that_is_due_is_run_again_by_run(workspace: Path, call: Callable[..., Said]) -> None:
    """A back-fill is named only for time that `memory run` leaves alone."""
    words = {"MEMORY_START": "2026-02-03T09:00:00Z"}
    note_run(workspace, "r-1", run_outcome(Ending.FAILED, warning="the disk is full"))
    assert "; `memory run micro_sync` runs it again\n" in call("status", "--workspace", workspace, **words).out
    assert "`memory show run r-1` tells more; `memory run micro_sync` runs it again.\n" in (
        call("doctor", "--workspace", workspace, **words).out
    )


@pytest.mark.parametrize("ending", [Ending.WAITING, Ending.FAILED])
def test_status_tells_what_did_not_end_well(ending: Ending, workspace: Path, call: Callable[..., Said]) -> None:
    """A window that waits for the model, or failed, is named until it is done."""
    note_run(workspace, "r-1", run_outcome(ending, warning=str(ModelUnavailable("m", "it is away"))))
    (trouble,) = call("status", "--json", "--workspace", workspace).records[0]["troubled"]
    assert (trouble["run_id"], trouble["ending"], "it is away" in trouble["warning"]) == ("r-1", ending.value, True)
    output = call("status", "--workspace", workspace).out
    assert f"  {ending.value:<13} 2026-02-03 09:00 to 12:00: " in output
    again = "memory backfill micro_sync --from 2026-02-03 --to 2026-02-03"
    assert f"  `memory show run r-1` tells more; `{again}` runs it again\n" in output
    note_run(workspace, "r-2", run_outcome(Ending.DONE, run_id="r-2"))
    assert call("status", "--json", "--workspace", workspace).records[0]["troubled"] == []


def test_status_tells_who_is_at_work(workspace: Path, call: Callable[..., Said]) -> None:
    """A run that has not ended, and whose process lives, is at work; one whose process is gone is not."""
    note_run(workspace, "r-1", None)
    lock = workspace / "memory" / ".locks" / "micro_sync.lock"
    lock.parent.mkdir(parents=True)
    fields = {"pid": os.getppid(), "host": socket.gethostname(), "run": "r-1"}
    lock.write_text(json.dumps(fields))
    assert (
        call("status", "--json", "--workspace", workspace).records[0]["at_work"] == f"process {os.getppid()}, run r-1"
    )
    assert "at work       process" in call("status", "--workspace", workspace).out
    lock.write_text(json.dumps(fields | {"pid": 2**22 + 1}))
    assert call("status", "--json", "--workspace", workspace).records[0]["at_work"] is None


def test_status_tells_the_back_fill_of_unknown_time(filled: Path, call: Callable[..., Said]) -> None:
    """After the ledger was lost, time that may not have been done is named with the command that makes sure."""
    for file in (filled / ".memory").glob("state.db*"):
        file.unlink()
    job = call("status", "--json", "--workspace", filled).records[0]
    assert job["unknown"] != []
    assert job["backfill"].startswith("memory backfill micro_sync --from ")
    assert job["backfill"] in call("status", "--workspace", filled).out


def test_status_tells_of_the_service(workspace: Path, call: Callable[..., Said]) -> None:
    """None, at work with its process and its child, stopped, or gone without a goodbye."""

    def service_lines() -> tuple[str, str]:
        said = call("status", "--workspace", workspace).out
        (service,) = named(call("status", "--json", "--workspace", workspace), "service")
        return str(service["service"]), re.findall(r"^service  (.*)$", said, re.MULTILINE)[0]

    assert ("none", True) == (service_lines()[0], service_lines()[1].startswith("no service runs here; `memory serve`"))
    child = ChildState(job="micro_sync", pid=9, since=datetime.now(UTC), log=".memory/service/logs/x.log")
    folder = tell(workspace, child=child)
    with Latch(folder.lock).hold(0):
        state, line = service_lines()
        assert "running" == state
        assert re.fullmatch(r"running since .* \(process 4711 on house\); at work on micro_sync since .*", line)
    assert ("stopped", True) == (
        service_lines()[0],
        "its log tells; `memory serve` starts it again" in service_lines()[1],
    )
    folder.address.write_text("/somewhere")
    assert ("abandoned", True) == (service_lines()[0], "it was killed, or the machine stopped" in service_lines()[1])
    folder.state.write_text("{")
    assert ("unreadable", True) == (service_lines()[0], "Cannot read .memory/service/state.json" in service_lines()[1])


def test_status_tells_of_looks_parked_jobs_and_missed_ticks(workspace: Path, call: Callable[..., Said]) -> None:
    """When a job is looked at next, why one is left alone and what to do, and what was missed of late."""
    now = datetime.now(UTC)
    parked = Parked(since=now, failures=6, reason="the disk\x1b is full")
    ticks = ((3, Missed.ASLEEP), (6, Missed.DOWN), (9, Missed.ASLEEP), (999, Missed.CLOCK))
    missed = [MissedTick(job="x", at=now - timedelta(hours=age), why=why, noted=now) for age, why in ticks]
    look = datetime(2026, 12, 24, 18, 5, tzinfo=UTC)
    folder = tell(workspace, jobs={"micro_sync": JobState(parked=parked, next_look=look)}, missed=missed)
    with Latch(folder.lock).hold(0):
        said = call("status", "--workspace", workspace).out
        running = call("status", "--json", "--workspace", workspace)
    assert "after 6 failures: the disk\\u001b is full\n" in said
    assert "Mend that, then `memory run micro_sync`; once it ends well, the service goes on.\n" in said
    assert "missed   3 ticks within 7 days: 2 asleep, 1 down\n" in said
    job = named(running, "job")[0]
    assert ("2026-12-24T18:05:00+00:00", 6) == (job["next_look"], job["parked"]["failures"])
    (service,) = named(running, "service")
    assert 3 == len(service["missed"])
    stopped = named(call("status", "--json", "--workspace", workspace), "job")[0]
    assert "2026-12-24T18:05:00+00:00" != stopped["next_look"]


def test_status_tells_who_holds_a_lock(workspace: Path, call: Callable[..., Said]) -> None:
    """With the process, the run and its deadline; nothing is said of locks that nobody holds."""
    note_run(workspace, "r-1", None)
    file = workspace / "memory" / ".locks" / "consolidation.lock"
    file.parent.mkdir(parents=True)
    fields = {"pid": os.getppid(), "host": socket.gethostname(), "for": "weekly_plan", "run": "r-1", "deadline": "x"}
    file.write_text(json.dumps(fields))
    assert [] == named(call("status", "--json", "--workspace", workspace), "lock")
    with Latch(file).hold(0):
        (lock,) = named(call("status", "--json", "--workspace", workspace), "lock")
        said = call("status", "--workspace", workspace).out
    assert ("consolidation", os.getppid(), None) == (lock["lock"], lock["pid"], lock["deadline"])
    assert f"lock     consolidation is held by weekly_plan: process {os.getppid()} on " in said


def test_status_tells_how_fresh_the_index_is(filled: Path, call: Callable[..., Said]) -> None:
    """None yet, up to date, so many files behind, or why that cannot be told."""
    words = {"MEMORY_EMBEDDER__KIND": "none"}

    def index_record() -> dict[str, Any]:
        return named(call("status", "--json", "--workspace", filled, **words), "index")[0]

    assert {"index": "none", "changed": None, "error": None} == index_record()
    assert "index    there is none yet; a first search makes it\n" in call("status", "--workspace", filled).out
    assert 0 == call("doctor", "reindex", "--workspace", filled, **words).code
    assert {"index": "fresh", "changed": 0, "error": None} == index_record()
    (filled / "memory" / "2026-02-05.md").write_text("# By hand\n")
    assert {"index": "behind", "changed": 1, "error": None} == index_record()
    assert (
        "index    1 file changed since; the next search follows\n" in call("status", "--workspace", filled, **words).out
    )
    (filled / ".memory" / "index" / "words" / "live").write_text("{")
    assert ("unusable", True) == (index_record()["index"], "live is damaged" in str(index_record()["error"]))


def test_status_tells_how_the_index_of_stored_texts_is(filled: Path, call: Callable[..., Said]) -> None:
    """How many texts there are, and how many a search does not know yet; nothing where none was ever stored."""
    words = {"MEMORY_EMBEDDER__KIND": "none"}
    assert not named(call("status", "--json", "--workspace", filled, **words), "details")
    call("store", "--workspace", filled, answer="one line of the log\n" * 2_000)
    (record,) = named(call("status", "--json", "--workspace", filled, **words), "details")
    assert {"details": "behind", "stored": 1, "waiting": 1, "error": None} == record
    said = call("status", "--workspace", filled, **words).out
    assert "details  1 text stored, 1 not in the index yet; `memory doctor reindex` takes them in\n" in said


def test_status_warns_when_nothing_is_written_although_people_talk(
    workspace: Path, memory: Callable[..., Said]
) -> None:
    """Five sessions of the owner since yesterday, runs that end well, and not one entry."""
    folder, yesterday = TranscriptFolder(workspace / "sessions"), datetime.now(UTC) - timedelta(hours=20)
    for number in range(5):
        folder.say(f"quiet-{number}", [(yesterday, "user", "why is the sky blue?"), (yesterday, "assistant", "It is.")])
    assert 0 == memory("run", "micro_sync", "--workspace", workspace).code
    said = memory("status", "--workspace", workspace).out
    assert "  captured      0 of 5 sessions within 14 days gave an entry\n" in said
    assert "warning  micro_sync ends well and writes nothing: not one of 5 sessions within 14 days" in said
    assert "`memory show run ID`" in said
    capture = named(memory("status", "--json", "--workspace", workspace), "capture")[0]["capture"]
    assert {"days": 14, "sessions": 5, "captured": 0, "silent": True} == capture


def test_the_grid(judged: Path, call: Callable[..., Said]) -> None:
    """A letter a day for each job and one a week for weekly ones, month by month, with what the letters mean."""
    days = (datetime.now(UTC).date() - WINDOW.start.date()).days + 7
    said = call("status", "--grid", "--days", days, "--workspace", judged).out
    first = said.split("\n\n")[0].splitlines()
    assert ["2026-02          1   5    10   15   20   25   30", "micro_sync        D", "daily_wrapup      D"] == first[
        :3
    ]
    # MEMORY.md was rendered today, of all weeks together.
    assert {"weekly_plan       D", "weekly_compound"} <= set(first[3:])
    assert "D done  . empty  g degraded  w waiting  F failed  s stale  M missing" in said
    assert "under its Monday" in said
    rows = {
        row["job"]: row for row in call("status", "--grid", "--days", days, "--json", "--workspace", judged).records
    }
    micro, plan = rows["micro_sync"], rows["weekly_plan"]
    assert ("day", "done") == (micro["each"], micro["cells"]["2026-02-02"])
    assert ("week", "done") == (plan["each"], plan["cells"]["2026-W06"])


def test_the_grid_shows_what_was_run_last(judged: Path, call: Callable[..., Said]) -> None:
    """Where nothing was run for the last days, it ends with the last day that was; it says how to see others."""
    today = datetime.now(UTC).date()
    said = call("status", "--grid", "--workspace", judged).out
    assert "2026-02          1   5    10   15   20   25   30\nmicro_sync        D\n" in said
    assert f"`memory status --grid --to {today}` shows those up to today." in said
    (record, *_) = call("status", "--grid", "--json", "--workspace", judged).records
    assert {"2026-02-02": "done"} == record["cells"]

    asked = call("status", "--grid", "--to", today, "--workspace", judged).out
    assert asked.startswith("2026-02") is False
    assert "Earlier days were run too, the last of them 2026-02-0" in asked


def test_the_grid_up_to_today_tells_of_earlier_days(
    judged: Path, memory: Callable[..., Said], call: Callable[..., Said]
) -> None:
    """When something was run for the last days, these are shown."""
    assert 0 == memory("run", "micro_sync", "--workspace", judged).code
    said = call("status", "--grid", "--workspace", judged).out
    assert f"{datetime.now(UTC):%Y-%m}" in said
    assert "shows those up to today" not in said
    assert "Earlier days were run too" in said


def test_the_grid_has_colours_on_a_terminal_only(judged: Path, call: Callable[..., Said]) -> None:
    """What goes to a file or a pipe holds letters alone."""
    words = ["status", "--grid", "--days", "3660", "--workspace", str(judged)]
    assert "\x1b" not in call(*words).out
    assert "micro_sync        \x1b[32mD\x1b[0m\n" in CliRunner().invoke(cli, words, color=True).output


def test_a_grid_of_nothing_is_a_sentence(workspace: Path, call: Callable[..., Said]) -> None:
    """Without a `start` and without a run there is nothing to show."""
    (workspace / "memory.toml").write_text("")
    assert call("status", "--grid", "--workspace", workspace).out.startswith("Nothing was run for these days")


def test_days_belong_to_the_grid(workspace: Path, call: Callable[..., Said]) -> None:
    """Without it they are wrong use."""
    said = call("status", "--days", 3, "--workspace", workspace)
    assert (2, True) == (said.code, "--days belongs to --grid." in said.err)
    said = call("status", "--to", "2026-02-02", "--workspace", workspace)
    assert (2, True) == (said.code, "--to belongs to --grid." in said.err)


def test_the_last_warning_of_a_job_is_shown_until_a_run_without_one(workspace: Path, call: Callable[..., Said]) -> None:
    """A window in which nothing was said knows nothing of it; one that wrote does."""
    note_run(workspace, "r-1", run_outcome(Ending.EMPTY, warning="memory/x.md is away"))
    note_run(workspace, "r-2", run_outcome(Ending.EMPTY, run_id="r-2"))
    warned = call("status", "--json", "--workspace", workspace).records[0]["warned"]
    assert ("r-1", "empty", "memory/x.md is away") == (warned["run_id"], warned["ending"], warned["warning"])
    output = call("status", "--workspace", workspace).out
    assert re.search(r"\n  warning       2026-02-03 .*: memory/x.md is away\n", output)
    note_run(workspace, "r-3", run_outcome(Ending.DONE, run_id="r-3"))
    assert call("status", "--json", "--workspace", workspace).records[0]["warned"] is None


def test_status_names_entries_that_were_changed_in_their_files(
    filled: Path, call: Callable[..., Said], memory: CommandLine
) -> None:
    """Until the next run looks at them, and then as far as they wait for a person or were obeyed."""
    assert "\nedits " not in call("status", "--workspace", filled).out
    page = filled / "memory" / "2026-02-02.md"
    lines = page.read_text().splitlines(keepends=True)
    changed = ["- conclusion: so it is\n" if line.startswith("- conclusion:") else line for line in lines]
    page.write_text("".join(changed))
    [report] = [one for one in call("status", "--json", "--workspace", filled).records if "obeyed" in one]
    assert (0, 0) == (report["asked"], report["obeyed"])
    assert report["new"][0] in call("status", "--workspace", filled).out
    assert 0 == memory("run", "--workspace", filled).code
    [after] = [one for one in call("status", "--json", "--workspace", filled).records if "obeyed" in one]
    assert ([], len(report["new"])) == (after["new"], after["asked"] + after["obeyed"])
