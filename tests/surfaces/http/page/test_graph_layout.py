"""The picture of a graph: boxes that do not overlap, few crossings, the same every time, and quick."""

import random
import sys
from itertools import combinations
from types import FrameType

from pipeline.surfaces.http.page.graph_layout import (
    COLUMNS,
    HEIGHT,
    WIDTH,
    Picture,
    crossings,
    lay_out,
    lines_of,
    plain_words,
)
from schemas.reports.graph import MOST_NODES, EdgeSort, GraphEdge, GraphNode, NodeKind
from tests.support.tables import table

KINDS = tuple(NodeKind)


def _graph(number: int, edges: int, seed: int = 1) -> tuple[list[GraphNode], list[GraphEdge]]:
    chance = random.Random(seed)  # noqa: S311 - any numbers will do
    nodes = [GraphNode(f"n{place}", chance.choice(KINDS), f"n{place}", "word " * 30) for place in range(number)]
    pairs = (chance.sample(nodes, 2) for _ in range(edges))
    return nodes, [GraphEdge(one.id, other.id, chance.choice(tuple(EdgeSort))) for one, other in pairs]


def _columns(picture: Picture) -> list[list[str]]:
    boxes = sorted(picture.boxes, key=lambda box: (box.x, box.y))
    return [[box.node.id for box in boxes if box.x == x] for x in sorted({box.x for box in boxes})]


@table(("number", "edges"), [(1, 0), (2, 1), (30, 60), (MOST_NODES, 800)])
def test_no_box_lies_on_another(number: int, edges: int) -> None:
    """Nor outside of the picture; and as many paths as edges."""
    picture = lay_out(*_graph(number, edges))
    for one, other in combinations(picture.boxes, 2):
        assert abs(one.x - other.x) >= WIDTH or abs(one.y - other.y) >= HEIGHT
    assert all(0 <= box.x and box.right <= picture.width for box in picture.boxes)
    assert all(0 <= box.y and box.y + HEIGHT <= picture.height for box in picture.boxes)
    assert (number, edges) == (len(picture.boxes), len(picture.edges))


def _calls(nodes: list[GraphNode], edges: list[GraphEdge]) -> int:
    """How many functions are called to draw a graph: as many on every machine, whatever else it does."""
    calls = 0

    def count(_frame: FrameType, event: str, _value: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        lay_out(nodes, edges)
    finally:
        sys.setprofile(None)
    return calls


def test_a_full_picture_is_quick() -> None:
    """Four times as much takes about four times the work, which is two hundredths of a second for all there can be."""
    part, whole = _calls(*_graph(MOST_NODES // 4, 250)), _calls(*_graph(MOST_NODES, 1_000))
    assert 4 * part < 2 * whole < 12 * part


def test_the_same_graph_gives_the_same_picture() -> None:
    """Nothing depends on chance, or on the order of sets."""
    assert lay_out(*_graph(80, 160)) == lay_out(*_graph(80, 160))


@table("seed", range(5))
def test_few_edges_cross(seed: int) -> None:
    """Never more than as they came; where each thing has one session, none."""
    nodes, edges = _graph(60, 90, seed)
    came = [[node.id for node in nodes if node.kind in kinds] for kinds in COLUMNS]
    assert crossings(_columns(lay_out(nodes, edges)), edges) <= crossings([one for one in came if one], edges)
    sessions = [GraphNode(f"s{place}", NodeKind.SESSION, "s", "s") for place in range(6)]
    entries = [GraphNode(f"e{place}", NodeKind.ENTRY, "e", "e") for place in range(18)]
    gave = [GraphEdge(f"s{place % 6}", f"e{place}", EdgeSort.GAVE) for place in range(18)]
    assert 0 == crossings(_columns(lay_out([*entries, *sessions], gave)), gave)


def test_crossings_are_counted() -> None:
    """Of a cross one; edges that begin in one box cross nowhere."""
    edges = [GraphEdge("a", "y", EdgeSort.GAVE), GraphEdge("b", "x", EdgeSort.GAVE)]
    assert 1 == crossings([["a", "b"], ["x", "y"]], edges)
    assert 0 == crossings([["b", "a"], ["x", "y"]], edges)
    assert 0 == crossings([["a"], ["x", "y"]], [edges[0], GraphEdge("a", "x", EdgeSort.GAVE)])


def test_nothing_is_an_empty_picture() -> None:
    """It raises nothing."""
    assert ((), ()) == (lay_out([], []).boxes, lay_out([], []).edges)


@table(
    ("text", "lines"),
    [
        ("", ()),
        ("short", ("short",)),
        ("the lake road is closed in april", ("the lake road is", "closed in april")),
        ("w" * 60, ("w" * 16, "w" * 15 + "…")),
        ("湖" * 60, ("湖" * 11, "湖" * 10 + "…")),
        ("a\u202eb\u2066c\x00\n\td", ("abc d",)),
    ],
)
def test_words_are_cut_to_the_box(text: str, lines: tuple[str, ...]) -> None:
    """By their width, between words where there are some; without what turns the text around."""
    assert lines == lines_of(text, 153, 2)


def test_letters_of_other_scripts_keep_what_they_need() -> None:
    """A joiner is no mark that steers."""
    assert "क\u200dष" == plain_words("क\u200dष")
