"""`memory agents connect`."""

import json
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from pathlib import Path

import click

from pipeline.app.agent_folder import known_agent
from pipeline.install import installed_program
from pipeline.integration.client_plugins import CLAUDE_PLUGIN, installed_plugin
from pipeline.integration.known_agents import AGENTS, PARTS, SERVER, Connection, KnownAgent, home_of
from pipeline.integration.plan import (
    IntegrationPlan,
    carry_out,
    choose_alias,
    difference,
    manual_text,
    plan_apply,
    plan_removal,
)
from pipeline.integration.probe import ProbeResult, probe_claude_code
from pipeline.integration.records import FOLDER, left_out_parts, own_record, recorded_alias
from pipeline.settings.load import is_listed, load_settings
from pipeline.settings.locate import WORKSPACE_VARIABLE
from pipeline.settings.workspaces import NAME, name_of, register
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import escape
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.terminal.machine import data_folder
from pipeline.surfaces.cli.terminal.person import confirm, refuse_agents
from schemas.reports.installation import ConfigurationFile, ConnectionReport

_NOT_PROVEN = (
    "The configuration of {title} is written as its documentation says; no test of ours follows how {title} reads it. "
    "Look in it whether it lists the server memory."
)
_PROBED = {
    ProbeResult.REPLACED: "A large output of a tool was replaced by a placeholder, as a probe shows.",
    ProbeResult.LEFT: (
        "Large outputs of tools stay as they are: two probes came back as they were. That is so until `memory serve` "
        "runs for this workspace, and when it does not answer within two seconds. Apply it again then."
    ),
    ProbeResult.BROKEN: (
        "The hook for large outputs does not work: {hook}. Outputs stay as they are; install the product anew, or "
        "--remove."
    ),
}
_NO_HOOK = {
    "openclaw": (
        "Large outputs of tools are not replaced: OpenClaw has the plugin hook tool_result_persist, which may put "
        "another message in place of a tool's result; no test of ours follows whether the model gets it. "
        "Use `memory exec`."
    ),
    "codex": (
        "Large outputs of tools are not replaced: the hooks of Codex refuse updatedMCPToolOutput. Use `memory exec`."
    ),
}
_BESIDE = (
    "Large outputs of tools are not replaced by {name}: the connection called memory does that. Use `memory exec`."
)
_UNKNOWN_HOOK = (
    "Large outputs of tools are not replaced: no test of ours follows a way in which {title} lets a program do that. "
    "Use `memory exec`."
)
_BY_PLUGIN = {
    "claude-code": (
        "claude plugin marketplace add {folder}",
        f"claude plugin install {CLAUDE_PLUGIN} --config workspace={{workspace}}",
    ),
    "gemini-cli": ("gemini extensions install {folder}/gemini-cli",),
}
"""The commands of a client that install our plugin in place of the lines."""
_HAS_PLUGIN = "{title} has {plugin} for this workspace. `{removal}` takes it away."
_TWICE = "{title} has {plugin} for this workspace as well, which does nothing now. `{removal}` takes it away."


