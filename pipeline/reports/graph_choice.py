"""Which part of the graph is shown: what fits a request, the newest or the nearest first, at most a picture of it."""

from collections import Counter
from collections.abc import Collection, Mapping
from operator import attrgetter

from pipeline.errors.corrections import UnknownNode
from pipeline.reports.graph import GraphParts, session_of
from schemas.reports.graph import (
    MOST_NODES,
    OWNER_USER,
    EdgeSort,
    GraphEdge,
    GraphNode,
    GraphRequest,
    MemoryGraph,
    NodeKind,
)

_ADVICE = "Left out: {}. Ask for less time, a kind, a session, a user, or a focus, to see them."


def chosen_graph(parts: GraphParts, wanted: GraphRequest, focus: str = "") -> MemoryGraph:
    """The part of the graph that a request means, around the node with the id `focus` when there is one."""
    distances = _distances(parts, focus, wanted.depth) if focus else None
    within = parts.nodes if distances is None else distances
    fitting = [node for name in within if _fits(node := parts.nodes[name], wanted) or name == focus]
    if wanted.session or wanted.user_id:
        fitting = _belonging(fitting, parts, wanted, focus)
    fitting = _ordered(fitting, distances or {})
    nodes = {node.id: node for node in fitting[:MOST_NODES]}
    left_out = Counter(str(node.kind) for node in fitting[MOST_NODES:])
    words = ", ".join(f"{kind} {number}" for kind, number in sorted(left_out.items()))
    return MemoryGraph(
        nodes=tuple(nodes.values()),
        edges=tuple(_edges(parts, nodes)),
        focus=focus,
        left_out=dict(sorted(left_out.items())),
        advice=_ADVICE.format(words) if left_out else "",
    )


def node_named(parts: GraphParts, name: str) -> str:
    """The id of the node with this id, or of the only one that is called so.

    Raises:
        UnknownNode: there is none, or there are several.
    """
    if name in parts.nodes:
        return name
    called = [node.id for node in parts.nodes.values() if node.name == name]
    if len(called) != 1:
        raise UnknownNode(name, called)
    return called[0]


def _edges(parts: GraphParts, nodes: Mapping[str, GraphNode]) -> dict[GraphEdge, None]:
    """The edges between nodes, each once."""
    gave = (GraphEdge(session_of(node), node.id, EdgeSort.GAVE) for node in nodes.values() if session_of(node) in nodes)
    between = [edge for edge in parts.edges if edge.start in nodes and edge.end in nodes]
    return dict.fromkeys([*between, *gave])


def _joined(parts: GraphParts, names: Collection[str]) -> set[str]:
    """The nodes that an edge joins with any of these."""
    ends = {edge.end for edge in parts.edges if edge.start in names}
    ends |= {edge.start for edge in parts.edges if edge.end in names}
    ends |= {node.id for node in parts.nodes.values() if session_of(node) in names}
    return (ends | {session_of(parts.nodes[name]) for name in names}) & parts.nodes.keys()


def _distances(parts: GraphParts, focus: str, depth: int) -> dict[str, int]:
    """The nodes that are at most `depth` edges away from the focus, each with this number."""
    distances, last = {focus: 0}, {focus}
    for distance in range(1, depth + 1):
        last = _joined(parts, last) - distances.keys()
        distances |= dict.fromkeys(last, distance)
    return distances


def _fits(node: GraphNode, wanted: GraphRequest) -> bool:
    if wanted.kind and node.kind not in wanted.kind:
        return False
    if (wanted.since or wanted.until) and node.day is None:
        return False
    day = node.day or ""
    early, late = wanted.since and day < str(wanted.since), wanted.until and day > str(wanted.until)
    return not early and not late and (node.pinned or not wanted.pinned)


def _belonging(nodes: list[GraphNode], parts: GraphParts, wanted: GraphRequest, focus: str) -> list[GraphNode]:
    """Those that are of a session, or of a user, and the entities and summaries that these lead to."""
    own = {node.id for node in nodes if _belongs(node, wanted)}
    near, around = _joined(parts, own), {NodeKind.ENTITY, NodeKind.SUMMARY}
    return [node for node in nodes if node.id in own or node.id == focus or (node.kind in around and node.id in near)]


def _belongs(node: GraphNode, wanted: GraphRequest) -> bool:
    mine = {"", node.user, *(() if node.user else (OWNER_USER,))}
    return wanted.session in {"", node.session} and wanted.user_id in mine


def _ordered(nodes: list[GraphNode], distances: Mapping[str, int]) -> list[GraphNode]:
    """The nearest first, of these the newest first."""
    by_name = sorted(nodes, key=attrgetter("id"))
    newest = sorted(by_name, key=lambda node: node.day or "", reverse=True)
    return sorted(newest, key=lambda node: distances.get(node.id, 0)) if distances else newest
