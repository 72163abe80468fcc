"""The requester of conversations, and the filter of those that are theirs."""

from dataclasses import dataclass

from pipeline.store.conversations import ConversationFilter
from schemas.conversation import OWNER, ConversationRecord


@dataclass(frozen=True)
class Requester:
    """The requester, as authentication says it. `by_person` says that it is a person's token, not an agent's.

    A person reaches the conversations of that user; an agent those of that user with itself.
    """

    user_id: str = ""
    agent_id: str = ""
    by_person: bool = False

    @property
    def is_owner(self) -> bool:
        """Whether it is the owner of the workspace."""
        return self.by_person and self.user_id == OWNER

    @property
    def conversation_filter(self) -> ConversationFilter:
        """The filter of the conversations that are theirs."""
        return ConversationFilter(self.user_id, None if self.by_person else self.agent_id)

    def reaches(self, conversation: ConversationRecord) -> bool:
        """Whether a conversation is the requester's: an agent's are its own, a person's those of the user."""
        return self.user_id == conversation.user_id and (self.by_person or self.agent_id == conversation.agent_id)
