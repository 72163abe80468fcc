"""`memory fleet token`."""

import click

from pipeline.clock import SystemClock
from pipeline.surfaces.cli.commands.fleet import open_fleet
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents
from schemas.reports.fleet import FleetTokenMade, FleetTokenReport, FleetTokenRevoked

_for = click.option("--for", "workspace", default="", metavar="WORKSPACE", help="The workspace that it opens.")
_OF_OPERATOR = "It is the operator's, and opens no workspace."
_operator = click.option("--operator", is_flag=True, help=_OF_OPERATOR)


@click.command("add")
@click.argument("name")
@_for
@click.option("--agent", default="", metavar="AGENT", help="The agent that calls with it; without this, a person.")
@click.option(
    "--laptop", "kind", flag_value="laptop", help="It is for `memory ship` on a laptop, and opens nothing else."
)
@click.option("--operator", "kind", flag_value="operator", help=_OF_OPERATOR)
@options.as_json
def add_command(name: str, workspace: str, agent: str, kind: str | None, *, as_json: bool) -> None:
    """Make a token and print it, this once.

    With --for it opens that workspace, and no other: what a person's token asks for is the word of its owner, an
    agent's token is the agent's, and a laptop's only ships transcripts of that owner. With --operator it shows the page
    of the fleet, and nothing that anybody said. The database has the hash of a token alone.
    """
    refuse_agents()
    if bool(workspace) == (kind == "operator") or (kind and agent):
        message = "Give either --for WORKSPACE, with --agent or --laptop if you like, or --operator."
        raise click.UsageError(message)
    with open_fleet() as database, database.transaction() as connection:
        from pipeline.fleet.tokens import OF_BROWSER, NewToken, add_token
        from pipeline.fleet.workspaces import find_workspace

        if name.startswith(OF_BROWSER):
            message = f"Tokens whose names begin with {OF_BROWSER} are those of browsers, and go when they sign out."
            raise click.UsageError(message)
        owner = find_workspace(connection, workspace) if workspace else None
        token = add_token(connection, owner, NewToken(name, agent, laptop=kind == "laptop"), SystemClock().now())
    if as_json:
        print_json(FleetTokenMade(name, workspace, agent, token))
        return
    whose = f" of {workspace}" if workspace else ""
    print_message(f"the token {name}{whose} is shown once. Who has it may call in this name:")
    click.echo(token)


@click.command("list")
@options.as_json
def list_command(*, as_json: bool) -> None:
    """List the tokens, and whose they are."""
    with open_fleet() as database, database.transaction() as connection:
        from pipeline.fleet.tokens import list_tokens

        tokens = list_tokens(connection)
    if as_json:
        for token in tokens:
            print_json(token)
    elif tokens:
        print_columns(map(_row, tokens), ("TOKEN", "WORKSPACE", "WHOSE", "ADDED", "EXPIRES"))
    else:
        click.echo("There is no token. `memory fleet token add NAME --for WORKSPACE` makes one.")


@click.command("revoke")
@click.argument("name")
@_for
@_operator
@options.as_json
def revoke_command(name: str, workspace: str, *, operator: bool, as_json: bool) -> None:
    """Take a token away.

    Whoever has it may call no more, at any front, from the next request on.
    """
    refuse_agents()
    if bool(workspace) == operator:
        message = "Name the workspace with --for, or say --operator."
        raise click.UsageError(message)
    with open_fleet() as database, database.transaction() as connection:
        from pipeline.fleet.tokens import revoke_token
        from pipeline.fleet.workspaces import find_workspace

        revoke_token(connection, find_workspace(connection, workspace) if workspace else None, name)
    if as_json:
        print_json(FleetTokenRevoked(name, workspace))
    else:
        click.echo(f"The token {printable(name)} is revoked.")


def _row(token: FleetTokenReport) -> tuple[str, ...]:
    expires = f"{token.expires:%Y-%m-%d}" if token.expires else "never"
    whose = printable(token.agent) or token.kind
    return printable(token.name), printable(token.workspace or ""), whose, f"{token.added:%Y-%m-%d}", expires
