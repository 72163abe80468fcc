"""Conversations go by themselves some time after their last message, where the settings say so.

A conversation is nowhere else: what a job still has to read stays, however old it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pipeline.app.conversation_deletion import drop_answers, session_details
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitioning_of
from pipeline.errors.store import PinnedInTheWay
from pipeline.store.conversations import StoredCount
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ConversationRecord
from schemas.window import Window


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
    late = [one for one in store.conversations.listed() if _last(one) < before]
    unread = _unread(engine, late) if late else set[str]()
    gone, details = list[str](), list[str]()
    for conversation in (one.conversation for one in late if one.conversation.id not in unread):
        keys = _details(store, conversation)
        if keys is not None and (dry_run or _dropped(engine, store, conversation, before)):
            gone.append(conversation.session_id)
            details += keys
    if gone and not dry_run:
        store.details.erase(details)
        store.details.database.compact()
    waiting = (one.conversation.session_id for one in late if one.conversation.id in unread)
    return ExpiredConversations(tuple(gone), tuple(details), tuple(waiting))


def _last(one: StoredCount) -> datetime:
    return one.last or one.conversation.created_at


def _unread(engine: Engine, late: Sequence[StoredCount]) -> set[str]:
    """The ids of those that jobs read, and that reach into time which a job has still to run."""
    if not any(source.kind == "store" for source in engine.settings.transcript_sources):
        return set()
    read = [one for one in late if one.conversation.may_be_read]
    if engine.settings.start is None:  # nothing is ever due then: a person runs the jobs, over whatever time
        return {one.conversation.id for one in read}
    left = _left(engine) if read else []
    return {
        one.conversation.id
        for one in read
        if any(window.start <= _last(one) and one.conversation.created_at < window.end for window in left)
    }


def _left(engine: Engine) -> list[Window]:
    reading = [job for job in engine.jobs if job.reads.transcripts]
    return [partition.window for job in reading for partition in partitioning_of(engine, job).left()]


def _details(store: WorkspaceStore, conversation: ConversationRecord) -> list[str] | None:
    """The keys of its details; `None` when one is pinned."""
    try:
        return session_details(store.details, conversation, force=False)
    except PinnedInTheWay:
        return None


def _dropped(engine: Engine, store: WorkspaceStore, conversation: ConversationRecord, before: datetime) -> bool:
    """Whether it went, with the cached answers about it: it stays when something has been said in it meanwhile."""
    prose = [summary.prose for summary in store.conversations.summaries(conversation)]
    if not store.conversations.delete_silent(conversation, before):
        return False
    drop_answers(engine, prose)
    return True
