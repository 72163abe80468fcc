"""The metrics as a file: whole, for all to read, and in nobody's way."""

import os
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse

from pipeline.events import Event
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.metrics_file import write_metrics, writing_metrics
from tests.support.builders.openclaw_lines import OpenClawLines

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "watch-it.md"
OF_THE_SERVICE = {
    "memory_service_start_time_seconds",
    "memory_service_missed_ticks",
    "memory_build_info",
    "memory_job_last_look_timestamp_seconds",
    "memory_job_next_look_timestamp_seconds",
    "memory_job_consecutive_failures",
    "memory_job_parked",
    "memory_job_running",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a source that was never looked at; its metrics go to a folder beside it."""
    workspace = tmp_path / "w"
    lines = OpenClawLines("s-one")
    lines.user("where is the boat?")
    lines.write(workspace / "sessions" / "s-one.jsonl")
    (tmp_path / "metrics").mkdir()
    (workspace / "memory.toml").write_text(
        '[service]\nmetrics_file = "../metrics/memory.prom"\n'
        '[embedder]\nkind = "none"\n[[sources]]\nkind = "openclaw"\npath = "sessions"\n'
    )
    return workspace


def values(file: Path) -> dict[str, float]:
    """The values in a file, by the names of metrics; of several with one name, the last."""
    families = parse(file.read_text(encoding="utf-8"))
    return {sample.name: sample.value for family in families for sample in family.samples}


def test_it_holds_what_is_known_without_a_service(root: Path) -> None:
    """Nothing of a service, nothing of this process, and the rest of the page about the metrics."""
    write_metrics(root, ProcessContext({}))
    shown = values(root.parent / "metrics" / "memory.prom")
    assert 1 == shown["memory_service_ready"]
    assert {"memory_job_due_windows", "memory_source_sessions", "memory_source_alarm", "memory_index_files"} <= set(
        shown
    )
    assert [] == [name for name in shown if name in OF_THE_SERVICE or name.startswith("process_")]
    assert [] == [name for name in shown if name not in PAGE.read_text(encoding="utf-8")]


def test_any_user_may_read_it_and_it_is_replaced_whole(root: Path) -> None:
    """Whatever the umask; a reader that has the old file open reads that to its end, and nothing else is left."""
    before = os.umask(0o077)
    try:
        write_metrics(root, ProcessContext({}))
        file = root.parent / "metrics" / "memory.prom"
        with file.open() as old:
            first = file.stat().st_ino
            write_metrics(root, ProcessContext({}))
            assert (True, 0o644) == (file.stat().st_ino != first, file.stat().st_mode & 0o777)
            assert old.read().startswith("# HELP ")
    finally:
        os.umask(before)
    assert [file] == list((root.parent / "metrics").iterdir())


def test_what_hinders_it_is_announced_and_hinders_nothing(root: Path) -> None:
    """A folder that is not there, or is no folder."""
    (root.parent / "metrics").rmdir()
    events: list[tuple[Event, dict[str, object]]] = []
    write_metrics(root, ProcessContext({}, emit=lambda event, **fields: events.append((event, fields))))
    (root.parent / "metrics").write_text("a file in the place of the folder")
    write_metrics(root, ProcessContext({}, emit=lambda event, **fields: events.append((event, fields))))
    assert [Event.METRICS_FAILED, Event.METRICS_FAILED] == [event for event, _ in events]
    assert ["No such file or directory", "Not a directory"] == [
        str(fields["error"]).partition("memory.prom: ")[2].partition(".")[0] for _, fields in events
    ]


def test_a_ledger_that_cannot_be_used_is_not_ready(root: Path) -> None:
    """Nothing else is known then."""
    (root / ".memory").mkdir()
    (root / ".memory" / "state.db").write_bytes(b"no database" * 500)
    write_metrics(root, ProcessContext({}))
    assert {"memory_service_ready": 0} == values(root.parent / "metrics" / "memory.prom")


def test_it_is_written_though_the_work_failed(root: Path) -> None:
    """Then most of all."""
    with pytest.raises(KeyError), writing_metrics(root, ProcessContext({})):
        raise KeyError
    assert (root.parent / "metrics" / "memory.prom").is_file()


def test_without_the_setting_nothing_is_written(root: Path) -> None:
    """Not even the ledger is opened."""
    (root / "memory.toml").write_text("")
    write_metrics(root, ProcessContext({}))
    assert not (root / ".memory").exists()
