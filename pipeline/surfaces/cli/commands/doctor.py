"""`memory doctor`."""

import click

from pipeline.service.checkup import examined
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json, printable
from schemas.checkup import Health
from schemas.reports.workspace import CheckReport

_COLOURS = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend: what is ours and derived, never anybody's text.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, fix: bool, as_json: bool) -> int:
    """Look for what is wrong, and say what to do.

    Looks at the settings, the sources, the ledger and the entries, at rights, disk, clock and locks, at what killed
    runs left behind, at the service and at what should have been run, and at the index. Where the ledger cannot be
    opened it looks at all else. Exits with 1 when something does not work; a warning may be harmless.

    With --fix it closes our state folder, and a memory.toml that holds keys, to others, removes our orphaned temporary
    files, completes or takes out what was half written, and drops an index that is damaged. What it mended does not
    count for the exit code.
    """
    failed = False
    for check in examined(root_of(workspace), environment(), fix=fix):
        failed = failed or (check.health is Health.FAIL and not check.fixed)
        print_json(check) if as_json else _show(check)
    return int(failed)


def _show(check: CheckReport) -> None:
    mark = style(f"{check.health:<4}", fg=_COLOURS[check.health])
    first, *more = [printable(line) for line in check.told.splitlines()]
    click.echo(f"{mark}  {check.check}: {first}")
    for line in [*more, check.advice] if check.advice else more:
        click.echo(f"      {line}")
    if check.fix:
        mark = style("fixed" if check.fixed else "not fixed", fg="green" if check.fixed else "red")
        click.echo(f"      {mark}: {printable(check.fix)}")
