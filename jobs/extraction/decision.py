"""The verdict on one message of the owner: what it settles, if anything."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from jobs.extraction.candidate_text import CONCLUSION_LIMIT, TITLE_LIMIT, quote_of, reason_in, shortened, title_of
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.grounds import asked, outright
from jobs.extraction.observe import ObservedSentences, readings
from jobs.extraction.options import picked
from jobs.extraction.retraction import Settled
from jobs.extraction.signals import Signal
from jobs.extraction.stand_alone import line, taken_up
from jobs.extraction.weights import THRESHOLD, UNCERTAIN, confidence
from jobs.extraction.wishes import proposal_taken, wished
from pipeline.language.folding import fold
from pipeline.language.text import Span, weight
from schemas.entry import Kind
from schemas.extraction import Candidate, DoubtedCandidate, WordsDoubt
from schemas.transcript import MASK

_LASTING = frozenset({Signal.UNIVERSAL, Signal.ORDER, Signal.STANDING})
_PICKED = frozenset({Signal.LABEL, Signal.CHOICE, Signal.COUNTERS})
_ACCEPTED = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY, Signal.ACCEPTS_OFFER, Signal.LABEL})
_TAKES_PART = 0.22  # as confidence
_TAKES = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY})
_REFUSES = frozenset({Signal.DECLINES, Signal.HEDGE, Signal.DEFER, Signal.ASKS})
_WISHED = 0.5  # as confidence
_SEVERAL = 2  # explicit sentences
_BARE = 24  # in Latin letters; so short an acceptance has no content of its own


def read(exchange: Exchange) -> list[Settled]:
    """The decisions in the owner's message, in order; a later message may still withdraw them."""
    if exchange.said.foreign:
        return []
    settled = []
    observed = readings(exchange)
    items = _items(observed)
    for item in items:
        quote = quote_of(exchange.said.text, item.spans)
        if quote:
            settled.append(Settled(exchange, item.spans, _candidate(item, quote, exchange, alone=len(items) == 1)))
    return settled or _wish(exchange, observed)


def _wish(exchange: Exchange, observed: Sequence[ObservedSentences]) -> list[Settled]:
    """What the owner wishes in words that are not understood, for a person to decide about."""
    takes = any(one.signals & _TAKES and not one.signals & _REFUSES for one in observed[:1])
    wish = wished(exchange) or (proposal_taken(exchange) if takes else None)
    quote = quote_of(exchange.said.text, (wish.span,)) if wish else None
    if wish is None or quote is None:
        return []
    candidate = DoubtedCandidate(
        kind=Kind.DECISION if wish.of_proposal else Kind.RULE,
        title=title_of(wish.text) or quote.text[:TITLE_LIMIT],
        quote=quote.text,
        quote_number=exchange.said.message.number,
        support_numbers=() if wish.rests_on is None else (wish.rests_on,),
        confirmation="accepted" if wish.of_proposal else "stated",
        conclusion=shortened(wish.text, CONCLUSION_LIMIT),
        confidence=_WISHED,
        doubt=WordsDoubt.NOT_UNDERSTOOD,
    )
    return [Settled(exchange, (wish.span,), candidate)]


def _items(observed: Sequence[ObservedSentences]) -> list[ObservedSentences]:
    """What the message settles: each explicit sentence by itself, else the sentences that settle most together."""
    best = max(observed, key=_confidence, default=None)
    if best is None or _confidence(best) < THRESHOLD:
        return []
    alone = [one for one in observed if len(one.spans) == 1]
    sure = [place for place, one in enumerate(alone) if outright(one.signals)]
    explicit = [place for place in sure if alone[place].named or place == sure[0]]
    if len(explicit) < _SEVERAL:
        spans = frozenset(best.spans)  # a message of many short lines has thousands
        within = [one for one in alone if one.spans[0] in spans]
        core = within.index(max(within, key=_confidence))
        return [_joined(best, _taking_part(reversed(within[:core])), within[core], _taking_part(within[core + 1 :]))]
    ends = [*explicit[1:], len(alone)]
    return [
        _joined(alone[first], [], alone[first], _taking_part(alone[first + 1 : end]))
        for first, end in zip(explicit, ends, strict=True)
    ]


def _confidence(reading: ObservedSentences) -> float:
    return confidence(reading.signals)


def _taking_part(neighbours: Iterable[ObservedSentences]) -> list[ObservedSentences]:
    """The nearest neighbours, up to the first that takes no part."""
    return list(takewhile(lambda one: _confidence(one) > _TAKES_PART, neighbours))


def _joined(
    best: ObservedSentences, before: list[ObservedSentences], core: ObservedSentences, after: list[ObservedSentences]
) -> ObservedSentences:
    """The sentence that settles most with those beside it, and the signals of all."""
    return ObservedSentences(tuple(one.spans[0] for one in (*reversed(before), core, *after)), best.signals)


def _candidate(best: ObservedSentences, quote: Span, exchange: Exchange, *, alone: bool) -> Candidate:
    said = exchange.said
    proposal = exchange.before if best.signals & (_ACCEPTED | {Signal.CHOICE}) else None
    bare = weight(quote.text) <= _BARE
    accepted = _accepted(best, proposal) if proposal and (bare or not said.profile.content(quote.text)) else ""
    plain = taken_up(accepted, proposal.profile) if proposal and accepted else line(quote, exchange, alone=alone)
    words = plain.text
    supports = {proposal.message.number if proposal else None, plain.rests_on}
    return Candidate(
        kind=_kind(best.signals, words, said),
        title=title_of(words) or quote.text[:TITLE_LIMIT],
        quote=quote.text,
        quote_number=said.message.number,
        support_numbers=tuple(sorted(number for number in supports if number is not None)),
        confirmation="accepted" if accepted else "stated",
        why=reason_in(said.spans if alone else best.spans, said.profile),
        conclusion=shortened(words, CONCLUSION_LIMIT),
        confidence=round(min(_confidence(best), 1.0 if plain.named or asked(best.signals) else UNCERTAIN), 2),
    )


def _accepted(best: ObservedSentences, proposal: Turn) -> str:
    """The words of the assistant that a bare `yes` or `b` makes the owner's; empty when it is no acceptance."""
    if not best.signals & _ACCEPTED:
        return ""
    option = picked(best.spans[0], proposal.options, proposal.profile) if proposal.options else None
    if option and MASK not in option:
        return option
    if Signal.LABEL in best.signals:
        return ""  # both, neither, or one that nobody can name
    spans = [span for span in proposal.spans if MASK not in span.text]
    statements = [span for span in spans if not span.asks]
    proposing = [span for span in statements if proposal.profile.finds("propose", span.folded)]
    suggesting = [span for span in spans if span.asks and proposal.profile.finds("proposing", span.folded)]
    return next((span.text for span in proposing or suggesting or statements), "")


def _kind(signals: frozenset[Signal], words: str, said: Turn) -> Kind:
    """The kind, from how lasting the words are and whether they name parts of a system."""
    if Signal.REMEMBER in signals:
        return Kind.REMEMBER
    if signals & _LASTING or (Signal.DIRECTIVE in signals and not signals & _PICKED):
        return Kind.RULE
    if Signal.ASIDE in signals and not signals & {Signal.DECIDE, Signal.SETTLE}:
        return Kind.REMEMBER
    return Kind.ARCHITECTURE if said.profile.finds("structure", fold(words)) else Kind.DECISION
