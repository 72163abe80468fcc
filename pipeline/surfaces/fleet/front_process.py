"""The process of a front: it answers until it is asked to stop, from a cache folder of its own."""

from contextlib import closing
from pathlib import Path

from pipeline.events import Event
from pipeline.fleet.cache import CacheLimits, hold_cache
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.front import Front
from pipeline.fleet.machine import Machine
from pipeline.process.context import ProcessContext
from pipeline.service.wake import Wake, heeding
from pipeline.service.web.server import WebServer
from pipeline.surfaces.fleet.application import FrontApplication
from pipeline.surfaces.http.security.rules import Rules
from schemas.fleet_settings import FleetSettings
from schemas.service_settings import host_and_port

_FOLDER = "front"
_REST_SECONDS = 60.0


def serve_front(database: FleetDatabase, settings: FleetSettings, context: ProcessContext, version: str) -> None:
    """Answer over HTTP for all workspaces of a fleet, until a signal asks the process to stop.

    For the main thread. A worker beside it has the cache folder above that of the front.
    """
    cache = Path(settings.cache) / _FOLDER
    host, _ = host_and_port(settings.http)
    rules = Rules(host or "127.0.0.1", settings.hosts, lambda _: None)
    with hold_cache(cache), closing(Wake()) as wake, heeding(wake) as signals:
        machine = Machine(database, cache, context, CacheLimits(settings.cached))
        application = FrontApplication(Front(machine), rules, version)
        with WebServer(settings.http, application, connections=settings.connections) as server:
            context.emit(Event.FRONT_READY, http=server.address)
            while not signals.stops:
                wake.rest(_REST_SECONDS)
