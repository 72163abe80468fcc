"""The lines of an exported store."""

from enum import StrEnum

from schemas.base import Moment, Value
from schemas.conversation import Preferences


class StoredKind(StrEnum):
    """The kind of a line. Messages and summaries follow their conversation."""

    DETAIL = "detail"
    CONVERSATION = "conversation"
    MESSAGE = "message"
    SUMMARY = "summary"
    PREFERENCES = "preferences"


class StoredPreferences(Value):
    """The preferences of a user for all sessions; with an `agent_id`, as that agent reports them."""

    user_id: str
    agent_id: str
    preferences: Preferences
    changed_at: Moment
