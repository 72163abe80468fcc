"""`memory show transcripts`."""

from collections.abc import Sequence

import click

from pipeline.entries.project_names import goes_by
from pipeline.entries.project_names import short_names as projects_named
from pipeline.reports.transcripts import find_session, judged_sessions, listed_sessions, shown_messages
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import escape
from pipeline.surfaces.cli.terminal.format import cut_line, local, print_columns, print_json
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from pipeline.workspace.layout import SHORT, short_names
from schemas.reports.workspace import JudgedSession, ListedSession

_HEADS = ("SESSION", "AGENT", "FIRST", "OWNER", "MACHINE")
_LONGEST_AGENT = 20  # columns


@click.command("transcripts")
@click.option("--why", is_flag=True, help="Also what is not read, each with the reason.")
@options.project
@options.as_json
@options.workspace
def command(workspace: str | None, *, why: bool, project: str, as_json: bool) -> None:
    """List the sessions.

    Sessions of all sources, the oldest first: the beginning of the id, the source with its agent or else the project,
    the day of the first message, how many messages are the owner's and how many a machine's, and the owner's first
    words. Nothing is copied: the agents' own files are read.

    With --why those in which only machines speak stand apart, and so do the sessions that the settings leave out and
    the files without a session.
    """
    with open_for_reading(workspace) as engine:
        zone, named = engine.zone, bool(engine.settings.transcript_sources)
        known = judged_sessions(engine) if why else listed_sessions(engine)
        meant = engine.catalog.project_named(project)
        sessions = [session for session in known if goes_by(session.project, meant)]
    if as_json:
        for session in sessions:
            print_json(session)
        return
    passed = [session for session in sessions if isinstance(session, JudgedSession) and session.left_out]
    read = [session for session in sessions if session not in passed]
    rows = [(*row, session.title) for row, session in zip(_cells(read, zone), read, strict=True)]
    print_columns(rows, (*_HEADS, "FIRST WORDS"), cutting=True)
    if not read:
        where = "" if named else " memory.toml names no [[sources]] yet: take the # away where it does."
        click.echo(f"No session was found. `memory doctor` says where it was looked for.{where}")
    if passed:
        click.echo("\nNot read:")
    left_out = [
        (*row, session.left_out if session.id else f"{session.left_out}: {session.path}")
        for row, session in zip(_cells(passed, zone), passed, strict=True)
    ]
    print_columns(left_out, (*_HEADS, "WHY"), cutting=True)


def _cells(sessions: Sequence[ListedSession], zone: str) -> list[tuple[str, ...]]:
    """The cells of each session before its last one; the project of a source whose agents have no names."""
    short, projects = (
        short_names((session.id or "" for session in sessions), SHORT),
        projects_named(o.project for o in sessions),
    )
    return [
        (
            short[session.id] if session.id else "-",
            cut_line(
                f"{session.source}/{session.agent or projects.get(session.project, '')}".rstrip("/"), _LONGEST_AGENT
            ),
            local(session.first, zone)[: len("2026-02-20")],
            str(session.owner_messages),
            str(session.machine_messages),
        )
        for session in sessions
    ]


@click.command("transcript")
@click.argument("session")
@click.option("--all", "everything", is_flag=True, help="Also messages that are no conversation, without their text.")
@options.as_json
@options.workspace
def show_command(session: str, workspace: str | None, *, everything: bool, as_json: bool) -> None:
    """Show one session's conversation.

    Secrets are masked. SESSION is its id, or the name of its file without the ending; the beginning is enough when no
    other begins so. An id that two kinds of sources have is given with its kind, such as codex:8f1c2d. The numbers
    count every record of the session, so there are gaps where tools and machines were at work.
    """
    with open_for_reading(workspace) as engine:
        transcript = find_session(engine, session)
        zone = engine.zone
    for message in shown_messages(transcript, everything=everything):
        if as_json:
            print_json(message)
        else:
            text = escape(message.text.replace("\r\n", "\n")) or "(left out: only conversation has its text here)"
            body = "\n".join(f"  {line}" for line in text.splitlines())
            click.echo(f"#{message.number} {local(message.time, zone)} {message.origin.value}\n{body}\n")
