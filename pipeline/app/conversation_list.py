"""The conversations of a workspace in a list, of whichever user, for the person who looks after it."""

from pipeline.store.conversations import ConversationFilter
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
    return store.conversations.latest(ConversationFilter(user_id or None, agent_id or None), skip, limit)
