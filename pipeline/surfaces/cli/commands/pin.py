"""`memory pin`."""

import click

from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.pinning import decide_place
from schemas.memory_change import Operation


@click.command("pin")
@click.argument("line")
@options.as_json
@options.workspace
def command(line: str, workspace: str | None, *, as_json: bool) -> int:
    """Put LINE first in its section of what an agent always knows.

    LINE is the id that `memory know` shows, such as j-4f1c02aa. A pinned line goes to the archive after all others, and
    no agent replaces or removes it by itself below autonomy 3. What was not confirmed rests on your word then. The
    terminal asks for the word `pin`; no tool can pin. `memory unpin` or `memory undo` takes it back.
    """
    return decide_place(workspace, Operation.PIN, line, as_json=as_json)
