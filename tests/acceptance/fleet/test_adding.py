"""`memory fleet add` that dies on its way: it has added nothing, or a whole workspace that is due."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.errors import PipelineError
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder, pull_folder
from pipeline.fleet.workspaces import find_workspace, remove_workspace
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import NOON
from tests.fleet.working import WORDS, new_workspace, rows, said
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer
from tests.support.servers.relay import relayed


def test_a_workspace_is_added_whole_or_not_at_all(
    database: FleetDatabase, postgres: PostgresServer, tmp_path: Path
) -> None:
    """The connection is lost for good at each message with the server in turn, as that of a process that is killed."""
    new_workspace(database, "anna", tmp_path, NOON)
    pull_folder(database, "anna", tmp_path / "folder", "here", NOON)
    with database.transaction() as connection:
        remove_workspace(connection, find_workspace(connection, "anna").id)
    whole = ([("anna", NOON)], [True] * 3)
    with TemporaryDirectory(prefix="relay-", dir="/tmp") as room:  # a socket's path has at most 107 bytes
        for message in count():
            is_lost = add_up_to(message, Path(room) / str(message), database.url, postgres, tmp_path / "folder")
            there = rows(database, "SELECT name, next_due FROM workspace"), [words in said(database) for words in WORDS]
            assert there in (([], [False] * 3), whole)
            if not is_lost:
                break
            with database.transaction() as connection:
                for name, _ in there[0]:
                    remove_workspace(connection, find_workspace(connection, name).id)
    assert message
    assert whole == there


def add_up_to(message: int, room: Path, url: str, server: PostgresServer, folder: Path) -> bool:
    """Add a folder, and lose the connection at a message, from 0; whether it came so far."""
    with relayed(room, server.folder) as relay, FleetDatabase(url.replace(str(server.folder), str(room))) as database:
        relay.lose_at(message, os.getpid())
        with suppress(PipelineError):
            add_folder(database, "anna", folder, ProcessContext({"MEMORY_WORKSPACE": str(folder)}, FixedClock(NOON)))
        return relay.is_lost
