"""The graph of what the files of a workspace remember: entries, facts, entities and summaries, with their edges."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from operator import attrgetter
from threading import Lock

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.inputs import all_facts, names_by_people, page_summaries
from pipeline.errors.corrections import UnknownNode
from pipeline.facts.names import Entity, EntityNames, entities_of, keys_by
from pipeline.facts.sections import FAMILY
from pipeline.facts.standing import StandingFact, is_evidence, stand
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.workspace.families import Slots, concrete
from schemas.entry import Status
from schemas.fact import Fact, FactWord
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

OWNER = "Owner"
"""The name of the entity that the owner is."""
_LABEL = 400  # characters
_GROUNDS = re.compile(r" ?\((?:\[f-[0-9a-f]+\]\([^()]*\)(?:, )?)+\)")
"""The links of a summary to the facts that a sentence rests on."""
_FACT_ID = re.compile(r"\bf-[0-9a-f]{8,16}\b")


@dataclass
class GraphParts:
    """Nodes by their ids, and edges; an edge may lead to a node that is not there, and be there twice.

    What a session gave is not among the edges: each node knows its session.
    """

    nodes: dict[str, GraphNode] = field(default_factory=dict)
    edges: list[GraphEdge] = field(default_factory=list)

    def add(self, node: GraphNode) -> str:
        """Add a node, unless there is one with its id; the id."""
        label = " ".join(node.label[:_LABEL].split()) or node.name
        self.nodes.setdefault(node.id, node if label == node.label else replace(node, label=label))
        return node.id

    def lead(self, start: str, end: str, sort: EdgeSort) -> None:
        """Add an edge."""
        if start != end:
            self.edges.append(GraphEdge(start, end, sort))


@dataclass(frozen=True)
class RememberedGraph:
    """The parts that files make, and the entities by their keys, with the names that people gave."""

    parts: GraphParts
    known: dict[str, Entity]
    names: EntityNames


def node_id(kind: NodeKind, name: str) -> str:
    """The id of a node."""
    return f"{kind}:{name}"


class EntryNodes:
    """The nodes of entries, and the edges that these tell of. May be used from several threads.

    Those of an entry are kept while it is the same at the same place, in the same zone.
    """

    def __init__(self) -> None:
        """Nothing is made yet."""
        self._lock = Lock()
        self._kept: dict[tuple[int, str], tuple[PlacedEntry, GraphParts]] = {}

    def of(self, places: Iterable[PlacedEntry], zone: str) -> GraphParts:
        """The parts that these entries make."""
        whole = GraphParts()
        with self._lock:
            # An entry that is kept has its number for itself.
            known, self._kept = self._kept, {}
            for place in places:
                key = id(place), zone
                self._kept[key] = _, parts = known.get(key) or (place, _of_entry(place, zone))
                whole.edges += parts.edges
                for name, node in parts.nodes.items():
                    whole.nodes.setdefault(name, node)
        return whole


def remembered_graph(engine: Engine, entries: GraphParts) -> RememberedGraph:
    """The graph of files: the parts that entries make, and facts, those of other hands too, which are no evidence."""
    facts, names = all_facts(engine), names_by_people(engine)
    graph = RememberedGraph(entries, entities_of(facts, names), names)
    _add_entities(graph)
    _add_facts(graph, stand(facts).all)
    _add_summaries(graph, page_summaries(engine))
    return graph


def with_sessions(parts: GraphParts) -> GraphParts:
    """The parts with a node for each session that gave any; what a session gave is of the session's user."""
    days = dict[str, str]()
    for node in parts.nodes.values():
        if node.session and node.kind is not NodeKind.SESSION:
            days[node.session] = max(days.get(node.session, ""), node.day or "")
    for name, day in days.items():
        identity = node_id(NodeKind.SESSION, name)
        session = parts.nodes.get(identity) or GraphNode(identity, NodeKind.SESSION, name, name, session=name)
        parts.nodes[session.id] = replace(session, day=max(day, session.day or "") or None)
    users = {node.session: node.user for node in parts.nodes.values() if node.kind is NodeKind.SESSION and node.user}
    given = [node for node in parts.nodes.values() if node.session in users and not node.user]
    parts.nodes |= {node.id: replace(node, user=users[node.session]) for node in given}
    return parts


def session_of(node: GraphNode) -> str:
    """The id of the session that gave a node; empty when none did."""
    given = node.session and node.kind not in {NodeKind.SESSION, NodeKind.SUMMARY}
    return node_id(NodeKind.SESSION, node.session) if given else ""


def _of_entry(place: PlacedEntry, zone: str) -> GraphParts:
    entry, parts = place.entry, GraphParts()
    start = parts.add(
        GraphNode(
            node_id(NodeKind.ENTRY, entry.id),
            NodeKind.ENTRY,
            entry.id,
            entry.title,
            day=str(local_day(entry.date, zone)),
            session=entry.source.session_id,
            holds=place.status is not Status.SUPERSEDED,
        )
    )
    for sort, earlier in ((EdgeSort.SUPERSEDES, entry.supersedes), (EdgeSort.REINFORCES, entry.reinforces)):
        for name in earlier:
            parts.lead(start, node_id(NodeKind.ENTRY, name), sort)
    for name in entry.superseded_by:
        parts.lead(node_id(NodeKind.ENTRY, name), start, EdgeSort.SUPERSEDES)
    return parts


