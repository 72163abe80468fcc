"""`memory show`."""

import re
from collections.abc import Mapping
from contextlib import suppress

import click

from pipeline.surfaces.cli.terminal import options

_LINES = re.compile(r"(said|detail):|.*(#|/|\.md$)")
"""Begins a citation: an address of a message or a stored text, or a path."""
_SHORTEST = 5
"""The letters of an id by which other things than entries are shown: a shorter one is a slip more often."""


@click.command("show", no_args_is_help=True)
@click.argument("place", metavar="ID|CITATION", shell_complete=options.names_of("entries"))
@options.as_json
@options.workspace
@click.pass_context
def command(ctx: click.Context, /, place: str, **how: bool | str | None) -> None:
    """Show an entry, lines, or a list of what there is.

    Of an ID, of an entry or a fact, the story is told, as `memory show story` does. Of a CITATION, such as
    memory/2026-03-02.md#L3-L9 or said:SESSION#41, the lines are printed, as `memory show lines` does. The ID of a run,
    a suggestion, a session or a stored text shows that.
    """
    if _LINES.match(place):
        from pipeline.surfaces.cli.commands.search import get_command

        ctx.invoke(get_command, place=place, raw=False, **how)
    else:
        _show_thing(ctx, place, how)


def _show_thing(ctx: click.Context, name: str, how: Mapping[str, bool | str | None]) -> None:
    """Show the entry of an id, else what other thing has it."""
    from pipeline.errors import UnknownEntry, UnknownName
    from pipeline.surfaces.cli.commands import explain, runs, store, suggestions, transcripts

    try:
        ctx.invoke(explain.command, entry_id=name, **how)
    except UnknownEntry:
        if len(name) < _SHORTEST:
            raise
        for command, given in (
            (runs.show_command, {"run_id": name, "following": False}),
            (suggestions.show_suggestion, {"name": name}),
            (store.show_command, {"key": name, "raw": False, "lines": "", "query": "", "page": None}),
            (transcripts.show_command, {"session": name, "everything": False}),
        ):
            with suppress(UnknownName):
                ctx.invoke(command, **given, **how)
                return
        raise
