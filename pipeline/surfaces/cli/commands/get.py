"""`memory get`. What answers is imported when there is no service to ask: so this starts at once."""

import click

from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json


@click.command("get")
@click.argument("place", metavar="PATH[#Lx-Ly]|ID")
@click.option("--raw", is_flag=True, help="Print the text as it stands, also what would steer a terminal.")
@options.as_json
@options.workspace
def command(place: str, workspace: str | None, *, raw: bool, as_json: bool) -> None:
    """Show lines that a search names, or an entry by its id.

    PATH is relative to the workspace, as in a hit; PATH#L10 is one line and PATH#L10-L20 are eleven. What would steer a
    terminal, or turn around what stands beside it, is shown escaped, as JSON would write it; not so with --raw.
    """
    with MemoryClient(root_of(workspace), environment()) as client:
        hit = client.get(place)
    if as_json:
        print_json(hit)
    else:
        click.echo(f"{hit['text']}\n".encode() if raw else hit["text"], nl=not raw)
