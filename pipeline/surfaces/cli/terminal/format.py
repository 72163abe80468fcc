"""The form of output: JSON lines for programs, columns for people."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from unicodedata import combining, east_asian_width

import click

from pipeline.clock import to_the_minute, zone_named
from pipeline.surfaces.cli.terminal.console import escape, style
from schemas.json_line import json_line

_GAP = "  "
_INDENT = "    "
_SHORTEST = 12  # columns of a text that is cut
_MINUTE, _HOUR = 60, 3_600  # seconds


def print_json(value: object) -> None:
    """Print the value of a use case as an object on one line; see `schemas.json_line`."""
    click.echo(json_line(value))


def print_columns(rows: Iterable[Sequence[str]], head: Sequence[str], *, cutting: bool = False) -> None:
    """Print rows under a head, each column as wide as its widest cell; nothing when there are no rows.

    On a terminal that is too narrow for them the columns that do not fit stand below, indented; with `cutting` the last
    column is cut to the room that the others leave. Elsewhere a row is a line, however long.
    """
    table = [[escape(str(cell)) for cell in row] for row in rows]
    if not table:
        return
    room = terminal_columns()
    if cutting and room:
        taken = sum(max(map(width, column)) + len(_GAP) for column in list(zip(head, *table, strict=True))[:-1])
        left = room - taken if room - taken >= _SHORTEST else room - len(_INDENT)
        table = [[*row[:-1], cut_line(row[-1], left)] for row in table]
    widths = [max(map(width, column)) for column in zip(head, *table, strict=True)]
    for row in (head, *table):
        cells = [cell + " " * (space - width(cell)) for cell, space in zip(row, widths, strict=True)]
        for indent, part in _parts(widths, room):
            click.echo(indent + _GAP.join(cells[part]).rstrip())


def terminal_columns() -> int | None:
    """The columns of the terminal; `None` where the output is none, and a line is as long as it is."""
    if not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def fit(text: str, end: str = "") -> str:
    """A line with its end: on a terminal the text is cut to the room that the end leaves."""
    room = terminal_columns()
    return f"{cut_line(text, max(room - width(end), _SHORTEST)) if room else text}{end}"


def _parts(widths: Sequence[int], room: int | None) -> Iterator[tuple[str, slice]]:
    """The lines of a row: the indent of each, and the columns that stand on it."""
    first, indent = 0, ""
    for last in range(1, len(widths)):
        taken = len(indent) + sum(widths[first : last + 1]) + len(_GAP) * (last - first)
        if room is not None and taken > room:
            yield indent, slice(first, last)
            first, indent = last, _INDENT
    yield indent, slice(first, len(widths))


def width(text: str) -> int:
    """The columns of a terminal that a text takes: letters of East Asia take two, marks over a letter none."""
    return sum(2 if east_asian_width(letter) in "WF" else 0 if combining(letter) else 1 for letter in text)


def cut_line(text: str, room: int) -> str:
    """Cut a text to so many columns of a terminal, with an ellipsis where something is missing."""
    if width(text) <= room:
        return text
    short = text[:room]
    while short and width(short) >= room:
        short = short[:-1]
    return f"{short.rstrip()}\N{HORIZONTAL ELLIPSIS}"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def local(moment: datetime | None, zone: str) -> str:
    """A moment for people, to the minute, in their zone; a stroke for none."""
    return to_the_minute(moment, zone) if moment else "-"


def to_the_second(moment: datetime, zone: str) -> str:
    """A moment to the second, in the workspace's zone, for people who follow the runs."""
    return moment.astimezone(zone_named(zone)).strftime("%Y-%m-%d %H:%M:%S")


def clock_time(moment: datetime, zone: str) -> str:
    """A time of day for people, to the minute, in their zone."""
    return moment.astimezone(zone_named(zone)).strftime("%H:%M")


def rough_time(seconds: float) -> str:
    """A length of time for people: in seconds below two minutes, in minutes below two hours, else in hours."""
    for unit, length in (("hour", _HOUR), ("minute", _MINUTE)):
        if seconds >= 2 * length:
            return count(round(seconds / length), unit)
    return count(round(seconds), "second")


def printable(text: str) -> str:
    """The text on one line, with visible signs for characters that steer a terminal."""
    return escape(text.replace("\r\n", " ").replace("\n", " ").replace("\t", " "))


def head(text: str) -> None:
    """Print a heading on the terminal."""
    click.echo(f"\n{style(text, bold=True)}\n")
