"""`memory upgrade`."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from pipeline.app.upgrade import go_back, ledger_version, plan_return, remade_files, steps_from
from pipeline.errors import LedgerNewer, PipelineError
from pipeline.install import UnitFolder, installed_program, renew_unit, user_units
from pipeline.integration.plan import IntegrationPlan, carry_out, plan_again
from pipeline.integration.records import is_copied, own_record
from pipeline.kept_upgrades import kept_upgrades
from pipeline.ledger import open_ledger
from pipeline.ledger.store import SCHEMA_VERSION
from pipeline.process.context import ProcessContext
from pipeline.settings.load import is_listed, load_settings
from pipeline.settings.workspaces import register
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import escape
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import PACKAGE, version
from pipeline.surfaces.cli.terminal.format import count, print_json
from pipeline.surfaces.cli.terminal.machine import data_folder
from pipeline.surfaces.cli.terminal.person import confirm, refuse_agents
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.checkup import Health
from schemas.reports.upgrade import UpgradeReport

_RELEASES = {16: "1.0.0"}
"""The last release with each version of the ledger."""


@click.command("upgrade")
@click.option("--back", "backward", is_flag=True, help="Put back the ledger from before the last upgrade.")
@click.option("--lose-acts", is_flag=True, help="With --back: also when it does not know what you decided since.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
@options.workspace
def command(  # noqa: PLR0913 - the options
    workspace: str | None, *, backward: bool, lose_acts: bool, dry_run: bool, yes: bool, as_json: bool
) -> int:
    """Bring a workspace to the version that is installed.

    Install the new version first, in the way in which you installed this one. Then this command shows what changes
    here: the steps of the ledger, derived files that are made anew, units of the service and configurations of agents
    that name something old. It asks, keeps a copy of the databases in .memory/upgrades, does it, and has the doctor
    look.

    A job that runs first upgrades the ledger by itself, with the same copy.

    With --back the ledger from before the last upgrade takes its place again. What runs wrote since stays in your
    files, and the program of before reads those days again. It refuses where you have decided something since, which
    the older ledger does not know. Then install the version of before; this program would upgrade the ledger again.

    No agent may run this without --dry-run.
    """
    if not dry_run:
        refuse_agents()
    root = root_of(workspace)
    if backward:
        return _go_back(root, losing_acts=lose_acts, dry_run=dry_run, yes=yes, as_json=as_json)
    report, units, plans = _look(root)
    if not as_json:
        _print(report)
    lists = report.unlisted and (yes or sys.stdin.isatty())  # a script ends as it did before there was a list
    if dry_run or not (report.steps or units or plans or lists):
        if as_json:
            print_json(report)
        return 0
    if not yes:
        confirm("Do this?", "do it")
    register(root, environment())
    _carry_out(root, units, plans)
    after, _, _ = _look(root)
    done = replace(report, copies=after.copies, done=True, troubles=_troubles(root))
    if as_json:
        print_json(done)
    else:
        _print_done(done)
    return 0


def _look(root: Path) -> tuple[UpgradeReport, dict[str, str], list[IntegrationPlan]]:
    """The changes of an upgrade, the units that it writes, and the plans for the connected agents."""
    ledger = ledger_version(root)
    if ledger is not None and ledger > SCHEMA_VERSION:
        raise LedgerNewer(str(Workspace(root).state_folder / LEDGER_FILE), ledger, SCHEMA_VERSION)
    units, plans = _old_units(root), _old_connections(root)
    files = [str(user_units(environment()) / unit) for unit in units]
    files += [str(change.file) for plan in plans for change in plan.pending]
    report = UpgradeReport(
        program=version(),
        ledger=ledger,
        known=SCHEMA_VERSION,
        steps=steps_from(ledger) if ledger else (),
        remade=remade_files(root, ProcessContext(environment())),
        rewritten=tuple(files),
        copies=tuple(str(kept.file) for kept in kept_upgrades(Workspace(root).state_folder)),
        unlisted=not is_listed(root, environment()),
    )
    return report, units, plans


def _old_units(root: Path) -> dict[str, str]:
    """The unchanged units of a workspace that this version writes otherwise, as it writes them."""
    folder, program = UnitFolder(user_units(environment()), str(root)), installed_program()
    templates = {file.name: file.read_text(encoding="utf-8") for file in data_folder("systemd").iterdir()}
    texts = {unit: folder.text(unit) or "" for unit in folder.ours()}
    renewed = {unit: renew_unit(unit, text, templates, program or "") for unit, text in texts.items() if program}
    return {unit: text for unit, text in renewed.items() if text not in {"", texts[unit]}}


def _old_connections(root: Path) -> list[IntegrationPlan]:
    """The plans for connected agents whose configuration this version writes otherwise."""
    plans = list[IntegrationPlan]()
    for name, files in own_record(root, environment())[0].agents.items():
        with suppress(PipelineError):  # the doctor tells about a configuration that cannot be changed
            if not is_copied(files.values(), root):
                plans.append(plan_again(root, name, environment(), installed_program() or ""))
    return [plan for plan in plans if plan.pending]


def _carry_out(root: Path, units: dict[str, str], plans: Sequence[IntegrationPlan]) -> None:
    open_ledger(Workspace(root).state_folder / LEDGER_FILE).store.close()
    store = WorkspaceStore(root, load_settings(root, environment()).store)
    if store.exists:
        store.database.close()
    UnitFolder(user_units(environment()), str(root)).write(units)
    for plan in plans:
        carry_out(root, plan)


def _troubles(root: Path) -> tuple[str, ...]:
    """The failures that the doctor finds."""
    from pipeline.doctor.checks import examine

    checks = examine(root, environment(), fix=False)
    return tuple(f"{check.check}: {check.told}" for check in checks if check.health is Health.FAIL)


def _print(report: UpgradeReport) -> None:
    click.echo(f"memory {report.program} is installed.")
    if report.steps:
        click.echo(f"The ledger is of version {report.ledger}, and becomes {report.known}:")
        for step in report.steps:
            click.echo(f"  {step}")
        click.echo("A copy of it is kept in .memory/upgrades first; `memory upgrade --back` puts it back.")
    for file in report.remade:
        click.echo(f"The next search makes anew: {escape(file)}")
    for file in report.rewritten:
        click.echo(f"Names something old, and is written anew: {escape(file)}")
    if report.unlisted:
        click.echo("It is not on your list of workspaces. An upgrade puts it there: its memory.toml then counts.")
    if not (report.steps or report.rewritten or report.unlisted):
        click.echo("Nothing in this workspace has to change.")
    for file in () if report.steps else report.copies:
        click.echo(f"From before an upgrade: {escape(file)}")


def _print_done(report: UpgradeReport) -> None:
    for file in report.copies if report.steps else ():
        click.echo(f"From before an upgrade: {escape(file)}")
    if report.rewritten:
        click.echo("Start the agents anew; for units: systemctl --user daemon-reload, then restart them.")
    click.echo("The workspace is upgraded.")
    for trouble in report.troubles:
        click.echo(f"The doctor finds: {escape(trouble)}")
    if report.troubles:
        click.echo("`memory doctor` says what to do about it.")


def _go_back(root: Path, *, losing_acts: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    report = plan_return(root)
    if not as_json:
        click.echo(f"The copy of {report.moment:%Y-%m-%d %H:%M} UTC has version {report.version} of the ledger.")
        if report.runs:
            click.echo(
                f"It does not know {count(report.runs, 'run')} since; their pages stay, and the days are read again."
            )
        if report.acts:
            click.echo(f"It does not know what you did since: {', '.join(report.acts)}.")
    if not dry_run:
        if not (yes or (report.acts and not losing_acts)):
            confirm("Put it back?", "do it")
        report = go_back(root, losing_acts=losing_acts)
    if as_json:
        print_json(report)
    elif report.done:
        for file in report.kept:
            click.echo(f"The newer file is kept: {escape(file)}")
        if release := _RELEASES.get(report.version):
            click.echo(f"Now install that version, such as: pip install '{PACKAGE}=={release}'")
        else:
            click.echo("Now install the version of before, in the way in which you installed this one.")
        click.echo("Until then start nothing here: this program would upgrade the ledger again.")
    return 0
