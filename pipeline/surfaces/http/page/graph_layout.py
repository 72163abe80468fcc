"""The picture of a graph: boxes in columns by kind, in an order in which few edges cross, and the paths of edges.

Pure and deterministic: the same nodes and edges give the same picture.
"""

import unicodedata
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from schemas.reports.graph import GraphEdge, GraphNode, NodeKind

_WIDE, _TALL, _PLAIN = 13.2, 9.2, 7.0
"""Pixels of a character: of Chinese, of a capital letter or a digit, of any other; rather too many than too few."""
_NO_WIDTH = {"Mn", "Me", "Cf"}
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Of the marks that nobody sees, those that letters of some scripts need."""
_CUT = "\N{HORIZONTAL ELLIPSIS}"


def lines_of(text: str, width: float, most: int) -> tuple[str, ...]:
    """At most so many lines of a text, none wider than `width` pixels; the last is cut with a mark."""
    rest, lines = plain_words(text), list[str]()
    while rest and len(lines) < most:
        taken = _fitting_length(rest, width)
        if taken == len(rest) or len(lines) + 1 < most:
            place = taken if taken == len(rest) else (rest.rfind(" ", 1, taken + 1) + 1 or taken)
            lines.append(rest[:place].rstrip())
            rest = rest[place:].lstrip()
        else:
            cut = _fitting_length(rest, width - _WIDE)
            lines.append(rest[:cut].rstrip() + _CUT)
    return tuple(lines)


def plain_words(text: str) -> str:
    """A text on one line, without marks that steer what is around it."""
    if text.isprintable():  # nearly all are
        return " ".join(text.split())
    kept = (" " if character.isspace() else character for character in text if _is_shown(character))
    return " ".join("".join(kept).split())


def _is_shown(character: str) -> bool:
    return character.isspace() or character in _JOINERS or unicodedata.category(character) not in _HIDDEN


def _fitting_length(text: str, width: float) -> int:
    """The number of characters that fit; at least one."""
    used = 0.0
    for number, character in enumerate(text):
        used += _width(character)
        if used > width:
            return max(1, number)
    return len(text)


def _width(character: str) -> float:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return _WIDE
    return _TALL if character.isupper() or character.isdigit() or character in "mwMW@%" else _PLAIN


COLUMNS = (
    (NodeKind.ENTRY, NodeKind.DETAIL),
    (NodeKind.SESSION,),
    (NodeKind.FACT,),
    (NodeKind.ENTITY, NodeKind.SUMMARY),
    (NodeKind.PREFERENCE,),
)
"""The kinds of a column, from the left: most edges join neighbours then."""
WIDTH, HEIGHT = 170, 58
_ACROSS, _BETWEEN, _LEFT, _HEAD, _END = 50, 14, 40, 40, 16
_TEXT = 153
"""The width that a line of words has."""
_SWEEPS = 12

Columns = list[list[str]]


@dataclass(frozen=True)
class Box:
    """A node at its place; `lines` are its words, cut to what the box holds."""

    node: GraphNode
    x: int
    y: int
    lines: tuple[str, ...]

    @property
    def right(self) -> int:
        """The right edge of the box."""
        return self.x + WIDTH

    @property
    def middle(self) -> int:
        """The middle of the box, by its height."""
        return self.y + HEIGHT // 2


@dataclass(frozen=True)
class DrawnEdge:
    """An edge, and its path as SVG has it."""

    edge: GraphEdge
    path: str


@dataclass(frozen=True)
class Picture:
    """A graph that is laid out, in pixels."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    edges: tuple[DrawnEdge, ...]

    @cached_property
    def heads(self) -> Mapping[int, list[NodeKind]]:
        """The kinds of each column, by the place where it begins."""
        heads = defaultdict[int, list[NodeKind]](list)
        for kind, x in sorted({(box.node.kind, box.x) for box in self.boxes}):
            heads[x].append(kind)
        return heads


