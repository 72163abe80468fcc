"""`memory serve install`."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from pipeline.errors import PathRefused
from pipeline.errors.service import SystemdMissing
from pipeline.install import (
    FIRST_NAME,
    UnitFolder,
    UnitTarget,
    cron_line,
    file_name,
    installed_program,
    names_for,
    render_unit,
    system_units,
    user_units,
    without_templates,
)
from pipeline.settings.load import is_listed
from pipeline.settings.workspaces import register
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.terminal.machine import data_folder
from pipeline.surfaces.cli.terminal.person import refuse_agents
from schemas.reports.installation import UnitFile, UnitsReport

_SERVICE = "memory.service"
_BESIDE_TIMERS = ("memory-job@.service", "memory-index.service")
_ALWAYS = "memory-failed@.service"
_TEMPORARY = (Path("/tmp"), Path("/var/tmp"))  # noqa: S108 - nothing is written there; a workspace there is refused


def _name(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """The beginning of the units' names, from the option."""
    if value and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", value):
        message = "it takes letters of ASCII and digits, and after the first also - _ and a full stop."
        raise click.BadParameter(message, ctx, param)
    return f"{FIRST_NAME}-{value}" if value else ""


@dataclass(frozen=True)
class InstallOptions:
    """The values of the options."""

    for_user: bool
    timers: bool
    namespaces: bool
    name: str
    force: bool

    @property
    def templates(self) -> list[str]:
        """The files in `systemd/` from which the units are made."""
        return [*(_BESIDE_TIMERS if self.timers else [_SERVICE]), _ALWAYS, *(_timers() if self.timers else [])]

    @property
    def folder(self) -> Path:
        """The folder of the service manager for units of a person, or of an administrator."""
        return user_units(os.environ) if self.for_user else system_units(os.environ)

    @property
    def systemctl(self) -> str:
        """The command that calls the service manager."""
        return "systemctl --user" if self.for_user else "systemctl"


@click.command("install")
@click.option("--systemd", is_flag=True, help="Under systemd. It has to be said: there is no other way yet.")
@click.option("--user/--system", "for_user", default=True, help="For your own user (the default), or the whole system.")
@click.option("--timers", is_flag=True, help="Instead of the service: timers that run the jobs, and the index's unit.")
@click.option(
    "--no-namespaces",
    "namespaces",
    flag_value=False,
    default=True,
    help="For a system that forbids user namespaces.",
)
@click.option("--name", callback=_name, metavar="NAME", help="Call the units memory-NAME; else a name is chosen.")
@click.option("--print", "showing", is_flag=True, help="Only show the units.")
@click.option("--remove", "removing", is_flag=True, help="Take away what was installed for this workspace.")
@click.option("--force", is_flag=True, help="Also replace or remove units that a person wrote or changed.")
@options.as_json
@options.workspace
def command(
    workspace: str | None,
    *,
    systemd: bool,
    showing: bool,
    removing: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - what `InstallOptions` declares
) -> None:
    """Install the service for this workspace under systemd.

    Writes hardened units for this workspace and this installation, and prints the commands that start them; it starts
    nothing itself. What it did not write, or what was changed since, it leaves alone.
    """
    if not systemd:
        message = "Say --systemd. Under anything else that keeps a program running, let it run `memory serve`."
        raise click.UsageError(message)
    chosen, root = InstallOptions(**options), root_of(workspace)
    folder = UnitFolder(chosen.folder, str(root))
    if showing and not removing:
        texts = _units(chosen, root, _name_of_units(folder, chosen))
        report = UnitsReport(tuple(_unit(folder, name, "shown", text) for name, text in texts.items()), ())
        if not as_json:
            click.echo("\n".join(f"# {unit.path}\n{unit.text}" for unit in report.units))
    else:
        with redirect_stdout(sys.stderr) if as_json else nullcontext():
            report = _remove(folder, chosen) if removing else _install(folder, chosen, root)
    if as_json:
        print_json(report)


def install_for_user(root: Path) -> list[list[str]]:
    """Write the units of the service for this user; the commands that start it."""
    chosen = InstallOptions(for_user=True, timers=False, namespaces=True, name="", force=False)
    folder = UnitFolder(chosen.folder, str(root))
    name = _write_units(folder, chosen, root)[0]
    call = chosen.systemctl.split()
    return [[*call, "daemon-reload"], [*call, "enable", "--now", file_name("memory.service", name)]]


def _unit(folder: UnitFolder, name: str, state: str, text: str | None = None) -> UnitFile:
    return UnitFile(str(folder.path / name), state, (folder.text(name) if text is None else text) or "")


