"""The grid of `memory status --grid`: a letter for each day, week or month of each job."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby

import click

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.job import Period
from pipeline.reports.grid import Cell, Row, grid, grid_report, last_day_run, shown_days
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import local, print_json

_LOOKS = {
    Cell.DONE: ("D", "green"),
    Cell.EMPTY: (".", "bright_black"),
    Cell.DEGRADED: ("g", "yellow"),
    Cell.WAITING: ("w", "yellow"),
    Cell.FAILED: ("F", "red"),
    Cell.STALE: ("s", "cyan"),
    Cell.MISSING: ("M", "magenta"),
    Cell.RUNNING: ("R", "blue"),
    Cell.UNKNOWN: ("?", "magenta"),
    Cell.UNDONE: ("u", "bright_black"),
}
"""Letters differ too, so that no cell depends on its colour alone."""
_PLACES = {
    Period.WEEK: "A job of weeks has one letter a week, under its Monday.",
    Period.MONTH: "A job of months has one letter a month, under its first day.",
}
_MARKED = (1, 5, 10, 15, 20, 25, 30)  # days of the month whose numbers stand above
_GAP = 2


GRID_DAYS = 30
"""How many days are shown unless a person names another number."""


def show_grid(engine: Engine, days: int, last: date | None, *, as_json: bool) -> None:
    """So many days up to `last`: up to today, or where nothing was run for these, to the last day that was run for."""
    today = local_day(engine.clock.now(), engine.zone)
    first, end = shown_days(engine, days, last)
    rows, rebuilt = grid(engine, days, end), engine.ledger.rebuilds.latest()
    if as_json:
        print_grid_json(rows)
        return
    print_grid(rows, local(rebuilt, engine.zone) if rebuilt else "")
    for line in _about_other_days(engine, first, end, today):
        click.echo(line)


def _about_other_days(engine: Engine, first: date, last: date, today: date) -> Iterator[str]:
    """How to see the days that are not shown, where there is anything to see."""
    if last < today:
        yield f"These are the days up to {last}; `memory status --grid --to {today}` shows those up to today."
    if before := last_day_run(engine, first):
        yield f"Earlier days were run too, the last of them {before}: `memory status --grid --to {before}` shows it."


def print_grid_json(rows: Sequence[Row]) -> None:
    """A line for each job: its days, its ISO weeks or its months, each with how it stands."""
    for row in rows:
        print_json(grid_report(row))


def print_grid(rows: Sequence[Row], rebuilt: str = "") -> None:
    """A block for each month with any known cell, and the legend.

    `rebuilt` is when the ledger was rebuilt from the files, as text; empty when it never was.
    """
    note = f"The ledger was rebuilt on {rebuilt}: of days before, those are done of which the files tell anything."
    lost = [note] if rebuilt else []
    days = sorted({day for row in rows for day in row.cells})
    if not days:
        nothing = "The files tell nothing of these days" if lost else "Nothing was run for these days"
        click.echo("\n".join([f"{nothing}, and nothing is due; `memory backfill` reads earlier ones.", *lost]))
        return
    width = max(len(row.job.name) for row in rows) + _GAP
    for (year, month), _ in groupby(days, key=lambda day: (day.year, day.month)):
        first = date(year, month, 1)
        click.echo(f"{first:%Y-%m}".ljust(width) + _numbers())
        for row in rows:
            click.echo((row.job.name.ljust(width) + _line(row, first)).rstrip())
        click.echo()
    legend = [f"{style(letter, fg=colour)} {cell}" for cell, (letter, colour) in _LOOKS.items()]
    click.echo(f"{'  '.join(legend)}\nA blank day is not due. Of several windows the gravest is shown.", nl=False)
    periods = {row.period for row in rows}
    click.echo("".join(f" {sentence}" for period, sentence in _PLACES.items() if period in periods))
    for line in lost:
        click.echo(line)


def _numbers() -> str:
    line = ""
    for day in _MARKED:
        line = line.ljust(day - 1) + str(day)
    return line


def _line(row: Row, first: date) -> str:
    looks = [_LOOKS[row.cells[day]] if day in row.cells else (" ", None) for day in _days_of_month(first)]
    while looks and looks[-1][0] == " ":
        looks.pop()
    runs = ((look, len(list(same))) for look, same in groupby(looks))
    return "".join(style(letter * number, fg=colour) if colour else number * letter
                   for (letter, colour), number in runs)  # fmt: skip


def _days_of_month(first: date) -> Iterator[date]:
    day = first
    while day.month == first.month:
        yield day
        day += timedelta(days=1)
