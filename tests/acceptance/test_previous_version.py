"""Workspaces that earlier versions made: with their ledgers, an entry that was forgotten, and edits."""

import re
import tarfile
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.clock import SystemClock
from tests.support.processes.command_line import CommandLine
from tests.support.weekly import SCHEDULE

EDITED = "memory/2026-03-12.md"
PREVIOUS = Path(__file__).parent / "previous"
JOBS = ("micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace of the first version, as it was left."""
    return unpacked(PREVIOUS / "0.1.0.tar.xz", tmp_path)


@pytest.fixture
def with_all_pages(tmp_path: Path) -> Path:
    """The workspace of a demo before corrections came, with pages of every job; its time is due since yesterday."""
    made = unpacked(PREVIOUS / "before-corrections.tar.xz", tmp_path)
    settings = (made / "memory.toml").read_text(encoding="utf-8")
    yesterday = SystemClock().now() - timedelta(days=1)
    since_yesterday = re.sub(
        "^start = .*$", f"start = {yesterday.isoformat(timespec='seconds')}", settings, flags=re.MULTILINE
    )
    # A week that comes due judges what has grown old: that run finds something.
    (made / "memory.toml").write_text(f"{since_yesterday}\n{SCHEDULE}", encoding="utf-8")
    return made


def unpacked(packed: Path, folder: Path) -> Path:
    """The workspace of an archive, in a folder."""
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    return folder / "workspace"


@pytest.fixture
def memory(tmp_path: Path) -> CommandLine:
    """The command, in a home folder of its own."""
    (tmp_path / "home").mkdir()
    return CommandLine(tmp_path / "home")


def pages(workspace: Path) -> dict[str, bytes]:
    """Every page with its bytes."""
    return {str(file.relative_to(workspace)): file.read_bytes() for file in sorted(workspace.rglob("*.md"))}


def test_it_is_read_and_goes_on_without_a_changed_byte(workspace: Path, memory: CommandLine) -> None:
    """What was written stands and is believed, and is neither written again nor lost by running all again.

    Of the entry that a person changed, the words that we wrote hold until the person has decided.
    """
    before = pages(workspace)
    listed = memory("show", "entries", "--json", "--workspace", workspace).records
    doubted = [(record["path"], record["trust"]) for record in listed if record["trust"] not in {"owner", "accepted"}]
    assert [] == doubted
    assert 11 == len(listed)
    for command in ("status", "doctor", "jobs", "runs"):
        assert 0 == memory(command, "--workspace", workspace).code, command
    done = memory("backfill", *JOBS, "--from", "2026-03-02", "--to", "2026-03-15", "--yes", "--workspace", workspace)
    assert 0 == done.code, done.shown
    assert before == pages(workspace)
    assert listed == memory("show", "entries", "--json", "--workspace", workspace).records


def test_a_run_that_finds_nothing_leaves_every_byte(with_all_pages: Path, memory: CommandLine) -> None:
    """Nor does a new index or a search write into a Markdown file; what stands there is believed as before."""
    before = pages(with_all_pages)
    families = {path.split("/")[0] for path in before}
    assert {"MEMORY.md", "agents", "bank", "memory", "second-brain"} == families
    for command in (("run",), ("reindex",), ("search", "deposit"), ("doctor",), ("run",)):
        done = memory(*command, "--workspace", with_all_pages)
        assert 0 == done.code, done.shown
        assert before == pages(with_all_pages), command
    listed = memory("show", "entries", "--json", "--workspace", with_all_pages).records
    assert {"owner", "accepted"} == {record["trust"] for record in listed}


def test_its_index_answers(workspace: Path, memory: CommandLine) -> None:
    """It is brought up to date, or made anew, by the first who needs it."""
    said = memory("search", "which fields do public endpoints return?", "--json", "--workspace", workspace)
    assert (0, EDITED) == (said.code, said.records[0]["hits"][0]["path"])
    assert 0 == memory("doctor", "reindex", "--workspace", workspace).code
    assert 0 == memory("doctor", "--workspace", workspace).code


def test_what_it_wrote_can_be_reviewed(workspace: Path, memory: CommandLine) -> None:
    """The doctor offers it once; what a person edited is left out, and an undo leaves no changed byte."""
    before = pages(workspace)
    assert "`memory suggestions review`" in memory("doctor", "--workspace", workspace).out
    [listed] = memory("suggestions", "review", "--json", "--workspace", workspace).records
    assert {"below_the_line"} == {entry["reason"] for entry in listed["entries"]}
    assert 4 == len(listed["entries"])
    [applied] = memory("suggestions", "review", "--apply", "--json", "--workspace", workspace).records
    assert listed["entries"] == applied["entries"]
    assert before != pages(workspace)
    assert "`memory suggestions review`" not in memory("doctor", "--workspace", workspace).out
    assert 0 == memory("undo", applied["run_id"], "--workspace", workspace).code
    assert before == pages(workspace)
