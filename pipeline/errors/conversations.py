"""The expected errors about conversations, in the manner of `pipeline.errors`."""

from collections.abc import Sequence

from pipeline.errors import PipelineError, UnknownName
from schemas import exit_codes


class UnknownConversation(UnknownName):
    """There is no conversation of this session, or it is somebody else's."""

    sort = "conversation"
    listed = "It may be another user's or another agent's, or deleted; begin one first"


class ConversationTaken(PipelineError):
    """A conversation is to begin, or to be imported, under a session that has one."""

    exit_code = 2

    def __init__(self, session_id: str) -> None:
        """`session_id` names the session."""
        super().__init__(
            f"There is a conversation {session_id!r} already. Choose another session_id, or delete it first."
        )


class NotThatAgent(PipelineError):
    """An agent wants a conversation in the name of another one."""

    exit_code = 2

    def __init__(self, agent: str) -> None:
        """`agent` is whom it named."""
        super().__init__(f"Your token is not that of {agent!r}. Leave agent out: the conversation is with you.")


class ConversationUnreadable(PipelineError):
    """What is to be imported is no conversation."""

    exit_code = 2

    def __init__(self, line: int, reason: str) -> None:
        """`line` is counted from 1."""
        super().__init__(
            f"Line {line} is no part of an exported conversation: {reason}. Nothing was imported; "
            f"give the JSONL that the export made, unchanged."
        )


class BudgetTooSmall(PipelineError):
    """What is never cut takes more tokens than the budget has."""

    exit_code = 2

    def __init__(self, budget: int, needed: int, parts: Sequence[tuple[str, int]]) -> None:
        """`parts` are the names of what is never cut, with their tokens."""
        named = ", ".join(f"{name} {tokens}" for name, tokens in parts if tokens)
        super().__init__(
            f"The budget is {budget} tokens, and what is never cut takes {needed}: {named}. "
            f"Give a budget of at least {needed}, or a shorter question."
        )


class StatedByPerson(PipelineError):
    """An agent wants to change what a person wants in a conversation that the person began."""

    exit_code = exit_codes.NO_PERSON

    def __init__(self, session_id: str) -> None:
        """`session_id` names the session."""
        super().__init__(
            f"A person began the conversation {session_id!r} and says what is wanted in it. "
            f"Change its preferences with a person's token."
        )


class QuestionMissing(PipelineError):
    """A context is asked for without a question."""

    exit_code = 2

    def __init__(self) -> None:
        """Nothing else is known of it."""
        super().__init__(
            "There is no question, and a model's server refuses an empty message. "
            "Give what the user asks now as the question."
        )


class PinnedInTheWay(PipelineError):
    """What is to be deleted has pinned details."""

    exit_code = 2

    def __init__(self, keys: Sequence[str]) -> None:
        """`keys` are those of the pinned details."""
        shown = ", ".join(keys[:5]) + (" and others" if len(keys) > 5 else "")  # noqa: PLR2004 - enough to know them by
        super().__init__(f"Pinned details would go: {shown}. Nothing was deleted; unpin them, or use force.")
