"""`memory integrate`."""

import json
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from pipeline.app.agent_folder import known_agent
from pipeline.errors.integration import ConfigRefused
from pipeline.integration.agents import AGENTS, NAME, Wanted
from pipeline.integration.changing import COPY, FileChange, finish_removal, to_apply, to_remove
from pipeline.integration.edits import Edit
from pipeline.integration.record import read_record, write_record
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import printable
from pipeline.surfaces.cli.terminal.machine import program
from pipeline.workspace.files import Workspace

_COMMANDS: dict[str, Callable[[Wanted], str]] = {
    "openclaw": lambda wanted: f"openclaw mcp set {NAME} {shlex.quote(json.dumps(wanted.entry, ensure_ascii=False))}",
    "claude-code": lambda wanted: shlex.join(["claude", "mcp", "add", "--scope", "user", NAME, "--", *wanted.server]),
    "codex": lambda wanted: shlex.join(["codex", "mcp", "add", NAME, "--", *wanted.server]),
}
"""The agents' own commands that add a server."""


@click.command("integrate")
@click.argument("name", metavar="AGENT", type=click.Choice(list(AGENTS)))
@click.option("--agent", default="", metavar="NAME", help="The agent with a memory of its own that it is here.")
@click.option("--apply", "change", flag_value="apply", help="Write it, after showing what would change.")
@click.option("--remove", "change", flag_value="remove", help="Take it out again.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.workspace
def command(name: str, workspace: str | None, *, agent: str, change: str | None, yes: bool) -> None:
    """Connect AGENT: its MCP server, its instructions, and its wake-up.

    AGENT is openclaw, claude-code, codex, gemini-cli, opencode or cursor. Without --apply or --remove nothing is
    changed: it prints what to write where. With --apply it shows the difference, asks, keeps a copy of each file beside
    it, and writes; --remove gives the bytes from before, or takes out ours alone when the file was changed since. With
    --agent the server is that of an agent with a memory of its own, and Claude Code wakes it up when a session begins.
    """
    root = root_of(workspace)
    known = Workspace(root)
    wanted = _wanted(root, known_agent(root, environment(), agent) if agent else "")
    if change == "remove":
        wanted = read_record(known).get(name, wanted)
    edits = AGENTS[name].edits(_home(), wanted)
    if change is None:
        _print(name, wanted, edits)
    elif _changed(name, to_apply(edits) if change == "apply" else to_remove(edits), yes=yes):
        connected = {other: one for other, one in read_record(known).items() if other != name}
        write_record(known, connected | ({name: wanted} if change == "apply" else {}))


def _home() -> Path:
    home = environment().get("HOME", "")
    if not home:
        message = "The variable HOME is not set, so it is not known where the agent has its configuration."
        raise click.UsageError(message)
    return Path(home)


def _wanted(root: Path, agent: str) -> Wanted:
    place = ["--workspace", str(root)]
    own = ["--agent", agent] if agent else []
    memory = program() or "memory"
    return Wanted([memory, "mcp", *place, *own], [memory, "wake", agent, *place] if agent else [])


def _print(name: str, wanted: Wanted, edits: Sequence[Edit]) -> None:
    if name in _COMMANDS:
        click.echo(f"Run this once:\n\n{_COMMANDS[name](wanted)}\n\nor write this by hand:\n")
    for edit in edits:
        click.echo(f"into {printable(str(edit.path))}:\n\n{edit.put('').strip()}\n")
    click.echo("Nothing was changed. `--apply` writes it, after showing what would change.")
    if not AGENTS[name].proven:
        click.echo(f"This is as {name} documents it; no test of ours has run it.")


def _changed(name: str, changes: Sequence[FileChange], *, yes: bool) -> bool:
    """Whether the files are as they are wanted now."""
    if not changes:
        click.echo("Nothing has to change.")
        return True
    if not (_home() / AGENTS[name].folder).is_dir():
        raise ConfigRefused(str(_home() / AGENTS[name].folder), "is not there, so the agent seems not to be installed")
    for change in changes:
        click.echo(f"{printable(str(change.path))}, {_effect(change)}:")
        for line in change.diff():
            click.echo(f"  {printable(line)}")
    if not yes and not click.confirm("\nChange these files?"):
        click.echo("Nothing was changed.")
        return False
    for change in changes:
        change.write()
    finish_removal(changes)
    click.echo(f"Done. What was changed has a copy beside it, {COPY}; start {name} anew.")
    return True


def _effect(change: FileChange) -> str:
    if change.before is None:
        return "a new file"
    return "is removed" if change.after is None else "is changed"
