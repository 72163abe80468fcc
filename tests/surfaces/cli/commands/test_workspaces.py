"""`memory workspaces`."""

from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import Said
from tests.support.tables import table


def test_init_lists_a_workspace_and_the_first_is_the_default(
    tmp_path: Path, home: Path, call: Callable[..., Said]
) -> None:
    """With what goes on in each: the last run, the service, the agents. A place that is gone says what to do."""
    (home / ".cursor").mkdir()
    for name in ("personal", "work"):
        assert 0 == call("init", tmp_path / name).code
    assert 0 == call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", "work").code
    (tmp_path / "work").rename(tmp_path / "gone")
    personal, work = call("workspaces", "--json").records
    assert ("personal", True, True, "none", []) == (
        personal["name"],
        personal["default"],
        personal["exists"],
        personal["service"],
        personal["agents"],
    )
    assert personal["last_run"] is None
    assert {"name": "work", "folder": str(tmp_path / "work"), "default": False, "exists": False} == {
        key: work[key] for key in ("name", "folder", "default", "exists")
    }
    shown = call("workspaces").out
    assert "memory workspaces remove work" in shown
    assert 2 == call("status", "--workspace", "work").code


def test_the_last_run_and_the_agents_are_shown(filled: Path, home: Path, call: Callable[..., Said]) -> None:
    """Of a workspace that was made before there was a list, too."""
    (home / ".cursor").mkdir()
    call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", filled)
    (added,) = call("workspaces", "add", filled, "--name", "home", "--json").records
    assert ("home", True, ["cursor"]) == (added["name"], added["default"], added["agents"])
    assert added["last_run"]
    assert call("status", "--json").records == call("status", "--json", "--workspace", "home").records
    assert 0 == call("show", "jobs", "--workspace", "home").code


def test_the_list_is_changed_and_no_workspace_is(tmp_path: Path, home: Path, call: Callable[..., Said]) -> None:
    """Rename, default, remove; a wrong name is a sentence with exit code 2."""
    for name in ("one", "two"):
        call("init", tmp_path / name)
    before = sorted(tmp_path.glob("one/**/*"))
    assert "uno is" in call("workspaces", "rename", "one", "uno").out
    assert "and the default" in call("workspaces", "default", "two").out
    assert "is off the list" in call("workspaces", "remove", "uno").out
    assert before == sorted(tmp_path.glob("one/**/*"))
    for words, sentence in (
        (("remove", "uno"), "Known: two"),
        (("rename", "two", "Two!"), "small letters"),
        (("add", home), "no memory.toml"),
    ):
        said = call("workspaces", *words)
        assert (2, True) == (said.code, sentence in said.err), said.shown
    assert 0 == call("workspaces", "remove", "two").code
    assert [] == list(home.glob(".config/*"))
    assert "list is empty" in call("workspaces").out


@table("words", ["add w", "rename w v", "default v", "remove w", "uninstall w --yes"])
def test_no_agent_changes_the_list(words: str, tmp_path: Path, call: Callable[..., Said]) -> None:
    """It may look, also at an uninstallation, and nothing else."""
    call("init", tmp_path / "w")
    before = call("workspaces", "--json", CLAUDECODE="1").out
    said = call("workspaces", *words.split(), CLAUDECODE="1")
    assert (77, True, before) == (said.code, "CLAUDECODE" in said.err, call("workspaces", "--json").out)
    assert 0 == call("workspaces", "uninstall", tmp_path / "w", "--dry-run", CLAUDECODE="1").code


def test_a_home_that_cannot_be_written_hinders_nothing(tmp_path: Path, home: Path, call: Callable[..., Said]) -> None:
    """A workspace is made, and is not on the list."""
    (home / ".config").write_text("")
    assert 0 == call("init", tmp_path / "w").code
    assert 0 == call("status", "--workspace", tmp_path / "w").code
