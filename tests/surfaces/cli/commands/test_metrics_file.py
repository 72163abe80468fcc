"""The file of metrics that a run by a timer leaves."""

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse

from tests.support.processes.command_line import CommandLine


@pytest.fixture
def file(workspace: Path) -> Path:
    """Where the settings have it."""
    with (workspace / "memory.toml").open("a") as settings:
        settings.write('[service]\nmetrics_file = "memory.prom"\n[embedder]\nkind = "none"\n')
    return workspace / "memory.prom"


def value(file: Path, name: str, **labels: str) -> float:
    """The value of one metric."""
    samples = [sample for family in parse(file.read_text()) for sample in family.samples]
    (result,) = [sample.value for sample in samples if sample.name == name and labels.items() <= sample.labels.items()]
    return result


def test_a_run_and_a_reindex_write_it(workspace: Path, memory: CommandLine, file: Path) -> None:
    """With what the run has done, and what the update of the index has done."""
    said = memory("run", "micro_sync", "--workspace", workspace)
    assert (0, 0) == (said.code, value(file, "memory_job_due_windows", job_name="micro_sync"))
    assert value(file, "memory_job_runs_total", job_name="micro_sync", ending="empty") > 0
    assert 1 == value(file, "memory_source_sessions", source="openclaw")
    assert value(file, "memory_index_files_behind") == value(file, "memory_index_files")
    file.unlink()
    (workspace / "memory" / "2026-02-03.md").parent.mkdir(exist_ok=True)
    (workspace / "memory" / "2026-02-03.md").write_text("# New\n\nA boat came.\n")
    assert 0 == memory("doctor", "reindex", "--workspace", workspace).code
    assert 0 == value(file, "memory_index_files_behind")
    assert 1 <= value(file, "memory_index_files")


def test_a_run_without_its_source_is_not_ready(workspace: Path, memory: CommandLine, file: Path) -> None:
    """The run ends well, for there is nothing to read, and the file tells that this is not right."""
    (workspace / "sessions").rename(workspace / "away")
    memory("run", "micro_sync", "--workspace", workspace)
    assert 0 == value(file, "memory_service_ready")
    assert 1 == value(file, "memory_source_unreadable_files", source="openclaw")


@pytest.mark.parametrize("words", [("--dry-run",), ("--at", "2026-02-02T12:00"), ("--attended",)])
def test_a_try_and_a_run_of_the_service_write_none(
    workspace: Path, memory: CommandLine, file: Path, words: tuple[str, ...]
) -> None:
    """They say nothing about due windows, or somebody else tells of them."""
    memory("run", "micro_sync", *words, "--workspace", workspace)
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_named(workspace: Path, memory: CommandLine, file: Path) -> None:
    """In the log; the run goes well."""
    file.mkdir()
    said = memory("run", "micro_sync", "--workspace", workspace)
    assert (0, True) == (said.code, "its metrics are not shown: Cannot write" in said.err)
