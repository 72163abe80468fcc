"""`memory token`."""

import click

from pipeline.clock import SystemClock
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents, require_person
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind, ListedToken


@click.group("token")
def command() -> None:
    """Give persons and agents a token to call the service over HTTP.

    What a person's token asks for is the word of that person; an agent's token is the agent's. The workspace keeps the
    hash of a token alone.
    """


@command.command("add")
@click.argument("name")
@click.option("--agent", default="", metavar="AGENT", help="The agent that calls with it; without this, a person.")
@options.workspace
def add_command(name: str, workspace: str | None, *, agent: str) -> None:
    """Make a token and print it, this once. No agent may make one for a person."""
    refuse_agents()
    if not agent:
        require_person()
    kind = CallerKind.AGENT if agent else CallerKind.PERSON
    token = TokenFile(root_of(workspace)).add(name, kind, agent, SystemClock().now())
    print_message("this token is shown once. Who has it may call in this name:")
    click.echo(token)


@command.command("list")
@options.as_json
@options.workspace
def list_command(workspace: str | None, *, as_json: bool) -> None:
    """List the tokens: their names, whose they are, since when, and until when if they expire."""
    tokens = TokenFile(root_of(workspace)).kept()
    if as_json:
        for token in tokens:
            print_json(ListedToken.model_validate(token.model_dump(exclude={"sha256"})))
    elif tokens:
        whose = (printable(one.agent) or one.kind.value for one in tokens)
        times = ((f"{one.added:%Y-%m-%d}", f"{one.expires:%Y-%m-%d}" if one.expires else "never") for one in tokens)
        rows = [(printable(one.name), who, *when) for one, who, when in zip(tokens, whose, times, strict=True)]
        print_columns(rows, ("TOKEN", "WHOSE", "ADDED", "EXPIRES"))
    else:
        click.echo("There is no token. `memory token add NAME` makes one.")


@command.command("revoke")
@click.argument("name")
@options.workspace
def revoke_command(name: str, workspace: str | None) -> None:
    """Take a token away; whoever has it may call no more."""
    TokenFile(root_of(workspace)).revoke(name, SystemClock().now())
    click.echo(f"The token {printable(name)} is revoked.")
