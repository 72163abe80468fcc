"""`memory get`. What answers is imported when there is no service to ask: so this starts at once."""

from typing import TYPE_CHECKING

import click

from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json

if TYPE_CHECKING:
    from schemas.detail import DetailPage

_DETAIL = "detail:"


@click.command("get")
@click.argument("place", metavar="PATH[#Lx-Ly]|ID")
@click.option("--raw", is_flag=True, help="Print the text as it stands, also what would steer a terminal.")
@options.as_json
@options.workspace
def command(place: str, workspace: str | None, *, raw: bool, as_json: bool) -> None:
    """Show lines that a search names, or an entry by its id.

    PATH is relative to the workspace, as in a hit; PATH#L10 is one line and PATH#L10-L20 are eleven.
    detail:KEY#L10-L20 are lines of a stored text, as `memory store show KEY --lines 10-20` has them; said:SESSION#41
    is a message of a transcript, with those before and after it. What would steer a
    terminal, or turn around what stands beside it, is shown escaped, as JSON would write it; not so with --raw.
    """
    if place.startswith(_DETAIL):
        page = _part_of_detail(workspace, place)
        text = page.text.rstrip("\n")
        print_json(page) if as_json else click.echo(page.content if raw else text, nl=not raw)
        return
    with MemoryClient(root_of(workspace), environment()) as client:
        hit = client.get(place)
    if as_json:
        print_json(hit)
    else:
        click.echo(f"{hit['text']}\n".encode() if raw else hit["text"], nl=not raw)


def _part_of_detail(workspace: str | None, place: str) -> "DetailPage":
    """The lines of a stored text that a hit names."""
    from pipeline.app.details.opened import opened_details  # noqa: PLC0415 - most places are in files
    from pipeline.app.details.retrieve import read_detail_place  # noqa: PLC0415 - the same
    from pipeline.process.context import ProcessContext  # noqa: PLC0415 - the same

    with opened_details(root_of(workspace), ProcessContext(environment())) as details:
        return read_detail_place(details.store, place)
