"""`memory upgrade`. That it upgrades is tested in `tests/acceptance/test_upgrade.py`."""

from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import Said
from tests.support.tables import table


@table("options", ["", "--yes", "--back --yes", "--back --lose-acts --yes"])
def test_no_agent_upgrades(options: str, filled: Path, call: Callable[..., Said]) -> None:
    """It may look at what would change."""
    words = ("upgrade", "--workspace", filled)
    said = call(*words, *options.split(), CLAUDECODE="1")
    assert (77, True) == (said.code, "CLAUDECODE" in said.err)
    assert 0 == call(*words, "--dry-run", CLAUDECODE="1").code


def test_what_the_doctor_finds_is_no_failure(workspace: Path, call: Callable[..., Said]) -> None:
    """The upgrade has worked: its words are shown, and the exit code is that of the upgrade."""
    (workspace / "memory.toml").write_text('[[sources]]\nkind = "openclaw"\npath = "nowhere"\n')
    said = call("upgrade", "--yes", "--workspace", workspace)
    assert (0, True) == (said.code, "The workspace is upgraded." in said.out), said.shown
    assert "The doctor finds: " in said.out
    assert 1 == call("doctor", "--workspace", workspace).code


def test_a_script_without_a_terminal(workspace: Path, call: Callable[..., Said]) -> None:
    """It is asked nothing where only the list would change, and the list stays as it is."""
    (workspace / "memory.toml").write_text('[[sources]]\nkind = "openclaw"\npath = "nowhere"\n')
    said = call("upgrade", "--workspace", workspace)
    assert (0, True) == (said.code, "not on your list" in said.out), said.shown
    assert [] == call("workspaces", "--json").records
