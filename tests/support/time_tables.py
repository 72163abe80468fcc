"""Tables of what is said on a day, and the range of days that it speaks of."""

from collections.abc import Iterable
from datetime import date

from pipeline.language.time_ranges.reading import time_range

TUESDAY = "2025-11-25"
Row = tuple[str, str] | tuple[str, str, str]
"""A text, its range as `first..last`, `first..` or nothing, and the day it is said on, if not that Tuesday."""


def misread(rows: Iterable[Row]) -> list[str]:
    """The rows that are read in another way, and how."""
    readings = ((row, _reading(row[0], date.fromisoformat(row[2] if len(row) > 2 else TUESDAY))) for row in rows)
    return [
        f"{row[0]}: expected {row[1] or 'none'}, read {reading or 'none'}"
        for row, reading in readings
        if reading != row[1]
    ]


def _reading(text: str, said: date) -> str:
    span = time_range(text, said)
    return f"{span.first}..{span.last or ''}" if span else ""