def _install(folder: UnitFolder, chosen: InstallOptions, root: Path) -> UnitsReport:
    before = folder.ours()
    name, written = _write_units(folder, chosen, root)
    units = _units(chosen, root, name)
    started = [unit for unit in units if unit.endswith(".timer") or unit == file_name("memory-index.service", name)]
    started = started or [file_name("memory.service", name)]
    commands = _print_next_steps(chosen, started, again=bool({*before} & {*written}))
    templates = [_SERVICE] if chosen.timers else ["memory-index.service", *_timers()]
    needless = sorted({*folder.ours()} & {file_name(template, name) for template in templates})
    if needless:
        click.echo("\nThese units for the same workspace are there too and are not needed with it. To end them:\n")
        click.echo(f"{chosen.systemctl} disable --now {shlex.join(needless)}")
    files = [_unit(folder, unit, "written" if unit in written else "unchanged", text) for unit, text in units.items()]
    files += [_unit(folder, unit, "needless") for unit in needless]
    return UnitsReport(tuple(files), tuple(commands))


def _write_units(folder: UnitFolder, chosen: InstallOptions, root: Path) -> tuple[str, list[str]]:
    """Write the units; the beginning of their names, and those that were not as they should be."""
    if shutil.which("systemctl") is None:
        raise SystemdMissing(cron_line(_program(), root))
    if chosen.namespaces and any(root.is_relative_to(place) for place in _TEMPORARY):
        why = "is no place for a service, which gets a /tmp of its own and would not start there; move the workspace"
        raise PathRefused(str(root), why)
    if not is_listed(root, environment()):  # which this puts on the list
        refuse_agents()
    name = _name_of_units(folder, chosen)
    units = _units(chosen, root, name)
    folder.refuse_foreign(units, force=chosen.force)
    written = folder.write(units)
    register(root, environment())
    for unit in units:
        click.echo(f"{'Wrote' if unit in written else 'As it should be already:'} {folder.path / unit}")
    return name, written


def _print_next_steps(chosen: InstallOptions, started: Sequence[str], *, again: bool) -> list[str]:
    """Print the commands that start units, and return them."""
    deeds = ["daemon-reload", f"enable --now {shlex.join(started)}"]
    deeds += [f"try-restart {shlex.join(started)}"] if again else []
    commands = [f"{chosen.systemctl} {deed}" for deed in deeds]
    click.echo("\nNow run\n\n" + "\n".join(commands))
    if chosen.for_user:
        commands.append("loginctl enable-linger")
        click.echo("loginctl enable-linger    # so that it goes on while you are logged out")
    look = "systemctl --user list-timers" if chosen.timers else f"{chosen.systemctl} status {started[0]}"
    click.echo(f"\n`{look}` shows it at work, `memory status` what it did.")
    return commands


def _remove(folder: UnitFolder, chosen: InstallOptions) -> UnitsReport:
    units = [unit for unit in folder.ours() if not chosen.name or unit in _all_units(chosen.name)]
    folder.refuse_foreign(units, force=chosen.force)
    files = tuple(_unit(folder, unit, "removed") for unit in units)
    folder.remove(units)
    for file in files:
        click.echo(f"Removed {file.path}")
    commands = tuple[str, ...]()
    if stopped := without_templates(units):
        commands = (f"{chosen.systemctl} stop {shlex.join(stopped)}", f"{chosen.systemctl} daemon-reload")
        click.echo("\nNow run\n\n" + "\n".join(commands))
    else:
        click.echo(f"Nothing in {folder.path} was installed for this workspace.")
    return UnitsReport(files, commands)


def _name_of_units(folder: UnitFolder, chosen: InstallOptions) -> str:
    """The beginning of the units' names: that of this workspace's units, else one that no other workspace uses."""
    end = file_name(_ALWAYS, "")
    installed = [unit.removesuffix(end) for unit in folder.ours() if unit.endswith(end)]
    names = [chosen.name] if chosen.name else installed or [*names_for(folder.workspace)]
    return next((name for name in names if not folder.is_taken(_all_units(name))), names[-1])


def _all_units(name: str) -> list[str]:
    return [file_name(template, name) for template in (_SERVICE, *_BESIDE_TIMERS, _ALWAYS, *_timers())]


def _units(chosen: InstallOptions, root: Path, name: str) -> dict[str, str]:
    """The units by their file names."""
    user = "" if chosen.for_user else _owner(root)
    place = UnitTarget(_program(), str(root), name, user, namespaces=chosen.namespaces)
    folder = data_folder("systemd")
    texts = {template: folder.joinpath(template).read_text(encoding="utf-8") for template in chosen.templates}
    return {file_name(template, name): render_unit(text, place) for template, text in texts.items()}


def _timers() -> list[str]:
    return sorted(file.name for file in data_folder("systemd").iterdir() if file.name.endswith(".timer"))


def _owner(root: Path) -> str:
    """The owner of the workspace by name; by number when the system knows no name."""
    try:
        return root.owner()
    except KeyError:
        return str(root.stat().st_uid)


def _program() -> str:
    """The path of this installation's `memory`."""
    executable = installed_program()
    if executable is None:
        beside = str(Path(sys.executable).with_name("memory"))
        raise PathRefused(beside, "is not there, nor is `memory` a command here; install it first")
    return executable
