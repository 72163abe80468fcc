"""The graph of what the files of a workspace remember: entries, facts, entities and summaries, with their edges."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Lock

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.fact_files import all_facts, names_by_people, page_summaries
from pipeline.facts.confidence import is_evidence
from pipeline.facts.entities import Entity, entities_of, keys_by
from pipeline.facts.names import EntityNames
from pipeline.facts.pages import FAMILY
from pipeline.facts.standing import StandingFact, stand
from pipeline.reports.placed_entries import PlacedEntry
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
    """What files remember: the parts that entries make, and facts, those of other hands too, which are no evidence."""
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
        session = parts.nodes.get(node_id(NodeKind.SESSION, name)) or _session(name)
        parts.nodes[session.id] = replace(session, day=max(day, session.day or "") or None)
    users = {node.session: node.user for node in parts.nodes.values() if node.kind is NodeKind.SESSION and node.user}
    given = [node for node in parts.nodes.values() if node.session in users and not node.user]
    parts.nodes |= {node.id: replace(node, user=users[node.session]) for node in given}
    return parts


def session_of(node: GraphNode) -> str:
    """The id of the session that gave a node; empty when none did."""
    given = node.session and node.kind not in {NodeKind.SESSION, NodeKind.SUMMARY}
    return node_id(NodeKind.SESSION, node.session) if given else ""


def _session(name: str) -> GraphNode:
    return GraphNode(node_id(NodeKind.SESSION, name), NodeKind.SESSION, name, name, session=name)


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
