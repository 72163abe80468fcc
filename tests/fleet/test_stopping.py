"""A worker that is asked to stop: its slice goes on as its own until it ends, and its questions are others'."""

import os
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from threading import Thread
from uuid import UUID

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.questions import QUESTIONS_AT_ONCE
from pipeline.fleet.queue import WorkQueue, offer_work
from pipeline.fleet.slices import Worker
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import NOON
from tests.fleet.test_questions import asking, remembering
from tests.fleet.working import drain, new_workspace, reported, rows, say, time_passes
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import awaited
from tests.support.servers.behaviours import answering, hanging
from tests.support.servers.model_server import ScriptedServer

_ALIVE = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '1 minute'"


def serve_held(url: str, pipe: Connection) -> None:
    """Serve in a process of its own; each slice goes on until somebody says that it ends."""

    def work(_workspace: UUID) -> None:
        pipe.send("at work")
        pipe.recv()

    WorkQueue(url, "here", work, lambda: None).serve(lambda: pipe.send("stopping"))


def test_signs_of_life_until_the_slice_ends(database: FleetDatabase, fleet_url: str, anna: FleetWorkspace) -> None:
    """Nobody takes its workspace over, however long the slice goes on; it begins no other, and ends well."""
    ours, theirs = Pipe()
    worker = get_context("spawn").Process(target=serve_held, args=(fleet_url, theirs))
    worker.start()
    with database.transaction() as connection:
        offer_work(connection, anna.id)
    assert "at work" == ours.recv()
    with database.transaction() as connection:
        offer_work(connection, anna.id)
    os.kill(worker.pid or 0, signal.SIGTERM)
    assert "stopping" == ours.recv()
    time_passes(database)
    awaited(lambda: rows(database, _ALIVE) == [(1,)] or None)
    ours.send("it ends")
    worker.join()
    assert 0 == worker.exitcode
    assert [("todo",)] == rows(database, "SELECT status::text FROM procrastinate_jobs")
    assert [] == rows(database, "SELECT * FROM procrastinate_workers")


def test_questions_that_were_not_sent(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """Another worker asks them at once, while the one that stops waits for the answers that are paid for."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    for number in range(QUESTIONS_AT_ONCE + 2):
        say(database, anna, [f"the key number {number} hangs at the door"], session=f"t-{number}")
    with ScriptedServer(*[hanging()] * QUESTIONS_AT_ONCE, answering(remembering)) as server:
        context = ProcessContext(asking(server), clock)
        stopping = Worker(Machine(database, tmp_path / "stopping", context))
        stopping.work_on(anna.id)
        awaited(lambda: len(server.requests) == QUESTIONS_AT_ONCE or None)
        closing_down = Thread(target=stopping.questions_under_way.close)
        closing_down.start()
        awaited(lambda: rows(database, "SELECT count(*) FROM question") == [(QUESTIONS_AT_ONCE,)] or None)
        assert reported(database, "anna").next_due == NOON
        drain(Machine(database, tmp_path / "other", context))
        assert [(3,)] == rows(database, "SELECT count(*) FROM question WHERE reply IS NOT NULL")
        assert 0 == reported(database, "anna").asked_again
    closing_down.join()
