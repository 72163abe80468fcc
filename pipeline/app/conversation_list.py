"""The conversations of a workspace in a list, of whichever user, for the person who looks after it."""

from pipeline.store.conversations import ConversationFilter, StoredCount
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ListedConversation


def latest_conversations(
    store: WorkspaceStore, user_id: str = "", agent_id: str = "", *, skip: int = 0, limit: int = 50
) -> tuple[list[ListedConversation], int]:
    """Some of the conversations, first where something was said last, and how many there are; an empty name means any.

    Raises:
        StoreError: it cannot be read now.
    """
    if not store.exists:
        return [], 0
    kept, fitting = store.conversations.latest(ConversationFilter(user_id or None, agent_id or None), skip, limit)
    return [listed_conversation(one) for one in kept], fitting


def listed_conversation(one: StoredCount) -> ListedConversation:
    """What a list shows of a conversation."""
    return ListedConversation(
        conversation=one.conversation, messages=one.messages, last=one.last, summary_by=one.summary_by
    )
