"""An entity, and a fact, for a person."""

from collections.abc import Iterator

import click

from pipeline.surfaces.cli.terminal.format import count, printable
from schemas.fact import FactWord
from schemas.reports.entities import FactReport, ShownEntity


def print_entity(shown: ShownEntity) -> None:
    """Print the names and the page of an entity; its facts where it has no page."""
    entity = shown.entity
    names = f" ({', '.join(map(printable, entity.aliases))})" if entity.aliases else ""
    kind = f", {printable(entity.kind)}" if entity.kind else ""
    click.echo(f"{printable(entity.name)}{names}{kind}: {count(entity.facts, 'fact')}\n")
    if shown.page:
        for line in shown.page.splitlines():
            click.echo(printable(line.partition(" <!-- memory:")[0]))
        click.echo(f"\nFrom {printable(entity.path)}.")
        return
    for fact in shown.facts:
        click.echo(f"  {fact.id or 'no id':<10}  {_fact_day(fact)}  {printable(fact.text)}  ({fact.word})")


def print_fact(fact: FactReport) -> None:
    """Print the story of a fact."""
    click.echo(f"{printable(fact.text)}\n")
    for name, text in _fact_rows(fact):
        click.echo(f"  {name:<11}  {printable(text)}")


def _fact_rows(fact: FactReport) -> Iterator[tuple[str, str]]:
    yield "fact", f"{fact.id} ({fact.path}:{fact.line})"
    yield "kind", f"{fact.kind}, said {_fact_day(fact)}; {fact.word}"
    if fact.entities:
        yield "about", ", ".join(f"@{name}" for name in fact.entities)
    yield "sure", f"{fact.sureness}, {fact.confidence / 100:.2f}: {fact.sum}"
    if fact.quote:
        yield "quote", fact.quote
        yield "source", _cite_source(fact)
    for name, ids in (("for", fact.supported_by), ("against", fact.contradicted_by), ("replaces", fact.replaces)):
        if ids:
            yield name, ", ".join(ids)
    if fact.replaced_by:
        yield "replaced by", f"{fact.replaced_by}, on {fact.until}"


def _cite_source(fact: FactReport) -> str:
    """The session and messages of a fact's words; of an accepted fact its line in the file."""
    first, last = fact.numbers
    numbers = str(first) if first == last else f"{first}-{last}"
    if fact.word == FactWord.ACCEPTED.value:
        return f"{fact.session_id}, line {numbers}"
    return f"session {fact.session_id}, {'message' if first == last else 'messages'} {numbers}"


def _fact_day(fact: FactReport) -> str:
    return fact.day or "without a day"
