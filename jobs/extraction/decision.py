"""The verdict on one message of the owner: what it settles, if anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from jobs.extraction.candidate_text import CONCLUSION_LIMIT, TITLE_LIMIT, quote_of, reason_in, shortened, title_of
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.grounds import UNCERTAIN, asked, confidence, undone
from jobs.extraction.grounds import explicit as _is_explicit
from jobs.extraction.observe import ObservedSentence, observed
from jobs.extraction.options import picked
from jobs.extraction.retraction import Settled
from jobs.extraction.signals import Signal
from jobs.extraction.stand_alone import line, taken_up
from jobs.extraction.wishes import proposal_taken, question_taken, takes_several, wished
from pipeline.language.folding import fold
from pipeline.language.text import Span, values, weight
from schemas.entry import Kind
from schemas.extraction import Candidate, DoubtedCandidate, WordsDoubt
from schemas.transcript import MASK

_LASTING = frozenset({Signal.UNIVERSAL, Signal.ORDER, Signal.STANDING, Signal.CLOSED})
_PICKED = frozenset({Signal.LABEL, Signal.CHOICE, Signal.COUNTERS})
_ACCEPTED = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY, Signal.ACCEPTS_OFFER, Signal.LABEL})
_TAKES = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY})
_REFUSES = frozenset({Signal.DECLINES, Signal.HEDGE, Signal.DEFER, Signal.ASKS})
_WISHED = 0.5  # as confidence
_BARE = 24  # in Latin letters; so short an acceptance has no content of its own


@dataclass(frozen=True)
class _SettledSpans:
    """Sentences that settle one thing, with the signals of the one that does."""

    spans: tuple[Span, ...]
    signals: frozenset[Signal]


def read(exchange: Exchange) -> list[Settled]:
    """What the owner's message settles, in order, or one thing that it may settle; a later message may take it back."""
    if exchange.said.foreign:
        return []
    sentences = observed(exchange)
    items = _items(sentences)
    settled = []
    for item in items:
        quote = quote_of(exchange.said.text, item.spans)
        candidate = _candidate(item, quote, exchange, alone=len(items) == 1) if quote else None
        if candidate:
            settled.append(Settled(exchange, item.spans, candidate))
    return settled or _wish(exchange, sentences)


def _wish(exchange: Exchange, sentences: Sequence[ObservedSentence]) -> list[Settled]:
    """What the owner wishes in words that are not understood, for a person to decide about."""
    said_yes = next((one.signals for one in sentences[:1] if not one.signals & _REFUSES), frozenset())
    wish = (
        wished(exchange)
        or (proposal_taken(exchange) if said_yes & _TAKES and not takes_several(exchange) else None)
        or (question_taken(exchange) if said_yes & _ACCEPTED else None)
    )
    quote = quote_of(exchange.said.text, (wish.span,)) if wish else None
    if wish is None or quote is None:
        return []
    candidate = DoubtedCandidate(
        kind=Kind.DECISION if wish.of_proposal else Kind.REMEMBER if wish.tells else Kind.RULE,
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


def _items(sentences: Sequence[ObservedSentence]) -> list[_SettledSpans]:
    """Every explicit sentence with those that only go on with it, and of the others the one most worth a question."""
    explicit = [place for place, one in enumerate(sentences) if _is_explicit(one.signals)]
    first = [place for place in explicit if sentences[place].named or place == explicit[0]]
    items = [_item(sentences, start, end) for start, end in pairwise([*first, len(sentences)])]
    taken = {span for item in items for span in item.spans}
    others = (one for one in sentences if one.span not in taken and not _is_explicit(one.signals))
    best = max(others, key=lambda one: confidence(one.signals), default=None)
    if best and confidence(best.signals):
        items.append(_SettledSpans((best.span,), best.signals))
    return sorted(items, key=lambda item: item.spans[0].start)


def _item(sentences: Sequence[ObservedSentence], start: int, end: int) -> _SettledSpans:
    """An explicit sentence with the next ones that have no matter of their own; what it only points at is before it."""
    core = sentences[start]
    goes_on = takewhile(lambda one: not one.named and not undone(one.signals), sentences[start + 1 : end])
    before = () if core.named else (one.span for one in sentences[max(0, start - 1) : start] if not one.span.asks)
    return _SettledSpans((*before, core.span, *(one.span for one in goes_on)), core.signals)


def _candidate(best: _SettledSpans, quote: Span, exchange: Exchange, *, alone: bool) -> Candidate | None:
    """What the quote says as a line; `None` for a guess that nobody would understand without the talk."""
    said = exchange.said
    proposal = exchange.before if best.signals & (_ACCEPTED | {Signal.CHOICE}) else None
    bare = weight(quote.text) <= _BARE
    accepted = _accepted(best, proposal) if proposal and (bare or not said.profile.content(quote.text)) else ""
    plain = taken_up(accepted, proposal.profile) if proposal and accepted else line(quote, exchange, alone=alone)
    says_nothing = not any(map(str.isalpha, said.profile.names(quote.text)))  # `yes for all 3`
    taken = best.signals & _TAKES and not accepted and says_nothing
    if taken or not (plain.named or accepted or _is_explicit(best.signals)):
        return None
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
        confidence=min(confidence(best.signals), 1.0 if plain.named or asked(best.signals) else UNCERTAIN),
    )


def _accepted(best: _SettledSpans, proposal: Turn) -> str:
    """The words of the assistant that a bare `yes` or `b` makes the owner's; empty when it is no acceptance."""
    if not best.signals & _ACCEPTED:
        return ""
    option = picked(best.spans[0], proposal.options, proposal.profile) if proposal.options else None
    if option and MASK not in option:
        return option
    if Signal.LABEL in best.signals or values(best.spans[0].text):
        return ""  # both, neither, all three, or one that nobody can name
    spans = [span for span in proposal.spans if MASK not in span.text]
    proposing = [span for span in spans if not span.asks and proposal.profile.finds("propose", span.folded)]
    suggesting = [span for span in spans if span.asks and proposal.profile.finds("proposing", span.folded)]
    summing = spans[-1:] if Signal.CONFIRMS_SUMMARY in best.signals else []
    several = proposal.options or len(proposing or suggesting) != 1
    return "" if several and not summing else (summing or proposing or suggesting)[0].text


def _kind(signals: frozenset[Signal], words: str, said: Turn) -> Kind:
    """The kind, from how lasting the words are and whether they name parts of a system."""
    if Signal.REMEMBER in signals:
        return Kind.REMEMBER
    if signals & _LASTING or (Signal.DIRECTIVE in signals and not signals & _PICKED):
        return Kind.RULE
    if said.profile.finds("structure", fold(words)):
        return Kind.ARCHITECTURE
    return Kind.RULE if Signal.RULES in signals else Kind.DECISION
