"""`memory integrate`."""

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from pipeline.integration.agents import AGENTS
from tests.support.processes.command_line import SECONDS, Said, bare_environment

FOLDERS = ("w", "with a space", 'it\'s "quoted"', "pamięć 记忆", "back\\slash", "$HOME;rm", "tab\there")
"""Names of folders that shells, JSON or TOML would take apart."""


@pytest.fixture(params=FOLDERS)
def named(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A workspace in a folder of that name, with the agent `jaskier`."""
    root = tmp_path / str(request.param)
    root.mkdir()
    (root / "memory.toml").write_text("[agents.jaskier]\n")
    return root


@pytest.fixture
def installed(home: Path) -> Path:
    """A home in which all agents are installed."""
    for known in AGENTS.values():
        (home / known.folder).mkdir(parents=True, exist_ok=True)
    return home


def written_server(home: Path, agent: str) -> list[str]:
    """The words with which Claude Code or OpenClaw starts the server, as each reads its configuration."""
    if agent == "claude-code":
        server = json.loads((home / ".claude.json").read_text())["mcpServers"]["memory"]
    else:
        server = json.loads((home / ".openclaw/openclaw.json").read_text())["mcp"]["servers"]["memory"]
    return [server["command"], *server["args"]]


@pytest.mark.parametrize("agent", AGENTS)
def test_without_apply_nothing_is_written(
    agent: str, workspace: Path, installed: Path, call: Callable[..., Said]
) -> None:
    """It prints what to write where; what no test has run is called so."""
    before = sorted([*workspace.rglob("*"), *installed.rglob("*")])
    said = call("integrate", agent, "--workspace", workspace)
    assert 0 == said.code
    assert "Nothing was changed." in said.out
    assert AGENTS[agent].proven == ("no test of ours" not in said.out)
    assert before == sorted([*workspace.rglob("*"), *installed.rglob("*")])


@pytest.mark.parametrize("agent", ["claude-code", "openclaw"])
def test_the_server_starts_from_what_is_written(
    agent: str, named: Path, installed: Path, call: Callable[..., Said]
) -> None:
    """An MCP client that takes the words from the configuration gets the tools of the agent's own memory."""
    arguments = ("integrate", agent, "--agent", "jaskier", "--apply", "--yes", "--workspace", named)
    said = call(*arguments)
    assert (0, True) == (said.code, "Done." in said.out)
    words = written_server(installed, agent)

    async def talk() -> None:
        parameters = StdioServerParameters(
            command=words[0], args=words[1:], env=bare_environment(installed), cwd=installed
        )
        with anyio.fail_after(SECONDS):
            async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
                await client.initialize()
                assert "memory_wake" in {tool.name for tool in (await client.list_tools()).tools}

    anyio.run(talk)


def test_the_hook_wakes_the_agent_up(named: Path, installed: Path, call: Callable[..., Said]) -> None:
    """The command of Claude Code's SessionStart hook, run as its shell runs it, prints what the agent gets first."""
    call("integrate", "claude-code", "--agent", "jaskier", "--apply", "--yes", "--workspace", named)
    (named / "agents/jaskier").mkdir(parents=True)
    (named / "agents/jaskier/identity.md").write_text("I am Jaskier.\n")
    (hook,) = json.loads((installed / ".claude/settings.json").read_text())["hooks"]["SessionStart"]
    (run,) = hook["hooks"]
    done = subprocess.run(
        ["sh", "-c", run["command"]], capture_output=True, check=True, env=bare_environment(installed), cwd=installed
    )
    assert b"I am Jaskier.\n" == done.stdout


def test_what_was_applied_is_removed(workspace: Path, installed: Path, call: Callable[..., Said]) -> None:
    """Also the wake-up, without naming the agent again."""
    settings = workspace / "memory.toml"
    settings.write_text(f"{settings.read_text()}\n[agents.jaskier]\n")
    (installed / ".claude/settings.json").write_text('{"model": "x"}')
    arguments = ("integrate", "claude-code", "--workspace", workspace, "--yes")
    call(*arguments, "--agent", "jaskier", "--apply")
    said = call(*arguments, "--remove")
    assert 0 == said.code
    assert [installed / ".claude/settings.json"] == [file for file in installed.rglob("*") if file.is_file()]
    assert '{"model": "x"}' == (installed / ".claude/settings.json").read_text()


def test_an_agent_that_is_not_installed_is_refused(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """No folder is made for it."""
    said = call("integrate", "cursor", "--apply", "--yes", "--workspace", workspace)
    assert (2, True) == (said.code, "seems not to be installed" in said.err)
    assert not (home / ".cursor").exists()


@pytest.mark.parametrize("agent", ["openclaw", "claude-code", "codex"])
def test_the_command_says_the_same_as_the_file(agent: str, named: Path, call: Callable[..., Said]) -> None:
    """A shell takes it apart as it is meant."""
    said = call("integrate", agent, "--workspace", named)
    words = shlex.split(said.out.split("\n\n")[1])
    server = json.loads(words[-1]) if agent == "openclaw" else {"command": words[-4], "args": words[-3:]}
    assert ["mcp", "--workspace", str(named)] == server["args"]
    assert Path(str(server["command"])).is_absolute()


def test_an_unknown_agent_is_wrong_use(workspace: Path, call: Callable[..., Said]) -> None:
    """The known ones are named; so is an agent without a memory of its own."""
    said = call("integrate", "emacs", "--workspace", workspace)
    assert 2 == said.code
    assert all(agent in said.err for agent in AGENTS)
    said = call("integrate", "codex", "--agent", "nobody", "--workspace", workspace)
    assert (2, True) == (said.code, "no agent with a memory of its own 'nobody'" in said.err)
