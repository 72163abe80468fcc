"""`memory get`."""

import click

from pipeline.app_index import Bystanders, open_index
from pipeline.index.asking.places import read_place
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.environment import environment, root_of
from pipeline.surfaces.cli.rendering import print_json


@click.command("get")
@click.argument("place", metavar="PATH[#Lx-Ly]|ID")
@options.as_json
@options.workspace
def command(place: str, workspace: str | None, *, as_json: bool) -> None:
    """Show lines that a search names, or an entry by its id.

    PATH is relative to the workspace, as in a hit; PATH#L10 is one line and PATH#L10-L20 are eleven.
    """
    with open_index(root_of(workspace), Bystanders(environment())) as opened:
        hit = read_place(opened.searching, place)
    if as_json:
        print_json(hit.model_dump(mode="json"))
    else:
        click.echo(hit.text)
