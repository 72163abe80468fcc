"""The page of the routes, from the description that the service gives of itself."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.health import HealthPages, HealthSource
from pipeline.service.monitoring.snapshot import Snapshot
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.application import make_api
from pipeline.surfaces.http.page.routes.interface import operations
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
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            yield f"| `{method.upper()} {path}` | {operation['description'].splitlines()[0]} |"
    for path, meaning in _OTHERS:
        yield f"| {path} | {meaning} |"
    yield from _takes()


def _takes() -> Iterator[str]:
    """What the routes take, of each a table; a route that takes nothing has none."""
    yield "\n## What they take\n"
    yield "What has to be given is marked with `*`. A name that begins with `[].` is of each element of a list. Bodies"
    yield "are JSON, unless their type says otherwise. Each route takes a token, as `Authorization: Bearer`."
    for _, routes in operations(described()):
        for route in (route for route in routes if route.fields):
            yield f"\n### `{route.method} {route.path}`\n"
            yield "| field | in | type | default | meaning |"
            yield "|---|---|---|---|---|"
            for one in route.fields:
                name = f"`{one.name}{'*' if one.required else ''}`" if one.name else ""
                kind = one.kind.replace(" | ", ", ")
                yield f"| {name} | {one.place} | {kind} | {one.default.strip(chr(34))} | {one.meaning} |"


def described() -> dict[str, Any]:
    """The description of the API."""
    health = HealthPages(HealthSource(lambda: 0.0, _no_snapshot))
    store = WorkspaceStore(Path(), StoreSettings())
    work = WorkProcesses(Path(), Children(Path(), {}, timedelta()))
    nobody = cast(ServiceAnswers, None)  # nothing is asked: the description is of the routes alone
    return make_api(HttpState(Path(), ProcessContext({}), health, nobody, "1", store, work), {}).openapi()


def _no_snapshot() -> Snapshot:
    raise NotImplementedError
