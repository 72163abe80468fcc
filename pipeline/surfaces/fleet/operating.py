"""The operator's view of a fleet: figures and troubles as a page, as metrics and as health; nothing that was said."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Lock

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.responses import JSONResponse

from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.fleet.front import Front
from pipeline.surfaces.fleet.place import FrontThere
from pipeline.surfaces.http.page.rendering import page_for
from pipeline.surfaces.http.state import PersonThere
from schemas.reports.fleet import FleetFigures

FRESH_SECONDS = 15.0
"""For how long figures are served, so that readers cannot load the database."""


@dataclass
class FreshFigures:
    """The figures of a fleet as they were read last. May be used from several threads."""

    front: Front
    _read: tuple[float, FleetFigures | None] | None = None
    _lock: Lock = field(default_factory=Lock)

    def now(self) -> FleetFigures | None:
        """The figures; `None` where the database does not answer."""
        with self._lock:
            if self._read is None or stopwatch() - self._read[0] >= FRESH_SECONDS:
                try:
                    self._read = stopwatch(), self.front.read_figures()
                except PipelineError:
                    self._read = stopwatch(), None
            return self._read[1]


router = APIRouter(include_in_schema=False)


@router.get("/")
def page(request: Request, _operator: PersonThere, front: FrontThere) -> Response:
    """The figures of now, and the workspaces that need the operator."""
    return page_for(request).show("front.html", {"figures": front.read_figures()})


@router.api_route("/health/live", methods=["GET", "HEAD"])
def live() -> Response:
    """The front answers."""
    return _health([])


@router.api_route("/health/ready", methods=["GET", "HEAD"])
def ready(request: Request) -> Response:
    """Whether the database answers, and a worker is there."""
    return _health(_reasons(request.app.state.figures.now()))


@router.api_route("/metrics", methods=["GET", "HEAD"])
def metrics(request: Request) -> Response:
    """The figures for Prometheus."""
    registry = CollectorRegistry()
    registry.register(_FleetCollector(request.app.state.figures.now()))
    ProcessCollector(registry=registry)
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(registry), headers={"Content-Type": content_type})


def _reasons(figures: FleetFigures | None) -> list[str]:
    """The reasons against readiness; the address of the database, which errors name, is nobody's business here."""
    if figures is None:
        return ["the database does not answer"]
    return [] if figures.workers else ["no worker has given a sign of life for a minute"]


def _health(reasons: list[str]) -> Response:
    status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
    return JSONResponse({"status": "failing" if reasons else "ok", "reasons": reasons}, status)


_GAUGES = {
    "memory_fleet_workspaces_due": ("Workspaces that have something to do.", "due"),
    "memory_fleet_workspaces_failing": ("Workspaces whose work ended with an error last.", "failing"),
    "memory_fleet_acts_waiting": ("Acts of persons that wait for a worker.", "acts"),
    "memory_fleet_jobs_waiting": ("Jobs of the queue that wait for a worker.", "jobs_waiting"),
    "memory_fleet_jobs_running": ("Jobs of the queue at which a worker is.", "jobs_running"),
    "memory_fleet_workers": ("Workers with a sign of life in the last minute.", "workers"),
    "memory_fleet_size_bytes": ("Bytes of the newest generations of all workspaces.", "size"),
    "memory_fleet_input_tokens": ("Tokens of questions to a model, of all workspaces that are there.", "input_tokens"),
    "memory_fleet_output_tokens": ("Tokens of its answers.", "output_tokens"),
}
"""Metrics with their description, and the figure that each is."""


class _FleetCollector(Collector):
    """The collector for Prometheus' library."""

    def __init__(self, figures: FleetFigures | None) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """All metrics of the fleet."""
        figures = self._figures
        is_ready = not _reasons(figures)
        yield GaugeMetricFamily("memory_fleet_ready", "Whether /health/ready says that all is well (1).", is_ready)
        if figures is None:
            return
        states = GaugeMetricFamily("memory_fleet_workspaces", "Workspaces by their state.", labels=["state"])
        states.add_metric(["ready"], figures.ready)
        states.add_metric(["parked"], figures.parked)
        yield states
        for name, (description, figure) in _GAUGES.items():
            yield GaugeMetricFamily(name, description, getattr(figures, figure))
        for name, description, moment in (
            ("memory_fleet_due_since_timestamp_seconds", "Since when the oldest is due.", figures.due_since),
            ("memory_fleet_act_asked_timestamp_seconds", "When the oldest waiting act was asked.", figures.asked_since),
        ):
            if moment:
                yield GaugeMetricFamily(name, f"{description} In Unix time.", moment.timestamp())
