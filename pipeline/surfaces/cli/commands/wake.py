"""`memory wake`. What answers is imported when there is no service to ask: so this starts at once."""

import click

from pipeline.service.socket.agent_client import AgentClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json
from schemas.wake_budget import WAKE_BUDGET


@click.command("wake")
@click.argument("agent", metavar="AGENT")
@click.option("--budget", type=click.IntRange(min=1), default=WAKE_BUDGET, show_default=True, help="The most tokens.")
@click.option("--with", "with_", type=click.Choice(["memory"]), help="MEMORY.md as well.")
@click.option("--as", "reader", default="", metavar="AGENT", help="The agent that asks, when it is another one.")
@options.as_json
@options.workspace
def command(  # noqa: PLR0913 - its options
    agent: str, workspace: str | None, *, budget: int, with_: str | None, reader: str, as_json: bool
) -> None:
    """Print what AGENT gets first.

    These are its `identity.md`, what it always knows, and its last session. What stands in these files by other hands
    is marked, and what nobody has confirmed is marked as well. Over the budget what is worked on now is left out first,
    then the end of the last session, then lines of what it knows; the identity never. With --json each part has its
    tokens, and `left_out` says what found no room.
    """
    client = AgentClient(root_of(workspace), environment(), reader)
    waking = client.wake(agent, budget, with_memory=bool(with_))
    if as_json:
        print_json(waking)
        return
    for problem in waking["problems"]:
        print_message(problem)
    if not waking["parts"]:
        click.echo(f"{agent} remembers nothing yet.")
    click.echo("\n\n".join(part["text"] for part in waking["parts"]), nl=bool(waking["parts"]))
    if waking["left_out"]:
        print_message(f"left out: {', '.join(waking['left_out'])}.")
