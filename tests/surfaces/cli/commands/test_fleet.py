"""`memory fleet`: workspaces that go into a fleet, and out of it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest

from pipeline.fleet.database import VERSION
from tests.fleet.conftest import contents, fleet_url
from tests.store.conftest import postgres
from tests.support.processes.command_line import Said

__all__ = ["fleet_url", "postgres"]

Fleet = Callable[..., Said]


@pytest.fixture
def fleet(fleet_url: str, call: Callable[..., Said]) -> Fleet:
    """Call a command of a fleet, whose tables are made."""
    of_fleet = partial(call, "fleet", MEMORY_FLEET__URL=fleet_url)
    assert [{"version": VERSION, "changed": True}] == of_fleet("init", "--json").records
    assert [{"version": VERSION, "changed": False}] == of_fleet("init", "--json").records
    return of_fleet


def test_from_a_folder_into_a_folder(fleet: Fleet, filled: Path, tmp_path: Path) -> None:
    """With what trust rests on; tokens, locks and the index stay where they are."""
    (filled / ".memory" / "tokens.json").write_text("[]")
    added = fleet("add", "anna", filled, "--json").records[0]
    assert ("anna", "ready", 1) == (added["name"], added["state"], added["generation"])
    assert added["pieces"] > 0 < added["written"] < added["size"]
    pulled = fleet("pull", "anna", tmp_path / "pulled", "--json").records[0]
    assert (1, added["files"]) == (pulled["generation"], pulled["files"])
    files = contents(tmp_path / "pulled")
    theirs = {path: data for path, data in contents(filled).items() if path in files and not path.startswith(".memory")}
    assert {".memory/state.db", ".memory/fleet.json", ".memory/.gitignore"} == files.keys() - theirs.keys()
    assert theirs == {path: data for path, data in files.items() if path in theirs}
    assert "memory/2026-02-02.md" in theirs
    assert 0 == fleet("doctor").code


def test_a_name_that_is_taken(fleet: Fleet, filled: Path) -> None:
    """It names one workspace at a time, and after it was taken out another one."""
    first = fleet("add", "anna", filled, "--json").records[0]
    assert "has a workspace anna already" in fleet("add", "anna", filled).err
    assert 0 == fleet("remove", "anna", "--yes").code
    assert "no workspace" in fleet("list").out
    second = fleet("add", "anna", filled, "--json").records[0]
    assert first["id"] != second["id"]
    assert [second] == fleet("list", "--json").records
    assert second == fleet("show", "anna", "--json").records[0]


def test_what_is_there_is_not_overwritten(fleet: Fleet, filled: Path, tmp_path: Path) -> None:
    """A folder with something in it; and what cannot be pulled leaves no folder."""
    fleet("add", "anna", filled)
    assert "is there already" in fleet("pull", "anna", filled).err
    assert "no workspace of the fleet 'ben'" in fleet("pull", "ben", tmp_path / "pulled").err
    assert not (tmp_path / "pulled").exists()


def test_a_piece_that_is_gone(fleet: Fleet, filled: Path, fleet_url: str, tmp_path: Path) -> None:
    """The doctor names it, and nothing is pulled of it."""
    fleet("add", "anna", filled)
    with psycopg.connect(fleet_url, autocommit=True) as connection:
        connection.execute(
            "DELETE FROM manifest_piece WHERE ordinal = 0 AND manifest_id = (SELECT min(id) FROM manifest)"
        )
        connection.execute("UPDATE piece SET content = '\\x00'")
    checked = fleet("doctor", "--json")
    assert 1 == checked.code
    assert checked.records[0]["pieces"] + 1 == len(checked.records[0]["problems"])
    assert "lacks a piece" in fleet("pull", "anna", tmp_path / "pulled").err
    assert not (tmp_path / "pulled").exists()


def test_without_a_fleet(call: Callable[..., Said], home: Path) -> None:
    """The sentence names the file to write; a wrong address in it is named too."""
    assert "fleet.toml, so nothing names the database" in call("fleet", "list").err
    folder = home / ".config" / "memory"
    folder.mkdir(parents=True)
    (folder / "fleet.toml").write_text('url = "mysql://host/db"\n')
    assert "postgresql://USER@HOST/DATABASE" in call("fleet", "list").err
