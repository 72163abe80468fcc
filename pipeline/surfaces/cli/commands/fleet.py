"""`memory fleet`."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.clock import SystemClock
from pipeline.errors.fleet import FleetDriverMissing
from pipeline.process.context import ProcessContext
from pipeline.settings.locate import WORKSPACE_VARIABLE, given_folder
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.error_handler import FAILED, version
from pipeline.surfaces.cli.terminal.format import count, local, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.machine import zone_of
from pipeline.surfaces.cli.terminal.person import confirm, refuse_agents
from schemas.reports.fleet import (
    FleetChecked,
    FleetMade,
    FleetWorkspacePushed,
    FleetWorkspaceRemoved,
    FleetWorkspaceReport,
)

if TYPE_CHECKING:
    from pipeline.fleet.database import FleetDatabase

_MEGABYTE = 1_000_000
_COLUMNS = ("NAME", "STATE", "GENERATION", "MADE", "FILES", "SIZE", "NEXT")


@contextmanager
def open_fleet(*, checking: bool = True) -> Iterator["FleetDatabase"]:
    """The database of the fleet, whose tables are of a version that we know."""
    try:
        from pipeline.fleet.database import FleetDatabase
        from pipeline.fleet.settings import load_fleet_settings
    except ModuleNotFoundError as error:
        raise FleetDriverMissing from error
    with FleetDatabase(load_fleet_settings(environment()).url.get_secret_value()) as database:
        if checking:
            database.check()
        yield database


@click.command("init")
@options.as_json
def init_command(*, as_json: bool) -> None:
    """Make the tables of a fleet, or bring them up to date.

    The database is the `url` of ~/.config/memory/fleet.toml, or of MEMORY_FLEET__URL. Programs of the version before go
    on with the new tables.
    """
    refuse_agents()
    with open_fleet(checking=False) as database:
        from pipeline.fleet.database import VERSION

        made = FleetMade(VERSION, database.migrate())
    if as_json:
        print_json(made)
    else:
        click.echo("The tables of the fleet are made." if made.changed else "The tables of the fleet are up to date.")


@click.command("add")
@click.argument("name")
@click.argument("folder", metavar="DIR")
@options.as_json
def add_command(name: str, folder: str, *, as_json: bool) -> None:
    """Add the workspace in DIR to the fleet.

    Its files become the first generation; DIR stays as it is, and jobs may go on there meanwhile. A name that was
    taken out and is added again is another workspace. Tokens, logs and the index do not go into a fleet.
    """
    refuse_agents()
    with open_fleet() as database:
        from pipeline.fleet.folders import add_folder

        root = given_folder(folder)
        add_folder(database, name, root, _context_of(root))
    _print_workspace(name, as_json=as_json)


@click.command("list")
@options.as_json
def list_command(*, as_json: bool) -> None:
    """List the workspaces of the fleet.

    Of each the newest generation, when it was made, and when it is worked on next.
    """
    with open_fleet() as database, database.transaction() as connection:
        from pipeline.fleet.workspaces import list_workspaces

        workspaces = list_workspaces(connection)
    if as_json:
        for workspace in workspaces:
            print_json(workspace)
    elif workspaces:
        _print_workspaces(workspaces)
    else:
        click.echo("The fleet has no workspace. `memory fleet add NAME DIR` adds one.")


@click.command("show")
@click.argument("name")
@options.as_json
def show_command(name: str, *, as_json: bool) -> None:
    """Show a workspace of the fleet."""
    _print_workspace(name, as_json=as_json)


@click.command("pull")
@click.argument("name")
@click.argument("folder", metavar="DIR")
@options.as_json
def pull_command(name: str, folder: str, *, as_json: bool) -> None:
    """Get a workspace of the fleet into the folder DIR.

    DIR is empty, or not there yet. The generation that it gets is kept in the fleet for 30 days, unless something is
    forgotten there: then all earlier generations go at once.
    """
    refuse_agents()
    target = given_folder(folder)
    with open_fleet() as database:
        from pipeline.fleet.folders import pull_folder

        pulled = pull_folder(database, name, target, f"{socket.gethostname()}:{target}", SystemClock().now())
    if as_json:
        print_json(pulled)
        return
    where, files = printable(pulled.folder), count(pulled.files, "file")
    click.echo(f"Generation {pulled.generation} of {printable(pulled.name)} is in {where}: {files}.")


@click.command("push")
@click.argument("folder", metavar="DIR")
@options.as_json
def push_command(folder: str, *, as_json: bool) -> None:
    """Bring your changes in the folder DIR into the fleet.

    A worker merges the pages with those of the fleet. What only you changed and what only the fleet changed are both
    kept; a block that the pull did not have is no deletion. Two changes of the same line are shown in the answer of the
    act, and nothing is changed then. The ledger and the store in DIR stay where they are.
    """
    refuse_agents()
    root = given_folder(folder)
    with open_fleet() as database:
        from pipeline.fleet.pushes import push_folder

        name, seq = push_folder(database, root, _context_of(root))
    if as_json:
        print_json(FleetWorkspacePushed(name, seq))
    else:
        click.echo(f"A worker merges it into {printable(name)}, as act {seq}.")


@click.command("worker")
@click.option("--once", is_flag=True, help="Stop when nothing is due and nobody waits.")
def worker_command(*, once: bool) -> None:
    """Work on the workspaces of the fleet.

    Any number of workers may run, each with a `cache` folder of its own. Each does what a person asks for, and runs
    the windows that are due, in slices of half a minute. Kill it at any time: it has published whole slices, and
    another worker takes over the one under way. It logs runs and acts on stderr, one JSON object a line, without words
    of their owners. SIGTERM and Ctrl-C stop it when its slice has ended.
    """
    refuse_agents()
    with open_fleet() as database:
        from pipeline.fleet.settings import load_fleet_settings
        from pipeline.fleet.worker_process import serve_worker
        from pipeline.process.logging import stderr_emitter

        context = ProcessContext(environment(), emit=stderr_emitter("info"))
        serve_worker(database, load_fleet_settings(context.environment), context, once=once)


@click.command("serve")
def serve_command() -> None:
    """Answer over HTTP for all workspaces of the fleet.

    This is a front: any number of them may run, each with a `cache` folder of its own. It listens at `http` of the
    settings of the fleet, and has the page and the API of each workspace below /w/NAME/, for the tokens of that
    workspace. What a person asks to change is an act, which a worker carries out. It logs on stderr, one JSON object a
    line. SIGTERM and Ctrl-C stop it.
    """
    refuse_agents()
    with open_fleet() as database:
        from pipeline.fleet.settings import load_fleet_settings
        from pipeline.process.logging import stderr_emitter
        from pipeline.surfaces.fleet.front_process import serve_front

        context = ProcessContext(environment(), emit=stderr_emitter("info"))
        serve_front(database, load_fleet_settings(context.environment), context, version())


@click.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
def remove_command(name: str, *, yes: bool, as_json: bool) -> None:
    """Take a workspace out of the fleet, for good.

    All that was published of it goes, and all that was said in it, with its tokens. A worker that has it at this moment
    can publish nothing any more. Copies in folders, logs and dumps of the database are not reached.
    """
    refuse_agents()
    with open_fleet() as database:
        from pipeline.fleet.workspaces import find_workspace, remove_workspace

        with database.transaction() as connection:
            workspace = find_workspace(connection, name)
        if not yes:
            confirm(f"Take {printable(name)} out, with all of its generations?", "take it out")
        with database.transaction() as connection:
            remove_workspace(connection, workspace.id)
    print_json(FleetWorkspaceRemoved(name)) if as_json else click.echo(f"{printable(name)} is taken out.")


@click.command("resume")
@click.argument("name")
@options.as_json
def resume_command(name: str, *, as_json: bool) -> None:
    """Have a parked workspace and acts set aside tried again.

    A workspace is parked after three workers have died with it, so that it kills no more of them. Its log says why. An
    act is set aside when it has met the same error three times, and other work went on.
    """
    refuse_agents()
    with open_fleet() as database, database.transaction() as connection:
        from pipeline.fleet.workspaces import find_workspace, resume_workspace

        resume_workspace(connection, find_workspace(connection, name).id, SystemClock().now())
    _print_workspace(name, as_json=as_json)


@click.command("doctor")
@options.as_json
def doctor_command(*, as_json: bool) -> int:
    """Read every piece of the fleet, and tell what is wrong.

    Exit code 1 if a piece is damaged or missing.
    """
    with open_fleet() as database, database.snapshot() as connection:
        from pipeline.fleet.check import check_generations, check_pieces

        pieces, damaged = check_pieces(connection)
        checked = FleetChecked(pieces, (*damaged, *check_generations(connection)))
    if as_json:
        print_json(checked)
    else:
        for problem in checked.problems:
            click.echo(printable(problem))
        click.echo(f"{count(pieces, 'piece')}, {count(len(checked.problems), 'problem')}.")
    return FAILED if checked.problems else 0


def _context_of(root: Path) -> ProcessContext:
    """The context for a folder that a person has named, on the list of workspaces or not."""
    return ProcessContext({**environment(), WORKSPACE_VARIABLE: str(root)})


def _print_workspace(name: str, *, as_json: bool) -> None:
    """Print a workspace of the fleet as it is now."""
    with open_fleet() as database, database.transaction() as connection:
        from pipeline.fleet.workspaces import find_workspace, list_workspaces

        find_workspace(connection, name)
        (workspace,) = list_workspaces(connection, name)
    print_json(workspace) if as_json else _print_workspaces([workspace])


def _print_workspaces(workspaces: Sequence[FleetWorkspaceReport]) -> None:
    print_columns(map(_row, workspaces), _COLUMNS)
    for workspace in workspaces:
        if workspace.failure:
            click.echo(f"{printable(workspace.name)}: {printable(workspace.failure)}")


def _row(workspace: FleetWorkspaceReport) -> tuple[str, ...]:
    zone = zone_of(environment())
    return (
        printable(workspace.name),
        workspace.state,
        str(workspace.generation),
        local(workspace.made, zone),
        str(workspace.files),
        f"{workspace.size / _MEGABYTE:,.1f} MB",
        local(workspace.next_due, zone),
    )
