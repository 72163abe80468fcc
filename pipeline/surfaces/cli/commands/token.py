"""`memory config token`."""

import click

from pipeline.app.agent_folder import known_agent
from pipeline.clock import SystemClock
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents, require_person
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind, KeptToken, ListedToken, MadeToken, RevokedToken


@click.command("add")
@click.argument("name")
@click.option(
    "--agent", default="", metavar="AGENT", help="The agent of the settings that calls with it; without this, a person."
)
@click.option("--laptop", is_flag=True, help="It is for `memory ship` on a laptop of yours, and opens nothing else.")
@options.as_json
@options.workspace
def add_command(name: str, workspace: str | None, *, agent: str, laptop: bool, as_json: bool) -> None:
    """Make a token and print it, this once.

    What a person's token asks for is the word of that person; an agent's token is the agent's. A laptop's token ships
    transcripts, which count as the owner's, and does nothing else. No agent may make one for a person or a laptop. The
    workspace keeps the hash of a token alone. A script may make that of an agent: it needs no terminal.
    """
    refuse_agents()
    if agent and laptop:
        message = "A token is an agent's or a laptop's: leave out --agent or --laptop."
        raise click.UsageError(message)
    if agent:
        known_agent(root_of(workspace), environment(), agent)
    else:
        require_person()
    kind = CallerKind.AGENT if agent else CallerKind.LAPTOP if laptop else CallerKind.PERSON
    token = TokenFile(root_of(workspace)).add(name, kind, agent, SystemClock().now())
    if as_json:
        print_json(MadeToken(name, kind, agent, token))
        return
    print_message(f"the token {name} is shown once. Who has it may call in this name:")
    click.echo(token)


@click.command("list")
@options.as_json
@options.workspace
def list_command(workspace: str | None, *, as_json: bool) -> None:
    """List the tokens, and whose they are.

    Also since when, and until when they open anything. One that a browser got from `memory open` ends after 30 days;
    revoke it to sign that browser out at once.
    """
    tokens = TokenFile(root_of(workspace)).read_tokens()
    if as_json:
        for token in tokens:
            print_json(ListedToken.model_validate(token.model_dump(exclude={"sha256"})))
    elif tokens:
        print_columns(map(_row, tokens), ("TOKEN", "WHOSE", "ADDED", "EXPIRES"))
    else:
        click.echo("There is no token. `memory config token add NAME` makes one.")


@click.command("revoke")
@click.argument("name")
@options.as_json
@options.workspace
def revoke_command(name: str, workspace: str | None, *, as_json: bool) -> None:
    """Take a token away.

    Whoever has it may call no more.
    """
    TokenFile(root_of(workspace)).revoke(name, SystemClock().now())
    print_json(RevokedToken(name)) if as_json else click.echo(f"The token {printable(name)} is revoked.")


def _row(token: KeptToken) -> tuple[str, ...]:
    expires = f"{token.expires:%Y-%m-%d}" if token.expires else "never"
    return printable(token.name), printable(token.agent) or token.kind.value, f"{token.added:%Y-%m-%d}", expires
