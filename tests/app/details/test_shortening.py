"""Large blocks of a conversation become details of whoever talks in it."""

import uuid

import pytest

from pipeline.app.details.keep import shortening_of
from pipeline.app.details.upkeep import list_details
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ConversationRecord
from schemas.detail import DetailReader
from tests.support.builders.details import LOG, NOW
from tests.support.ports.clock import FixedClock
from tests.support.ports.plain_redactor import PlainRedactor


@pytest.mark.parametrize(("agent", "by_person"), [("", True), ("ann", False)])
def test_a_block_is_for_who_may_see_the_conversation(store: WorkspaceStore, agent: str, *, by_person: bool) -> None:
    """One of a person's conversation is no agent's, and one of an agent's no other agent's."""
    talk = ConversationRecord(
        id=str(uuid.uuid4()), session_id="talk", agent_id=agent, by_person=by_person, created_at=NOW
    )
    assert "[MemoryRef: " in shortening_of(store, PlainRedactor(), FixedClock(NOW), talk).placeholder(LOG * 2)
    (kept,) = list_details(store)
    readers = [DetailReader(frozenset({""}), frozenset({name})).may_read(kept) for name in ("ann", "zoe")]
    assert [agent == "ann", False] == readers
