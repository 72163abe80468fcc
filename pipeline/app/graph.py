"""The graph of what is remembered, as whoever asks may see it: of files, agents' lines, conversations and details."""

from dataclasses import dataclass, replace

from pipeline.app.details.upkeep import list_details
from pipeline.app.requester import Requester
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.facts.names import key_of
from pipeline.reports.agents import AgentFolder
from pipeline.reports.entities import entity_meant, session_meant
from pipeline.reports.graph import (
    OWNER,
    GraphParts,
    RememberedGraph,
    chosen_graph,
    node_id,
    node_named,
    remembered_graph,
    with_sessions,
)
from pipeline.store.conversations import ConversationTable
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ConversationSummary, ListedConversation, Preferences
from schemas.detail import Detail, DetailFilter, DetailReader
from schemas.memory_change import BrainSection, ChangeWord
from schemas.reports.agents import KnownLine
from schemas.reports.graph import EdgeSort, GraphNode, GraphRequest, MemoryGraph, NodeKind


@dataclass(frozen=True)
class GraphReader:
    """The reader of a graph: whose conversations they may see, and whose details."""

    who: Requester
    details: DetailReader


def memory_graph(
    engine: Engine,
    store: WorkspaceStore,
    reader: GraphReader,
    wanted: GraphRequest,
    entries: GraphParts,
) -> MemoryGraph:
    """The part of the graph that a request means, with nothing that the reader may not see; `entries` are its own now.

    Raises:
        NameRefused: nothing that the reader may see has this name; several sessions, or several entities, begin so.
        StoreError: the store cannot be read now.
    """
    graph = remembered_graph(engine, entries)
    who, agents = reader.who, engine.settings.agents.by_name
    mine = agents.get(who.agent_id)
    for agent in sorted(agents):
        if who.by_person or agent == who.agent_id or (mine and mine.reads(agent)):
            _add_lines(graph, engine, agent, who)
    if store.exists:
        _add_conversations(graph, store, reader.who, engine.zone)
    session = session_meant(wanted.session.strip(), graph.parts.nodes.values())
    wanted = wanted.model_copy(update={"session": session})
    if store.exists:
        choice = DetailFilter(thread_id=wanted.session, reader=reader.details)
        for detail in list_details(store, choice):
            graph.parts.add(_detail(detail, engine.zone))
    parts = with_sessions(graph.parts)
    return chosen_graph(parts, wanted, _focus(graph, parts, wanted))


def _focus(graph: RememberedGraph, parts: GraphParts, wanted: GraphRequest) -> str:
    """The id of the node that the request looks at; empty when it looks at none."""
    if wanted.entity.strip():
        return node_id(NodeKind.ENTITY, entity_meant(wanted.entity.strip(), graph.known, graph.names).name)
    if not wanted.focus.strip():
        return ""
    called = graph.known.get(key_of(wanted.focus, graph.names))
    return node_named(parts, node_id(NodeKind.ENTITY, called.name) if called else wanted.focus)


def _add_lines(graph: RememberedGraph, engine: Engine, agent: str, who: Requester) -> None:
    """The preferences of the owner that an agent knows, without those that nobody has confirmed."""
    reader = "" if who.by_person else who.agent_id
    folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, agent, reader)
    for line in folder.know():
        wanted = line.section == BrainSection.PREFERENCES.value and line.word != ChangeWord.NOT_CONFIRMED.value
        if line.id and wanted:
            graph.parts.lead(_user(graph, ""), graph.parts.add(_line(line, agent, engine.zone)), EdgeSort.PREFERS)


def _line(line: KnownLine, agent: str, zone: str) -> GraphNode:
    return GraphNode(
        node_id(NodeKind.PREFERENCE, line.id),
        NodeKind.PREFERENCE,
        line.id,
        line.text,
        day=str(local_day(line.date, zone)) if line.date else None,
        session=line.session_id,
        agent=agent,
        pinned=line.pinned,
    )


def _add_conversations(graph: RememberedGraph, store: WorkspaceStore, who: Requester, zone: str) -> None:
    """The conversations of whoever asks, with their summaries, and what their user wants."""
    table = ConversationTable(store.database, store.settings.workspace)
    summaries = table.last_summaries(who.conversation_filter)
    for listed in table.list_conversations(who.conversation_filter):
        session = _session(listed, zone)
        graph.parts.add(session)
        _prefer(graph, session, listed.conversation.settings.preferences)
        if summary := summaries.get(session.name):
            graph.parts.lead(graph.parts.add(_summary(summary, session, zone)), session.id, EdgeSort.SUMS_UP)
    for stated in table.stated_preferences(who.user_id):
        if who.by_person or stated.agent_id in {"", who.agent_id}:
            day, name = str(local_day(stated.changed_at, zone)), f"{who.user_id}:{stated.agent_id}"
            of = GraphNode("", NodeKind.ENTITY, name, name, day=day, user=who.user_id, agent=stated.agent_id)
            _prefer(graph, of, stated.preferences)


def _session(listed: ListedConversation, zone: str) -> GraphNode:
    record, name = listed.conversation, listed.conversation.session_id
    return GraphNode(
        node_id(NodeKind.SESSION, name),
        NodeKind.SESSION,
        name,
        name,
        day=str(local_day(listed.last or record.created_at, zone)),
        session=name,
        user=record.user_id,
        agent=record.agent_id,
        kept=True,
    )


def _summary(summary: ConversationSummary, session: GraphNode, zone: str) -> GraphNode:
    kind, name = NodeKind.SUMMARY, f"{session.name}:{summary.last_number}"
    day = str(local_day(summary.created_at, zone))
    return replace(session, id=node_id(kind, name), kind=kind, name=name, label=summary.prose, day=day)


def _prefer(graph: RememberedGraph, of: GraphNode, preferences: Preferences) -> None:
    """Add the preferences of a session, or of all sessions of a user."""
    for sort, text in preferences.stated_by_name.items():
        kind, name = NodeKind.PREFERENCE, f"{of.kind.value}:{of.name}:{sort}"
        wanted = replace(of, id=node_id(kind, name), kind=kind, name=name, label=f"{sort}: {text}")
        graph.parts.lead(_user(graph, of.user), graph.parts.add(wanted), EdgeSort.PREFERS)


def _user(graph: RememberedGraph, user: str) -> str:
    """The id of the node of a user: the entity that the owner is, or one without a page."""
    owner = graph.known.get(key_of(OWNER, graph.names))
    name = user or (owner.name if owner else OWNER)
    if owner and not user:
        return node_id(NodeKind.ENTITY, name)
    return graph.parts.add(GraphNode(node_id(NodeKind.ENTITY, f"user:{name}"), NodeKind.ENTITY, name, name, user=user))


def _detail(detail: Detail, zone: str) -> GraphNode:
    return GraphNode(
        node_id(NodeKind.DETAIL, detail.key),
        NodeKind.DETAIL,
        detail.key,
        detail.description,
        day=str(local_day(detail.created_at, zone)),
        session=detail.placement.thread_id,
        user=detail.placement.user_id,
        agent=detail.placement.agent_id,
        pinned=detail.pinned,
    )
