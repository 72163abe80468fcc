"""Facts that have become firm: the owner said them on several days, so the page an agent reads first may want them.

Such a fact becomes an entry of what is to be remembered, which `weekly_plan` judges as any other one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from jobs.facts.claims import FactClaim
from jobs.facts.saying import OWNER
from jobs.resolution.drafting import draft
from jobs.resolution.validation import Claim
from pipeline.drafts import SuggestionDraft
from pipeline.facts.confidence import FIRM, FIRM_FROM, Confidence, confidences
from pipeline.facts.standing import stand
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.fact import Fact, FactKind

WRITER = "micro_sync"
"""The job that writes entries."""

_TITLE = 80


def firm(known: Sequence[Fact], new: Sequence[tuple[FactClaim, Fact]], day: date) -> Iterator[SuggestionDraft]:
    """The new facts of a day that make an earlier one firm, as entries in the words of that day.

    These are beliefs, and what is so of the owner. Nobody is asked about one that nothing contradicts.
    """
    facts = [*known, *(fact for _, fact in new)]
    sums, holding = confidences(facts), {fact.id for fact in stand(facts).holding}
    for claim, fact in new:
        earlier = [sums[name] for name in fact.supports if name in holding]
        if fact.id in holding and _is_lasting(fact) and are_firmed(earlier, day):
            as_entry = _claim(claim, fact, max(earlier, key=lambda one: one.hundredths))
            denied = fact.contradicts or any(one.days_against for one in earlier)
            yield SuggestionDraft(draft(as_entry, ()), as_entry.identity, FIRM, writer=WRITER, at_once=not denied)


def are_firmed(sums: Sequence[Confidence], day: date) -> bool:
    """Whether the evidence of this day has made one of these facts firm, of which none was before."""
    before = (replace(one, days_for=tuple(other for other in one.days_for if other != day)) for one in sums)
    is_new = all(one.hundredths < FIRM_FROM for one in before)
    return is_new and any(one.hundredths >= FIRM_FROM for one in sums)


def _is_lasting(fact: Fact) -> bool:
    """Whether a fact is a belief, or says what is so of the owner."""
    return fact.kind is FactKind.OPINION or (fact.kind is FactKind.WORLD and OWNER in fact.entities)


def _claim(claim: FactClaim, fact: Fact, confidence: Confidence) -> Claim:
    candidate = Candidate(
        kind=Kind.REMEMBER,
        title=fact.text[:_TITLE],
        quote=claim.quote,
        quote_number=claim.message.number,
        conclusion=fact.text,
        confidence=confidence.hundredths / 100,
    )
    return Claim(candidate, claim.session, claim.message, claim.span)
