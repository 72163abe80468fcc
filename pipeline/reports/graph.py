"""The graph of what the files of a workspace remember: entries, facts, entities and summaries, with their edges."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.fact_files import all_facts, names_by_people, page_summaries
from pipeline.facts.confidence import is_evidence
from pipeline.facts.entities import Entity, entities_of, keys_by
from pipeline.facts.names import EntityNames
from pipeline.facts.pages import FAMILY
from pipeline.facts.standing import StandingFact, stand
from pipeline.reports.entries import list_entries
from pipeline.reports.placed_entries import PlacedEntry, without_copies
from pipeline.workspace.families import Slots, concrete
from schemas.entry import Status
from schemas.fact import Fact, FactWord
from schemas.reports.graph import EdgeSort, GraphEdge, GraphNode, NodeKind

OWNER = "Owner"
"""The name of the entity that the owner is."""
_LABEL = 400  # characters
_GROUNDS = re.compile(r" ?\((?:\[f-[0-9a-f]+\]\([^()]*\)(?:, )?)+\)")
"""The links of a summary to the facts that a sentence rests on."""
_FACT_ID = re.compile(r"\bf-[0-9a-f]{8,16}\b")


@dataclass
class GraphParts:
    """Nodes by their ids, and edges; an edge may lead to a node that is not there."""

    nodes: dict[str, GraphNode] = field(default_factory=dict)
    edges: dict[GraphEdge, None] = field(default_factory=dict)

    def add(self, node: GraphNode) -> str:
        """Add a node, unless there is one with its id; the id."""
        self.nodes.setdefault(node.id, replace(node, label=" ".join(node.label[:_LABEL].split()) or node.name))
        return node.id

    def lead(self, start: str, end: str, sort: EdgeSort) -> None:
        """Add an edge."""
        if start != end:
            self.edges[GraphEdge(start, end, sort)] = None


@dataclass(frozen=True)
class RememberedGraph:
    """The parts that files make, and the entities by their keys, with the names that people gave."""

    parts: GraphParts
    known: dict[str, Entity]
    names: EntityNames


def node_id(kind: NodeKind, name: str) -> str:
    """The id of a node."""
    return f"{kind.value}:{name}"


def remembered_graph(engine: Engine, entries: Sequence[PlacedEntry] | None = None) -> RememberedGraph:
    """What files remember; facts of other hands too, which are evidence for nothing.

    `entries` are those that stand, one of each text, where somebody has read them already.
    """
    facts, names = all_facts(engine), names_by_people(engine)
    graph = RememberedGraph(GraphParts(), entities_of(facts, names), names)
    _add_entries(graph.parts, without_copies(list_entries(engine)) if entries is None else entries, engine.zone)
    _add_entities(graph)
    _add_facts(graph, stand(facts).all)
    _add_summaries(graph, page_summaries(engine))
    return graph


def with_sessions(parts: GraphParts) -> GraphParts:
    """The parts with a node for each session, the edges to what it gave, and no edge to what is not there."""
    for node in [*parts.nodes.values()]:
        if node.session and node.kind is not NodeKind.SESSION:
            session = parts.nodes.get(node_id(NodeKind.SESSION, node.session)) or _session(node.session)
            parts.nodes[session.id] = replace(session, day=max(filter(None, (session.day, node.day)), default=None))
            parts.nodes[node.id] = replace(node, user=node.user or session.user)
            if node.kind is not NodeKind.SUMMARY:
                parts.lead(session.id, node.id, EdgeSort.GAVE)
    there = {edge: None for edge in parts.edges if edge.start in parts.nodes and edge.end in parts.nodes}
    return GraphParts(parts.nodes, there)


def _session(name: str) -> GraphNode:
    return GraphNode(node_id(NodeKind.SESSION, name), NodeKind.SESSION, name, name, session=name)


def _add_entries(parts: GraphParts, places: Iterable[PlacedEntry], zone: str) -> None:
    for place in places:
        entry = place.entry
        node = GraphNode(
            node_id(NodeKind.ENTRY, entry.id),
            NodeKind.ENTRY,
            entry.id,
            entry.title,
            day=str(local_day(entry.date, zone)),
            session=entry.source.session_id,
            holds=place.status is not Status.SUPERSEDED,
        )
        start = parts.add(node)
        for sort, earlier in ((EdgeSort.SUPERSEDES, entry.supersedes), (EdgeSort.REINFORCES, entry.reinforces)):
            for name in earlier:
                parts.lead(start, node_id(NodeKind.ENTRY, name), sort)
        for name in entry.superseded_by:
            parts.lead(node_id(NodeKind.ENTRY, name), start, EdgeSort.SUPERSEDES)


def _add_entities(graph: RememberedGraph) -> None:
    for entity in graph.known.values():
        day = str(entity.days[1]) if entity.days else None
        kind, name = NodeKind.ENTITY, entity.name
        graph.parts.add(GraphNode(node_id(kind, name), kind, name, name, day=day, kept=True))


def _add_facts(graph: RememberedGraph, facts: tuple[StandingFact, ...]) -> None:
    key_for, known = keys_by(graph.names), {one.fact.id: one.fact for one in facts if one.fact.id}
    for one in facts:
        start = graph.parts.add(_fact(one))
        for key in dict.fromkeys(map(key_for, one.fact.entities)):
            graph.parts.lead(start, node_id(NodeKind.ENTITY, graph.known[key].name), EdgeSort.ABOUT)
        if one.fact.id:
            for name, sort in _earlier(one.fact, known):
                graph.parts.lead(start, node_id(NodeKind.FACT, name), sort)
        if one.replaced_by:
            graph.parts.lead(node_id(NodeKind.FACT, one.replaced_by.id), start, EdgeSort.SUPERSEDES)


def _fact(one: StandingFact) -> GraphNode:
    fact = one.fact
    name = fact.id or f"{fact.path}:{fact.line}"
    return GraphNode(
        node_id(NodeKind.FACT, name),
        NodeKind.FACT,
        name,
        fact.text,
        day=str(fact.day) if fact.day > date.min else None,
        session="" if fact.word is FactWord.ACCEPTED else fact.session_id,  # which is a path then
        holds=one.holds,
        kept=bool(fact.id),
    )


def _earlier(fact: Fact, known: dict[str, Fact]) -> Iterator[tuple[str, EdgeSort]]:
    """The facts for or against which a fact is evidence."""
    for names, sort in ((fact.supports, EdgeSort.REINFORCES), (fact.contradicts, EdgeSort.CONTRADICTS)):
        yield from ((name, sort) for name in names if name in known and is_evidence(fact, known[name]))


def _add_summaries(graph: RememberedGraph, summaries: Iterable[tuple[str, str]]) -> None:
    """The summaries of entities' pages, each with the facts that it names."""
    pages = {concrete(FAMILY, Slots(page=one.page)).casefold(): one for one in graph.known.values()}
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
