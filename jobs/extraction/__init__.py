"""The offline extractor: what the owner settled in a conversation, found without a model.

A package beside the jobs, not a job: `micro_sync` asks it when no model is configured.
"""

from jobs.extraction.context_sentences import with_context
from jobs.extraction.decision import read
from jobs.extraction.exchanges import exchanges
from jobs.extraction.grounds import UNCERTAIN
from jobs.extraction.retraction import Settled, withdrawn
from pipeline.entries.authorship.reported import perhaps_reported
from schemas.entry import Kind
from schemas.extraction import Candidate, Conversation, DoubtedCandidate, Extraction, WishedCandidate, WordsDoubt


def extract(conversation: Conversation) -> Extraction:
    """What the owner settled in messages numbered `first_new` or above; the same answer for the same conversation."""
    candidates = extract_with_doubts(conversation).candidates
    return Extraction(candidates=tuple(one for one in candidates if not isinstance(one, DoubtedCandidate)))


def extract_with_doubts(conversation: Conversation) -> Extraction:
    """The same with what only a person can decide about, such as what was perhaps taken back."""
    around = exchanges(conversation.messages)
    settled = [one for exchange in around for one in read(exchange)]
    gone = withdrawn(settled, around)
    recorded = (_recorded(one, taken_back=one in gone) for one in settled)
    return Extraction(candidates=tuple(one for one in recorded if one.quote_number >= conversation.first_new))


def wishes(conversation: Conversation) -> list[WishedCandidate]:
    """What the owner clearly asks to remember in messages numbered `first_new` or above, and does not take back."""
    asked_for = (one for one in extract(conversation).candidates if one.kind is Kind.REMEMBER)
    return [WishedCandidate(**one.model_dump()) for one in asked_for if one.confidence > UNCERTAIN]


def _recorded(one: Settled, *, taken_back: bool) -> Candidate:
    """The candidate with its subject, and with the doubt that it is open to, if any."""
    candidate = with_context(one)
    if taken_back:
        return _doubted(candidate, WordsDoubt.TAKEN_BACK)
    if perhaps_reported(one.exchange.said.text, candidate.quote) and candidate.kind is not Kind.REMEMBER:
        return _doubted(candidate, WordsDoubt.OF_OTHERS)
    return candidate


def _doubted(candidate: Candidate, doubt: WordsDoubt) -> DoubtedCandidate:
    return DoubtedCandidate(**candidate.model_dump() | {"doubt": doubt})


__all__ = ["extract", "extract_with_doubts", "wishes"]
