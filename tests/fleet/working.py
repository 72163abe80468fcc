"""Work on workspaces of a fleet: sessions to read, acts to carry out, and workers that do so."""

import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from pipeline.fleet.acts import ask
from pipeline.fleet.checkout import Checkout, Published
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import EndTransaction, Machine
from pipeline.fleet.manifest import read_manifest
from pipeline.fleet.pieces import read_pieces
from pipeline.fleet.queue import FOR_A_PERSON, WorkQueue, offer_work
from pipeline.fleet.slices import Worker
from pipeline.fleet.workspaces import FleetWorkspace, find_workspace
from pipeline.process.context import ProcessContext
from schemas.fleet_act import FleetAct
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.clock import FixedClock

SETTINGS = """timezone = "UTC"
start = 2026-03-04T00:00:00Z

[[sources]]
kind = "openclaw"
path = "{sessions}"
"""
WORDS = ("the septic truck comes every second tuesday", "the sauna is closed in may", "the deposit is ten percent")
DAY = "memory/2026-03-04.md"


def new_workspace(database: FleetDatabase, name: str, room: Path, now: datetime) -> FleetWorkspace:
    """A workspace that reads a session of the morning of 4 March 2026, with things to remember; no job has run."""
    lines = OpenClawLines("s-one", start=datetime(2026, 3, 4, 8, tzinfo=UTC))
    for words in WORDS:
        lines.user(f"remember that {words}")
    lines.write(room / "sessions" / "s-one.jsonl")
    root = room / f"from-{name}"
    (root / "memory").mkdir(parents=True)
    (root / "memory.toml").write_text(SETTINGS.format(sessions=room / "sessions"))
    add_folder(database, name, root, ProcessContext({}, FixedClock(now)))
    with database.transaction() as connection:
        return find_workspace(connection, name)


def drain(machine: Machine, work: Callable[[UUID], None] | None = None) -> None:
    """Let a worker work until nothing is due and nobody waits; `work` in place of its own."""
    worker = Worker(machine)
    database = machine.database
    WorkQueue(database.url, database.where, work or worker.work_on, worker.look).drain()


def drain_alone(url: str, cache: Path, moment: datetime) -> None:
    """The same in a process of its own."""
    with FleetDatabase(url) as database:
        drain(Machine(database, cache, ProcessContext({}, FixedClock(moment))))


class FreezingMachine(Machine):
    """A machine that stands still before it publishes, until somebody lets it go on."""

    def publish(self, checkout: Checkout, end: EndTransaction = lambda _, __: None) -> Published | None:
        """Stop this process, and publish afterwards."""
        os.kill(os.getpid(), signal.SIGSTOP)
        return super().publish(checkout, end)


def drain_frozen(url: str, cache: Path, moment: datetime) -> None:
    """Work in a process of its own, which stands still before it publishes."""
    with FleetDatabase(url) as database:
        drain(FreezingMachine(database, cache, ProcessContext({}, FixedClock(moment))))


def asked(machine: Machine, workspace: FleetWorkspace, *acts: FleetAct) -> list[int]:
    """Ask for acts as a front does, each in a transaction; their numbers."""
    numbers = list[int]()
    for act in acts:
        with machine.database.transaction() as connection:
            numbers.append(ask(connection, workspace.id, workspace.name, act, machine.context.clock.now()))
            offer_work(connection, workspace.id, FOR_A_PERSON)
    return numbers


def published_files(database: FleetDatabase, workspace: FleetWorkspace) -> dict[str, str]:
    """The pages of a workspace as they are published now."""
    with database.snapshot() as connection:
        newest = find_workspace(connection, workspace.name).generation
        pages = {
            path: file for path, file in read_manifest(connection, workspace.id, newest).items() if path[-3:] == ".md"
        }
        return {
            path: b"".join(read_pieces(connection, workspace.id, file.pieces)).decode() for path, file in pages.items()
        }
