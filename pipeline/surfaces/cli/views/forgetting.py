"""The traces of a topic that would be forgotten, and the receipt for it."""

from collections.abc import Sequence
from dataclasses import replace

import click

from pipeline.app.forgetting import forget_in_index
from pipeline.process.context import ProcessContext
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import count, print_json, printable
from pipeline.workspace.forgotten import PATH
from schemas.reports.corrections import ForgottenWords, TopicTraces, TracedLine

_MOST_PLACES = 50  # that are shown of one sort
INDEX = {
    "none": "There is no index that it could be found by.",
    "rebuilt": "The index was built anew without it.",
    "left": "The index still has its words: run `memory reindex --full`.",
}
"""The sentence about the index, by what became of it."""


def print_traces(seen: TopicTraces, *, err: bool) -> None:
    """Print the entries and lines that would go, and the lines that would stay."""
    if seen.entries:
        click.echo(f"{count(len(seen.entries), 'entry', 'entries')} would go:", err=err)
    for entry in seen.entries:
        click.echo(f"  {entry.where}  {printable(entry.title)}", err=err)
    _print_lines(f"{count(len(seen.lines), 'line')} of ours would go:", seen.lines, err=err)
    if seen.waiting:
        click.echo(f"{count(seen.waiting, 'suggestion')} would go.", err=err)
    _print_places(f"{count(len(seen.details), 'stored output')} would go:", seen.details, err=err)
    _print_places(f"{count(len(seen.messages), 'place')} of conversations would be masked:", seen.messages, err=err)
    _print_places(f"{count(len(seen.said), 'message')} of transcripts would be found no more:", seen.said, err=err)
    _print_lines(
        "Lines that stay, because people wrote or changed them, or they say something else:", seen.kept, err=err
    )
    if seen.alike:
        click.echo(f"Not meant, unless you name them too: {', '.join(map(printable, seen.alike))}", err=err)


def _print_places(head: str, places: Sequence[str], *, err: bool) -> None:
    if not places:
        return
    click.echo(head, err=err)
    for place in places[:_MOST_PLACES]:
        click.echo(f"  {printable(place)}", err=err)
    if len(places) > _MOST_PLACES:
        click.echo(f"  and {len(places) - _MOST_PLACES} more", err=err)


def _print_lines(head: str, lines: Sequence[TracedLine], *, err: bool) -> None:
    if lines:
        click.echo(head, err=err)
    for line in lines:
        click.echo(f"  {line.where}  {printable(line.text)}", err=err)


def finish_forgetting(receipt: ForgottenWords, workspace: str | None, *, as_json: bool) -> int:
    """Take forgotten words out of the index and print the receipt; the exit code. By now all files are without them."""
    indexed, error = forget_in_index(root_of(workspace), ProcessContext(environment()))
    if error:
        click.echo(str(error), err=True)
    if as_json:
        print_json(replace(receipt, index=indexed))
    else:
        _print_receipt(receipt)
        click.echo(INDEX[indexed])
    return error.exit_code if error else 0


def _print_receipt(receipt: ForgottenWords) -> None:
    click.echo(f"Forgot {count(len(receipt.entries), 'entry', 'entries')}, {count(len(receipt.removed), 'place')}.")
    ledger = f"{count(receipt.changes, 'stored change')}, {count(receipt.answers, 'cached answer')}"
    click.echo(f"Out of the ledger: {ledger}, {count(receipt.suggestions, 'suggestion')}.")
    if receipt.summaries:
        click.echo(f"{count(receipt.summaries, 'summary', 'summaries')} of conversations went, to be made anew.")
    click.echo(f"In {PATH} stand hashes alone, so that it does not come back.")
    for head, places in (
        ("In other words now:", receipt.reworded),
        ("Overwritten in:", receipt.logs),
        ("Stored outputs that went:", receipt.details),
        ("Places of conversations that were masked:", tuple(map(printable, receipt.messages))),
        ("Messages of transcripts that no search finds any more:", tuple(map(printable, receipt.said))),
        (
            "It still stands in lines of people, or about something else; take out by hand what you mean as well:",
            receipt.kept,
        ),
        ("Out of our reach, if it stands there too:", receipt.out_of_reach),
    ):
        for line in (head, *(f"  {place}" for place in places)) if places else ():
            click.echo(line)
