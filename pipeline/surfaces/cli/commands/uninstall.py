"""`memory workspaces uninstall`."""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from pipeline.backup.key import key_file
from pipeline.errors import WriteFailed
from pipeline.install import UnitFolder, signature, unit_folders, user_units, without_templates
from pipeline.integration.client_plugins import plugins_of
from pipeline.integration.plan import carry_out, plan_removal
from pipeline.integration.records import own_record
from pipeline.process.foreign import ERR, OUT, run_at_terminal
from pipeline.settings.locate import configuration_folder
from pipeline.settings.workspaces import PLACE, own_list
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import escape
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import PACKAGE
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.terminal.person import confirm, refuse_agents
from pipeline.workspace.tokens import CODE_FILE
from pipeline.workspace.tokens import FILE as TOKEN_FILE
from schemas.reports.installation import UninstallReport

_UNINSTALL = f"pip uninstall {PACKAGE}    # or as you installed it: pipx uninstall, uv tool uninstall"


@click.command("uninstall")
@click.argument("workspace", metavar="[NAME]", required=False)
@click.option("--key", "with_key", is_flag=True, help="Also delete the key of back-ups. Keep its words first.")
@click.option("--dry-run", is_flag=True, help="Show what would be taken out, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
def command(workspace: str | None, *, with_key: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Take out all that leads to a workspace, and leave its folder.

    The workspace is that of NAME, or of a folder; else that which is meant by default. Connected agents get back what
    their configurations held before, and clients uninstall our plugin by a command of their own. The units of its
    service, its tokens for HTTP and its line in your list go. What needs other rights, or a program that is not here,
    is left to you as a command. What a person changed in them stays, and is named. The folder with your memory stays as
    it is: any editor reads it, and `memory workspaces add` takes it up again. No agent may run this without --dry-run.

    Exit codes: 0 done, 1 a client kept our plugin, 2 wrong use or settings.
    """
    if not dry_run:
        refuse_agents()
    root, failed = root_of(workspace), list[str]()
    report = _report(root, with_key=with_key)
    if not as_json:
        _print(report)
    if not dry_run:
        if not yes:
            confirm("Take this out?", "do it")
        _take_out(root, with_key=with_key)
        failed = _uninstall_plugins(report.uninstalled, ERR if as_json else OUT)
        gone = tuple(removal for removal in report.uninstalled if removal not in failed)
        report = replace(report, uninstalled=gone, commands=(*report.commands, *failed), done=True)
    if as_json:
        print_json(report)
    elif report.done:
        place = configuration_folder(environment())
        others = place and own_list(environment()).read().folders
        left = (*report.commands, *(() if others else (_UNINSTALL,)))
        click.echo("\nTaken out. What is left for you to run:\n" if left else "\nTaken out.")
        for line in left:
            click.echo(line)
    return int(bool(failed))


def _report(root: Path, *, with_key: bool) -> UninstallReport:
    removed, kept, commands = list[str](), list[str](), list[str]()
    for manager, folder in unit_folders(str(root), environment()).items():
        units, changed = _units(folder)
        removed += [str(folder.path / unit) for unit in units if _may_remove(folder)]
        kept += [str(folder.path / unit) for unit in changed]
        commands += _unit_commands(manager, folder, units)
    place, variables = configuration_folder(environment()), environment()
    for name in own_record(root, variables)[0].agents:
        plan = plan_removal(root, name, variables)
        removed += [str(change.file) for change in plan.pending]
        kept += plan.kept_sentences
    plugins = [plugin.removal for _, plugin in plugins_of(root, variables)]
    here = [removal for removal in plugins if shutil.which(shlex.split(removal)[0])]
    commands += [removal for removal in plugins if removal not in here]
    removed += [str(root / file) for file in (TOKEN_FILE, CODE_FILE) if (root / file).exists()]
    if place and own_list(variables).read().name_of(str(root)):
        removed.append(str(own_list(variables).file))
    if (place or with_key) and (key := key_file(variables).path).exists():
        (removed if with_key else kept).append(str(key))
    return UninstallReport(str(root), tuple(removed), tuple(kept), tuple(here), tuple(commands))


def _may_remove(folder: UnitFolder) -> bool:
    return os.access(folder.path, os.W_OK)


def _unit_commands(manager: str, folder: UnitFolder, units: Sequence[str]) -> list[str]:
    """The commands that stop units, and remove those that we may not."""
    if not units:
        return []
    commands, running = list[str](), without_templates(units)
    if running:  # where their files are gone by then, there is nothing to disable
        deed = "stop" if _may_remove(folder) else "disable --now"
        commands.append(f"{manager} {deed} {shlex.join(running)}")
    if not _may_remove(folder):
        files = shlex.join(str(folder.path / unit) for unit in units)
        commands.append(f"rm {files}" if "--user" in manager else f"sudo rm {files}")
    return [*commands, f"{manager} daemon-reload"]


def _units(folder: UnitFolder) -> tuple[list[str], list[str]]:
    """The units of a workspace in a folder: those that nobody changed, and the others."""
    intact, changed = list[str](), list[str]()
    for unit in folder.ours():
        signed = signature(folder.text(unit) or "")
        (intact if signed and signed.intact else changed).append(unit)
    return intact, changed


def _uninstall_plugins(commands: Sequence[str], out: int) -> list[str]:
    """Have clients take our plugins away; the commands that failed."""
    failed = list[str]()
    for command_line in commands:
        try:
            code = run_at_terminal(shlex.split(command_line), asks=False, out=out)
        except OSError:
            code = 1
        if code:
            failed.append(command_line)
    return failed


def _take_out(root: Path, *, with_key: bool) -> None:
    for name in own_record(root, environment())[0].agents:
        carry_out(root, plan_removal(root, name, environment()), removing=True)
    for units in unit_folders(str(root), environment()).values():
        if _may_remove(units):
            units.remove(_units(units)[0])
    folder, place = user_units(environment()), configuration_folder(environment())
    if place:
        workspaces = own_list(environment())
        if name := workspaces.read().name_of(str(root)):
            workspaces.remove(name)
        workspaces.note(root / PLACE, None)

    try:
        for file in _own_files(root, with_key=with_key):
            file.unlink(missing_ok=True)
        for made in (*folder.glob("*.wants"), folder, folder.parent, place) if place else ():
            if made.is_dir() and not any(made.iterdir()):
                made.rmdir()
    except OSError as error:
        raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error


def _own_files(root: Path, *, with_key: bool) -> Iterator[Path]:
    yield root / TOKEN_FILE
    yield root / CODE_FILE
    if with_key:
        key = key_file(environment()).path
        yield from (key, key.with_suffix(".lock"))


def _print(report: UninstallReport) -> None:
    for file in report.removed:
        click.echo(f"To take out, or what is ours in it: {escape(file)}")
    for removal in report.uninstalled:
        click.echo(f"To be run: {escape(removal)}")
    for file in report.kept:
        click.echo(f"Stays: {escape(file)}")
    click.echo(f"Stays, as it is: {escape(report.folder)}")
