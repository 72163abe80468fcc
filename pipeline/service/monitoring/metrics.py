"""A snapshot as metrics for Prometheus. `docs/how-to/watch-it.md` explains each metric.

Names and units follow https://prometheus.io/docs/practices/naming/; ours begin with `memory`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from pipeline.service.monitoring.snapshot import JobFigures, Snapshot
from schemas.outcome import EXIT_CODES, Ending
from schemas.reports.source_records import RecordCounts
from schemas.reports.status import AlarmCause, SourceReport
from schemas.service_state import JobState, Missed, ServiceState

_JOB = "job_name"
"""The label for a job of ours: in Prometheus, `job` is the name of a scrape target."""


def render_metrics(snapshot: Snapshot | None, *, ready: bool, accept: str) -> tuple[bytes, str]:
    """The page for Prometheus, and its content type.

    Args:
        snapshot: the state to show; without one, only the metrics of the process itself.
        ready: whether the service is ready.
        accept: the `Accept` header of the request.
    """
    registry = CollectorRegistry()
    registry.register(_SnapshotCollector(snapshot, ready=ready))
    ProcessCollector(registry=registry)
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def render_metrics_file(snapshot: Snapshot | None, *, ready: bool) -> bytes:
    """The page as a file for node_exporter, without the metrics of our process: node_exporter has these names too."""
    registry = CollectorRegistry()
    registry.register(_SnapshotCollector(snapshot, ready=ready))
    return generate_latest(registry)


class _SnapshotCollector(Collector):
    """The collector for Prometheus' library."""

    def __init__(self, snapshot: Snapshot | None, *, ready: bool) -> None:
        self._snapshot, self._ready = snapshot, ready

    def collect(self) -> Iterator[Metric]:
        """All metrics of ours."""
        yield GaugeMetricFamily(
            "memory_service_ready", "Whether all is well, as /health/ready tells it (1), or not (0).", self._ready
        )
        if self._snapshot:
            if self._snapshot.state:
                yield from _service_metrics(self._snapshot.state)
            yield from _job_metrics(self._snapshot)
            yield from _index_metrics(self._snapshot)
            yield from _store_metrics(self._snapshot)
            yield from _source_metrics(self._snapshot.sources)


@dataclass(frozen=True)
class _JobValues:
    """A job by the ledger, and by the service if it runs."""

    figures: JobFigures
    state: JobState | None
    running: bool


_Value = Callable[[_JobValues], float | None]

_JOB_METRICS: tuple[tuple[str, str, _Value], ...] = (
    (
        "memory_job_last_success_timestamp_seconds",
        "When a run of the job last ended well, in Unix time.",
        lambda job: _stamp(job.figures.last_success),
    ),
    (
        "memory_job_last_run_timestamp_seconds",
        "When a run of the job last ended, in Unix time.",
        lambda job: _stamp(job.figures.last_run.ended) if job.figures.last_run else None,
    ),
    (
        "memory_job_last_run_duration_seconds",
        "How long that run took.",
        lambda job: _duration(job.figures),
    ),
    (
        "memory_job_last_run_exit_code",
        "The exit code that the ending of that run stands for.",
        lambda job: _exit_code(job.figures),
    ),
    (
        "memory_job_last_look_timestamp_seconds",
        "When the service last looked whether the job has anything to do, in Unix time.",
        lambda job: _stamp(job.state.last_look) if job.state else None,
    ),
    (
        "memory_job_next_look_timestamp_seconds",
        "When the service will look next, in Unix time.",
        lambda job: _stamp(job.state.next_look) if job.state else None,
    ),
    ("memory_job_due_windows", "Windows that are due now.", lambda job: job.figures.due),
    (
        "memory_job_consecutive_failures",
        "Runs that failed in a row.",
        lambda job: job.state.failures if job.state else None,
    ),
    (
        "memory_job_parked",
        "Whether the job is left alone because it failed too often (1), or not (0).",
        lambda job: job.state.parked is not None if job.state else None,
    ),
    (
        "memory_job_running",
        "Whether the service runs the job now (1), or not (0).",
        lambda job: job.running if job.state else None,
    ),
)


_RECORD_METRICS: tuple[tuple[str, str, Callable[[RecordCounts], int]], ...] = (
    ("memory_source_records", "Records seen in the files of a source.", lambda counts: counts.seen),
    ("memory_source_records_understood", "Those that are messages.", lambda counts: counts.understood),
    (
        "memory_source_records_unknown",
        "Those of a kind that is not known.",
        lambda counts: sum(counts.unknown.values()),
    ),
)


