"""The head of a table: its columns with their types and ranges, and its first rows."""

from collections.abc import Iterator, Sequence

from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.ends import end_sections, trouble
from pipeline.details.synopsis.recognition import delimiter_of, rows_of
from pipeline.details.synopsis.sections import SynopsisPart, section

_COLUMNS = 40
_ROWS = 3
_FEW = 5


def table_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The columns, the first rows, and the last one."""
    lines = [line for line in excerpt.head.split("\n") if line.strip()]
    delimiter = delimiter_of(lines[:20]) or ("\t" if "\t" in excerpt.head[:2_000] else ",")
    rows = rows_of(lines if excerpt.whole else lines[:-1], delimiter)
    if len(rows) <= 1:
        return [trouble(excerpt), *end_sections(excerpt)]
    head, *body = rows
    last = [line for line in excerpt.tail.split("\n") if line.strip()][-1:]
    return [
        section([f"columns: {', '.join(head[:_COLUMNS])}", *lines[1 : 1 + _ROWS]], 1, 0.6),
        section([f"last: {line}" for line in last], 2, 0.2),
        trouble(excerpt),
        section(_columns(head, body), 2, rest="more columns"),
    ]


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for place, name in enumerate(head[:_COLUMNS]):
        cells = [row[place] for row in rows if place < len(row)]
        numbers = list(map(_number, cells))
        if cells and None not in numbers:
            known = [number for number in numbers if number is not None]
            yield f"{name}: {min(known):g}..{max(known):g}"
        elif 0 < len(different := list(dict.fromkeys(cells))) <= _FEW:
            yield f"{name}: {', '.join(different)}"
        else:
            yield f"{name}: {len(different)} different"


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
