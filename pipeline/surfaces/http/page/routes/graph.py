"""The graph: what is remembered as a picture of links, and the same as a table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Response
from pydantic import ConfigDict

from pipeline.app.graph import GraphReader, memory_graph
from pipeline.engine.context import Engine
from pipeline.errors import SeveralNames, UnknownSession
from pipeline.errors.corrections import UnknownEntity
from pipeline.reports.run_subjects import SessionWords, short_session
from pipeline.surfaces.http.page.graph_layout import HEIGHT, WIDTH, lay_out, plain_words
from pipeline.surfaces.http.page.rendering import Page, PageThere
from pipeline.surfaces.http.state import PersonThere, Reading, StateThere, requester_of
from schemas.detail import OWNER
from schemas.reports.graph import MOST_NODES, OWNER_USER, EdgeSort, GraphNode, GraphRequest, MemoryGraph, NodeKind

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
    asked = _as_owner(page, wanted)
    reader = GraphReader(requester_of(person, "" if asked.user_id == OWNER_USER else asked.user_id), OWNER)
    try:
        shown = memory_graph(engine, state.store, reader, asked, state.graph_of_entries(engine))
    except SeveralNames as error:
        return _show_choices(page, wanted, _choices(engine, wanted, error.sort, error.names))
    except UnknownEntity as error:
        choices = _choices(engine, wanted, error.sort, error.known)
        return _show_choices(page, wanted, choices, HTTPStatus.NOT_FOUND)
    return page.show("graph.html", _page_values(_label_sessions(engine, shown), wanted))


def _page_values(shown: MemoryGraph, wanted: GraphFilters) -> dict[str, object]:
    return {
        "graph": shown,
        "picture": lay_out(shown.nodes, shown.edges),
        "joined": _joined_nodes(shown),
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
        "choices": None,
    }


def _show_choices(
    page: Page, wanted: GraphFilters, choices: Sequence[tuple[str, str]], status: HTTPStatus = HTTPStatus.OK
) -> Response:
    """Show the filters as they were sent, and the names that they may mean."""
    nothing = MemoryGraph((), (), "", {}, "")
    return page.show("graph.html", _page_values(nothing, wanted) | {"choices": choices}, status)


def _choices(engine: Engine, wanted: GraphFilters, sort: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """The names that may be meant, each with its words and the path of its graph."""
    field, words = ("session", SessionWords(engine).of) if sort == UnknownSession.sort else ("entity", str)
    fields = wanted.model_dump(mode="json", exclude_defaults=True)
    return [
        (
            f"{words(name)} {name}" if field == "session" else name,
            f"/graph?{urlencode(fields | {field: name}, doseq=True)}",
        )
        for name in names[: SeveralNames.most]
    ]


def _as_owner(page: Page, wanted: GraphFilters) -> GraphRequest:
    """The request with the owner's name of requests in place of the page's word for the owner."""
    words = {OWNER_USER, page.text("talks.owner").casefold()}
    named = wanted.user_id.strip().casefold() in words
    return wanted.model_copy(update={"user_id": OWNER_USER}) if named else wanted


def _label_sessions(engine: Engine, graph: MemoryGraph) -> MemoryGraph:
    """Label the sessions of a graph by their first words, with the beginning of the id."""
    names = SessionWords(engine)

    def label_node(node: GraphNode) -> GraphNode:
        words = names.of(node.name) if node.kind is NodeKind.SESSION else ""
        return replace(node, label=f"{words} {short_session(node.name)}") if words else node

    return replace(graph, nodes=tuple(map(label_node, graph.nodes)))


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


def _joined_nodes(graph: MemoryGraph) -> Mapping[str, Sequence[Joined]]:
    """The nodes that each node is joined with, by its id."""
    nodes = {node.id: node for node in graph.nodes}
    joined = defaultdict[str, list[Joined]](list)
    for edge in graph.edges:
        joined[edge.start].append(Joined(edge.sort, nodes[edge.end], inward=False))
        joined[edge.end].append(Joined(edge.sort, nodes[edge.start], inward=True))
    return joined
