"""The offline extractor: candidates found in a conversation without a model.

A package beside the jobs, not a job: `micro_sync` asks it when no model is configured.
"""

from jobs.extraction.context_sentences import add_context
from jobs.extraction.decision import read_exchange
from jobs.extraction.exchanges import exchanges
from jobs.extraction.grounds import UNCERTAIN
from jobs.extraction.retraction import Settled, find_withdrawn
from pipeline.entries.authorship.reported import perhaps_reported
from schemas.entry import Kind
from schemas.extraction import Candidate, Conversation, DoubtedCandidate, Extraction, WishedCandidate, WordsDoubt


def extract(conversation: Conversation) -> Extraction:
    """The candidates in messages numbered `first_new` or above; the same answer for the same conversation."""
    candidates = extract_with_doubts(conversation).candidates
    return Extraction(
        candidates=tuple(candidate for candidate in candidates if not isinstance(candidate, DoubtedCandidate))
    )


def extract_with_doubts(conversation: Conversation) -> Extraction:
    """The candidates with those that only a person can decide about, such as words that were perhaps taken back."""
    around = exchanges(conversation.messages)
    settled = [decision for exchange in around for decision in read_exchange(exchange)]
    gone = find_withdrawn(settled, around)
    candidates = (_candidate_of(decision, taken_back=decision in gone) for decision in settled)
    return Extraction(
        candidates=tuple(candidate for candidate in candidates if candidate.quote_number >= conversation.first_new)
    )


def wishes(conversation: Conversation) -> list[WishedCandidate]:
    """The explicit requests to remember in messages numbered `first_new` or above, without those taken back."""
    asked_for = (candidate for candidate in extract(conversation).candidates if candidate.kind is Kind.REMEMBER)
    return [WishedCandidate(**candidate.model_dump()) for candidate in asked_for if candidate.confidence > UNCERTAIN]


def _candidate_of(decision: Settled, *, taken_back: bool) -> Candidate:
    """The candidate with its subject, and with the doubt that it is open to, if any."""
    candidate = add_context(decision)
    of_others = candidate.kind is not Kind.REMEMBER and perhaps_reported(decision.exchange.said.text, candidate.quote)
    if not taken_back and not of_others:
        return candidate
    doubt = WordsDoubt.TAKEN_BACK if taken_back else WordsDoubt.OF_OTHERS
    return DoubtedCandidate(**candidate.model_dump() | {"doubt": doubt})


__all__ = ["extract", "extract_with_doubts", "wishes"]
