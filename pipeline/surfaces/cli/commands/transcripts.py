"""`memory transcripts`."""

import click

from pipeline.reports.transcripts import find_session, listed_session
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import escaped
from pipeline.surfaces.cli.terminal.format import local, print_columns, print_json
from pipeline.surfaces.cli.terminal.workspace import opened
from schemas.transcript import Message


@click.group("transcripts", invoke_without_command=True)
@options.as_json
@options.workspace
@click.pass_context
def command(ctx: click.Context, workspace: str | None, *, as_json: bool) -> None:
    """List the sessions that are read, or show one.

    Sessions of all sources, the oldest first. Nothing is copied: the agents' own files are read.
    """
    if ctx.invoked_subcommand:
        return
    with opened(workspace) as engine:
        zone, records = engine.zone, engine.catalog.listing()
    if as_json:
        for record in records:
            print_json(listed_session(record))
    elif records:
        rows = [
            (record.session or "", record.source, local(record.first, zone), local(record.last, zone), record.file.path)
            for record in records
        ]
        print_columns(rows, ("SESSION", "SOURCE", "FIRST", "LAST", "PATH"))
    else:
        where = (
            "" if engine.settings.sources else " memory.toml names no [[sources]] yet: take the # away where it does."
        )
        click.echo(f"No session was found. `memory doctor` says where it was looked for.{where}")


@command.command("show")
@click.argument("session")
@click.option("--all", "everything", is_flag=True, help="Also messages that are no conversation, without their text.")
@options.as_json
@options.workspace
def show(session: str, workspace: str | None, *, everything: bool, as_json: bool) -> None:
    """Show one session's conversation, with secrets masked.

    SESSION is its id, or the name of its file without the ending; the beginning is enough when no other begins so. The
    numbers count every record of the session, so there are gaps where tools and machines were at work.
    """
    with opened(workspace) as engine:
        transcript = find_session(engine, session)
        zone = engine.zone
    for message in transcript.messages if everything else transcript.conversation:
        if as_json:
            print_json(message)
        else:
            click.echo(f"#{message.number} {local(message.time, zone)} {message.origin.value}\n{_body(message)}\n")


def _body(message: Message) -> str:
    """The text for a terminal, indented."""
    if not message.text:
        return "  (left out: only conversation has its text here)"
    return "\n".join(f"  {line}" for line in escaped(message.text.replace("\r\n", "\n")).splitlines())