def lay_out(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Picture:
    """Lay out the picture of nodes, and of the edges between them."""
    columns = [[node.id for node in nodes if node.kind in kinds] for kinds in COLUMNS]
    columns = _with_few_crossings([column for column in columns if column], edges)
    by_id, rows = {node.id: node for node in nodes}, _rows(columns, edges)
    boxes = {name: _box(by_id[name], number, rows[name]) for number, column in enumerate(columns) for name in column}
    return Picture(
        width=max((box.right for box in boxes.values()), default=0) + _END,
        height=max((box.y + HEIGHT for box in boxes.values()), default=0) + _END,
        boxes=tuple(boxes.values()),
        edges=tuple(DrawnEdge(edge, _path(boxes[edge.start], boxes[edge.end])) for edge in edges),
    )


def _box(node: GraphNode, column: int, row: float) -> Box:
    x, y = _LEFT + column * (WIDTH + _ACROSS), _HEAD + round(row * (HEIGHT + _BETWEEN))
    return Box(node, x, y, lines_of(node.label, _TEXT, 2))


def _rows(columns: Columns, edges: Sequence[GraphEdge]) -> dict[str, float]:
    """The row of each box: the longest column stands without a gap, the boxes of others beside what they lead to."""
    longest = max(range(len(columns)), key=lambda number: len(columns[number]), default=0)
    near, rows = _joined_boxes(columns, edges), dict[str, float]()
    for number in sorted(range(len(columns)), key=lambda number: (abs(number - longest), number)):
        column, row = columns[number], -1.0
        for name in column:
            beside = [rows[other] for other in near.get(name, ()) if other in rows]
            row = max(row + 1, sum(beside) / len(beside) if beside else 0)
            rows[name] = row
        for left, name in enumerate(reversed(column)):  # what was pushed over the end goes back
            rows[name] = min(rows[name], len(columns[longest]) - 1.0 - left)
    return rows


def crossings(columns: Columns, edges: Sequence[GraphEdge]) -> int:
    """The number of pairs of edges between the same two columns that cross."""
    places = {name: (number, row) for number, column in enumerate(columns) for row, name in enumerate(column)}
    between = defaultdict[tuple[int, int], list[tuple[int, int]]](list)
    for edge in edges:
        (first, row), (last, other) = sorted((places[edge.start], places[edge.end]))
        if first != last:
            between[first, last].append((row, other))
    return sum(map(_inversions, between.values()))


def _inversions(rows: list[tuple[int, int]]) -> int:
    """The number of pairs that are in another order on the right than on the left."""
    passed, number, at = list[int](), 0, 0
    rows.sort()
    for row, other in rows:
        while rows[at][0] < row:  # those that begin in the same box cross nowhere
            insort(passed, rows[at][1])
            at += 1
        number += len(passed) - bisect_right(passed, other)
    return number


def _with_few_crossings(columns: Columns, edges: Sequence[GraphEdge]) -> Columns:
    """The columns in the best order of some sweeps: each box goes to the mean place of those it is joined with."""
    near = _joined_boxes(columns, edges)
    best, fewest = columns, crossings(columns, edges)
    for sweep in range(_SWEEPS):
        columns = _sweep_columns(columns, near, backwards=sweep % 2 == 1)
        number = crossings(columns, edges)
        if number < fewest:
            best, fewest = columns, number
    return best


def _joined_boxes(columns: Columns, edges: Sequence[GraphEdge]) -> Mapping[str, list[str]]:
    """The boxes in other columns that edges join with each box."""
    place = {name: number for number, column in enumerate(columns) for name in column}
    near = defaultdict[str, list[str]](list)
    for edge in edges:
        if place[edge.start] != place[edge.end]:
            near[edge.start].append(edge.end)
            near[edge.end].append(edge.start)
    return near


def _sweep_columns(columns: Columns, near: Mapping[str, list[str]], *, backwards: bool) -> Columns:
    swept = [*columns]
    for number in sorted(range(len(columns)), reverse=backwards):
        places = {name: _relative_place(row, column) for column in swept for row, name in enumerate(column)}
        means = {name: _mean(places, near.get(name, ()), places[name]) for name in swept[number]}
        swept[number] = sorted(swept[number], key=means.__getitem__)
    return swept


def _relative_place(row: int, column: Sequence[str]) -> float:
    """The place of a row in its column, from 0 to 1: columns are of different heights."""
    return (row + 0.5) / len(column)


def _mean(places: Mapping[str, float], joined: Sequence[str], own: float) -> float:
    return sum(places[name] for name in joined) / len(joined) if joined else own


def _path(start: Box, end: Box) -> str:
    """A curve from one box to another; within a column it goes around on the left."""
    if start.x == end.x:
        out = start.x - min(_ACROSS - 8, 20 + abs(start.y - end.y) // 12)
        return f"M{start.x} {start.middle}C{out} {start.middle} {out} {end.middle} {end.x} {end.middle}"
    forward = start.x < end.x
    first, last = (start.right, end.x) if forward else (start.x, end.right)
    middle = (first + last) // 2
    return f"M{first} {start.middle}C{middle} {start.middle} {middle} {end.middle} {last} {end.middle}"
