"""`memory show entries`."""

from collections.abc import Sequence
from typing import Any

import click

from pipeline.app.requests import check_request
from pipeline.entries.project_names import short_names
from pipeline.entries.reference import short_id
from pipeline.reports.entries import listed_entry, wanted_entries
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable, terminal_columns
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from schemas.entry import Kind, Status, Trust
from schemas.requests import EntryFilter

_SEVERAL = 2
_ROOM_FOR_PROJECTS = 100  # columns


@click.command("entries")
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only entries of this kind.")
@click.option("--status", type=click.Choice([status.value for status in Status]), help="Only entries of this status.")
@click.option("--since", type=Day(), metavar="DAY", help="Only entries of this day and later ones.")
@click.option("--until", type=Day(), metavar="DAY", help="Only entries of this day and earlier ones.")
@options.project
@click.option("--trust", type=click.Choice([trust.value for trust in Trust]), help="Only entries of this trust.")
@click.option("--words", default="", metavar="TEXT", help="Only entries with this in title, conclusion or quote.")
@options.wide
@options.as_json
@options.workspace
def command(workspace: str | None, *, wide: bool, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the filters declared above
    """List what is remembered, by day.

    A line has the day, the short id, which the commands about entries take, and the kind; the status in front of the
    title, unless it is active; and the project where several are known and the terminal is wide. With --wide all of it
    is in full.

    The status is what all entries together say now. Of a `quoted` entry only the quote is known to be yours. An
    `unverified` entry stands in the file, but its words are not found where it says, so it counts for nothing. Of
    several blocks of one id, that one is listed which counts; `memory show story` and `memory doctor` name the others.
    """
    with open_for_reading(workspace) as engine:
        meant = check_request(EntryFilter, wanted, engine.local_now().date())
        places = wanted_entries(engine, EntryBooks(), meant)
    if as_json:
        for place in places:
            print_json(listed_entry(place))
    elif places:
        _print(places, wide=wide)
    else:
        click.echo("No entry fits these options." if any(wanted.values()) else "There is no entry yet.")


def _print(places: Sequence[PlacedEntry], *, wide: bool) -> None:
    """A table; with the projects where more than one is known, and there is room."""
    names, room = short_names(place.project for place in places), terminal_columns()
    named = len(names) >= _SEVERAL and (wide or not room or room >= _ROOM_FOR_PROJECTS)
    rows = []
    for place in places:
        entry = place.entry
        cells = {"DATE": f"{entry.date:%Y-%m-%d}"}
        if wide:
            cells |= {"KIND": entry.kind.value, "STATUS": _status(place), "ID": entry.id}
        else:
            cells |= {"ID": short_id(entry.id), "KIND": entry.kind.value}
        if named:
            cells["PROJECT"] = printable(names.get(place.project, ""))
        rows.append(cells | {"TITLE": printable(entry.title if wide else _marked_title(place))})
    print_columns([tuple(row.values()) for row in rows], tuple(rows[0]), cutting=not wide)


def _marked_title(place: PlacedEntry) -> str:
    """The title, with the status in front that is not that of most entries."""
    status = _status(place)
    return place.entry.title if status == Status.ACTIVE else f"({status}) {place.entry.title}"


def _status(place: PlacedEntry) -> str:
    doubted = place.entry.trust.level < Trust.ACCEPTED.level
    return place.status.value + (f", {place.entry.trust}" if doubted else "") + (", adopted" if place.adopted else "")
