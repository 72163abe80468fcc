"""`memory fleet`: workspaces that go into a fleet, and out of it."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from pipeline.fleet.database import VERSION
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ConversationMessage, ConversationRecord, Preferences
from schemas.store_settings import StoreSettings
from schemas.transcript import Role
from tests.fleet.conftest import contents, fleet_url
from tests.support.processes.command_line import Said
from tests.support.tables import table

__all__ = ["fleet_url"]

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


def test_conversations_and_stored_texts(
    fleet: Fleet, call: Callable[..., Said], filled: Path, fleet_url: str, tmp_path: Path
) -> None:
    """They become rows, no piece of a generation has their words, and a pull brings them back as they were."""
    pulled, there, back = tmp_path / "pulled", tmp_path / "there", tmp_path / "back"
    _fill_store(filled)
    assert 0 == call("store", "export", there, "--workspace", filled).code
    assert 0 == fleet("add", "anna", filled).code
    with psycopg.connect(fleet_url) as connection:
        assert [(1,)] == connection.execute("SELECT count(*) FROM conversation_messages").fetchall()
        paths = connection.execute("SELECT path FROM manifest WHERE path LIKE 'store/%'").fetchall()
    assert [] == paths
    assert 0 == fleet("pull", "anna", pulled).code
    assert 0 == call("store", "export", back, "--workspace", pulled).code
    assert contents(there) == contents(back)


def _fill_store(root: Path) -> None:
    """A conversation, a stored text and a preference."""
    with closing(WorkspaceStore(root, StoreSettings())) as store:
        moment = datetime(2026, 3, 4, 8, tzinfo=UTC)
        begun = store.conversations.begin(
            ConversationRecord(id=str(uuid4()), session_id="s-1", by_person=True, created_at=moment)
        )
        words = "the ferry leaves at nine"
        said = ConversationMessage(number=1, role=Role.USER, text=words, tokens=5, by_person=True, created_at=moment)
        store.conversations.append(begun, [said])
        store.conversations.prefer(("owner", ""), Preferences(tone="short"), moment)


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
    (folder / "fleet.toml").write_text('url = "postgresql://host/db"\nping = "checks.example.org/1"\n')
    assert "ping: has to begin with http:// or https:// and name a host" in call("fleet", "list").err
    (folder / "fleet.toml").write_text('url = "postgresql://host/db"\ncache = "~nobody-here/fleet"\n')
    assert "cache: Value error, '~nobody-here/fleet' begins in the home folder of nobody" in call("fleet", "list").err
    said = call("fleet", "list", MEMORY_FLEET="~nobody-here/fleet.toml")
    assert "MEMORY_FLEET: '~nobody-here/fleet.toml' begins in the home folder of nobody" in said.err


def test_tokens_of_the_fronts(fleet: Fleet, filled: Path) -> None:
    """Made once, listed without a part of them, and revoked."""
    fleet("add", "anna", filled)
    made = fleet("token", "add", "laptop", "--for", "anna", "--json").records[0]
    assert ("laptop", "anna", "", True) == (*(made[key] for key in ("name", "workspace", "agent")), "token" in made)
    assert fleet("token", "add", "bot", "--for", "anna", "--agent", "main").out.startswith("mem_")
    assert fleet("token", "add", "watch", "--operator").out.startswith("mem_")
    rows = [line.split()[:3] for line in fleet("token", "list").out.splitlines()[1:]]
    assert [["watch", "operator"], ["bot", "anna", "main"], ["laptop", "anna", "person"]] == [
        [word for word in row if word[:2] != "20"] for row in rows
    ]
    assert not [one for one in fleet("token", "list", "--json").records if made["token"] in one.values()]
    assert [{"name": "watch", "workspace": ""}] == fleet("token", "revoke", "watch", "--operator", "--json").records
    assert "is revoked" in fleet("token", "revoke", "bot", "--for", "anna").out
    assert ["laptop"] == [one["name"] for one in fleet("token", "list", "--json").records]


def test_tokens_that_are_not_made(fleet: Fleet, filled: Path) -> None:
    """By an agent, for nobody, for two, or for a workspace that is not there."""
    fleet("add", "anna", filled)
    for words in ((), ("--for", "anna", "--operator"), ("--operator", "--agent", "main"), ("--for", "ben")):
        assert 2 == fleet("token", "add", "x", *words).code
    assert "those of browsers" in fleet("token", "add", "page-x", "--for", "anna").err
    for command in (("token", "add", "x", "--operator"), ("pull", "anna", "there"), ("push", "there")):
        assert "Only a person" in fleet(*command, CLAUDECODE="1").err
    assert "There is no token." in fleet("token", "list").out
    assert 2 == fleet("token", "revoke", "x").code
    assert "no token 'x'" in fleet("token", "revoke", "x", "--for", "anna").err


def test_a_name_that_no_address_has(fleet: Fleet, filled: Path) -> None:
    """It would lead elsewhere at a front."""
    for name in ("", ".", "..", "a/b", "ann a", "ännä", "-a", "a" * 101):
        assert 2 == fleet("add", "--", name, filled).code
    assert "no workspace" in fleet("list").out


@table("url", ["postgresql://u:pa%zzss@h/db", "postgresql://u:pa%25ss@h/db?pa=1", "postgresql://u:pass@[::1/db"])
def test_an_address_that_cannot_be_read(call: Callable[..., Said], url: str) -> None:
    """The sentence does not repeat it, as it has a password."""
    said = call("fleet", "list", MEMORY_FLEET__URL=url)
    assert "url: write postgresql://USER@HOST/DATABASE" in said.err
    assert (2, False) == (said.code, "u:pa" in said.err or "zzss" in said.err)
