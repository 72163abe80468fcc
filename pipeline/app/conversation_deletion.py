"""Deletion of conversations: their details, the cached answers about them, and the entries that were made of them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pipeline.app.engine import open_engine
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitionings_of
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from pipeline.reports.facts import fact_book
from pipeline.store.details import DetailTable
from pipeline.store.opening import WorkspaceStore
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.conversation import ConversationRecord, DeletionPreview, DeletionReceipt, ListedConversation
from schemas.detail import Detail, DetailFilter, DetailScope
from schemas.transcript import id_in_file


def session_details(details: DetailTable, conversation: ConversationRecord) -> DeletionPreview:
    """The details of a session, which go with it."""
    kept = details.list_details(DetailFilter(thread_id=conversation.session_id))
    owner = (conversation.agent_id, conversation.user_id)
    # A thread is a name that anybody may use: of those in it, what others stored is theirs.
    return _preview(detail for detail in kept if (detail.placement.agent_id, detail.placement.user_id) == owner)


def user_details(details: DetailTable, user_id: str) -> DeletionPreview:
    """The details of a user that are not of one session."""
    kept = (detail for detail in details.list_details(DetailFilter()) if detail.placement.user_id == user_id)
    return _preview(detail for detail in kept if detail.placement.scope is not DetailScope.SESSION)


def _preview(kept: Iterable[Detail]) -> DeletionPreview:
    going = sorted(kept, key=lambda detail: detail.key)
    pinned = tuple(detail.key for detail in going if detail.pinned)
    return DeletionPreview(details=tuple(detail.key for detail in going), pinned=pinned)


def with_traces(
    receipt: DeletionReceipt, root: Path, process: ProcessContext, gone: tuple[ConversationRecord, Sequence[str]]
) -> DeletionReceipt:
    """The receipt with the cached answers that were dropped, and the entries and facts that stay.

    `gone` is the conversation, and the prose of its summaries. Nothing is opened in a workspace that has no ledger.
    """
    if not (Workspace(root).state_folder / LEDGER_FILE).exists():
        return receipt
    conversation, prose = gone
    engine = open_engine(root, process)
    try:
        answers = 0 if process.read_only else drop_answers(engine, prose)
        known = (standing.fact for standing in fact_book(engine).standings.all)
        facts = (fact.id for fact in known if fact.id and id_in_file(fact.session_id) == conversation.cited_id)
        made = {"entries": _entries(engine, conversation), "facts": tuple(facts)}
        return receipt.model_copy(update={"answers": answers, **made})
    finally:
        engine.ledger.store.close()


def drop_answers(engine: Engine, prose: Sequence[str]) -> int:
    """Drop the cached answers in which the prose of summaries stands; how many."""
    # An answer is kept as JSON, in which a text is escaped.
    kept = {json.dumps(text, ensure_ascii=False)[1:-1] for text in prose if text}
    return engine.ledger.answers.scrub(lambda answer: any(text in answer for text in kept)) if kept else 0


def _entries(engine: Engine, conversation: ConversationRecord) -> tuple[str, ...]:
    """The ids of the entries whose words stand in the conversation."""
    places = list_entries(engine)
    stores = {source.root_name for source in engine.settings.transcript_sources if source.kind == "store"}
    sources = {conversation.transcript.source} if conversation.transcript else stores
    return tuple(
        place.entry.id
        for place in places
        if id_in_file(place.entry.source.session_id) == conversation.cited_id
        and place.entry.source.session_path.partition(":")[0] in sources
    )


@dataclass(frozen=True)
class ExpiredConversations:
    """The sessions that went or would go, the keys of their details, and the sessions that jobs still have to read."""

    gone: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def expire_conversations(engine: Engine, store: WorkspaceStore, *, dry_run: bool = False) -> ExpiredConversations:
    """Let the conversations go that are older than `store.conversation_retention`; those with a pinned detail stay.

    The details of a session go with it. Entries and facts made of it stay, with their quotes.

    Raises:
        StoreError: the store cannot be used now.
        LedgerDamaged: the ledger cannot.
        WorkspaceError: the ledger cannot.
    """
    retention = engine.settings.store.conversation_retention
    if not retention or not store.exists:
        return ExpiredConversations()
    before = engine.clock.now() - retention
    late = [listed for listed in store.conversations.list_conversations() if _last(listed) < before]
    unread = _unread(engine, late) if late else set[str]()
    gone, details = list[str](), list[str]()
    for conversation in (listed.conversation for listed in late if listed.conversation.id not in unread):
        kept = session_details(store.details, conversation)
        if not kept.pinned and (dry_run or _drop_silent(engine, store, conversation, before)):
            gone.append(conversation.session_id)
            details += kept.details
            if not dry_run:
                store.details.erase(kept.details)
    if gone and not dry_run:
        store.details.database.compact()
    waiting = (listed.conversation.session_id for listed in late if listed.conversation.id in unread)
    return ExpiredConversations(tuple(gone), tuple(details), tuple(waiting))


def _last(listed: ListedConversation) -> datetime:
    return listed.last or listed.conversation.created_at


def _unread(engine: Engine, late: Sequence[ListedConversation]) -> set[str]:
    """The ids of those that jobs read, and that reach into time which a job has still to run."""
    if not any(source.kind == "store" for source in engine.settings.transcript_sources):
        return set()
    read = [listed for listed in late if listed.conversation.may_be_read]
    if engine.settings.start is None:  # nothing is ever due then: a person runs the jobs, over whatever time
        return {listed.conversation.id for listed in read}
    kinds = [kind for job in engine.jobs if read and job.reads.transcripts for kind in partitionings_of(engine, job)]
    left = [partition.window for kind in kinds for partition in kind.due_or_left()]
    return {
        listed.conversation.id
        for listed in read
        if any(window.start <= _last(listed) and listed.conversation.created_at < window.end for window in left)
    }


def _drop_silent(engine: Engine, store: WorkspaceStore, conversation: ConversationRecord, before: datetime) -> bool:
    """Whether it went, with the cached answers about it: it stays when something has been said in it meanwhile."""
    prose = [summary.prose for summary in store.conversations.summaries(conversation)]
    if not store.conversations.delete_silent(conversation, before):
        return False
    drop_answers(engine, prose)
    return True
