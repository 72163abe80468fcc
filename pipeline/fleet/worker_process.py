"""The process of a worker: it works until it is asked to stop, in a cache folder of its own."""

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

from pipeline.events import Event
from pipeline.fleet.cache import CacheLimits, hold_cache
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.figures import read_parked
from pipeline.fleet.machine import Machine
from pipeline.fleet.queue import WorkQueue
from pipeline.fleet.slices import Worker
from pipeline.ports.engine import Clock
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.pings import Ping, Pings, PingTarget
from schemas.fleet_settings import FleetSettings

PINGED_EVERY = timedelta(minutes=1)
"""From one ping of a worker to the next."""


@dataclass
class FleetPings:
    """The pings of a worker to the check of its fleet: once a minute, how the fleet is.

    The check raises an alarm when no worker has sent one for long, and when a workspace is parked. An owner whose
    settings cannot be used is no alarm: it would be on for good.
    """

    database: FleetDatabase
    clock: Clock
    pings: Pings
    _sent: datetime | None = None

    def announce(self) -> None:
        """Send the ping of this minute, if none was sent yet; at once where the clock was set back."""
        now = self.clock.now()
        if self._sent and timedelta() <= now - self._sent < PINGED_EVERY:
            return
        self._sent = now
        with self.database.transaction() as connection:
            parked = read_parked(connection)
        end, message = ("fail", f"{len(parked)} parked") if parked else ("0", "the fleet works")
        self.pings.announce(Ping("fleet", uuid4(), end, message))


def serve_worker(database: FleetDatabase, settings: FleetSettings, context: ProcessContext, *, once: bool) -> None:
    """Work on what is asked for and what is due, until a signal asks the process to stop; `once` while there is work.

    Raises:
        FleetCacheTaken: another process has the cache folder.
        WriteFailed: the system refuses.
    """
    cache, check = Path(settings.cache), PingTarget(settings.ping.get_secret_value())
    with hold_cache(cache), Pings(check, context.emit, str) as pings:
        worker = Worker(Machine(database, cache, context, CacheLimits(settings.cached)))
        fleet_pings = FleetPings(database, context.clock, pings)

        def look() -> None:
            worker.look()
            fleet_pings.announce()

        queue = WorkQueue(database.url, database.where, worker.work_on, look)
        with closing(worker.questions_under_way):
            if once:
                queue.drain()
                while worker.questions_under_way.settle(all_of_them=True):
                    queue.drain()
            else:
                context.emit(Event.WORKER_READY, cache=str(cache))
                queue.serve(worker.stop)
