"""How what we say looks: JSON lines for programs, columns for people."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import click


def print_json(value: Mapping[str, object]) -> None:
    """One object on one line; times are ISO 8601 with their offset, in UTC `+00:00`."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat))


def print_columns(rows: Iterable[Sequence[str]], head: Sequence[str]) -> None:
    """Rows under a head, each column as wide as its widest cell; nothing at all when there are no rows."""
    table = [list(map(str, row)) for row in rows]
    if not table:
        return
    widths = [max(map(len, column)) for column in zip(head, *table, strict=True)]
    for row in (head, *table):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def local(moment: datetime | None, zone: str) -> str:
    """A moment for people: to the minute, in their zone."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M") if moment else "-"


def to_the_second(moment: datetime, zone: str) -> str:
    """A moment for people who follow what happens, in their zone."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S")


def clock_time(moment: datetime, zone: str) -> str:
    """A time of day for people, to the minute, in their zone."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%H:%M")


def printable(text: str) -> str:
    """`text` on one line and without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def head(text: str) -> None:
    """A heading on the terminal."""
    click.echo(f"\n{click.style(text, bold=True)}\n")
