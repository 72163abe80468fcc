"""The queue, which is Procrastinate: at most one waiting job for a workspace, and at most one that runs.

A job only says that there is something to do; what it is stands in the rows of acts, and in `next_due`. No job is
scheduled for later: it would hide another one of the same lock.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Any
from uuid import UUID

from procrastinate import App, JobContext, PsycopgConnector, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.schema import SchemaManager
from procrastinate.worker import Worker as QueueWorker
from psycopg import AsyncConnection, Connection
from psycopg.rows import TupleRow
from psycopg_pool import PoolTimeout

from pipeline.errors.fleet import FleetUnavailable

_TASK = "work"
_STALLED = timedelta(seconds=30)
"""How long a worker has sent no sign of life when its job is given to another."""
_LOOK_SECONDS = 5.0
"""From one look at what is due to the next."""
_ENDED = "the queue has lost its connection"
FOR_A_PERSON = 1
"""The priority of a job that a person waits for; that of others is 0."""
_NEXT = 2
"""The priority of a job that comes before all others, once."""

LIMIT_STANDSTILL = "SET idle_in_transaction_session_timeout = '30s'"
"""Said in each connection: a process that stops within a transaction, for example because it is frozen, would keep
others waiting."""
# By a statement of ours: two looks at once may both find a job, and the queue's own raises for the second one.
_TAKE_AWAY = """
DELETE FROM procrastinate_jobs WHERE status = 'doing' AND (worker_id IS NULL OR worker_id IN (
  SELECT id FROM procrastinate_workers WHERE last_heartbeat < now() - %s
))
"""
_RAISE = """
UPDATE procrastinate_jobs SET priority = greatest(priority, %s) WHERE queueing_lock = %s AND status = 'todo'
"""
_OTHERS_WAIT = "SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status = 'todo' AND lock <> %s)"
_PERSON_WAITS = "SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status = 'todo' AND priority = %s)"
_GIVE_TURN = """
UPDATE procrastinate_jobs SET priority = %s WHERE id = (
  SELECT id FROM procrastinate_jobs WHERE status = 'todo' AND priority = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
"""
_OFFERING = App(connector=SyncPsycopgConnector())
"""Offers jobs in transactions of others; it opens no connection."""


def read_queue_schema() -> str:
    """The statements that make the tables of the queue."""
    return SchemaManager.get_schema()


def offer_work(connection: Connection[TupleRow], workspace: UUID, priority: int = 0) -> bool:
    """Offer work on a workspace, within a transaction; whether no other offer was waiting, which takes the priority."""
    name = str(workspace)
    job = _OFFERING.configure_task(_TASK, lock=name, queueing_lock=name, priority=priority, connection=connection)
    try:
        with connection.transaction():
            job.defer(workspace=name)
    except AlreadyEnqueued:
        connection.execute(_RAISE, [priority, name])
        return False
    return True


def has_others_waiting(connection: Connection[TupleRow], workspace: UUID) -> bool:
    """Whether other workspaces wait for a worker."""
    return connection.execute(_OTHERS_WAIT, [str(workspace)]).fetchone() == (True,)


def has_person_waiting(connection: Connection[TupleRow]) -> bool:
    """Whether a person waits for a worker, in any workspace."""
    return connection.execute(_PERSON_WAITS, [FOR_A_PERSON]).fetchone() == (True,)


def give_turn(connection: Connection[TupleRow]) -> None:
    """Let the job for which no person waits, and which has waited longest, come before those for persons."""
    connection.execute(_GIVE_TURN, [_NEXT])


def drop_stalled(connection: Connection[TupleRow]) -> int:
    """Take the jobs of dead workers away, which nobody takes over by itself; how many.

    A job is not tried again under its own row, but offered anew: beside it another offer may wait.
    """
    return connection.execute(_TAKE_AWAY, [_STALLED]).rowcount


class WorkQueue:
    """The queue of a worker: `work` is called with one workspace after another, `look` before, and while it waits."""

    def __init__(self, url: str, where: str, work: Callable[[UUID], None], look: Callable[[], None]) -> None:
        """`url` is the address of the database, and `where` how errors name it.

        Both functions are called in threads, `work` in one at a time.
        """
        self._where = where
        self._app = App(connector=PsycopgConnector(conninfo=url, configure=_limit_standstill))
        self._look = look
        self._worker_id: int | None = None
        self._app.task(name=_TASK)(lambda workspace: work(UUID(workspace)))

    def drain(self) -> None:
        """Work until nothing is due and nobody waits."""
        self._run(self._drain())

    def serve(self, stop: Callable[[], None]) -> None:
        """Work until a signal asks the process to stop, which calls `stop`; it has to be called in the main thread."""
        self._run(self._serve(stop))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            asyncio.run(work)
        except (ConnectorException, PoolTimeout) as error:  # the queue wraps no error of its pool's opening
            raise FleetUnavailable(self._where, str(error.__cause__ or error).strip().partition("\n")[0]) from error

    async def _drain(self) -> None:
        async with self._app.open_async():
            await asyncio.to_thread(self._look)
            await self._app.run_worker_async(wait=False, delete_jobs="always", listen_notify=False)

    async def _serve(self, stop: Callable[[], None]) -> None:
        """Work and look; when either ends, or a signal comes, so do both, once the slice under way has ended."""
        asked = asyncio.Event()

        def hear() -> None:
            stop()
            asked.set()

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, hear)
        async with self._app.open_async():
            working = asyncio.create_task(
                self._app.run_worker_async(
                    delete_jobs="always", install_signal_handlers=False, worker_middleware=[self._note_worker]
                )
            )
            looking = asyncio.create_task(self._look_again_and_again())
            stopping = asyncio.create_task(asked.wait())
            tasks = (looking, working, stopping)
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            working.cancel()
            await asyncio.wait((working, looking), return_when=asyncio.FIRST_COMPLETED)
            looking.cancel()
            stopping.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception):  # a cancelled task has none
                    raise ended
        if not asked.is_set():
            raise FleetUnavailable(self._where, _ENDED)

    async def _note_worker(
        self, carry_out: Callable[[], Awaitable[Any]], _context: JobContext, worker: QueueWorker
    ) -> Any:  # noqa: ANN401 - as of the queue
        self._worker_id = worker.worker_id
        return await carry_out()

    async def _look_again_and_again(self) -> None:
        """Look, and give a sign of life, which the queue gives no more once it was asked to stop."""
        while True:
            await asyncio.to_thread(self._look)
            if self._worker_id is not None:
                await self._app.job_manager.update_heartbeat(self._worker_id)
            await asyncio.sleep(_LOOK_SECONDS)


async def _limit_standstill(connection: AsyncConnection[Any]) -> None:
    await connection.execute(LIMIT_STANDSTILL)
    await connection.commit()
