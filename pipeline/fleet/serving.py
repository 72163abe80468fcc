"""The process of a worker: it works until it is asked to stop, in a cache folder of its own."""

import asyncio
from pathlib import Path

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.queue import WorkQueue
from pipeline.fleet.slices import Worker
from pipeline.process.context import ProcessContext
from pipeline.workspace.locks import Latch

_LOCK = "lock"


def serve_worker(database: FleetDatabase, cache: Path, context: ProcessContext) -> None:
    """Work on what is asked for and what is due, until the process gets a signal to stop.

    Raises:
        Held: another process has the cache folder.
        WriteFailed: the system refuses.
    """
    with Latch(cache / _LOCK).hold(0):
        worker = Worker(Machine(database, cache, context))
        asyncio.run(WorkQueue(database.url, worker.work_on, worker.look).serve())
