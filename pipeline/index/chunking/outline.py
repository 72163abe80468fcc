"""The blocks of a stretch of Markdown, with the lines they take. The only file that knows the parser."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate
from typing import Any

import pyromark

DEPTH = 8
"""Nested lists are distinguished down to this depth."""


class BlockSort(Enum):
    """The sort of a block; `REST` are lines that the parser has no block for, such as the target of a link."""

    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()
    ITEM = auto()
    QUOTE = auto()
    TABLE = auto()
    CODE = auto()
    HTML = auto()
    RULE = auto()
    REST = auto()


@dataclass(slots=True)
class Node:
    """A block. `first` and `last` are its lines, counted from 0, both inside, empty ones at its end left out.

    `level` is that of a heading. A list holds items, and an item the lists in it; other nested blocks are not
    distinguished.
    """

    sort: BlockSort
    first: int
    last: int
    level: int = 0
    children: list["Node"] = field(default_factory=list)


_Event = tuple[BlockSort | None, int, int, int]
"""A block that begins, with its first and last line and its level; without a sort, the end of the one begun last."""

_END: _Event = (None, 0, 0, 0)
_SORTS = {
    "Heading": BlockSort.HEADING,
    "Paragraph": BlockSort.PARAGRAPH,
    "List": BlockSort.LIST,
    "Item": BlockSort.ITEM,
    "BlockQuote": BlockSort.QUOTE,
    "Table": BlockSort.TABLE,
    "CodeBlock": BlockSort.CODE,
    "HtmlBlock": BlockSort.HTML,
}


def outline(lines: Sequence[str], start: int, end: int) -> list[Node]:
    """The blocks of the lines from `start` up to, not including, `end`. Every line that is not empty is in one.

    Lines end where the caller says; a lone CR inside one ends none, though to CommonMark it would.
    """
    if not any(line.strip() for line in lines[start:end]):
        return []
    return filled(_tree(lines, _events(lines, start, end)), lines, start, end)


def filled(nodes: Sequence[Node], lines: Sequence[str], start: int, end: int) -> list[Node]:
    """The blocks, and what stands between them, from the line `start` up to, not including, `end`."""
    filled_nodes, at = list[Node](), start
    for node in nodes:
        filled_nodes += _rest(lines, at, node.first)
        filled_nodes.append(node)
        at = max(at, node.last + 1)
    return [*filled_nodes, *_rest(lines, at, end)]


def _rest(lines: Sequence[str], start: int, end: int) -> Iterator[Node]:
    """The lines that say something, in runs that no empty line parts."""
    at = start
    while at < end:
        first = at
        while at < end and lines[at].strip():
            at += 1
        if at > first:
            yield Node(BlockSort.REST, first, at - 1)
        at += 1


def _tree(lines: Sequence[str], events: Iterator[_Event]) -> list[Node]:
    top, path, within = list[Node](), list[Node](), 0
    for sort, first, last, level in events:
        if within:
            within += -1 if sort is None else 1
        elif sort is None:
            path.pop()
        else:
            node = Node(sort, first, _trimmed(lines, first, last), level)
            nests = (sort is BlockSort.LIST or sort is BlockSort.ITEM) and len(path) < 2 * DEPTH
            if nests or not path:
                siblings = path[-1].children if path else top
                _end_before(siblings, node.first)
                siblings.append(node)
            if nests:
                path.append(node)
            else:
                within = 1
    return top


def _end_before(siblings: Sequence[Node], first: int) -> None:
    """Let a block end before the next one begins: the parser lets an empty list item reach into the line below it."""
    while siblings and siblings[-1].last >= first:
        siblings[-1].last = max(siblings[-1].first, first - 1)
        siblings = siblings[-1].children


def _trimmed(lines: Sequence[str], first: int, last: int) -> int:
    while last > first and not lines[last].strip():
        last -= 1
    return last


def _events(lines: Sequence[str], start: int, end: int) -> Iterator[_Event]:
    text = "\n".join(lines[start:end]).replace("\r", " ")
    starts = list(accumulate((len(line) + 1 for line in text.encode().split(b"\n")), initial=0))
    events: Iterator[tuple[Any, Any]] = pyromark.events_with_range(text, options=pyromark.Options.ENABLE_TABLES)
    for event, where in events:
        if isinstance(event, str):
            if event == "Rule":
                line = start + bisect_right(starts, where["start"]) - 1
                yield BlockSort.RULE, line, line, 0
                yield _END
        elif "Start" in event:
            tag = event["Start"]
            name = tag if isinstance(tag, str) else next(iter(tag))
            if sort := _SORTS.get(name):
                first = start + bisect_right(starts, where["start"]) - 1
                last = start + bisect_right(starts, max(where["end"] - 1, where["start"])) - 1
                yield sort, first, last, int(tag["Heading"]["level"][1]) if name == "Heading" else 0
        elif "End" in event:
            tag = event["End"]
            if (tag if isinstance(tag, str) else next(iter(tag))) in _SORTS:
                yield _END
