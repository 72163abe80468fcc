"""`memory forget`."""

import sys

import click

from pipeline.forget import Receipt, forget
from pipeline.forgotten import PATH
from pipeline.recall import explain
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.opening import opened
from pipeline.surfaces.cli.rendering import count, print_json, printable


@click.command("forget")
@click.argument("entry_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
@options.workspace
def command(entry_id: str, workspace: str | None, *, yes: bool, as_json: bool) -> None:
    """Remove an entry everywhere, for good.

    It goes out of the Markdown, the ledger and the cached answers, and is never extracted again; only its kind, its day
    and a hash are kept, in memory/forgotten.md. There is no undo.
    """
    with opened(workspace) as engine:
        if not yes:
            place = explain(engine, entry_id).place
            entry_id = place.entry.id  # the beginning of an id may have been enough
            _ask(f"Forget {entry_id} ({printable(place.entry.title)}, {place.path}) for good?")
        receipt = forget(engine, entry_id)
    if as_json:
        print_json({name: list(value) if isinstance(value, tuple) else value for name, value in vars(receipt).items()})
    else:
        _say(receipt)


def _ask(question: str) -> None:
    if not sys.stdin.isatty():
        message = "there is nobody to ask here; say --yes"
        raise click.UsageError(message)
    click.confirm(question, abort=True, err=True)


def _say(receipt: Receipt) -> None:
    click.echo(f"Forgot {receipt.entry_id}. It was removed from:")
    click.echo(f"  {', '.join(receipt.files)}")
    click.echo(f"  the ledger: {count(receipt.changes, 'stored change')}, {count(receipt.answers, 'cached answer')}")
    click.echo(f"In {PATH} it is {receipt.stand_in}, without its words, so that it does not come back.")
    if receipt.linked_from:
        click.echo(f"Its id still stands in the links of {', '.join(receipt.linked_from)}.")
    click.echo("Out of our reach, if it stands there too:")
    for place in receipt.out_of_reach:
        click.echo(f"  {place}")
