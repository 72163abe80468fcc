"""`memory show`."""

import re

import click

from pipeline.surfaces.cli.terminal import options

_LINES = re.compile(r"(said|detail):|.*(#|/|\.md$)")
"""Begins a citation: an address of a message or a stored text, or a path."""


@click.command("show", no_args_is_help=True)
@click.argument("place", metavar="ID|CITATION", shell_complete=options.names_of("entries"))
@options.as_json
@options.workspace
@click.pass_context
def command(ctx: click.Context, /, place: str, **how: bool | str | None) -> None:
    """Show an entry, lines, or a list of what there is.

    Of an ID, of an entry or a fact, the story is told, as `memory show story` does. Of a CITATION, such as
    memory/2026-03-02.md#L3-L9 or said:SESSION#41, the lines are printed, as `memory show lines` does.
    """
    if _LINES.match(place):
        from pipeline.surfaces.cli.commands.search import get_command

        ctx.invoke(get_command, place=place, raw=False, **how)
    else:
        from pipeline.surfaces.cli.commands.explain import command as story

        ctx.invoke(story, entry_id=place, **how)
