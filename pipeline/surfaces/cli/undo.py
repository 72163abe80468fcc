"""`memory undo`."""

import click

from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.opening import opened
from pipeline.surfaces.cli.rendering import print_json
from pipeline.undo import Undone, undo


@click.command("undo")
@click.argument("run_id", metavar="RUN")
@options.as_json
@options.workspace
def command(run_id: str, workspace: str | None, *, as_json: bool) -> None:
    """Take back what a run wrote.

    Exactly its own blocks go, where nobody has changed them since. The time is then left alone; only a back-fill of its
    day runs it again. `memory runs` lists the runs.
    """
    with opened(workspace, looking=False) as engine:
        undone = undo(engine, run_id)
    if as_json:
        print_json({name: list(value) if isinstance(value, tuple) else value for name, value in vars(undone).items()})
    else:
        _say(undone)


def _say(undone: Undone) -> None:
    for entry_id in undone.removed:
        click.echo(f"removed   {entry_id}")
    for entry_id in undone.restored:
        click.echo(f"restored  {entry_id}")
    for entry_id in undone.left:
        click.echo(f"left      {entry_id}: it was changed, moved or deleted since")
    click.echo(f"Run {undone.run_id} is undone.")
