"""`memory workspaces uninstall`."""

import json
import os
from collections.abc import Callable
from pathlib import Path

from pipeline.install import UnitTarget, render_unit
from pipeline.integration.client_plugins import CLAUDE_PLUGIN
from tests.support.processes.command_line import Said
from tests.support.processes.fake_program import Behaviour, fake_program

TEMPLATE = (Path(__file__).parents[4] / "systemd" / "memory.service").read_text()


def content(folder: Path) -> dict[str, bytes | None]:
    """All files below a folder, and the folders."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def installed(root: Path, home: Path, call: Callable[..., Said]) -> Path:
    """Make a workspace, connect agents, and write a unit; the file of the unit."""
    call("init", root)
    for agent in ("claude-code", "cursor", "openclaw"):
        assert 0 == call("agents", "connect", agent, "--apply", "--yes", "--workspace", root).code
    unit = home / ".config" / "systemd" / "user" / f"memory-{root.name}.service"
    unit.parent.mkdir(parents=True, exist_ok=True)
    unit.write_text(render_unit(TEMPLATE, UnitTarget("/opt/memory", str(root), f"memory-{root.name}")))
    (root / ".memory" / "tokens.json").write_text("[]")
    return unit


def test_a_home_is_as_it_was(tmp_path: Path, home: Path, call: Callable[..., Said]) -> None:
    """Two workspaces, of which the second goes first: the first stays whole; the folders of both stay."""
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text('{"mcpServers": {"other": {"command": "x"}}}')
    (home / ".config").mkdir()
    before = content(home)
    installed(tmp_path / "one", home, call)
    with_one = content(home)
    installed(tmp_path / "two", home, call)
    shown = call("workspaces", "uninstall", "two", "--dry-run")
    assert (0, True) == (shown.code, "memory-two.service" in shown.out)
    assert (False, True) == ("Taken out" in shown.out, "To take out, or what is ours in it: " in shown.out)
    assert 2 == call("workspaces", "uninstall", "two").code
    (report,) = call("workspaces", "uninstall", "two", "--yes", "--json").records
    assert (True, [], with_one) == (report["done"], report["kept"], content(home))
    commands = ["systemctl --user stop memory-two.service", "systemctl --user daemon-reload"]
    assert commands == report["commands"]
    said = call("workspaces", "uninstall", "one", "--yes")
    assert (0, before) == (said.code, content(home)), said.shown
    assert "pip uninstall" in said.out
    for name in ("one", "two"):
        assert (tmp_path / name / "memory.toml").is_file()
        assert not (tmp_path / name / ".memory" / "tokens.json").exists()


def test_what_a_person_changed_stays_and_is_named(tmp_path: Path, home: Path, call: Callable[..., Said]) -> None:
    """Such as a unit; the key of back-ups goes only where that is said."""
    unit = installed(tmp_path / "one", home, call)
    unit.write_text(unit.read_text() + "# mine\n")
    assert 0 == call("backup", tmp_path / "saved", "--workspace", "one").code
    key = home / ".config" / "memory" / "backup-key.json"
    (report,) = call("workspaces", "uninstall", "one", "--yes", "--json").records
    assert ({str(unit), str(key)}, True) == (set(report["kept"]), key.exists())
    call("workspaces", "add", tmp_path / "one")
    assert 0 == call("workspaces", "uninstall", "one", "--key", "--yes").code
    assert (True, False) == (unit.exists(), key.parent.exists())


def test_the_program_is_named_with_the_last_workspace(tmp_path: Path, call: Callable[..., Said]) -> None:
    """Another one of the list still needs it."""
    for name in ("one", "two"):
        call("init", tmp_path / name)
    shown = [call("workspaces", "uninstall", name, "--yes").out for name in ("two", "one")]
    assert [False, True] == ["pip uninstall" in out for out in shown]
    assert all("\nTaken out." in out for out in shown)


def test_without_a_home_there_is_no_list(tmp_path: Path, call: Callable[..., Said]) -> None:
    """And no key, so that only who asks for it is refused."""
    call("init", tmp_path / "w")
    (tmp_path / "w" / ".memory" / "tokens.json").write_text("[]")
    assert 0 != call("workspaces", "uninstall", tmp_path / "w", "--key", "--yes", HOME="").code
    said = call("workspaces", "uninstall", tmp_path / "w", "--yes", HOME="")
    assert (0, False) == (said.code, (tmp_path / "w" / ".memory" / "tokens.json").exists()), said.shown


def test_units_of_the_system_and_plugins(tmp_path: Path, home: Path, call: Callable[..., Said]) -> None:
    """The client takes its plugin away; where it is not here, the command is left to the person."""
    root, system = tmp_path / "w", tmp_path / "system"
    unit = installed(root, home, call)
    system.mkdir()
    unit.rename(system / unit.name)
    options = {"workspace": str(root)}
    settings = {
        "enabledPlugins": {CLAUDE_PLUGIN: True},
        "pluginConfigs": {CLAUDE_PLUGIN: {"options": options}},
    }
    call("agents", "connect", "claude-code", "--remove", "--yes", "--workspace", root)
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "settings.json").write_text(json.dumps(settings))
    removal = f"claude plugin uninstall {CLAUDE_PLUGIN}"
    words = ("workspaces", "uninstall", "w", "--json")
    variables = {"SYSTEMD_UNIT_PATH": str(system), "PATH": "/nowhere"}
    (shown,) = call(*words, "--dry-run", **variables).records
    assert (removal, [], True) == (
        shown["commands"][-1],
        shown["uninstalled"],
        str(system / unit.name) in shown["removed"],
    )
    (off,) = call("workspaces", "remove", "w", "--json", **variables).records
    assert ([str(system / unit.name)], True) == (off["units"], "claude-code" in off["agents"])
    call("workspaces", "add", root)
    with fake_program(tmp_path / "bin", "claude", lambda _: Behaviour()) as claude:
        path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
        (done,) = call(*words, "--yes", **variables | {"PATH": path}).records
    assert ([removal], [["plugin", "uninstall", CLAUDE_PLUGIN]]) == (
        done["uninstalled"],
        [one.argv for one in claude.calls],
    )
    assert [f"sudo systemctl stop {unit.name}", "sudo systemctl daemon-reload"] == done["commands"]
    assert [] == list(system.iterdir())
