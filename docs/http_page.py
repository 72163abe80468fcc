"""The page of the routes, from the description that the service gives of itself."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.health import HealthPages, HealthSource
from pipeline.service.monitoring.snapshot import Snapshot
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.application import make_api
from pipeline.surfaces.http.state import HttpState
from schemas.store_settings import StoreSettings

_OTHERS = (
    ("`/health/live`, `/health/ready`, `/metrics`", "see [watch it](../how-to/watch-it.md); they need no token"),
    ("`/mcp`", "MCP over streamable HTTP, without sessions: the tools of `memory mcp`"),
    ("`/openapi.json`", "the description of all routes"),
)


def http_page() -> Iterator[str]:
    """The lines of the page."""
    yield "`memory serve` answers at `service.http`; see [call it over HTTP](../how-to/call-it-over-http.md). Values"
    yield "are those of [`--json`](json.md), lists of them are arrays. An error is a problem (RFC 9457): `type` is a"
    yield "class of [Errors](errors.md), `detail` its sentence.\n"
    yield "| route | answer |"
    yield "|---|---|"
    for path, operations in described()["paths"].items():
        for method, operation in operations.items():
            yield f"| `{method.upper()} {path}`{_parameters(operation)} | {operation['description'].splitlines()[0]} |"
    for path, meaning in _OTHERS:
        yield f"| {path} | {meaning} |"


def described() -> dict[str, Any]:
    """The description of the API."""
    health = HealthPages(HealthSource(lambda: 0.0, _no_snapshot))
    store = WorkspaceStore(Path(), StoreSettings())
    work = WorkProcesses(Path(), Children(Path(), {}, timedelta()))
    return make_api(HttpState(Path(), ProcessContext({}), health, {}, "1", store, work)).openapi()


def _parameters(operation: Mapping[str, Any]) -> str:
    names = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    return f" {', '.join(f'`{name}`' for name in names)}" if names else ""


def _no_snapshot() -> Snapshot:
    raise NotImplementedError
