"""`memory transcripts`."""

from difflib import get_close_matches
from pathlib import PurePosixPath

import click

from pipeline.engine.context import Engine
from pipeline.errors import UnknownSession
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import escaped
from pipeline.surfaces.cli.terminal.format import local, print_columns, print_json
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.workspace.prefixes import whole_name
from schemas.transcript import Message, Session

_OFFERED = 5


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
            first, last = (moment.isoformat() if moment else None for moment in (record.first, record.last))
            told = {"id": record.session, "source": record.source, "first": first, "last": last}
            print_json(told | {"path": record.file.path})
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
        found = _find(engine, session)
        zone = engine.zone
    for message in found.messages if everything else found.conversation:
        if as_json:
            print_json(message.model_dump())
        else:
            click.echo(f"#{message.number} {local(message.time, zone)} {message.origin.value}\n{_body(message)}\n")


def _find(engine: Engine, name: str) -> Session:
    """A session by its id, or else by its file; the beginning of either is enough.

    Raises:
        UnknownSession: there is none.
        SeveralNames: several begin so.
    """
    records = engine.catalog.listing()
    by_file = {_stem(each.file.path): each.session or "" for each in records}
    titles = {each.session or "": f"{local(each.first, engine.zone)}, {each.file.path}" for each in records}
    offered = get_close_matches(name, titles, n=_OFFERED, cutoff=0.3) or sorted(titles)[-_OFFERED:]
    if name in by_file and name not in titles:
        whole = by_file[name]
    elif any(each.startswith(name) for each in titles):
        whole = whole_name(name, titles, UnknownSession, offered)
    else:
        files = {stem: titles[session] for stem, session in by_file.items()}
        whole = by_file[whole_name(name, files, UnknownSession, offered)]
    if found := engine.catalog.session(whole):
        return found
    raise UnknownSession(name, [each for each in offered if each != whole])


def _stem(path: str) -> str:
    return PurePosixPath(path).name.partition(".jsonl")[0]


def _body(message: Message) -> str:
    """The text for a terminal, indented."""
    if not message.text:
        return "  (left out: only conversation has its text here)"
    return "\n".join(f"  {line}" for line in escaped(message.text.replace("\r\n", "\n")).splitlines())
