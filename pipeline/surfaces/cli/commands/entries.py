"""`memory entries`."""

from collections.abc import Sequence
from typing import Any

import click

from pipeline.app.requests import check_request
from pipeline.entries.project_names import short_names
from pipeline.reports.entries import listed_entry, wanted_entries
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import opened
from schemas.entry import Kind, Status, Trust
from schemas.requests import EntryFilter

_SEVERAL = 2


@click.command("entries")
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only entries of this kind.")
@click.option("--status", type=click.Choice([status.value for status in Status]), help="Only entries of this status.")
@click.option("--since", type=Day(), metavar="DAY", help="Only entries of this day and later ones.")
@click.option("--until", type=Day(), metavar="DAY", help="Only entries of this day and earlier ones.")
@options.project
@click.option("--trust", type=click.Choice([trust.value for trust in Trust]), help="Only entries of this trust.")
@click.option("--words", default="", metavar="TEXT", help="Only entries with this in title, conclusion or quote.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the filters declared above
    """List what is remembered, by day.

    The status is what all entries together say now. Of a `quoted` entry only the quote is known to be yours. An
    `unverified` entry stands in the file, but its words are not found where it says, so it counts for nothing. Of
    several blocks of one id, that one is listed which counts; `memory explain` and `memory doctor` name the others.
    """
    with opened(workspace) as engine:
        meant = check_request(EntryFilter, wanted, engine.local_now().date())
        places = wanted_entries(engine, EntryBooks(), meant)
    if as_json:
        for place in places:
            print_json(listed_entry(place))
    elif places:
        _print(places)
    else:
        click.echo("No entry fits these options." if any(wanted.values()) else "There is no entry yet.")


def _print(places: Sequence[PlacedEntry]) -> None:
    """A table; with the projects where more than one is known."""
    names, heads = short_names(place.project for place in places), ("DATE", "KIND", "STATUS", "ID")
    if len(names) < _SEVERAL:
        print_columns(map(_row, places), (*heads, "TITLE"))
        return
    rows = ((*row[:-1], printable(names.get(place.project, "")), row[-1]) for place in places if (row := _row(place)))
    print_columns(rows, (*heads, "PROJECT", "TITLE"))


def _row(place: PlacedEntry) -> tuple[str, ...]:
    entry = place.entry
    doubted = entry.trust.level < Trust.ACCEPTED.level
    status = place.status.value + (f", {entry.trust}" if doubted else "") + (", adopted" if place.adopted else "")
    return f"{entry.date:%Y-%m-%d}", entry.kind.value, status, entry.id, printable(entry.title)
