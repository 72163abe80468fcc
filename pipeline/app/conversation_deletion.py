"""What a conversation leaves behind: its details, the cached answers about it, and the entries that were made of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.app.engine import open_engine
from pipeline.engine.context import Engine
from pipeline.errors.store import PinnedInTheWay
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from pipeline.reports.facts import fact_book
from pipeline.store.conversations import ConversationTable
from pipeline.store.details import DetailFilter, DetailTable
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.conversation import ConversationRecord, DeletionPreview, DeletionReceipt
from schemas.detail import Detail, DetailScope
from schemas.transcript import id_in_file


def session_details(details: DetailTable, conversation: ConversationRecord, *, force: bool) -> list[str]:
    """The keys of the details of a session, which go with it."""
    return _keys(_of_session(details, conversation), force=force)


def user_details(details: DetailTable, user_id: str, *, force: bool) -> list[str]:
    """The keys of the details of a user that are not of one session."""
    return _keys(_of_user(details, user_id), force=force)


@dataclass(frozen=True)
class DeletionPlanner:
    """Says what deletions would take; it deletes nothing."""

    root: Path
    process: ProcessContext
    table: ConversationTable
    details: DetailTable

    def of_session(self, conversation: ConversationRecord) -> DeletionPreview:
        """What would go with a session, and the entries and facts that would stay."""
        said, summaries = self.table.extent(conversation)
        made = with_traces(DeletionReceipt(), self.root, self.process, (conversation, ()))
        preview = _preview(_of_session(self.details, conversation))
        return preview.model_copy(
            update={"messages": said, "summaries": summaries, "entries": made.entries, "facts": made.facts}
        )

    def of_user(self, user_id: str) -> DeletionPreview:
        """What would go of what a user has in all sessions."""
        preferences = len(self.table.stated_preferences(user_id))
        return _preview(_of_user(self.details, user_id)).model_copy(update={"preferences": preferences})


def _preview(kept: Sequence[Detail]) -> DeletionPreview:
    pinned = sorted(one.key for one in kept if one.pinned)
    return DeletionPreview(details=tuple(_keys(kept, force=True)), pinned=tuple(pinned))


def _of_session(details: DetailTable, conversation: ConversationRecord) -> list[Detail]:
    kept = details.listed(DetailFilter(thread_id=conversation.session_id))
    owner = (conversation.agent_id, conversation.user_id)
    # A thread is a name that anybody may use: of those in it, what others stored is theirs.
    return [one for one in kept if (one.placement.agent_id, one.placement.user_id) == owner]


def _of_user(details: DetailTable, user_id: str) -> list[Detail]:
    kept = (one for one in details.listed(DetailFilter()) if one.placement.user_id == user_id)
    return [one for one in kept if one.placement.scope is not DetailScope.SESSION]


def _keys(kept: Sequence[Detail], *, force: bool) -> list[str]:
    if not force and (pinned := sorted(one.key for one in kept if one.pinned)):
        raise PinnedInTheWay(pinned)
    return sorted(one.key for one in kept)


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
        answers = drop_answers(engine, prose)
        made = {"entries": _entries(engine, conversation), "facts": _facts(engine, conversation)}
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
    sources = {source.root_name for source in engine.settings.transcript_sources if source.kind == "store"}
    return tuple(
        place.entry.id
        for place in places
        if id_in_file(place.entry.source.session_id) == conversation.session_id
        and place.entry.source.session_path.partition(":")[0] in sources
    )


def _facts(engine: Engine, conversation: ConversationRecord) -> tuple[str, ...]:
    """The ids of the facts that name the session."""
    facts = (one.fact for one in fact_book(engine).standings.all)
    name = conversation.session_id
    return tuple(fact.id for fact in facts if fact.id and id_in_file(fact.session_id) == name)