def _service_metrics(state: ServiceState) -> Iterator[Metric]:
    yield InfoMetricFamily("memory_build", "The version of the service.", {"version": state.version})
    yield GaugeMetricFamily(
        "memory_service_start_time_seconds", "When the service started, in Unix time.", state.started.timestamp()
    )
    missed = GaugeMetricFamily(
        "memory_service_missed_ticks", "Ticks that nobody looked at, of those still known, by why.", labels=["why"]
    )
    for why in Missed:
        missed.add_metric([why.value], sum(tick.why is why for tick in state.missed))
    yield missed


def _job_metrics(snapshot: Snapshot) -> Iterator[Metric]:
    jobs, state = dict[str, _JobValues](), snapshot.state
    for name, figures in snapshot.jobs.items():
        running = bool(state and state.child and state.child.job == name)
        jobs[name] = _JobValues(figures, state.jobs.get(name, JobState()) if state else None, running)
    for metric, description, value in _JOB_METRICS:
        values = {name: value(job) for name, job in jobs.items()}
        yield _add_values(GaugeMetricFamily(metric, description, labels=[_JOB]), values.items())
    runs = CounterMetricFamily("memory_job_runs", "Runs that have ended, by how.", labels=[_JOB, "ending"])
    tokens = CounterMetricFamily("memory_job_tokens", "Tokens that the model was paid for.", labels=[_JOB])
    for name, job in jobs.items():
        for ending in Ending:  # also those at zero: an increase is visible only from a value that was there
            runs.add_metric([name, ending.value], job.figures.endings.get(ending, 0))
        tokens.add_metric([name], job.figures.tokens)
    yield runs
    yield tokens


def _index_metrics(snapshot: Snapshot) -> Iterator[Metric]:
    index = snapshot.index
    if index:
        yield GaugeMetricFamily("memory_index_files", "Files that the index is made of.", index.files)
        yield GaugeMetricFamily(
            "memory_index_files_behind", "Changed files that the index does not follow yet.", index.behind
        )
        yield GaugeMetricFamily(
            "memory_index_vectors_waiting", "Passages that have no vector yet but should.", index.waiting
        )


def _store_metrics(snapshot: Snapshot) -> Iterator[Metric]:
    store = snapshot.store
    if store:
        yield GaugeMetricFamily("memory_store_up", "Whether the store can be used (1), or not (0).", not store.error)
    if store and store.size is not None:
        yield GaugeMetricFamily("memory_store_size_bytes", "The size of the store's file.", store.size)


def _source_metrics(sources: Sequence[SourceReport]) -> Iterator[Metric]:
    sessions = GaugeMetricFamily("memory_source_sessions", "Sessions that are read of a source.", labels=["source"])
    last = GaugeMetricFamily(
        "memory_source_last_message_timestamp_seconds",
        "When something was last said in a source, in Unix time.",
        labels=["source"],
    )
    unreadable = GaugeMetricFamily(
        "memory_source_unreadable_files",
        "Files of a source that cannot be read; its folder as a whole counts as one.",
        labels=["source"],
    )
    yield _add_values(
        unreadable, [(source.source, source.unreadable.count if source.unreadable else 0) for source in sources]
    )
    yield from _record_metrics(sources)
    yield _add_values(sessions, [(source.source, source.sessions) for source in sources])
    yield _add_values(last, [(source.source, _stamp(source.last)) for source in sources])


def _record_metrics(sources: Sequence[SourceReport]) -> Iterator[Metric]:
    for name, description, value in _RECORD_METRICS:
        family = GaugeMetricFamily(name, description, labels=["source"])
        yield _add_values(family, [(source.source, value(source.records)) for source in sources])
    ignored = GaugeMetricFamily(
        "memory_source_records_ignored", "Those passed over for a reason that is known.", labels=["source", "why"]
    )
    alarm = GaugeMetricFamily(
        "memory_source_alarm",
        "Whether a source may be read in vain for this cause (1), or not (0).",
        labels=["source", "cause"],
    )
    for source in sources:
        for why, number in source.records.ignored.items():
            ignored.add_metric([source.source, why], number)
        causes = {raised.cause for raised in source.alarms}
        for cause in AlarmCause:
            alarm.add_metric([source.source, cause.value], cause in causes)
    yield ignored
    yield alarm


def _add_values(family: GaugeMetricFamily, values: Iterable[tuple[str, float | None]]) -> GaugeMetricFamily:
    """Add a value for each label to a family; labels without a known value are left out."""
    for label, value in values:
        if value is not None:
            family.add_metric([label], value)
    return family


def _stamp(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _duration(figures: JobFigures) -> float | None:
    run = figures.last_run
    return (run.ended - run.began).total_seconds() if run and run.ended else None


def _exit_code(figures: JobFigures) -> float | None:
    run = figures.last_run
    return EXIT_CODES[run.outcome.ending] if run and run.outcome else None
