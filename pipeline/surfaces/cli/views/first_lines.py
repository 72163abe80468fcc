"""The best of a first reading: a few lines, with the words that they rest on and where these were said."""

from collections.abc import Sequence
from pathlib import Path

import click

from pipeline.engine.suggestions import waiting
from pipeline.reports.entries import list_entries
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.reports.suggestions import rank_suggestions
from pipeline.surfaces.cli.terminal.format import count, cut_line, printable
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from schemas.entry import Status

SHOWN = 3
_QUOTE = 200  # columns of a quote


def best_entries(places: Sequence[PlacedEntry]) -> list[PlacedEntry]:
    """The surest entries that hold, the newer first of equal ones, and of each session one before a second."""
    holding = [place for place in places if place.status is Status.ACTIVE and place.is_verified]
    holding.sort(key=lambda place: (place.entry.trust.level, place.entry.confidence, place.entry.date), reverse=True)
    first, further, sessions = list[PlacedEntry](), list[PlacedEntry](), set[str]()
    for place in holding:
        session = place.entry.source.session_id
        (further if session in sessions else first).append(place)
        sessions.add(session)
    return [*first, *further][:SHOWN]


def show_first_lines(root: Path) -> None:
    """Print the best lines found, else the suggestions that come closest, else that nothing was found."""
    with open_for_reading(str(root)) as engine:
        places, undecided = list_entries(engine), waiting(engine)
        best = best_entries(places)
        click.echo("")
        if best:
            surest = f"The {SHOWN} surest of {count(len(places), 'line')}" if len(places) > SHOWN else "The lines"
            click.echo(f"{surest} that were found:\n")
            for number, place in enumerate(best, 1):
                entry = place.entry
                said = f"{entry.date:%Y-%m-%d}, {place.project or entry.source.session_path}"
                click.echo(f"  {number}  {printable(entry.title)}")
                click.echo(f'     "{cut_line(printable(entry.quote), _QUOTE)}"')
                click.echo(f"     said on {printable(said)}; {place.path}#L{place.line}\n")
        elif undecided:
            click.echo("Nothing was sure enough to be written. These wait for your word:\n")
            for number, suggestion in enumerate(rank_suggestions(undecided)[:SHOWN], 1):
                click.echo(f"  {number}  {printable(suggestion.shown.text)}")
        else:
            click.echo("Nothing was found that asks to be remembered; what was said is found by `memory search`.")
