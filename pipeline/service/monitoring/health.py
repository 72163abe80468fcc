"""`/metrics`, `/health/live` and `/health/ready`, as they are served over HTTP."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock

from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.service.monitoring.snapshot import Snapshot, reasons_against_readiness

_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class HealthSource:
    """The source of the health pages.

    `last_turn` is the last turn of the main loop, on `stopwatch`; after `stuck` seconds without a turn the service is
    not live. `snapshot` raises `PipelineError` when settings or ledger cannot be used. It is called in a thread of its
    own, and its result is served for `fresh` seconds, so that readers cannot load the machine.
    """

    last_turn: Callable[[], float]
    snapshot: Callable[[], Snapshot]
    stuck: float = 180.0
    fresh: float = 15.0
    stopwatch: Callable[[], float] = stopwatch


@dataclass(frozen=True)
class HealthAnswer:
    """The answer with a page."""

    status: HTTPStatus
    body: bytes
    content_type: str = _TEXT


@dataclass(frozen=True)
class _Look:
    """A snapshot, or `None`, the reasons against readiness, and its time on the stopwatch."""

    at: float
    snapshot: Snapshot | None
    reasons: tuple[str, ...]


class HealthPages:
    """The answer for a path. May be used from several threads."""

    def __init__(self, source: HealthSource) -> None:
        """The pages of a source. The first snapshot is taken with the first page that needs it."""
        self._source = source
        self._look: _Look | None = None
        self._lock = Lock()

    def page(self, path: str, accept: str) -> HealthAnswer:
        """The page at a path, for a reader that accepts such content."""
        if path == "/health/live":
            still = self._source.stopwatch() - self._source.last_turn()
            stuck = still > self._source.stuck
            return _reasons_answer((f"the main loop has not turned for {still:.0f} s",) if stuck else ())
        if path == "/health/ready":
            return _reasons_answer(self._fresh_look().reasons)
        if path == "/metrics":
            from pipeline.service.monitoring.metrics import render_metrics  # noqa: PLC0415 - 14 MB, only for metrics

            look = self._fresh_look()
            body, content_type = render_metrics(look.snapshot, ready=not look.reasons, accept=accept)
            return HealthAnswer(HTTPStatus.OK, body, content_type)
        return HealthAnswer(HTTPStatus.NOT_FOUND, b"There are /metrics, /health/live and /health/ready.\n")

    def _fresh_look(self) -> _Look:
        """The last snapshot that is fresh enough; concurrent readers wait for the same one."""
        with self._lock:
            now = self._source.stopwatch()
            if self._look is None or now - self._look.at >= self._source.fresh:
                try:
                    snapshot = self._source.snapshot()
                    self._look = _Look(now, snapshot, tuple(reasons_against_readiness(snapshot)))
                except PipelineError as error:
                    self._look = _Look(now, None, (str(error),))
            return self._look


def _reasons_answer(reasons: tuple[str, ...]) -> HealthAnswer:
    body = json.dumps({"status": "failing" if reasons else "ok", "reasons": reasons}, ensure_ascii=False)
    status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
    return HealthAnswer(status, f"{body}\n".encode(errors="replace"), "application/json")
