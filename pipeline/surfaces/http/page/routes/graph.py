"""The graph of one thing: what is a step away from it, as a picture and as a list."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote, urlencode

from fastapi import Response
from pydantic import Field

from pipeline.app.graph import GraphReader, memory_graph
from pipeline.reports.run_subjects import SessionWords, short_session
from pipeline.surfaces.http.page.forms import InQuery, QueryForm
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.state import PersonThere, Reading, StateThere, requester_of
from schemas.detail import OWNER
from schemas.reports.graph import EdgeSort, GraphNode, GraphRequest, MemoryGraph, NodeKind

router = page_router()
_DRAWN = 12
_FOLDERS = {
    NodeKind.ENTRY: "/entries",
    NodeKind.FACT: "/entries",
    NodeKind.ENTITY: "/entities",
    NodeKind.DETAIL: "/details",
    NodeKind.SESSION: "/conversations",
}
_KEPT = {NodeKind.FACT, NodeKind.ENTITY, NodeKind.SESSION}
"""Kinds of which some have no page of their own."""


class AroundForm(QueryForm):
    """A thing, by the id of its node or its name, or an entity by any of its names."""

    focus: str = Field(default="", max_length=1_000)
    entity: str = Field(default="", max_length=1_000)


@router.get("/graph")
def graph(
    page: PageThere, person: PersonThere, engine: Reading, state: StateThere, wanted: InQuery[AroundForm]
) -> Response:
    """The things that are one step away from an entity, or from any other thing."""
    if not (wanted.focus or wanted.entity):
        return seen_other("/entities")
    reader = GraphReader(requester_of(person, ""), OWNER)
    asked = GraphRequest(focus=wanted.focus, entity=wanted.entity)
    shown = memory_graph(engine, state.store, reader, asked, state.graph_of_entries(engine))
    names = SessionWords(engine)
    joined = list(_joined_nodes(shown, names))
    middle = _label_session(next(node for node in shown.nodes if node.id == shown.focus), names)
    values = {
        "middle": middle,
        "joined": joined,
        "drawn": joined[:_DRAWN],
        "left_out": sum(shown.left_out.values()),
        "path_of": path_of,
    }
    return page.show_part("graph_part.html", values, "graph.title", (path_of(middle), middle.label))


def _joined_nodes(shown: MemoryGraph, names: SessionWords) -> Iterator[tuple[EdgeSort, GraphNode, bool]]:
    """The nodes that an edge joins with the one in the middle, and whether the edge leads from there."""
    nodes = {node.id: node for node in shown.nodes}
    for edge in shown.edges:
        if shown.focus in {edge.start, edge.end}:
            inward = edge.end == shown.focus
            yield edge.sort, _label_session(nodes[edge.start if inward else edge.end], names), inward


def _label_session(node: GraphNode, names: SessionWords) -> GraphNode:
    """The node; of a session with its first words and the beginning of its id as label."""
    words = names.of(node.name) if node.kind is NodeKind.SESSION else ""
    return replace(node, label=f"{words} {short_session(node.name)}") if words else node


def path_of(node: GraphNode) -> str:
    """The path of a node's own page; of a node that has none that of what is around it."""
    if node.kind in _FOLDERS:
        own = f"{_FOLDERS[node.kind]}/{quote(node.name, safe='')}" if node.kept or node.kind not in _KEPT else ""
    elif node.kind is NodeKind.PREFERENCE and node.agent and not node.kept and node.name.startswith("j-"):
        own = f"/agents/{quote(node.agent, safe='')}"
    elif node.kind is NodeKind.SUMMARY and not node.session:
        own = f"/entities/{quote(node.name, safe='')}"
    else:
        own = f"/conversations/{quote(node.session, safe='')}" if node.session else "/conversations"
    return own or f"/graph?{urlencode({'focus': node.id})}"
