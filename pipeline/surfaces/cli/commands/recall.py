"""`memory recall`. What answers is imported when there is no service to ask: so this starts at once."""

from typing import Any

import click

from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import printable
from schemas.search_limits import FACTS, MOST, RECALL_KINDS


@click.command("recall")
@click.argument("question", metavar="[QUERY]...", nargs=-1)
@click.option(
    "-k", "--k", type=click.IntRange(1, MOST), default=FACTS, show_default=True, metavar="N", help="How many."
)
@click.option("--since", type=Day(), metavar="DAY", help="Only what was said on this day or later.")
@click.option("--until", type=Day(), metavar="DAY", help="Only what was said on this day or earlier.")
@click.option("--as-of", type=Day(), metavar="DAY", help="What was so at the end of this day, by what was said then.")
@click.option("--entity", multiple=True, metavar="NAME", help="Only what names it, by any of its names; repeatable.")
@options.project
@click.option("--kind", multiple=True, type=click.Choice(RECALL_KINDS), help="Only this kind; may be repeated.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), metavar="C", help="Only what is at least so sure.")
@click.option("--budget", type=click.IntRange(1), metavar="TOKENS", help="Print at most so many tokens (o200k_base).")
@options.as_json
@options.workspace
def command(
    question: tuple[str, ...],
    workspace: str | None,
    *,
    budget: int | None,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 - the options declared above
) -> None:
    """Tell what is known: facts and decisions that hold.

    The best come first, by words, entities, time and confidence; what nobody vouches for comes last and is marked.
    Without QUERY all of them that the options let through, the newest first. What was superseded is left out; with
    --as-of it is as it was then.

    With --json: `kind`, `timestamp` (the day), `range`, `entities`, `content`, `source`, `confidence`, `status`,
    `holder` (whose view it is), `trust`, `id`, and `basis`: whether it was `said`, `accepted` (words of others) or
    `inferred` (from several facts), or is `unknown`; last `sureness`, the confidence of a fact in a word: `firm`,
    `likely`, `tentative` or `contested`, and the `project` in which it was said.
    """
    arguments = {name: value for name, value in asked.items() if value}
    with MemoryClient(root_of(workspace), environment()) as client:
        answer = client.recall({"query": " ".join(question), **arguments})
    _show(answer, budget, as_json=as_json)


def _show(answer: dict[str, Any], budget: int | None, *, as_json: bool) -> None:
    from pipeline.reports.compact_hits import fact_line, within
    from schemas.json_line import json_line

    lines = [json_line(fact) if as_json else printable(fact_line(fact)) for fact in answer["facts"]]
    shown = within(lines, budget)
    for line in lines[:shown]:
        click.echo(line)
    if not lines:
        click.echo("Note: Nothing is known of it.", err=True)
    if shown < len(lines):
        click.echo(f"Note: {len(lines) - shown} more have no room in the budget.", err=True)
    for note in answer["notes"]:
        click.echo(f"Note: {note}", err=True)
