"""Conversations of owners in the database of a fleet: a worker reads those of its workspace, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors.fleet import FolderLeadsOut
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import list_workspaces
from pipeline.process.context import ProcessContext
from pipeline.settings.locate import WORKSPACE_VARIABLE
from tests.fleet.conftest import NOON
from tests.fleet.working import DAY, drain, new_workspace, published_files
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.clock import FixedClock

LEADING_OUT = 'timezone = "UTC"\nstart = 2026-03-04T00:00:00Z\n[[sources]]\nkind = "openclaw"\npath = "{sessions}"\n'


def test_no_owner_reads_the_conversations_of_another(
    new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path
) -> None:
    """Of sessions with equal names too."""
    anna = new_workspace(database, "anna", tmp_path, NOON, ["the sauna is closed in may"])
    ben = new_workspace(database, "ben", tmp_path, NOON, ["the deposit is ten percent"])
    drain(new_machine())
    pages = [published_files(database, workspace)[DAY] for workspace in (anna, ben)]
    assert [(True, False), (False, True)] == [("sauna" in page, "deposit" in page) for page in pages]


def test_settings_of_an_owner_reach_nothing_of_the_machine(database: FleetDatabase, tmp_path: Path) -> None:
    """A folder of sessions there is not read, whoever named it: a workspace with such settings is not added."""
    lines = OpenClawLines("s-one")
    lines.user("remember that these are words of another")
    lines.write(tmp_path / "sessions" / "s-one.jsonl")
    root = tmp_path / "from-eve"
    (root / "memory").mkdir(parents=True)
    (root / "memory.toml").write_text(LEADING_OUT.format(sessions=tmp_path / "sessions"))
    context = ProcessContext({WORKSPACE_VARIABLE: str(root)}, FixedClock(NOON))  # as a person names it
    with pytest.raises(FolderLeadsOut, match=r"sources\.openclaw"):
        add_folder(database, "eve", root, context)
    with database.transaction() as connection:
        assert [] == list_workspaces(connection)
