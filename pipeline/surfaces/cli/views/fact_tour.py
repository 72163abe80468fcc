"""The end of the tour of `memory demo`: the page of an entity, and a belief that was revised."""

from collections.abc import Iterable

import click

from pipeline.engine.context import Engine
from pipeline.facts.standing import StandingFact
from pipeline.markdown.blocks import without_marks
from pipeline.reports.entities import show_entity
from pipeline.reports.facts import FactBook, fact_book
from pipeline.surfaces.cli.terminal.format import head, printable
from pipeline.surfaces.cli.views.entities import print_fact
from schemas.fact import FactKind


def show_facts(engine: Engine) -> None:
    """Show what was said of somebody, and a belief before and after; nothing where nothing was replaced."""
    book = fact_book(engine)
    replaced = [one for one in book.standings.all if one.replaced_by]
    named = (one for one in replaced if one.fact.kind is FactKind.WORLD and one.fact.entities)
    if moved := next(named, None):
        head("What is known of a person, and what is no more")
        _show_page(engine, moved.fact.entities[0])
    if belief := next((one for one in replaced if one.fact.kind is FactKind.OPINION), None):
        head("A belief that was revised")
        _show_belief(book, belief)


def _show_page(engine: Engine, name: str) -> None:
    shown = show_entity(engine, name)
    click.echo(f"{shown.entity.path}:\n")
    _show(line for line in without_marks(shown.page).splitlines() if line.strip())


def _show_belief(book: FactBook, belief: StandingFact) -> None:
    click.echo(
        f'On {belief.until} the owner said "{printable(belief.replaced_by.quote if belief.replaced_by else "")}".'
    )
    click.echo(f"  memory explain {belief.fact.id}\n")
    print_fact(book.report(belief))


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(f"  {printable(line)}")
