"""`memory show entities`, `memory correct merge` and `memory correct split`."""

import shlex
from collections.abc import Callable

import click

from pipeline.corrections.entities import EntitiesNamed, merge, split
from pipeline.engine.context import Engine
from pipeline.reports.entities import list_entities, show_entity
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from pipeline.surfaces.cli.views.entities import print_entity
from schemas.reports.entities import EntityReport

MERGE, SPLIT = "merge", "split"


@click.command("entities")
@click.argument("name", required=False)
@options.as_json
@options.workspace
def command(name: str | None, workspace: str | None, *, as_json: bool) -> None:
    """List the entities that facts name, or show one.

    A person, project, place or thing behind an `@` in a fact. NAME is any of its names: shown is its page, or its facts
    where it has none. The page is bank/entities/NAME.md; its front matter is yours: `name`, `aliases` and `kind`. Names
    that are alike may be one entity's: `memory correct merge` puts them together.
    """
    with open_for_reading(workspace, looking=False) as engine:
        if name is not None:
            shown = show_entity(engine, name)
            print_json(shown) if as_json else print_entity(shown)
            return
        known = list_entities(engine)
    if as_json:
        for report in known:
            print_json(report)
    elif known:
        print_columns(map(_row, known), ("NAME", "KIND", "FACTS", "FIRST", "LAST", "ALIASES"), cutting=True)
        pairs = {
            frozenset((entity.name, other)): (entity.name, other) for entity in known[::-1] for other in entity.alike
        }
        for first, other in pairs.values():
            command_line = shlex.join(["memory", "correct", MERGE, first, other])
            click.echo(f"{printable(first)} and {printable(other)} may be one: {printable(command_line)}")
    else:
        click.echo("No fact names an entity yet. `memory show jobs` says which job retains facts.")


@click.command(MERGE)
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


@click.command(SPLIT)
@click.argument("name", metavar="A")
@click.argument("other", metavar="B")
@options.as_json
@options.workspace
def split_command(name: str, other: str, workspace: str | None, *, as_json: bool) -> None:
    """Take B out of the aliases of A.

    B is an entity of its own then. `memory undo` takes it back. Refused where an agent runs it.
    """
    done = _carried_out(workspace, lambda engine: split(engine, name, other))
    _print(done, name, other, f"{printable(other)} is no alias of {printable(name)} any more.", as_json=as_json)


def _carried_out(workspace: str | None, work: Callable[[Engine], EntitiesNamed]) -> EntitiesNamed:
    refuse_agents()
    with open_for_reading(workspace, looking=False) as engine:
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
    return report.name, report.kind, str(report.facts), *days, ", ".join(report.aliases)
