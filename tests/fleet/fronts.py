"""Fronts of a fleet in this process, and the workspaces that they serve."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pipeline.clock import stopwatch
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.front import Front
from pipeline.fleet.machine import Machine
from pipeline.fleet.tokens import NewToken, add_token
from pipeline.fleet.workspaces import find_workspace
from pipeline.process.context import ProcessContext
from pipeline.service.web.server import WebServer
from pipeline.surfaces.fleet.application import LOOK_SECONDS, FrontApplication
from pipeline.surfaces.http.security.rules import Rules, cookie_name
from tests.fleet.conftest import NOON
from tests.fleet.working import drain
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace

SETTINGS = 'timezone = "UTC"\nstart = 2026-03-04T00:00:00Z\n'


@dataclass(frozen=True)
class ServedFleet:
    """A front at an address, over a fleet."""

    database: FleetDatabase
    address: str
    cache: Path

    def browser(self, name: str, language: str = "en") -> PageReader:
        """A browser in which an owner has signed in; its paths begin with that of the workspace."""
        owner = self.owner(name)
        cookies = {cookie_name(Path(f"/w/{name}/")): owner.person}
        return PageReader(replace(owner, address=self.address), language, cookies)

    def owner(self, name: str) -> ServedWorkspace:
        """A workspace of the fleet as this front serves it, with new tokens."""
        with self.database.transaction() as connection:
            owner = find_workspace(connection, name)
            for old in ("anna", "bot"):
                connection.execute("DELETE FROM token WHERE workspace_id = %s AND name = %s", [owner.id, old])
            person = add_token(connection, owner, NewToken("anna"), NOON)
            agent = add_token(connection, owner, NewToken("bot", agent="main"), NOON)
        return ServedWorkspace(self.cache / str(owner.id), f"{self.address}/w/{name}", person, agent)


@contextmanager
def served_front(
    database: FleetDatabase, cache: Path, clock: FixedClock, look_seconds: float = LOOK_SECONDS
) -> Iterator[ServedFleet]:
    """A front while it answers."""
    with served_machine(Machine(database, cache, ProcessContext({}, clock)), look_seconds) as served:
        yield served


@contextmanager
def served_machine(
    machine: Machine,
    look_seconds: float = LOOK_SECONDS,
    front: Front | None = None,
    now: Callable[[], float] = stopwatch,
) -> Iterator[ServedFleet]:
    """A front on a machine, or the `front` that is given, while it answers."""
    rules = Rules("127.0.0.1", (), lambda _: None)
    application = FrontApplication(front or Front(machine), rules, "1.0", look_seconds, now)
    with WebServer("127.0.0.1:0", application) as server:
        yield ServedFleet(machine.database, server.address, machine.cache)


@pytest.fixture
def front(database: FleetDatabase, clock: FixedClock, demo: Path, tmp_path: Path) -> Iterator[ServedFleet]:
    """A front at which Anna has the demo, with its suggestions."""
    add_folder(database, "anna", demo, ProcessContext({}, FixedClock(NOON)))
    with served_front(database, tmp_path / "front", clock) as served:
        yield served


@pytest.fixture
def machine(new_machine: Callable[[], Machine]) -> Machine:
    """A machine of the fleet, on which a worker has done what was due."""
    drain(worker := new_machine())
    return worker


def put(database: FleetDatabase, name: str, root: Path, word: str, settings: str = SETTINGS) -> None:
    """Add a workspace with a page, in which a word stands."""
    (root / "memory").mkdir(parents=True, exist_ok=True)
    (root / "memory.toml").write_text(settings)
    (root / "memory" / "mine.md").write_text(f"# Mine\n\nThe word of {name} is {word}.\n")
    add_folder(database, name, root, ProcessContext({"MEMORY_WORKSPACE": str(root)}, FixedClock(NOON)))
