"""`memory fleet worker` as a process: it does what is asked for while it runs, and stops when it is asked to."""

import json
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg

from pipeline.errors.fleet import FleetError, NoFleet
from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import Said, end_of
from tests.support.processes.waiting import soon
from tests.support.servers.postgresql import PostgresServer


def test_a_worker_merges_what_is_pushed(memory: CalledCommand, fleet_url: str, filled: Path, tmp_path: Path) -> None:
    """It notices the push at once; a second process cannot use its cache folder."""
    call = partial(memory, "fleet", MEMORY_FLEET__URL=fleet_url)
    assert 0 == call("init").code
    assert 0 == call("add", "anna", filled).code
    worker = memory.start("fleet", "worker", MEMORY_FLEET__URL=fleet_url)
    assert soon(lambda: generation(call) > 1)
    assert (75, True) == ((second := call("worker")).code, "MEMORY_FLEET__CACHE" in second.err)
    assert 0 == call("pull", "anna", tmp_path / "laptop").code
    (tmp_path / "laptop" / "memory" / "mine.md").write_text("a page of mine\n")
    before = generation(call)
    assert {"name": "anna", "act": 1} == call("push", tmp_path / "laptop", "--json").records[0]
    assert soon(lambda: generation(call) > before)
    worker.send_signal(signal.SIGTERM)
    ended = end_of(worker)
    assert 0 == ended.code
    logged = [json.loads(line) for line in ended.err.splitlines()]
    assert "worker.ready" == logged[0]["event"]
    assert [("anna", 1)] == [(line["workspace"], line["act"]) for line in logged if line["event"] == "act.settled"]
    assert 0 == call("pull", "anna", tmp_path / "again").code
    assert "a page of mine\n" == (tmp_path / "again" / "memory" / "mine.md").read_text()
    assert NoFleet.exit_code == memory("fleet", "worker").code


def test_a_worker_ends_when_the_database_is_away(
    memory: CalledCommand, fleet_url: str, postgres: PostgresServer
) -> None:
    """With a sentence, so that a service manager starts it again; what it had published is whole."""
    call = partial(memory, "fleet", MEMORY_FLEET__URL=fleet_url)
    assert 0 == call("init").code
    worker = memory.start("fleet", "worker", MEMORY_FLEET__URL=fleet_url)
    with psycopg.connect(fleet_url, autocommit=True) as connection:
        workers = "SELECT count(*) FROM procrastinate_workers"
        assert soon(lambda: connection.execute(workers).fetchone() == (1,))
    postgres.stop()
    try:
        ended = end_of(worker)
    finally:
        postgres.start()
    assert FleetError.exit_code == ended.code
    assert "cannot be used" in ended.err
    assert 0 == call("worker", "--once").code
    assert 0 == call("doctor").code


def generation(call: Callable[..., Said]) -> int:
    """The newest generation."""
    return int(call("show", "anna", "--json").records[0]["generation"])
