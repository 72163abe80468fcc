"""`memory unpin`."""

import click

from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.pinning import decide_place
from schemas.memory_change import Operation


@click.command("unpin")
@click.argument("line")
@options.as_json
@options.workspace
def command(line: str, workspace: str | None, *, as_json: bool) -> int:
    """Let the pinned LINE of an agent be a line like the others.

    LINE is the id that `memory know` shows. The terminal asks for the word `unpin`.
    """
    return decide_place(workspace, Operation.UNPIN, line, as_json=as_json)
