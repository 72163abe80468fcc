"""`memory agents connect` asks a person at a terminal, and connects two workspaces with each agent."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.terminal import on_terminal
from tests.surfaces.cli.commands.test_integrate import ALL, content


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 1)])
def test_writes_what_a_person_agrees_to(typed: str, code: int, workspace: Path, memory: CommandLine) -> None:
    """On a terminal it asks once, after it has shown all changes."""
    words = ("integrate", "claude-code", "--apply", "--workspace", workspace)
    said = on_terminal(memory, 100, *words, typed=typed)
    assert code == said.code, said.out
    assert said.out.index("CLAUDE.md") < said.out.index("Write this into these files?")
    assert (code == 0) == (memory.home / ".claude.json").exists()


@pytest.mark.parametrize("agent", ALL)
@pytest.mark.parametrize("first_goes_first", [False, True])
def test_a_second_workspace_stands_beside_the_first(
    agent: str, workspace: Path, home: Path, call: Callable[..., Said], *, first_goes_first: bool
) -> None:
    """Each is disconnected without a trace in what is the other's; without its name it has that of its folder."""
    second = workspace.with_name("private")
    second.mkdir()
    (second / "memory.toml").write_text("")
    assert 0 == call("agents", "connect", agent, "--apply", "--yes", "--workspace", workspace).code
    alone = content(home)
    said = call("agents", "connect", agent, "--apply", "--yes", "--workspace", second)
    assert (0, True) == (said.code, "memory-private" in said.out), said.shown
    again = call("agents", "connect", agent, "--apply", "--yes", "--workspace", second)
    assert again.out.startswith("All is as it should be already.\n")
    for root in (workspace, second):
        records = [
            one for one in call("doctor", "--json", "--workspace", root).records if f"agent {agent}" == one["check"]
        ]
        assert ["ok"] == [one["health"] for one in records], records
    left, gone = (second, workspace) if first_goes_first else (workspace, second)
    assert 0 == call("agents", "connect", agent, "--remove", "--yes", "--workspace", gone).code
    texts = b"".join(content(home).values()).decode()
    assert (0, True) == (texts.count(f"{gone}"), str(left) in texts)
    assert alone == content(home) or first_goes_first
    (record,) = (
        one for one in call("doctor", "--json", "--workspace", left).records if f"agent {agent}" == one["check"]
    )
    assert "ok" == record["health"], record
