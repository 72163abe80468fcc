"""A message that is far longer than what the same person types: it was pasted, whatever it looks like."""

from statistics import median

from pipeline.language.text import weight
from schemas.transcript import Message, Origin, Session

LONG = 1_500
"""Latin letters, or as much in Chinese, of a text that may be out of scale: a page, where people type lines."""
TIMES = 8
"""The ratio of its size to the text that the person types as a rule."""
ENOUGH = 5
"""Earlier messages from which on it is known what the person types as a rule."""


def is_out_of_scale(message: Message, session: Session) -> bool:
    """Whether an owner's message is far longer than the owner's earlier messages in its session."""
    size = weight(message.text)
    if size < LONG:
        return False
    owners = (other for other in session.messages if other.origin is Origin.OWNER)
    earlier = [weight(other.text) for other in owners if other.number < message.number]
    return len(earlier) >= ENOUGH and size >= TIMES * median(earlier)
