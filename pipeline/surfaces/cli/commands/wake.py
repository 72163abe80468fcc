"""`memory wake` and `memory agents know`. What answers is imported where no service is: so these start at once."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from pipeline.service.socket.agent_client import AgentClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import current_folder, environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json, printable
from schemas.hot_page import PAGE_BUDGET, WAKE_BUDGET


@click.command("wake")
@click.argument("agent", metavar="[AGENT]", default="", shell_complete=options.names_of("agents"))
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help=f"The most tokens: {WAKE_BUDGET} where it is not given, without AGENT {PAGE_BUDGET}.",
)
@click.option("--with", "with_", type=click.Choice(["memory"]), help="MEMORY.md as well; without AGENT it is all.")
@options.project_there
@click.option("--as", "reader", default="", metavar="AGENT", help="The agent that asks, when it is another one.")
@options.as_json
@options.workspace
def command(  # noqa: PLR0913 - its options
    agent: str,
    workspace: str | None,
    *,
    budget: int | None,
    with_: str | None,
    project: str,
    reader: str,
    as_json: bool,
) -> None:
    """Print what AGENT gets first, or what any agent does.

    These are its `identity.md`, what it always knows, and its last session. What stands in these files by other hands
    is marked, and what nobody has confirmed is marked as well. Over the budget what is worked on now is left out first,
    then the end of the last session, then lines of what it knows; the identity never. With --json each part has its
    tokens, and `left_out` says what found no room.

    Without AGENT, and for one that knows nothing yet, it is MEMORY.md: what holds everywhere, and what is about the
    project, which is that of the folder in which the command is called. Other projects are named alone.
    """
    client = AgentClient(root_of(workspace), environment(), reader)
    folder = project or current_folder()
    if agent:
        waking = client.wake(agent, budget or WAKE_BUDGET, with_memory=bool(with_), project=folder)
    else:
        waking = client.start_page(folder, budget or PAGE_BUDGET)
    if as_json:
        print_json(waking)
        return
    for problem in waking["problems"]:
        print_message(problem)
    if not waking["parts"]:
        click.echo(f"{agent} remembers nothing yet." if agent else "There is nothing in MEMORY.md yet.", err=not agent)
    click.echo("\n\n".join(part["text"] for part in waking["parts"]), nl=bool(waking["parts"]))
    if waking["left_out"]:
        print_message(f"left out: {', '.join(waking['left_out'])}.")


@click.command("know")
@click.argument("agent", metavar="[AGENT]", default="", shell_complete=options.names_of("agents"))
@options.as_json
@options.workspace
def know_command(agent: str, workspace: str | None, *, as_json: bool) -> None:
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
