"""Commands in a workspace that nobody has listed, such as a clone with a `memory.toml` of its author."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from tests.support.builders.claude_lines import ClaudeLines
from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import Said
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table

_SENTENCE = "is not on your list of workspaces"
_SETTINGS = """
[model]
base_url = "{model}"
name = "m"

[[sources]]
kind = "claude_code"
path = "~/.claude/projects"
"""


@pytest.fixture
def talks(home: Path) -> Path:
    """A transcript of the person, in the home folder."""
    lines = ClaudeLines("5e5510aa-0000-4000-8000-000000000001")
    lines.user("remember that the spare key is under the third stone")
    file = home / ".claude" / "projects" / "-home" / "5e5510aa-0000-4000-8000-000000000001.jsonl"
    lines.write(file)
    return file


@pytest.fixture
def clone(tmp_path: Path, talks: Path) -> Path:
    """A repository with settings of its author: a model on another machine, and the transcripts of whoever is here."""
    assert talks.exists()
    (tmp_path / "clone" / ".git").mkdir(parents=True)
    (tmp_path / "clone" / "memory.toml").write_text(_SETTINGS.format(model="http://192.0.2.1/v1"))
    return tmp_path / "clone"


@table(
    "words",
    [
        "run",
        "backfill --all --yes",
        "search key",
        "recall key",
        "status",
        "show transcripts",
        "show entries",
        "config model",
        "doctor --ask",
        "doctor reindex",
        "backup ../saved",
        "forget about key",
    ],
)
def test_a_clone_reads_and_sends_nothing(words: str, clone: Path, home: Path) -> None:
    """Every command says why, and how it is listed; no file is made. A connection would end the test."""
    said = CalledCommand(home, folder=clone)(*words.split())
    assert said.code in {1, 2}
    assert _SENTENCE in said.out + said.err
    assert f"memory workspaces add {clone}" in said.out + said.err
    assert {clone / ".git", clone / "memory.toml"} == {*clone.rglob("*")}


def test_a_key_goes_to_no_server_that_a_clone_names(clone: Path, home: Path) -> None:
    """Not even to a server of this machine: another person may have started it."""
    with ScriptedServer() as server:
        (clone / "memory.toml").write_text(f'[model]\nbase_url = "{server.base_url}"\nname = "m"\n')
        said = CalledCommand(home, folder=clone)("doctor", "--ask", MEMORY_MODEL__API_KEY="of-the-person-1")
        assert _SENTENCE in said.out
        assert [] == server.requests


def listed(home: Path) -> list[str]:
    """The folders on the list."""
    return [one["folder"] for one in CalledCommand(home)("workspaces", "--json").records]


@table(
    "words",
    [
        ("workspaces", "add", "{root}"),
        ("upgrade", "--yes", "--workspace", "{root}"),
        ("agents", "connect", "cursor", "--apply", "--yes", "--workspace", "{root}"),
        ("serve", "install", "--systemd", "--no-namespaces", "--workspace", "{root}"),
    ],
)
def test_what_lists_a_workspace(words: tuple[str, ...], clone: Path, tmp_path: Path, home: Path) -> None:
    """Each is a deed of its owner, and no agent may do it for a workspace that is not listed."""
    (home / ".cursor").mkdir(exist_ok=True)
    (tmp_path / "systemctl").touch(mode=0o755)
    variables = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    root = copytree(clone, tmp_path / "mine")
    (root / "memory.toml").write_text('[[sources]]\nkind = "claude_code"\npath = "~/.claude/projects"\n')
    command = [word.format(root=root) for word in words]
    call = CalledCommand(home)
    went_into = replace(call, folder=root)
    assert 2 == went_into("status").code
    assert 77 == call(*command, CLAUDECODE="1", **variables).code
    assert str(root) not in listed(home)
    said = call(*command, **variables)
    assert 0 == said.code, said.err
    assert str(root) in listed(home)
    assert 0 == went_into("status").code


def test_a_new_and_a_restored_workspace_are_listed(tmp_path: Path, home: Path, call: Callable[..., Said]) -> None:
    """By `memory init` and by `memory restore`, into a new folder and into one that is there."""
    settings = ("--source", "none")
    assert 0 == call("init", tmp_path / "w", *settings).code
    with (tmp_path / "w" / "memory.toml").open("a") as file:
        file.write('\n[[sources]]\nkind = "claude_code"\npath = "~/.claude/projects"\n')
    assert 0 == call("backup", tmp_path / "saved", "--workspace", tmp_path / "w").code
    assert 0 == call("restore", tmp_path / "saved", "--into", tmp_path / "new", "--yes").code
    call("workspaces", "remove", "w")
    (tmp_path / "w" / ".memory" / "place").unlink(missing_ok=True)
    assert 2 == CalledCommand(home, folder=tmp_path / "w")("status").code
    assert 0 == call("restore", tmp_path / "saved", "--workspace", tmp_path / "w", "--yes").code
    assert {str(tmp_path / "w"), str(tmp_path / "new")} == {*listed(home)}


@table("named", ["{root}", "clone", "./clone"])
def test_a_workspace_that_a_person_names(named: str, clone: Path, home: Path) -> None:
    """A person has chosen it, who writes its settings and names it in a script; to go into its folder is no choice."""
    (clone / "memory.toml").write_text('[[sources]]\nkind = "claude_code"\npath = "~/.claude/projects"\n')
    named = named.format(root=clone)
    assert 0 == CalledCommand(home, folder=clone.parent)("run", "--workspace", named).code
    assert 0 == CalledCommand(home, folder=clone.parent)("--workspace", named, "status").code
    (clone / ".memory" / "state.db").unlink()
    assert 2 == CalledCommand(home, folder=clone)("run").code
    assert 0 == CalledCommand(home, folder=clone)("run", "--workspace", ".").code


def test_a_workspace_that_was_run_before_there_was_a_list(clone: Path, home: Path) -> None:
    """Its ledger knows the person's transcripts, so cron goes on; without it the doctor names what is wrong."""
    call = CalledCommand(home, folder=clone)
    (clone / "memory.toml").write_text('[[sources]]\nkind = "claude_code"\npath = "~/.claude/projects"\n')
    assert 0 == call("run", MEMORY_WORKSPACE=str(clone)).code
    assert [] == listed(home)
    assert 0 == call("run").code
    (clone / ".memory" / "state.db").unlink()
    said = call("doctor")
    assert (1, True) == (said.code, _SENTENCE in said.out)


def test_a_clone_is_no_demo(clone: Path, home: Path) -> None:
    """A mark in its settings proves nothing."""
    settings = clone / "memory.toml"
    settings.write_text("# The workspace that `memory demo` made.\n" + settings.read_text())
    said = CalledCommand(home, folder=clone)("demo")
    assert (2, True) == (said.code, _SENTENCE in said.err)
    assert [] == [*clone.rglob("*.db")]


def test_a_link_in_the_place_of_the_derived_folder(filled: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """It leads to what somebody else may own: nothing is read or erased behind it."""
    elsewhere = (filled / ".memory").rename(tmp_path / "elsewhere")
    (filled / ".memory").symlink_to(elsewhere)
    before = {file: file.read_bytes() for file in elsewhere.rglob("*") if file.is_file()}
    for words in (
        ("forget", "about", "septic"),
        ("run",),
        ("search", "septic"),
        ("backup", tmp_path / "saved"),
    ):
        said = call(*words, "--workspace", filled)
        assert (2, True) == (said.code, "is a link; take it away" in said.err), said
    assert "is a link; take it away" in call("doctor", "--workspace", filled).out
    assert before == {file: file.read_bytes() for file in elsewhere.rglob("*") if file.is_file()}
