"""The process of a worker: it works until it is asked to stop, in a cache folder of its own."""

from contextlib import closing
from pathlib import Path

from pipeline.fleet.cache import CacheLimits
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.queue import WorkQueue
from pipeline.fleet.slices import Worker
from pipeline.process.context import ProcessContext
from pipeline.workspace.locks import Latch
from schemas.fleet_settings import FleetSettings

_LOCK = "lock"


def serve_worker(database: FleetDatabase, settings: FleetSettings, context: ProcessContext, *, once: bool) -> None:
    """Work on what is asked for and what is due, until a signal asks the process to stop; `once` while there is work.

    Raises:
        WorkspaceError: another process has the cache folder; the system refuses.
    """
    cache = Path(settings.cache)
    with Latch(cache / _LOCK).hold(0):
        worker = Worker(Machine(database, cache, context, CacheLimits(settings.cached)))
        queue = WorkQueue(database.url, database.where, worker.work_on, worker.look)
        with closing(worker.asking):
            if once:
                queue.drain()
                while worker.asking.settle(all_of_them=True):
                    queue.drain()
            else:
                queue.serve(worker.stop)
