"""A worker that is asked to stop: its slice goes on as its own until it ends; and one that dies while it asks."""

import os
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from uuid import UUID

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.questions import PATIENCE
from pipeline.fleet.queue import WorkQueue, offer_work
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.process.context import ProcessContext
from schemas.fleet_act import ForgetAct
from tests.acceptance.fleet.test_questions import asking, remembering
from tests.fleet.conftest import NOON
from tests.fleet.working import (
    DAY,
    asked,
    drain,
    drain_alone,
    new_workspace,
    published_files,
    reported,
    rows,
    time_passes,
)
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


def test_signs_of_life_until_the_slice_ends(database: FleetDatabase, anna: FleetWorkspace) -> None:
    """Nobody takes its workspace over, however long the slice goes on; it begins no other, and ends well."""
    ours, theirs = Pipe()
    worker = get_context("spawn").Process(target=serve_held, args=(database.url, theirs))
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


def test_a_worker_that_dies_while_it_waits(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """Its question is asked once more, and counted; while it may be under way nobody asks it again."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    with ScriptedServer(hanging(), answering(remembering)) as server:
        alone = (database.url, tmp_path / "dying", NOON, asking(server))
        dying = get_context("spawn").Process(target=drain_alone, args=alone)
        dying.start()
        awaited(lambda: server.requests or None)
        dying.kill()
        dying.join()
        time_passes(database)
        machine = Machine(database, tmp_path / "machine", ProcessContext(asking(server), clock))
        asked(machine, anna, ForgetAct(id="nothing"))
        drain(machine)
        assert (1, [("refused",)]) == (len(server.requests), rows(database, "SELECT state FROM act"))
        clock.move(PATIENCE)
        drain(machine)
        assert (2, 1) == (len(server.requests), reported(database, "anna").asked_again)
    assert "as the model says" in published_files(database, anna)[DAY]