def _add_entities(graph: RememberedGraph) -> None:
    for entity in graph.known.values():
        day = str(entity.days[1]) if entity.days else None
        kind, name = NodeKind.ENTITY, entity.name
        graph.parts.add(GraphNode(node_id(kind, name), kind, name, name, day=day, kept=True))


def _add_facts(graph: RememberedGraph, facts: tuple[StandingFact, ...]) -> None:
    key_for, known = keys_by(graph.names), {standing.fact.id: standing.fact for standing in facts if standing.fact.id}
    for standing in facts:
        start = graph.parts.add(_fact(standing))
        for key in dict.fromkeys(map(key_for, standing.fact.entities)):
            graph.parts.lead(start, node_id(NodeKind.ENTITY, graph.known[key].name), EdgeSort.ABOUT)
        if standing.fact.id:
            for name, sort in _earlier(standing.fact, known):
                graph.parts.lead(start, node_id(NodeKind.FACT, name), sort)
        if standing.replaced_by:
            graph.parts.lead(node_id(NodeKind.FACT, standing.replaced_by.id), start, EdgeSort.SUPERSEDES)


def _fact(standing: StandingFact) -> GraphNode:
    fact = standing.fact
    name = fact.id or f"{fact.path}:{fact.line}"
    return GraphNode(
        node_id(NodeKind.FACT, name),
        NodeKind.FACT,
        name,
        fact.text,
        day=str(fact.day) if fact.day > date.min else None,
        session="" if fact.word is FactWord.ACCEPTED else fact.session_id,  # which is a path then
        holds=standing.holds,
        kept=bool(fact.id),
    )


def _earlier(fact: Fact, known: dict[str, Fact]) -> Iterator[tuple[str, EdgeSort]]:
    """The facts for or against which a fact is evidence."""
    for names, sort in ((fact.supports, EdgeSort.REINFORCES), (fact.contradicts, EdgeSort.CONTRADICTS)):
        yield from ((name, sort) for name in names if name in known and is_evidence(fact, known[name]))


def _add_summaries(graph: RememberedGraph, summaries: Iterable[tuple[str, str]]) -> None:
    """The summaries of entities' pages, each with the facts that it names."""
    pages = {concrete(FAMILY, Slots(page=entity.page)).casefold(): entity for entity in graph.known.values()}
    for path, text in summaries:
        entity = pages.get(path.casefold())
        if entity is None:
            continue
        named = [node_id(NodeKind.FACT, name) for name in dict.fromkeys(_FACT_ID.findall(text))]
        day = max((node.day for name in named if (node := graph.parts.nodes.get(name)) and node.day), default=None)
        kind, name = NodeKind.SUMMARY, entity.name
        label = _GROUNDS.sub("", text)
        start = graph.parts.add(GraphNode(node_id(kind, name), kind, name, label, day=day, kept=True))
        for end in named:
            graph.parts.lead(start, end, EdgeSort.SUMS_UP)


_ADVICE = "Left out: {}. Ask for less time, a kind, a session, a user, or a focus, to see them."


def chosen_graph(parts: GraphParts, wanted: GraphRequest, focus: str = "") -> MemoryGraph:
    """The part of the graph that a request means, around the node with the id `focus` when there is one."""
    distances = _distances(parts, focus, wanted.depth) if focus else None
    within = parts.nodes if distances is None else distances
    fitting = [node for name in within if _fits(node := parts.nodes[name], wanted) or name == focus]
    if wanted.session or wanted.user_id:
        fitting = _belonging(fitting, parts, wanted, focus)
    fitting.sort(key=attrgetter("id"))
    fitting.sort(key=lambda node: node.day or "", reverse=True)
    if distances:  # the nearest first, of these the newest
        fitting.sort(key=lambda node: distances.get(node.id, 0))
    nodes = {node.id: node for node in fitting[:MOST_NODES]}
    left_out = Counter(str(node.kind) for node in fitting[MOST_NODES:])
    words = ", ".join(f"{kind} {number}" for kind, number in sorted(left_out.items()))
    gave = (GraphEdge(session_of(node), node.id, EdgeSort.GAVE) for node in nodes.values() if session_of(node) in nodes)
    between = [edge for edge in parts.edges if edge.start in nodes and edge.end in nodes]
    return MemoryGraph(
        nodes=tuple(nodes.values()),
        edges=tuple(dict.fromkeys([*between, *gave])),
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


def _neighbours(parts: GraphParts, names: Collection[str]) -> set[str]:
    """The nodes that an edge joins with any of these."""
    ends = {edge.end for edge in parts.edges if edge.start in names}
    ends |= {edge.start for edge in parts.edges if edge.end in names}
    ends |= {node.id for node in parts.nodes.values() if session_of(node) in names}
    return (ends | {session_of(parts.nodes[name]) for name in names}) & parts.nodes.keys()


def _distances(parts: GraphParts, focus: str, depth: int) -> dict[str, int]:
    """The nodes that are at most `depth` edges away from the focus, each with this number."""
    distances, last = {focus: 0}, {focus}
    for distance in range(1, depth + 1):
        last = _neighbours(parts, last) - distances.keys()
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
    """The nodes of a session, or of a user, and the entities and summaries that these lead to."""
    session, user = wanted.session, wanted.user_id
    own = {node.id for node in nodes if session in {"", node.session} and user in {"", node.user or OWNER_USER}}
    near, around = _neighbours(parts, own), {NodeKind.ENTITY, NodeKind.SUMMARY}
    return [node for node in nodes if node.id in own or node.id == focus or (node.kind in around and node.id in near)]
