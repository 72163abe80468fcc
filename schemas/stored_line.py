"""The lines of an exported store."""

from enum import StrEnum

from schemas.base import Moment, Value
from schemas.conversation import Preferences


class StoredKind(StrEnum):
    """What a line is. Messages and summaries follow their conversation."""

    DETAIL = "detail"
    CONVERSATION = "conversation"
    MESSAGE = "message"
    SUMMARY = "summary"
    PREFERENCES = "preferences"


class StoredPreferences(Value):
    """What a user wants in all sessions; with an `agent_id`, what that agent says of it."""

    user_id: str
    agent_id: str
    preferences: Preferences
    changed_at: Moment
