"""What Prometheus reads, and that the page about it tells the same."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse

from pipeline.app.status import DatabaseStanding
from pipeline.index.context import Updated
from pipeline.ledger.runs import RunRecord
from pipeline.service.monitoring.metrics import render_metrics
from pipeline.service.monitoring.snapshot import JobFigures, Snapshot
from schemas.outcome import Ending, Outcome
from schemas.reports.source_records import RecordCounts, SourceUnreadable
from schemas.reports.status import AlarmCause, SourceAlarm, SourceReport
from schemas.service_state import ChildState, JobState, Missed, MissedTick, Parked, ServiceState
from schemas.window import Window

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "watch-it.md"
NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
HOUR = timedelta(hours=1)
WINDOW = Window(start=NOW - HOUR, end=NOW)
OUTCOME = Outcome(job="note", key="k", window=WINDOW, ending=Ending.WAITING, run_id="r-1")
RUN = RunRecord("r-1", "note", "k", WINDOW, NOW, NOW + timedelta(seconds=2.5), OUTCOME, 70, None)
UNREADABLE = SourceUnreadable(whole=True, files=2, since=NOW, path="", reason="Input/output error")
COUNTS = RecordCounts(90, 60, {"no_conversation": 9, "repeated": 1}, {"unknown_record:x": 15, "unknown_block:y": 5})
ALARMS = (SourceAlarm(AlarmCause.UNKNOWN_RECORDS, "20 of 90 records are not known", "Update this program."),)
FULL = Snapshot(
    at=NOW,
    state=ServiceState(
        pid=1,
        host="h",
        version='1.0 "quoted"\n',
        started=NOW - HOUR,
        alive=NOW,
        jobs={
            "note": JobState(
                last_look=NOW,
                next_look=NOW + HOUR,
                failures=3,
                parked=Parked(since=NOW, failures=3, reason="the disk is full"),
            )
        },
        child=ChildState(job="note", pid=2, since=NOW, log="l"),
        missed=(
            MissedTick(job="note", at=NOW, why=Missed.ASLEEP, noted=NOW),
            MissedTick(job="note", at=NOW, why=Missed.ASLEEP, noted=NOW),
        ),
    ),
    jobs={"note": JobFigures(NOW - HOUR, RUN, 2, 70, {Ending.DONE: 5, Ending.WAITING: 1}), "plan": JobFigures()},
    sources=(
        SourceReport("openclaw", "openclaw", "/p", 4, NOW - HOUR, NOW, None, records=COUNTS, alarms=ALARMS),
        SourceReport("x", "x", "/x", 0, None, None, UNREADABLE),
    ),
    index=Updated(files=9, behind=1, waiting=7),
    store=DatabaseStanding("store/memory.db", 4096),
)


def read(snapshot: Snapshot | None, *, ready: bool = True) -> list[Metric]:
    """The families of metrics that are shown."""
    return list(parse(render_metrics(snapshot, ready=ready, accept="")[0].decode()))


def names(families: Iterable[Metric]) -> set[str]:
    """The names of all metrics."""
    return {sample.name for family in families for sample in family.samples}


def values(metric: str, snapshot: Snapshot = FULL) -> dict[tuple[str, ...], float]:
    """The values of one metric by its labels, these in the order of their names."""
    samples = [sample for family in read(snapshot) for sample in family.samples if sample.name == metric]
    return {tuple(value for _, value in sorted(sample.labels.items())): sample.value for sample in samples}


def test_times_are_unix_times() -> None:
    """In seconds; what never was has no value."""
    assert {("note",): (NOW - HOUR).timestamp()} == values("memory_job_last_success_timestamp_seconds")
    assert {("note",): NOW.timestamp() + 2.5} == values("memory_job_last_run_timestamp_seconds")
    assert {("note",): NOW.timestamp()} == values("memory_job_last_look_timestamp_seconds")
    assert {("note",): (NOW + HOUR).timestamp()} == values("memory_job_next_look_timestamp_seconds")
    assert {(): (NOW - HOUR).timestamp()} == values("memory_service_start_time_seconds")
    assert {("openclaw",): NOW.timestamp()} == values("memory_source_last_message_timestamp_seconds")


def test_a_job_tells_how_it_stands() -> None:
    """Also one that has never run."""
    assert {("note",): 2.5} == values("memory_job_last_run_duration_seconds")
    assert {("note",): 4} == values("memory_job_last_run_exit_code")
    assert {("note",): 2, ("plan",): 0} == values("memory_job_due_windows")
    assert {("note",): 3, ("plan",): 0} == values("memory_job_consecutive_failures")
    assert {("note",): 1, ("plan",): 0} == values("memory_job_parked")
    assert {("note",): 1, ("plan",): 0} == values("memory_job_running")
    assert {("note",): 70, ("plan",): 0} == values("memory_job_tokens_total")


def test_every_ending_is_counted_from_the_start() -> None:
    """An increase from nothing to one would not be seen."""
    counts = values("memory_job_runs_total")
    assert {(ending.value, job) for job in ("note", "plan") for ending in Ending} == set(counts)
    assert (5, 1, 6) == (counts["done", "note"], counts["waiting", "note"], sum(counts.values()))


def test_the_service_tells_of_itself() -> None:
    """Its version, what it missed, and its process."""
    assert {('1.0 "quoted"\n',): 1} == values("memory_build_info")
    assert {("down",): 0, ("asleep",): 2, ("clock",): 0} == values("memory_service_missed_ticks")
    assert values("process_resident_memory_bytes")[()] > 1_000_000
    assert [9, 1, 7] == [values(f"memory_index_{name}")[()] for name in ("files", "files_behind", "vectors_waiting")]
    assert {("openclaw",): 4, ("x",): 0} == values("memory_source_sessions")
    assert {("openclaw",): 0, ("x",): 3} == values("memory_source_unreadable_files")


def test_what_became_of_records_is_counted() -> None:
    """Seen is the sum of the rest; what is ignored has its reason, and an alarm its cause, at zero too."""
    assert {("openclaw",): 90, ("x",): 0} == values("memory_source_records")
    assert {("openclaw",): 60, ("x",): 0} == values("memory_source_records_understood")
    assert {("openclaw",): 20, ("x",): 0} == values("memory_source_records_unknown")
    ignored = {("openclaw", "no_conversation"): 9, ("openclaw", "repeated"): 1}
    assert ignored == values("memory_source_records_ignored")
    raised = values("memory_source_alarm")
    assert 2 * len(AlarmCause) == len(raised)
    assert {("unknown_records", "openclaw")} == {labels for labels, value in raised.items() if value}


def test_before_the_index_was_looked_at_nothing_is_reported_it() -> None:
    """Zero files behind would be a lie."""
    assert {} == values("memory_index_files_behind", replace(FULL, index=None))


def test_without_a_snapshot_the_process_is_still_seen() -> None:
    """That the settings or the ledger cannot be used is told by one number."""
    names = {family.name for family in read(None, ready=False)}
    assert {"memory_service_ready"} == {name for name in names if name.startswith("memory_")}
    assert "process_open_fds" in names
    assert [0] == [
        family.samples[0].value for family in read(None, ready=False) if family.name == "memory_service_ready"
    ]


def test_every_metric_says_what_it_is() -> None:
    """Counters end in `_total`; of all others the unit stands in the name where there is one."""
    families = read(FULL)
    assert [] == [family.name for family in families if not family.documentation.endswith(".")]
    kinds = {sample.name: family.type for family in families for sample in family.samples}
    assert [] == [name for name, kind in kinds.items() if (kind == "counter") is not name.endswith("_total")]


def test_newer_readers_get_openmetrics() -> None:
    """When they ask for it; the same metrics are in it."""
    page, content_type = render_metrics(FULL, ready=True, accept="application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    families = parse_openmetrics(page.decode())  # type: ignore[no-untyped-call]  # the library has no types for it
    assert names(read(FULL)) == names(families)


def test_the_page_lists_what_is_shown() -> None:
    """Every metric with its labels, and no other; alerts ask only for metrics that there are."""
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `((?:memory|process)_\w+)` \|([^|]*)\|", text, re.MULTILINE)
    listed = {name: set(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
    shown = {sample.name: set(sample.labels) for family in read(FULL) for sample in family.samples}
    assert shown == listed
    assert set(re.findall(r"\bmemory_(?:service|job|index|source|build)_\w+", text)) <= set(shown)


def test_a_job_is_not_called_as_prometheus_calls_its_targets() -> None:
    """A label `job` of ours would be renamed as it is read: `job` is what the scrape itself is called."""
    labels = {label for family in read(FULL) for sample in family.samples for label in sample.labels}
    assert (True, False) == ("job_name" in labels, "job" in labels)
