"""`memory entities`."""

import shlex
from collections.abc import Callable

import click

from pipeline.corrections.entities import EntitiesNamed, merge, split
from pipeline.engine.context import Engine
from pipeline.reports.entities import list_entities, show_entity
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.surfaces.cli.views.entities import print_entity
from schemas.reports.entities import EntityReport

SHOW, MERGE, SPLIT = "show", "merge", "split"
Resolved = tuple[str | None, click.Command | None, list[str]]
"""A command with its name, and the words that are left for it."""


class NamedGroup(click.Group):
    """A group whose first word may also be the name of an entity, which is then shown."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Resolved:
        """The command of a first word; `show` for any other word."""
        known = args and args[0] in self.commands
        return super().resolve_command(ctx, args if known else [SHOW, *args])


@click.group("entities", cls=NamedGroup, invoke_without_command=True)
@options.as_json
@options.workspace
@click.pass_context
def command(ctx: click.Context, /, workspace: str | None, *, as_json: bool) -> None:
    """List the entities that facts name, or show the one called NAME.

    A person, project, place or thing behind an `@` in a fact. Its page is bank/entities/NAME.md; its front matter is
    yours: `name`, `aliases` and `kind`. Names that are alike may be one entity's: `merge` puts them together.
    """
    if ctx.invoked_subcommand:
        return
    with opened(workspace, looking=False) as engine:
        known = list_entities(engine)
    if as_json:
        for report in known:
            print_json(report)
    elif known:
        print_columns(map(_row, known), ("NAME", "ALIASES", "KIND", "FACTS", "FIRST", "LAST"))
        _print_alike(known)
    else:
        click.echo("No fact names an entity yet. `memory jobs` says which job retains facts.")


@command.command(SHOW)
@click.argument("name")
@options.as_json
@options.workspace
def show_command(name: str, workspace: str | None, *, as_json: bool) -> None:
    """Show an entity by any of its names: its page, or its facts where it has none."""
    with opened(workspace, looking=False) as engine:
        shown = show_entity(engine, name)
    if as_json:
        print_json(shown)
    else:
        print_entity(shown)


@command.command(MERGE)
@click.argument("name", metavar="A")
@click.argument("other", metavar="B")
@options.as_json
@options.workspace
def merge_command(name: str, other: str, workspace: str | None, *, as_json: bool) -> None:
    """Make B, with all of its names, an alias of A.

    It is written into the front matter of A's page, and the pages follow at once. `memory undo` takes it back. Refused
    where an agent runs it.
    """
    done = _carried_out(workspace, lambda engine: merge(engine, name, other))
    _print(done, name, other, f"{printable(other)} is an alias of {printable(name)} now.", as_json=as_json)


@command.command(SPLIT)
@click.argument("name", metavar="A")
@click.argument("other", metavar="B")
@options.as_json
@options.workspace
def split_command(name: str, other: str, workspace: str | None, *, as_json: bool) -> None:
    """Take B out of the aliases of A, so that it is an entity of its own.

    `memory undo` takes it back. Refused where an agent runs it.
    """
    done = _carried_out(workspace, lambda engine: split(engine, name, other))
    _print(done, name, other, f"{printable(other)} is no alias of {printable(name)} any more.", as_json=as_json)


def _carried_out(workspace: str | None, work: Callable[[Engine], EntitiesNamed]) -> EntitiesNamed:
    refuse_agents()
    with opened(workspace, looking=False) as engine:
        return work(engine)


def _print(done: EntitiesNamed, name: str, other: str, sentence: str, *, as_json: bool) -> None:
    report = done.report(name, other)
    if as_json:
        print_json(report)
        return
    click.echo(sentence)
    for warning in report.warnings:
        click.echo(f"The pages follow with the next run: {printable(warning)}")
    click.echo(f"To take it back: {report.undo}")


def _row(report: EntityReport) -> tuple[str, ...]:
    days = (report.first or "", report.last or "")
    return report.name, ", ".join(report.aliases), report.kind, str(report.facts), *days


def _print_alike(known: list[EntityReport]) -> None:
    """The pairs that may be one entity, each once, with the command that says so."""
    pairs = {frozenset((entity.name, other)): (entity.name, other) for entity in known[::-1] for other in entity.alike}
    for name, other in pairs.values():
        command_line = shlex.join(["memory", "entities", MERGE, name, other])
        click.echo(f"{printable(name)} and {printable(other)} may be one: {printable(command_line)}")
