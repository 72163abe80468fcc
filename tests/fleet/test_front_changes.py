"""A front changes nothing in its copy of a workspace, and asks no model."""

from pathlib import Path

import pytest

from pipeline.app.opening import open_for_reading
from pipeline.errors import WriteFailed
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.front import Front
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import find_workspace
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import NOON
from tests.fleet.fronts import put, served_machine
from tests.support.ports.clock import FixedClock
from tests.support.servers.behaviours import failing
from tests.support.servers.model_server import ScriptedServer


def test_a_front_asks_no_model(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """It could book nothing in a ledger; the summary is made by code, whatever the environment names."""
    put(database, "anna", tmp_path / "anna", "otter")
    with ScriptedServer(failing(500)) as server:
        environment = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "scripted"}
        with served_machine(Machine(database, tmp_path / "front", ProcessContext(environment, clock))) as front:
            anna = front.owner("anna")
            anna.ask("/api/v1/sessions", "POST", {"session_id": "s1", "summary": "llm_with_fallback"})
            said = [{"role": "user", "text": "The gate code changes on 2026-04-01."}] * 30
            assert 200 == anna.ask("/api/v1/sessions/s1/messages", "POST", said).status
            assert "2026-04-01" in str(anna.summary("s1"))
    assert [] == server.requests


def test_the_ledger_of_a_front_takes_no_change(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """Whatever route were to change it: the next generation would replace it."""
    put(database, "anna", tmp_path / "anna", "otter")
    front = Front(Machine(database, tmp_path / "front", ProcessContext({}, clock)))
    with database.transaction() as connection:
        shown = front.show_newest(find_workspace(connection, "anna"))
    with open_for_reading(shown.root, shown.context) as engine, pytest.raises(WriteFailed):
        engine.ledger.rebuilds.note(NOON)