def _alias(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The alias of the connection from the option; `None` where nothing was said."""
    if value is None:
        return None
    alias = "" if value == SERVER else value.removeprefix(f"{SERVER}-")
    if alias and not NAME.fullmatch(alias):
        message = "a name has small letters of ASCII, digits and hyphens, 40 at most, and begins with no hyphen."
        raise click.BadParameter(message, ctx, param)
    return alias


@click.command("connect")
@click.argument("kind", metavar="AGENT", type=options.SpelledName(list(AGENTS)))
@click.option(
    "--agent",
    metavar="NAME",
    default="",
    shell_complete=options.names_of("agents"),
    help="With the memory of its own that it has here by this name.",
)
@click.option("--apply", "applying", is_flag=True, help="Write it into the agent's configuration.")
@click.option("--remove", "removing", is_flag=True, help="Take out of it what --apply put in.")
@click.option("--name", callback=_alias, help="Beside other memories: call the server memory-NAME, or memory.")
@click.option("--without", multiple=True, type=click.Choice(PARTS), help="Leave a part out, also later.")
@click.option("--with", "with_", multiple=True, type=click.Choice(PARTS), help="Put a part in again.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
@options.workspace
def command(  # noqa: PLR0913 - the options
    kind: str,
    workspace: str | None,
    agent: str,
    without: Sequence[str],
    with_: Sequence[str],
    *,
    name: str | None,
    applying: bool,
    removing: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Connect an agent with the memory, or say how.

    The agents are claude-code, openclaw, codex, gemini-cli, opencode and cursor.

    Without an option nothing is changed: it prints what to write into the agent's configuration. With --apply it shows
    what it would change in each file, asks, and writes: the MCP server, the lines for the agent's instructions and, in
    Claude Code and OpenClaw, what shows the agent MEMORY.md at the start of a session, with --agent also its own
    memory. All else in the files keeps its bytes; a copy of each is kept in .memory/integrations. A second time changes
    nothing.

    Of MEMORY.md a session gets what holds everywhere and what is about its project. The other agents are told to ask
    for it with memory_wake. `--without page` leaves it out.

    In Claude Code, Gemini CLI and, with --agent, OpenClaw a hook tells `memory serve` of new records when a session
    ends; it does nothing else, and nothing where no service runs.

    In Claude Code, Gemini CLI and OpenClaw another one gives the agent what its memory says about a prompt, beside it:
    at most three passages with their places, and mostly none. `--without prompts` leaves it out.

    In Claude Code a hook gives the agent a placeholder for a large output of Bash, PowerShell, Grep, WebFetch and MCP
    tools while the service runs; a probe shows whether it works. What cannot be stored stays as it is.

    A second workspace is connected beside the first, as the server memory-NAME, where NAME is its name in `memory
    workspaces` or that of --name; its hooks and lines are named alike. Only the server `memory` replaces large outputs.

    With --remove each file gets the bytes from before; of a file that was changed since only what is ours goes.
    `memory doctor` tells whether a connection still works.

    Claude Code and Gemini CLI can have a plugin instead, by their own commands, which are printed without an option. It
    adds the commands /memory:recall, /memory:remember and /memory:inbox. The lines work in more versions, name this
    installation by its path, and are taken out again byte for byte.
    """
    if applying and removing:
        message = "Say --apply or --remove, not both."
        raise click.UsageError(message)
    root, variables = root_of(workspace), environment()
    if removing:
        _disconnect(root, kind, yes=yes, as_json=as_json)
        return
    if applying and not is_listed(root, variables):  # which this puts on the list
        refuse_agents()
    if agent:
        known_agent(root, {**variables, WORKSPACE_VARIABLE: str(root)}, agent)
    left_out = (left_out_parts(root, kind) | {*without}) - {*with_}
    alias = recorded_alias(root, kind, variables) if name is None else name
    beside = name_of(root, variables) if name is None else ""
    program, home = installed_program() or "memory", home_of(variables)
    connection = Connection(program, str(root), agent, home, variables, left_out, alias)
    if applying:
        _connect(kind, connection, beside, yes=yes, as_json=as_json)
        return
    known = AGENTS[kind]
    connection = choose_alias(known, connection, own_record(root, variables)[0].agents.get(kind, {}), beside)
    if as_json:
        files = tuple(ConfigurationFile(str(edit.file), manual_text(edit)) for edit in known.edits(connection))
        commands = tuple(filter(None, [_own_command(kind, connection), *_plugin_commands(kind, connection)]))
        print_json(ConnectionReport(kind, connection.name, str(root), files, commands=commands))
    else:
        _print(kind, known, connection)


def _disconnect(root: Path, kind: str, *, yes: bool, as_json: bool) -> None:
    """Take out of the files of an agent what was put in, after it was shown."""
    known, variables = AGENTS[kind], environment()
    alias = recorded_alias(root, kind, variables)
    connection = Connection("memory", str(root), "", home_of(variables), variables, alias=alias)
    plan = plan_removal(root, kind, variables)
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        _change(root, plan, known, yes=yes, removing=True)
        _print_plugin(kind, known, connection)
    if as_json:
        print_json(_report(kind, connection, plan))


def _connect(kind: str, connection: Connection, beside: str, *, yes: bool, as_json: bool) -> None:
    """Write a connection into the files of an agent, after it was shown, and tell what comes of it."""
    root, known = Path(connection.workspace), AGENTS[kind]
    plan, folder = plan_apply(root, kind, known, connection, beside=beside), known.folder(connection)
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        if not folder.is_dir():
            click.echo(f"There is no {_place(folder)}: {known.title} may not be installed here.\n")
        _change(root, plan, known, yes=yes)
        made = replace(connection, alias=recorded_alias(root, kind, connection.variables))
        _print_outputs(kind, known, made)
        _print_plugin(kind, known, connection, _TWICE)
    if as_json:
        print_json(_report(kind, made, plan))


def _report(kind: str, connection: Connection, plan: IntegrationPlan) -> ConnectionReport:
    """The changes of a plan that was carried out."""
    files = tuple(ConfigurationFile(str(change.file), difference(change)) for change in plan.pending)
    kept = tuple(plan.kept_sentences)
    return ConnectionReport(kind, connection.name, connection.workspace, files, kept, done=True)


def _change(root: Path, plan: IntegrationPlan, known: KnownAgent, *, yes: bool, removing: bool = False) -> None:
    for change in plan.pending:
        click.echo(escape(difference(change)) + "\n")
    for sentence in plan.kept_sentences:
        click.echo(escape(sentence))
    if plan.pending and not yes:
        confirm("Remove this from these files?" if removing else "Write this into these files?", "do it")
    carry_out(root, plan, removing=removing)
    if not removing:
        register(root, environment())
    for change in plan.pending:
        click.echo(f"{'Wrote' if change.after is not None else 'Removed'} {_place(change.file)}")
    if not removing:
        settings = load_settings(root, environment())
        _print_applied(plan, known, [source.root_name for source in settings.sources])
    elif not plan.changes:
        click.echo(f"There is no record that something was put into the configuration of {known.title} from here.")
        click.echo("If .memory was lost: --apply in the same words takes over what stands there, then --remove works.")


def _print_applied(plan: IntegrationPlan, known: KnownAgent, sources: Sequence[str]) -> None:
    if not plan.pending:
        click.echo("All is as it should be already.")
        return
    click.echo(f"\nConnected by lines in its files. Copies of what was there are in {FOLDER} of the workspace;")
    click.echo("--remove brings them back.")
    click.echo(f"Start {known.title} anew, so that it reads this. `memory doctor` tells whether it still works.")
    if sources:
        click.echo(f"The provider of {known.title} will see lines of all sources: {escape(', '.join(sources))}.")
    if not known.proven:
        click.echo(_NOT_PROVEN.format(title=known.title))


def _print_outputs(kind: str, known: KnownAgent, connection: Connection) -> None:
    """Print whether large outputs become placeholders: for an agent that is known to let them, by a probe."""
    if connection.alias and known.hook:
        click.echo(_BESIDE.format(name=connection.name))
    elif known.hook:
        hook = known.hook(connection)
        result = probe_claude_code(hook)
        if result is ProbeResult.LEFT:  # the first use of a store makes it, which may take longer than a hook waits
            result = probe_claude_code(hook)
        click.echo(_PROBED[result].format(hook=escape(shlex.join(hook))))
    else:
        click.echo(_NO_HOOK.get(kind, _UNKNOWN_HOOK).format(title=known.title))


def _print_plugin(kind: str, known: KnownAgent, connection: Connection, sentence: str = _HAS_PLUGIN) -> None:
    """Print that the client has our plugin for this workspace, where it has."""
    if plugin := installed_plugin(kind, known.folder(connection), Path(connection.workspace)):
        click.echo(sentence.format(title=known.title, plugin=plugin.title, removal=plugin.removal))


def _print(kind: str, known: KnownAgent, connection: Connection) -> None:
    first, *others = known.edits(connection)
    if command_line := _own_command(kind, connection):
        click.echo(
            f"Run this once:\n\n{command_line}\n\nor write this into {_place(first.file)}:\n\n{manual_text(first)}\n"
        )
    else:
        click.echo(f"Write this into {_place(first.file)}:\n\n{manual_text(first)}\n")
    click.echo("The agent then has the tools memory_search and memory_get, and for large texts store_memory and")
    click.echo(
        "retrieve_memory. Tell it, in its own instructions, to search before it answers what was decided, and to"
    )
    click.echo("cite path and lines.")
    for edit in others:
        click.echo(f"\nInto {_place(edit.file)}:\n\n{manual_text(edit)}")
    click.echo("\nWith --apply all this is written for you, after it was shown.")
    if commands := _plugin_commands(kind, connection):
        click.echo("\nOr install the plugin instead, with /memory:recall, /memory:remember and /memory:inbox:\n")
        click.echo("\n".join(map(escape, commands)) + "\n")
    if not known.hook:
        click.echo(_NO_HOOK.get(kind, _UNKNOWN_HOOK).format(title=known.title))
    if not known.proven:
        click.echo(_NOT_PROVEN.format(title=known.title))


def _plugin_commands(kind: str, connection: Connection) -> list[str]:
    """The client's commands that install our plugin, where it has one."""
    folder = shlex.quote(str(Path(str(data_folder("plugins"))).resolve()))
    workspace = shlex.quote(connection.workspace)
    return [command.format(folder=folder, workspace=workspace) for command in _BY_PLUGIN.get(kind, ())]


def _own_command(kind: str, connection: Connection) -> str:
    """The agent's own command that adds the server; empty when it is not known."""
    words = connection.server
    if kind == "openclaw":
        server = json.dumps({"command": words[0], "args": words[1:]}, ensure_ascii=False)
        return f"openclaw mcp set {connection.name} {shlex.quote(server)}"
    starts = {"claude-code": ["claude", "mcp", "add", "--scope", "user"], "codex": ["codex", "mcp", "add"]}
    return shlex.join([*starts[kind], connection.name, "--", *words]) if kind in starts else ""


def _place(file: Path) -> str:
    return escape(str(file))
