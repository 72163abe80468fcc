"""`memory entries`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import click

from pipeline.clock import local_day
from pipeline.entries.project_names import goes_by, short_names
from pipeline.reports.entries import listed_entry
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import opened
from schemas.entry import Kind, Status, Trust

_SEVERAL = 2


@dataclass(frozen=True)
class _EntryFilter:
    """Which entries a person asked for; what is not given does not matter."""

    kind: str | None
    status: str | None
    since: datetime | None
    until: datetime | None
    project: str

    def __call__(self, place: PlacedEntry, zone: str) -> bool:
        day = local_day(place.entry.date, zone)
        return (
            self.kind in {None, place.entry.kind.value}
            and self.status in {None, place.status.value}
            and (self.since is None or self.since.date() <= day)
            and (self.until is None or self.until.date() >= day)
            and goes_by(place.project, self.project)
        )


@click.command("entries")
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only entries of this kind.")
@click.option("--status", type=click.Choice([status.value for status in Status]), help="Only entries of this status.")
@click.option("--since", type=Day(), metavar="DAY", help="Only entries of this day and later ones.")
@click.option("--until", type=Day(), metavar="DAY", help="Only entries of this day and earlier ones.")
@options.project
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the filters declared above
    """List what is remembered, by day.

    The status is what all entries together say now. Of a `quoted` entry only the quote is known to be yours. An
    `unverified` entry stands in the file, but its words are not found where it says, so it counts for nothing. Of
    several blocks of one id, that one is listed which counts; `memory explain` and `memory doctor` name the others.
    """
    with opened(workspace) as engine:
        keeps = _EntryFilter(**wanted | {"project": engine.catalog.project_named(wanted["project"])})
        places = [place for place in EntryBooks().of(engine).texts if keeps(place, engine.zone)]
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
