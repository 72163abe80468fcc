"""Which part of the graph is shown: what is near or new, what fits, and no more than a picture holds."""

from datetime import date

import pytest

from pipeline.errors.corrections import UnknownNode
from pipeline.reports.graph import GraphParts, chosen_graph, node_named, with_sessions
from schemas.reports.graph import MOST_NODES, EdgeSort, GraphNode, GraphRequest, MemoryGraph, NodeKind
from tests.support.tables import table


def parts(days: int = 3) -> GraphParts:
    """A session and an entry a day, each replacing the one of the day before; one pinned detail, one name."""
    made = GraphParts()
    for number in range(days):
        day = str(date.fromordinal(date(2026, 1, 1).toordinal() + number))
        entry = made.add(GraphNode(f"entry:e{number}", NodeKind.ENTRY, f"e{number}", "words", day, f"s{number}"))
        made.lead(entry, f"entry:e{number - 1}", EdgeSort.SUPERSEDES)
    made.add(GraphNode("detail:d", NodeKind.DETAIL, "d", "a log", "2026-01-02", "s1", user="zoe", pinned=True))
    made.add(GraphNode("entity:Ann", NodeKind.ENTITY, "Ann", "Ann"))
    made.add(GraphNode("fact:f-1", NodeKind.FACT, "f-1", "Ann swims", "2026-01-01", "s0"))
    made.lead("fact:f-1", "entity:Ann", EdgeSort.ABOUT)
    return with_sessions(made)


def names(graph: MemoryGraph) -> set[str]:
    """The names of the nodes."""
    return {node.name for node in graph.nodes}


def test_the_newest_first_and_no_more_than_a_picture_holds() -> None:
    """It says how many of which kind it left out, and how to see them."""
    graph = chosen_graph(parts(MOST_NODES), GraphRequest())
    assert MOST_NODES == len(graph.nodes)
    assert {"detail": 1, "entity": 1, "entry": 100, "fact": 1, "session": 100} == graph.left_out
    assert "entry 100" in graph.advice
    assert [f"e{MOST_NODES - 1}", f"s{MOST_NODES - 1}"] == [node.name for node in graph.nodes[:2]]
    assert all({edge.start, edge.end} <= {node.id for node in graph.nodes} for edge in graph.edges)


def test_small_graphs_leave_out_nothing() -> None:
    """And give no advice; an edge to what is not there is none."""
    graph = chosen_graph(parts(), GraphRequest())
    assert ({}, "") == (graph.left_out, graph.advice)
    assert 2 == sum(edge.sort is EdgeSort.SUPERSEDES for edge in graph.edges)


@table(
    ("wanted", "expected"),
    [
        ({"kind": ("detail",)}, {"d"}),
        ({"kind": ("detail", "entity")}, {"d", "Ann"}),
        ({"pinned": True}, {"d"}),
        ({"since": "2026-01-03"}, {"e2", "s2"}),
        ({"until": "2026-01-01"}, {"e0", "s0", "f-1"}),
        ({"since": "", "until": "", "kind": ("fact",)}, {"f-1"}),
        ({"session": "s1"}, {"s1", "e1", "d"}),
        ({"session": "s0"}, {"s0", "e0", "f-1", "Ann"}),
        ({"session": "nobody's"}, set()),
        ({"user_id": "zoe"}, {"d"}),
    ],
)
def test_filters(wanted: dict[str, object], expected: set[str]) -> None:
    """By kind, day, session, user, and what is pinned; of a session also the names that its facts name."""
    assert expected == names(chosen_graph(parts(), GraphRequest.model_validate(wanted)))


@table(("depth", "expected"), [(1, {"e2", "s2", "e1"}), (2, {"e2", "s2", "e1", "s1", "e0"})])
def test_around_a_node(depth: int, expected: set[str]) -> None:
    """What is one edge away, or two, whichever way the edge leads; the nearest first."""
    graph = chosen_graph(parts(), GraphRequest(depth=depth), "entry:e2")
    assert expected == names(graph)
    assert ("entry:e2", "e2") == (graph.focus, graph.nodes[0].name)


def test_the_focus_stays_whatever_the_filters() -> None:
    """Of what is around it the filters choose."""
    wanted = GraphRequest(kind=(NodeKind.SESSION,))
    assert {"e2", "s2"} == names(chosen_graph(parts(), wanted, "entry:e2"))


def test_a_node_by_its_name() -> None:
    """Where one alone is called so."""
    made = parts()
    made.add(GraphNode("summary:Ann", NodeKind.SUMMARY, "Ann", "Ann swims."))
    assert "fact:f-1" == node_named(made, "f-1")
    assert "entity:Ann" == node_named(made, "entity:Ann")
    for name in ("nothing", "Ann", ""):
        with pytest.raises(UnknownNode):
            node_named(made, name)
