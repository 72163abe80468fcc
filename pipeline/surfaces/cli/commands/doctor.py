"""`memory doctor`."""

import click

from pipeline.corrections.links import relink
from pipeline.doctor.checks import examine
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json, printable
from pipeline.surfaces.cli.terminal.workspace import opened_to_correct
from schemas.checkup import Health
from schemas.reports.workspace import CheckReport

_COLOURS = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend: what is ours and derived, never anybody's text.")
@click.option("--relink", "again", is_flag=True, help="Judge again the links that would not be made today; then look.")
@click.option("--ask", is_flag=True, help="Ask the model one tiny question, and the embedder for one vector.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, fix: bool, again: bool, ask: bool, as_json: bool) -> int:
    """Look for what is wrong, and say what to do.

    Looks at the settings, the sources, the ledger and the entries, at rights, disk, clock and locks, at what killed
    runs left behind, at the service and at what should have been run, at the agents that `memory agents connect`
    connected, and at the index. Where the ledger cannot be opened it looks at all else. Exits with 1 when something
    does not work; a warning may be harmless.

    With --fix it closes our state folder, and a memory.toml that holds keys, to others, removes our orphaned temporary
    files, completes or takes out what was half written, and drops an index that is damaged. What it mended does not
    count for the exit code.

    The model is not asked: it is only looked whether its server answers. With --ask it is asked one tiny question, and
    the embedder for one vector; the answers and the time that they took are told, or why there is none.

    With --relink the links between entries that it would list are judged again, by the model if one is set, and the
    daily files get what comes of it: one run, which `memory undo` takes back. What a person changed is left alone.
    """
    if again:
        _relink(workspace, as_json=as_json)
    failed = False
    for check in examine(root_of(workspace), environment(), fix=fix, ask=ask):
        failed = failed or (check.health is Health.FAIL and not check.fixed)
        print_json(check) if as_json else _show(check)
    return int(failed)


def _relink(workspace: str | None, *, as_json: bool) -> None:
    with opened_to_correct(workspace) as engine:
        done = relink(engine)
    if as_json or done is None:
        print_message("every link stands." if done is None else f"run {done.run_id} judged the links again.")
        return
    for mark, links in (("removed", done.removed), ("made", done.made)):
        for link in links:
            click.echo(f"{mark:<7}  {link.carrier} {link.kind} {link.target}")
    click.echo(f"To take it back: memory undo {done.run_id}")


def _show(check: CheckReport) -> None:
    mark = style(f"{check.health:<4}", fg=_COLOURS[check.health])
    first, *more = [printable(line) for line in check.told.splitlines()]
    click.echo(f"{mark}  {check.check}: {first}")
    for line in [*more, check.advice] if check.advice else more:
        click.echo(f"      {line}")
    if check.fix:
        mark = style("fixed" if check.fixed else "not fixed", fg="green" if check.fixed else "red")
        click.echo(f"      {mark}: {printable(check.fix)}")
