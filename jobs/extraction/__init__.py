"""The offline extractor: what the owner settled in a conversation, found without a model.

A package beside the jobs, not a job: `micro_sync` asks it when no model is configured.
"""

from jobs.extraction.context_sentences import with_context
from jobs.extraction.decision import read
from jobs.extraction.exchanges import exchanges
from jobs.extraction.retraction import standing
from schemas.extraction import Conversation, Extraction


def extract(conversation: Conversation) -> Extraction:
    """What the owner settled in messages numbered `first_new` or above; the same answer for the same conversation."""
    around = exchanges(conversation.messages)
    settled = [one for one in map(read, around) if one]
    recorded = map(with_context, standing(settled, around))
    return Extraction(candidates=tuple(one for one in recorded if one.quote_number >= conversation.first_new))


__all__ = ["extract"]
