"""`memory mcp`."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.configuration import find_workspace
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.environment import environment
from pipeline.surfaces.cli.reporting import version

if TYPE_CHECKING:
    from pipeline.surfaces.mcp.reading import Memory

_LINGER_SECONDS = 2.0


@click.command("mcp")
@options.workspace
def command(workspace: str | None) -> None:
    """Serve the memory to an agent, as tools over stdio.

    The tools are `memory_search` and `memory_get`; they only read. An agent starts this command by itself:
    `memory integrate` tells what to write into its configuration.
    """
    root = find_workspace(workspace, environment(), Path.cwd())
    from pipeline.surfaces.mcp.server import make_server  # noqa: PLC0415 - the protocol's library takes long to import

    with ExitStack() as stack:
        make_server(lambda: _memory(root, stack), version()).run("stdio")


def _memory(root: Path, stack: ExitStack) -> "Memory":
    """The memory of a workspace, imported only now: an agent waits for the handshake, and may never ask anything."""
    from pipeline.app_index import Bystanders, open_index  # noqa: PLC0415 - see above
    from pipeline.surfaces.mcp.reading import Memory  # noqa: PLC0415 - see above

    around = Bystanders(environment(), linger=_LINGER_SECONDS)
    return Memory(lambda: open_index(root, around), stack)
