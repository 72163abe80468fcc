"""`memory workspaces`."""

import shlex
from pathlib import Path

import click

from pipeline.clock import SystemClock
from pipeline.errors import WorkspaceMissing
from pipeline.install import unit_folders
from pipeline.integration.client_plugins import plugins_of
from pipeline.integration.records import own_record
from pipeline.reports.workspaces import listed_workspaces
from pipeline.settings.locate import given_folder
from pipeline.settings.workspaces import NAME, is_workspace, note_place, own_list
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.format import local, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.machine import zone_of
from pipeline.surfaces.cli.terminal.person import refuse_agents
from schemas.reports.workspace import ListedWorkspace, RemovedWorkspace

_EMPTY = "Your list is empty. `memory init DIR` makes a workspace, `memory workspaces add DIR` lists one that is there."
_GONE = (
    "{folder} is gone. If {name} was moved: memory doctor --fix --workspace DIR; if it is gone for good: "
    "memory workspaces remove {name}"
)


def _name(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """A name for a workspace, from an option or an argument."""
    if value and not NAME.fullmatch(value):
        message = "a name has small letters of ASCII, digits and hyphens, 40 at most, and begins with no hyphen."
        raise click.BadParameter(message, ctx, param)
    return value or ""


@click.command("workspaces")
@options.as_json
def command(*, as_json: bool) -> None:
    """List your workspaces, or change the list.

    Of each its name, folder and what goes on in it. `--workspace` of every command takes a name of this list, and where
    no workspace is named or found upward, the default is meant. `memory init` puts a workspace on the list; the first
    becomes the default. The list is a file in your configuration, ~/.config/memory/workspaces.toml. A workspace that is
    neither on it nor named sends nothing, and reads nothing outside of its folder. No agent may change the list.
    """
    workspaces = listed_workspaces(own_list(environment()).read(), SystemClock().now())
    if as_json:
        for workspace in workspaces:
            print_json(workspace)
        return
    if not workspaces:
        click.echo(_EMPTY)
    print_columns(map(_row, workspaces), ("NAME", "", "LAST RUN", "SERVICE", "AGENTS", "FOLDER"))
    for workspace in workspaces:
        if not workspace.exists:
            click.echo(_GONE.format(folder=printable(workspace.folder), name=workspace.name))


@click.command("add")
@click.argument("folder", metavar="DIR")
@click.option("--name", callback=_name, metavar="NAME", help="Its name; else that of its folder.")
@options.as_json
def add_command(folder: str, name: str, *, as_json: bool) -> None:
    """Put the workspace in DIR on the list.

    Of one that is listed, the name is changed. Its memory.toml counts from then on: read it first if somebody else made
    it.
    """
    refuse_agents()
    root = given_folder(folder)
    if not is_workspace(str(root)):
        raise WorkspaceMissing(str(root))
    given = own_list(environment()).add(root, name)
    note_place(root, environment())
    _print_listed(given, as_json=as_json)


@click.command("rename")
@click.argument("name")
@click.argument("new", callback=_name)
@options.as_json
def rename_command(name: str, new: str, *, as_json: bool) -> None:
    """Give a workspace another name.

    Connections and units keep the name that they have.
    """
    refuse_agents()
    own_list(environment()).rename(name, new)
    _print_listed(new, as_json=as_json)


@click.command("default")
@click.argument("name")
@options.as_json
def default_command(name: str, *, as_json: bool) -> None:
    """Make NAME the workspace that is meant by default.

    It is meant where no other is named or found.
    """
    refuse_agents()
    own_list(environment()).set_default(name)
    _print_listed(name, as_json=as_json)


@click.command("remove")
@click.argument("name")
@options.as_json
def remove_command(name: str, *, as_json: bool) -> None:
    """Take a workspace off the list.

    Its folder and its connections stay as they are; the units and the agents that still name it are told.
    If its memory.toml leads out of the folder, commands that do not name the workspace may refuse it.
    """
    refuse_agents()
    workspaces = own_list(environment())
    folder = workspaces.read().require(name)
    units = unit_folders(folder, environment()).values()
    agents = dict.fromkeys([*own_record(Path(folder), environment())[0].agents])
    agents |= dict.fromkeys(kind for kind, _ in plugins_of(Path(folder), environment()))
    paths = tuple(str(owner.path / unit) for owner in units for unit in owner.ours())
    removed = RemovedWorkspace(name, folder, paths, tuple(agents))
    workspaces.remove(name)
    if as_json:
        print_json(removed)
        return
    click.echo(f"{name} is off the list; {printable(folder)} is as it was.")
    if still := [*removed.units, *removed.agents]:
        click.echo(f"These still name it: {printable(', '.join(still))}.")
        there = f"`memory workspaces uninstall {shlex.quote(folder)}` takes them out."
        click.echo(there if is_workspace(folder) else "Its folder is gone, so take them out by hand.")


def _print_listed(name: str, *, as_json: bool) -> None:
    """Print a workspace of the list as it is now."""
    workspaces = listed_workspaces(own_list(environment()).read(), SystemClock().now())
    workspace = next(workspace for workspace in workspaces if workspace.name == name)
    if as_json:
        print_json(workspace)
    else:
        click.echo(f"{name} is {printable(workspace.folder)}" + (", and the default." if workspace.default else "."))


def _row(workspace: ListedWorkspace) -> tuple[str, ...]:
    return (
        workspace.name,
        "default" if workspace.default else "",
        local(workspace.last_run, zone_of(environment())),
        workspace.service if workspace.exists else "gone",
        ", ".join(workspace.agents) or "-",
        printable(workspace.folder),
    )
