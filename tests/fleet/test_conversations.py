"""Conversations of owners in the database of a fleet: a worker reads those of its workspace, and no others."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import FleetWorkspace, find_workspace
from pipeline.process.context import ProcessContext
from pipeline.store.conversations import ConversationTable
from pipeline.store.database import open_database
from schemas.conversation import ConversationMessage, ConversationRecord
from schemas.store_settings import StoreSettings
from tests.fleet.conftest import NOON
from tests.fleet.working import DAY, drain, published_files
from tests.support.ports.clock import FixedClock

SETTINGS = 'timezone = "UTC"\nstart = 2026-03-04T00:00:00Z\n\n[[sources]]\nkind = "store"\npath = "store"\n'
MORNING = NOON - timedelta(hours=4)


def owner(database: FleetDatabase, name: str, room: Path, words: str) -> FleetWorkspace:
    """A workspace whose owner has said something in a conversation of the fleet."""
    root = room / f"from-{name}"
    (root / "memory").mkdir(parents=True)
    (root / "memory.toml").write_text(SETTINGS)
    add_folder(database, name, root, ProcessContext({}, FixedClock(MORNING)))
    with database.transaction() as connection:
        workspace = find_workspace(connection, name)
    settings = StoreSettings(url=SecretStr(database.url), workspace=str(workspace.id))
    store = open_database(root, settings)
    table = ConversationTable(store, settings.workspace)
    own = {"id": f"conversation-{name}", "session_id": "s-1", "by_person": True, "created_at": MORNING}
    said = {"number": 1, "role": "user", "text": f"remember that {words}", "tokens": 9, "by_person": True}
    begun = table.begin(ConversationRecord.model_validate(own))
    table.append(begun, [ConversationMessage.model_validate(said | {"created_at": MORNING})])
    store.close()
    return workspace


def test_no_owner_reads_the_conversations_of_another(
    new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path
) -> None:
    """Of sessions with equal names too."""
    anna = owner(database, "anna", tmp_path, "the sauna is closed in may")
    ben = owner(database, "ben", tmp_path, "the deposit is ten percent")
    drain(new_machine())
    pages = [published_files(database, workspace)[DAY] for workspace in (anna, ben)]
    assert [(True, False), (False, True)] == [("sauna" in page, "deposit" in page) for page in pages]
