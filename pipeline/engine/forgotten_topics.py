"""Sessions as jobs see them: without the messages about a topic from before it was forgotten."""

from collections.abc import Iterable

from pipeline.entries.mentions import tokens
from pipeline.workspace.files import Workspace
from pipeline.workspace.forgotten import ForgottenTopic, read_topics
from schemas.transcript import Message, Session


def without_forgotten(workspace: Workspace, sessions: Iterable[Session]) -> tuple[Session, ...]:
    """The sessions without the messages that name a forgotten topic; a later message about it is seen.

    A later summary of such a message is not.
    """
    topics = read_topics(workspace)
    if not topics:
        return tuple(sessions)
    return tuple(
        session.keeping([said for said in session.messages if not _names(said, topics)]) for session in sessions
    )


def _names(message: Message, topics: Iterable[ForgottenTopic]) -> bool:
    earlier = [topic for topic in topics if message.time <= topic.until]
    words = tokens(message.text) if earlier else []
    return any(topic.stands_in(words) for topic in earlier)
