"""`memory know`."""

from collections.abc import Iterator

import click

from pipeline.app.agent_folder import opened_folder
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json, printable
from schemas.reports.agents import KnownLine


@click.command("know")
@click.argument("agent", metavar="[AGENT]", default="")
@options.as_json
@options.workspace
def command(agent: str, workspace: str | None, *, as_json: bool) -> None:
    """List what AGENT knows, with whose word it rests on.

    Each line has a number, an id that changes and removals name it by, and its source. A line that was written into the
    file by other hands has no id and no source. Without AGENT it is the only one there is.
    """
    with opened_folder(root_of(workspace), environment(), agent) as folder:
        known = folder.know()
    for line in known:
        if as_json:
            print_json(line)
            continue
        click.echo(f"{line.number}. {printable(line.text)}")
        click.echo(f"   {', '.join(_source(line))}")
    if not known and not as_json:
        click.echo("Nothing is known yet.")


def _source(line: KnownLine) -> Iterator[str]:
    if not line.id:
        yield "written in the file"
        return
    yield line.id
    yield line.section
    if line.quote:
        yield f'"{printable(line.quote)}", session {printable(line.session_id)}, message {line.message}'
    elif line.asked_by:
        yield f"asked by {printable(line.asked_by)}"
    yield line.word
    if line.date:
        yield f"{line.date:%Y-%m-%d}"
    if not line.in_mind:
        yield "in the archive"
