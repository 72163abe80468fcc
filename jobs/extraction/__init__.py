"""The offline extractor: what the owner settled in a conversation, found without a model.

A package beside the jobs, not a job: `micro_sync` asks it when no model is configured.
"""

from jobs.extraction.turns import exchanges
from jobs.extraction.verdict import read
from schemas.extraction import Conversation, Extraction


def extract(conversation: Conversation) -> Extraction:
    """What the owner settled in messages numbered `first_new` or above; the same answer for the same conversation."""
    wanted = [one for one in exchanges(conversation.messages) if one.said.message.number >= conversation.first_new]
    found = (read(exchange) for exchange in wanted)
    return Extraction(candidates=tuple(candidate for candidate in found if candidate))


__all__ = ["extract"]
