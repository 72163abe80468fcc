"""The graph: what is remembered as a picture of links, and the same as a table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Response
from pydantic import ConfigDict

from pipeline.app.graph import GraphReader, memory_graph
from pipeline.surfaces.http.page.graph_layout import HEIGHT, WIDTH, laid_out
from pipeline.surfaces.http.page.graph_words import plain_words
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import PersonThere, Reading, StateThere, requester_of
from schemas.detail_reader import OWNER
from schemas.reports.graph import MOST_NODES, EdgeSort, GraphNode, GraphRequest, MemoryGraph, NodeKind

router = APIRouter(include_in_schema=False)
_FOLDERS = {
    NodeKind.ENTRY: "/entries",
    NodeKind.FACT: "/entries",
    NodeKind.ENTITY: "/entities",
    NodeKind.DETAIL: "/details",
    NodeKind.SESSION: "/conversations",
}
_KEPT = {NodeKind.FACT, NodeKind.ENTITY, NodeKind.SESSION}
"""Kinds of which some have no page of their own."""


class GraphFilters(GraphRequest):
    """The filters of the page, in its address."""

    model_config = ConfigDict(defer_build=False, extra="ignore")


@dataclass(frozen=True)
class Joined:
    """A node at the other end of an edge; `inward` says that the edge leads from there."""

    sort: EdgeSort
    node: GraphNode
    inward: bool


@router.get("/graph")
def graph(
    page: PageThere, person: PersonThere, engine: Reading, state: StateThere, wanted: Annotated[GraphFilters, Query()]
) -> Response:
    """The picture, its filters, and the table."""
    reader = GraphReader(requester_of(person, wanted.user_id), OWNER)
    shown = memory_graph(engine, state.store, reader, wanted, state.graph_of_entries(engine))
    values = {
        "graph": shown,
        "picture": laid_out(shown.nodes, shown.edges),
        "joined": _joined(shown),
        "focus": next((node for node in shown.nodes if node.id == shown.focus), None),
        "wanted": wanted,
        "filtered": bool(wanted.model_dump(exclude_defaults=True)),
        "kinds": tuple(NodeKind),
        "sorts": [sort for sort in EdgeSort if any(edge.sort is sort for edge in shown.edges)],
        "most": MOST_NODES,
        "size": (WIDTH, HEIGHT),
        "path_of": path_of,
        "deeper": lambda node, depth=1: deeper(node, wanted, depth),
        "plain": plain_words,
    }
    return page.show("graph.html", values)


def path_of(node: GraphNode) -> str:
    """The path of a node's own page; empty when it has none."""
    if node.kind in _FOLDERS:
        own = node.kept or node.kind not in _KEPT
        return f"{_FOLDERS[node.kind]}/{quote(node.name, safe='')}" if own else ""
    if node.kind is NodeKind.PREFERENCE and node.agent and not node.kept and node.name.startswith("j-"):
        return f"/agents/{quote(node.agent, safe='')}"
    if node.kind is NodeKind.SUMMARY and not node.session:
        return f"/entities/{quote(node.name, safe='')}"
    return f"/conversations/{quote(node.session, safe='')}" if node.session else "/conversations"


def deeper(node: GraphNode, wanted: GraphRequest, depth: int) -> str:
    """The path of the graph around a node, for the same user."""
    fields = {"focus": node.id} | ({"depth": depth} if depth > 1 else {})
    return f"/graph?{urlencode(fields | ({'user_id': wanted.user_id} if wanted.user_id else {}))}"


def _joined(graph: MemoryGraph) -> Mapping[str, Sequence[Joined]]:
    """By the id of a node, those that it leads to, and those that lead to it."""
    nodes = {node.id: node for node in graph.nodes}
    joined = defaultdict[str, list[Joined]](list)
    for edge in graph.edges:
        joined[edge.start].append(Joined(edge.sort, nodes[edge.end], inward=False))
        joined[edge.end].append(Joined(edge.sort, nodes[edge.start], inward=True))
    return joined
