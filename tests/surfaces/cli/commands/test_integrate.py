"""`memory integrate`."""

import json
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import Said

AGENTS = ("openclaw", "claude-code", "codex")
FOLDERS = ("w", "with a space", 'it\'s "quoted"', "pamięć 记忆", "back\\slash", "$HOME;rm", "tab\there", "\x7f")
"""Names of folders that shells, JSON or TOML would take apart."""


@pytest.fixture(params=FOLDERS)
def named(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A workspace in a folder of that name."""
    root = tmp_path / str(request.param)
    root.mkdir()
    (root / "memory.toml").write_text("")
    return root


def printed_parts(said: Said) -> tuple[str, str]:
    """The command that is printed, and the lines for the file."""
    assert said.code == 0
    _, command, _, rest = said.out.split("\n\n", 3)
    return command, rest.partition("\n\nThe agent then has")[0]


def server(agent: str, lines: str) -> dict[str, object]:
    """What the lines tell an agent of us, read as that agent reads them."""
    parsed = tomllib.loads(lines) if agent == "codex" else json.loads(lines)
    servers: dict[str, dict[str, object]] = {
        "openclaw": lambda: parsed["mcp"]["servers"],
        "claude-code": lambda: parsed["mcpServers"],
        "codex": lambda: parsed["mcp_servers"],
    }[agent]()
    assert ["memory"] == list(servers)
    return servers["memory"]


@pytest.mark.parametrize("agent", AGENTS)
def test_the_lines_for_the_file_can_be_read(agent: str, named: Path, call: Callable[..., Said]) -> None:
    """They name `memory` by an absolute path, and the workspace, whatever stands in its name."""
    _, lines = printed_parts(call("integrate", agent, "--workspace", named))
    result = server(agent, lines)
    assert ["mcp", "--workspace", str(named)] == result["args"]
    assert Path(str(result["command"])).is_absolute()
    assert Path(str(result["command"])).name == "memory"
    assert {"command", "args"} == set(result) - {"type"}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_command_says_the_same_as_the_file(agent: str, named: Path, call: Callable[..., Said]) -> None:
    """A shell takes it apart as it is meant."""
    command, lines = printed_parts(call("integrate", agent, "--workspace", named))
    words, result = shlex.split(command), server(agent, lines)
    if agent == "openclaw":
        assert ["openclaw", "mcp", "set", "memory"] == words[:4]
        assert [result] == [json.loads(word) for word in words[4:]]
    else:
        start = {
            "claude-code": ["claude", "mcp", "add", "--scope", "user", "memory"],
            "codex": ["codex", "mcp", "add", "memory"],
        }
        assert [*start[agent], "--", result["command"], *result["args"]] == words  # type: ignore[misc]  # a list of texts


def test_the_tools_are_named(workspace: Path, call: Callable[..., Said]) -> None:
    """What the agent gets, and what to tell it."""
    said = call("integrate", "codex", "--workspace", workspace)
    assert "memory_search and memory_get" in said.out
    assert "cite path and lines" in said.out


def test_an_unknown_agent_is_wrong_use(workspace: Path, call: Callable[..., Said]) -> None:
    """The known ones are named."""
    said = call("integrate", "emacs", "--workspace", workspace)
    assert 2 == said.code
    assert all(agent in said.err for agent in AGENTS)


def test_nothing_is_written(workspace: Path, call: Callable[..., Said]) -> None:
    """Neither in the workspace nor in the agent's configuration."""
    before = sorted(workspace.rglob("*"))
    call("integrate", "claude-code", "--workspace", workspace)
    assert before == sorted(workspace.rglob("*"))
