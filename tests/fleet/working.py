"""Work on workspaces of a fleet: sessions to read, acts to carry out, and workers that do so."""

import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from pydantic import SecretStr

from pipeline.fleet.acts import ask
from pipeline.fleet.checkout import Checkout, Published
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import EndTransaction, Machine
from pipeline.fleet.manifest import read_manifest
from pipeline.fleet.pieces import read_pieces
from pipeline.fleet.queue import FOR_A_PERSON, WorkQueue, offer_work
from pipeline.fleet.slice_store import SliceStore
from pipeline.fleet.slices import Worker
from pipeline.fleet.workspaces import FleetWorkspace, find_workspace, list_workspaces
from pipeline.process.context import ProcessContext
from pipeline.store.conversations import ConversationTable
from pipeline.store.database import open_database
from schemas.conversation import ConversationMessage, ConversationRecord
from schemas.fleet_act import FleetAct
from schemas.reports.fleet import FleetWorkspaceReport
from schemas.store_settings import StoreSettings
from schemas.transcript import Role
from tests.support.ports.clock import FixedClock

SETTINGS = 'timezone = "UTC"\nstart = 2026-03-04T00:00:00Z\n\n[[sources]]\nkind = "store"\npath = "store"\n'
WORDS = ("the septic truck comes every second tuesday", "the sauna is closed in may", "the deposit is ten percent")
DAY = "memory/2026-03-04.md"
NO_VARIABLES = dict[str, str]()
_FORGET_WORKERS = "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'"


MORNING = datetime(2026, 3, 4, 8, tzinfo=UTC)


def new_workspace(
    database: FleetDatabase, name: str, room: Path, now: datetime, words: Sequence[str] = WORDS
) -> FleetWorkspace:
    """A workspace whose owner has said things to remember in the morning of 4 March 2026; no job has run."""
    root = room / f"from-{name}"
    (root / "memory").mkdir(parents=True)
    (root / "memory.toml").write_text(SETTINGS)
    add_folder(database, name, root, ProcessContext({}, FixedClock(now)))
    with database.transaction() as connection:
        workspace = find_workspace(connection, name)
    say(database, workspace, words)
    return workspace


def say(
    database: FleetDatabase, workspace: FleetWorkspace, words: Sequence[str], day: int = 0, session: str = ""
) -> None:
    """The owner says things to remember, in a conversation of the fleet; `day` is counted from 4 March 2026."""
    session, morning = session or f"s-{1 + day}", MORNING + timedelta(days=day)
    settings = StoreSettings(url=SecretStr(database.url), workspace=str(workspace.id))
    with closing(open_database(Path(), settings)) as store:
        table = ConversationTable(store, settings.workspace)
        name = str(uuid5(workspace.id, session))
        own = {"id": name, "session_id": session, "by_person": True, "created_at": morning}
        begun = table.begin(ConversationRecord.model_validate(own))
        table.append(begun, [_said(one, morning + timedelta(minutes=at)) for at, one in enumerate(words)])


def said(database: FleetDatabase) -> str:
    """All that others read in conversations of the fleet now, a message in a line."""
    with database.transaction() as connection:
        texts = connection.execute("SELECT text FROM conversation_messages ORDER BY conversation_id, number")
        return "\n".join(text for (text,) in texts)


def _said(words: str, moment: datetime) -> ConversationMessage:
    """A message of the owner."""
    text = f"remember that {words}"
    return ConversationMessage(number=1, role=Role.USER, text=text, tokens=9, by_person=True, created_at=moment)


def drain(machine: Machine, work: Callable[[UUID], None] | None = None) -> None:
    """Let a worker work until nothing is due and nobody waits; `work` in place of its own."""
    worker, database = Worker(machine), machine.database
    queue = WorkQueue(database.url, database.where, work or worker.work_on, worker.look)
    with closing(worker.questions_under_way):
        queue.drain()
        while worker.questions_under_way.settle(all_of_them=True):
            queue.drain()


def drain_alone(url: str, cache: Path, moment: datetime, environment: Mapping[str, str] = NO_VARIABLES) -> None:
    """The same in a process of its own."""
    with FleetDatabase(url) as database:
        drain(Machine(database, cache, ProcessContext(environment, FixedClock(moment))))


class FreezingMachine(Machine):
    """A machine that stands still before it publishes, until somebody lets it go on."""

    def publish(
        self, checkout: Checkout, end: EndTransaction = lambda _, __: None, store: SliceStore | None = None
    ) -> Published | None:
        """Stop this process, and publish afterwards."""
        os.kill(os.getpid(), signal.SIGSTOP)
        return super().publish(checkout, end, store)


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


def reported(database: FleetDatabase, name: str) -> FleetWorkspaceReport:
    """A workspace as the list shows it."""
    with database.transaction() as connection:
        return next(one for one in list_workspaces(connection) if one.name == name)


def rows(database: FleetDatabase, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with database.transaction() as connection:
        return connection.execute(query.encode()).fetchall()


def entries(database: FleetDatabase, workspace: FleetWorkspace, page: str = DAY) -> list[str]:
    """The ids of the entries of a day."""
    return re.findall(r"^- id: (\S+)", published_files(database, workspace)[page], re.MULTILINE)


def time_passes(database: FleetDatabase) -> None:
    """The queue has heard nothing of its workers for an hour."""
    with database.transaction() as connection:
        connection.execute(_FORGET_WORKERS)


def without_salts(pages: dict[str, str]) -> dict[str, str]:
    """Pages without the hashes of what is forgotten, which are of a random salt in each workspace."""
    return {path: re.sub(r"\b[0-9a-f]{16,}\b", "#", text) for path, text in pages.items()}
