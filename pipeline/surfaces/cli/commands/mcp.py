"""`memory mcp`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.errors import PipelineError
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of, working_folder
from pipeline.surfaces.cli.terminal.error_handler import report_lost_output, version

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from pipeline.app.details.opened import OpenDetails
    from pipeline.service.socket.agent_client import AgentClient
    from pipeline.service.socket.client_or_local import MemoryClient

_LINGER_SECONDS = 2.0


@click.command("mcp")
@click.option(
    "--agent",
    default="",
    metavar="NAME",
    shell_complete=options.names_of("agents"),
    help="The agent that is served, with a memory of its own.",
)
@click.option("--user", default="", metavar="NAME", help="As whom the agent asks for stored texts; else the owner.")
@options.workspace
def command(workspace: str | None, agent: str, user: str) -> int:
    """Serve the memory to an agent, as tools over stdio.

    The tools are `memory_search`, `memory_get` and `memory_wake`, which only read, and `store_memory` and
    `retrieve_memory` for large texts that stay out of its context. With --agent `memory_wake` gives the memory of that
    agent besides, and there are `memory_know`, `memory_remember`, `memory_update` and `memory_forget` for it. Whoever
    starts this command says which agent it serves: no agent can name itself. An agent starts it by its own
    configuration: `memory agents connect` tells what to write there.
    """
    with agent_server(root_of(workspace), environment(), agent, user, working_folder()) as server:
        return _serve(lambda: server.run("stdio"))


@contextmanager
def agent_server(
    root: Path, variables: Mapping[str, str], agent: str = "", user: str = "", folder: str = ""
) -> "Iterator[MCPServer]":
    """The server of a workspace for the agent that works in `folder`; what its tools have opened is closed in the end.

    `variables` are those of the environment that make settings; `agent` is empty for one without a memory of its own.
    """
    from pipeline.surfaces.mcp.detail_tools import AgentDetails
    from pipeline.surfaces.mcp.server import make_server

    with ExitStack() as stack:
        own = cache(lambda: _agent_client(root, variables, agent)), agent
        details = AgentDetails(
            lambda: _details(root, variables, stack),
            agent,
            lambda: user,
            cache(lambda program: _place_of_client(root, agent, folder, program)),
        )
        yield make_server(lambda: _memory(root, variables, stack), version(), details, own, folder)


def _place_of_client(root: Path, agent: str, folder: str, program: str) -> dict[str, str]:
    """The folder of the agent, and, of an agent without a name, its kind: among those connected to the workspace.

    The `program` is what it calls itself. That chooses among these, and names no other: without a known name it is the
    only one.
    """
    from pipeline.integration.known_agents import AGENTS
    from pipeline.integration.records import RecordFolder

    with suppress(PipelineError, OSError):
        connected = list(RecordFolder(root).read().agents)
        if known := [name for name in AGENTS if program.lower().startswith(name)]:
            connected = [name for name in connected if name == max(known, key=len)]
        client = connected[0].replace("-", "_") if len(connected) == 1 and not agent else ""
        return {"client": client, "folder": folder}
    return {}


def _serve(run: Callable[[], None]) -> int:
    """Run a server until its agent has gone; the exit code.

    The library has the wire to itself, and hands on what happened to it: an agent that does not read any more has gone.
    """
    try:
        run()
    except ExceptionGroup as group:
        lost, other = group.split(OSError)
        if lost is None or other:
            raise
        return report_lost_output(_first(lost))
    return 0


def _first(group: ExceptionGroup[OSError]) -> OSError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first


def _agent_client(root: Path, variables: Mapping[str, str], agent: str) -> "AgentClient":
    """The memory of an agent, imported at the first call of a tool."""
    from pipeline.service.socket.agent_client import AgentClient

    return AgentClient(root, variables, agent)


def _memory(root: Path, variables: Mapping[str, str], stack: ExitStack) -> "MemoryClient":
    """The memory of a workspace, imported only now: an agent waits for the handshake, and may never ask anything."""
    from pipeline.service.socket.client_or_local import MemoryClient

    return stack.enter_context(MemoryClient(root, variables, linger=_LINGER_SECONDS))


def _details(root: Path, variables: Mapping[str, str], stack: ExitStack) -> "OpenDetails":
    """The stored details of a workspace, imported only now."""
    from pipeline.app.details.opened import opened_details
    from pipeline.process.context import ProcessContext

    return stack.enter_context(opened_details(root, ProcessContext(variables)))
