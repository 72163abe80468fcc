"""`memory know`. What answers is imported when there is no service to ask: so this starts at once."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from pipeline.service.socket.agent_client import AgentClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json, printable


@click.command("know")
@click.argument("agent", metavar="[AGENT]", default="")
@options.as_json
@options.workspace
def command(agent: str, workspace: str | None, *, as_json: bool) -> None:
    """List what AGENT knows, with whose word it rests on.

    Each line has a number, an id that changes and removals name it by, and its source. A line that was written into the
    file by other hands has no id and no source. Without AGENT it is the only one there is.
    """
    known = AgentClient(root_of(workspace), environment()).know(agent)
    for line in known:
        if as_json:
            print_json(line)
            continue
        click.echo(f"{line['number']}. {printable(line['text'])}")
        click.echo(f"   {', '.join(_source(line))}")
    if not known and not as_json:
        click.echo("Nothing is known yet.")


def _source(line: Mapping[str, Any]) -> Iterator[str]:
    """The source of a `KnownLine`, for a person."""
    if not line["id"]:
        yield "written in the file"
        return
    yield line["id"]
    yield line["section"]
    if line["quote"]:
        yield f'"{printable(line["quote"])}", session {printable(line["session_id"])}, message {line["message"]}'
    elif line["asked_by"]:
        yield f"asked by {printable(line['asked_by'])}"
    yield line["word"]
    if line["pinned"]:
        yield "pinned"
    if line["date"]:
        yield line["date"].partition("T")[0]
    if not line["in_mind"]:
        yield "in the archive"
