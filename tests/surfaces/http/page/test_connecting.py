"""Connecting agents on the page: the lines of their files first, and only agents whose words are read here already."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.workspaces.page_reader import PageReader, SentForm
from tests.support.workspaces.served_demo import served


@dataclass(frozen=True)
class Home:
    """The home of a person with Claude Code and Codex, of which a workspace reads Claude Code alone."""

    folder: Path
    reader: PageReader


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """The home, and its workspace while it is served."""
    for name in (".claude", ".codex"):
        (tmp_path / name).mkdir()
    root = tmp_path / "work"
    (root / "chats").mkdir(parents=True)
    (root / "memory.toml").write_text('timezone = "UTC"\n\n[[sources]]\nkind = "claude_code"\npath = "chats"\n')
    with served(root, environment={"HOME": str(tmp_path)}) as workspace:
        yield Home(tmp_path, PageReader(workspace))


def _files(home: Home) -> dict[str, bytes]:
    return {
        str(file): file.read_bytes()
        for name in (".claude", ".codex")
        for file in (home.folder / name).rglob("*")
        if file.is_file()
    }


def test_an_agent_is_connected_and_disconnected(home: Home) -> None:
    """Looking writes nothing; the files get the lines that were shown, and are as before once it is disconnected."""
    look = home.reader.get("/connections/claude-code/connect")
    assert "memory" in look.text
    assert not _files(home)
    assert not (home.folder / "work" / ".memory" / "integrations").exists()
    assert "Connected." in home.reader.post(look.form("/connections/")).text
    assert any(b"MEMORY.md" in data or b"memory" in data for data in _files(home).values())
    away = home.reader.get("/connections/claude-code/disconnect")
    assert "Disconnected." in home.reader.post(away.form("/connections/")).text
    assert not _files(home)


def test_an_agent_that_has_seen_nothing(home: Home) -> None:
    """The command to type is shown, and a stolen session finds no other way."""
    assert "memory agents connect codex --apply" in home.reader.get("/agents").text
    for way in ("connect", "disconnect"):
        assert 400 <= home.reader.get(f"/connections/codex/{way}").status < 500
    seen = home.reader.get("/connections/claude-code/connect").form("/connections/").fields["seen"]
    for name in ("codex", "gemini-cli", "..", "nobody"):
        assert 400 <= home.reader.post(SentForm(f"/connections/{name}/connect", {"seen": seen})).status < 500
    assert not _files(home)


def test_keys_of_other_programs(home: Home) -> None:
    """Of the agent's files only the lines that change are shown, and no key that stands around them."""
    (home.folder / ".claude.json").write_text(
        '{"mcpServers": {"other": {"env": {"KEY": "sk-ant-abcdefgh1234567890"}}}}'
    )
    shown = home.reader.get("/connections/claude-code/connect").html
    assert "mcp" in shown
    assert "sk-ant-abcdefgh1234567890" not in shown


def test_files_that_changed_meanwhile(home: Home) -> None:
    """What stands there now was not shown, so nothing is written."""
    form = home.reader.get("/connections/claude-code/connect").form("/connections/")
    (home.folder / ".claude" / "CLAUDE.md").write_text("mine\n")
    assert 409 == home.reader.post(form).status
    assert ["mine\n"] == [data.decode() for data in _files(home).values()]


def test_without_a_home_folder(tmp_path: Path) -> None:
    """As a service may run: no agent is found, and the page is shown all the same."""
    root = tmp_path / "work"
    root.mkdir()
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    for home in ({}, {"HOME": str(tmp_path / "gone")}):
        with served(root, environment=home) as workspace:
            assert 200 == PageReader(workspace).get("/agents").status
