"""The application over a workspace."""

from datetime import timedelta
from pathlib import Path
from typing import cast

from fastapi import FastAPI

from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.health import HealthPages
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.application import make_api
from pipeline.surfaces.http.state import HttpState
from schemas.store_settings import StoreSettings


def new_api() -> FastAPI:
    """The application over a workspace of which nothing is asked."""
    nowhere, health, nothing = Path("nowhere"), cast(HealthPages, None), cast(ServiceAnswers, None)
    work = WorkProcesses(nowhere, Children(nowhere, {}, timedelta()))
    store = WorkspaceStore(nowhere, StoreSettings())
    return make_api(HttpState(nowhere, ProcessContext({}), health, nothing, "1.0", store, work), {})


def test_applications_share_their_routes() -> None:
    """The library works out what they take once, not for each application: that takes longer than most answers."""
    routes = zip(new_api().routes, new_api().routes, strict=True)
    assert {"/openapi.json", "/mcp"} == {getattr(one, "path", "") for one, other in routes if one is not other}
