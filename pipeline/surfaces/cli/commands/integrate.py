"""`memory integrate`."""

import json
import shlex
from collections.abc import Callable

import click

from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import root_of
from pipeline.surfaces.cli.terminal.machine import program

_NAME = "memory"


def _openclaw(words: list[str]) -> tuple[str, str, str]:
    server = {"command": words[0], "args": words[1:]}
    entry = json.dumps({"mcp": {"servers": {_NAME: server}}}, indent=2, ensure_ascii=False)
    command = f"openclaw mcp set {_NAME} {shlex.quote(json.dumps(server, ensure_ascii=False))}"
    return "~/.openclaw/openclaw.json", entry, command


def _claude_code(words: list[str]) -> tuple[str, str, str]:
    entry = {"mcpServers": {_NAME: {"type": "stdio", "command": words[0], "args": words[1:]}}}
    command = shlex.join(["claude", "mcp", "add", "--scope", "user", _NAME, "--", *words])
    return ".mcp.json of a project", json.dumps(entry, indent=2, ensure_ascii=False), command


def _codex(words: list[str]) -> tuple[str, str, str]:
    entry = "\n".join([f"[mcp_servers.{_NAME}]", f"command = {_toml(words[0])}", f"args = {_toml(words[1:])}"])
    return "~/.codex/config.toml", entry, shlex.join(["codex", "mcp", "add", _NAME, "--", *words])


def _toml(value: str | list[str]) -> str:
    """Texts as TOML: JSON's way to write them is TOML's as well, but for DEL, which TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


_AGENTS: dict[str, Callable[[list[str]], tuple[str, str, str]]] = {
    "openclaw": _openclaw,
    "claude-code": _claude_code,
    "codex": _codex,
}


@click.command("integrate")
@click.argument("agent", type=click.Choice(list(_AGENTS)))
@options.workspace
def command(agent: str, workspace: str | None) -> None:
    """Print what to put into an agent's configuration, so that it can search.

    Nothing is changed: either run the command that is printed, or write the lines into the file.
    """
    words = [program() or "memory", "mcp", "--workspace", str(root_of(workspace))]
    file, lines, setting = _AGENTS[agent](words)
    click.echo(f"Run this once:\n\n{setting}\n\nor write this into {file}:\n\n{lines}\n")
    click.echo("The agent then has the tools memory_search and memory_get. Tell it, in its own instructions, to search")
    click.echo("before it answers what was decided, and to cite path and lines.")
