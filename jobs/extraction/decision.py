"""The verdict on one message of the owner: the things that it settles."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from jobs.extraction.candidate_text import CONCLUSION_LIMIT, TITLE_LIMIT, quote_of, reason_in, shorten, title_of
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.grounds import UNCERTAIN, asks_to_remember, confidence, is_explicit, is_undone
from jobs.extraction.observe import ObservedSentence, observe_sentences
from jobs.extraction.options import picked_option
from jobs.extraction.persons import named_in_proposal, third_person
from jobs.extraction.profile import PROFILES
from jobs.extraction.retraction import Settled, denies
from jobs.extraction.signals import Signal
from jobs.extraction.stand_alone import line_of, line_of_proposal, without_lead
from jobs.extraction.wishes import (
    Wish,
    doubt_about,
    find_wish,
    is_statement,
    own_matter_beside_work,
    proposal_taken,
    question_taken,
    takes_several,
)
from pipeline.entries.authorship.reported import perhaps_reported
from pipeline.entries.voice.off_record import asks_off_record
from pipeline.entries.voice.phrases import REMINDING
from pipeline.language.folding import fold
from pipeline.language.text import Span, values, weight
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.transcript import MASK

_LASTING = frozenset({Signal.UNIVERSAL, Signal.ORDER, Signal.STANDING, Signal.CLOSED})
_PICKED = frozenset({Signal.LABEL, Signal.CHOICE, Signal.COUNTERS})
_ACCEPTED = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY, Signal.ACCEPTS_OFFER, Signal.LABEL})
_TAKES = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY})
_REFUSES = frozenset({Signal.DECLINES, Signal.HEDGE, Signal.DEFER, Signal.ASKS})
_BARE = 24  # in Latin letters; so short an acceptance has no content of its own


@dataclass(frozen=True)
class _SettledSpans:
    """Sentences that settle one thing, with the sentence among them that settles it."""

    spans: tuple[Span, ...]
    core: ObservedSentence

    @property
    def signals(self) -> frozenset[Signal]:
        """The signals of the sentence that settles it."""
        return self.core.signals


def read_exchange(exchange: Exchange) -> list[Settled]:
    """The things that the owner's message settles, in order, or a doubted wish; a later message may take them back."""
    if exchange.said.foreign or asks_off_record(exchange.said.message):
        return []
    sentences = observe_sentences(exchange)
    items = _settled_items(sentences)
    settled = []
    for item in items:
        talk = exchange.read_as(item.core.span)
        if Signal.REMEMBER in item.signals and is_bare_request(item.core):
            candidate = read_bare_request(item.core, sentences, talk)
        else:
            quote = quote_of(exchange.said.text, item.spans)
            candidate = _build_candidate(item, quote, talk, alone=len(items) == 1) if quote else None
        if candidate:
            settled.append(Settled(talk, item.spans, candidate))
    return settled or _doubted_wish(exchange, sentences)


def _doubted_wish(exchange: Exchange, sentences: Sequence[ObservedSentence]) -> list[Settled]:
    """The wish of the owner in words that are not understood, for a person to decide about."""
    opening = sentences[0].signals if sentences else frozenset[Signal]()
    said_yes = frozenset[Signal]() if opening & _REFUSES else opening
    wish = (
        find_wish(exchange)
        or (proposal_taken(exchange) if said_yes & _TAKES and not takes_several(exchange) else None)
        or (question_taken(exchange) if said_yes & _ACCEPTED else None)
        or own_matter_beside_work(exchange, sentences)
    )
    doubt = doubt_about(wish, exchange.said) if wish else None
    if wish is None or doubt is None:
        return []
    return [Settled(exchange, (wish.span,), doubt)]


def _settled_items(sentences: Sequence[ObservedSentence]) -> list[_SettledSpans]:
    """Every explicit sentence with those that only continue it, and the best of the other sentences as a guess."""
    explicit = [place for place, sentence in enumerate(sentences) if is_explicit(sentence.signals)]
    first = [place for place in explicit if sentences[place].named or place == explicit[0]]
    items = [_join_item(sentences, start, end) for start, end in pairwise([*first, len(sentences)])]
    taken = {span for item in items for span in item.spans}
    others = (sentence for sentence in sentences if sentence.span not in taken and not is_explicit(sentence.signals))
    best = max(others, key=lambda sentence: confidence(sentence.signals), default=None)
    if best and confidence(best.signals):
        items.append(_SettledSpans((best.span,), best))
    return sorted(items, key=lambda item: item.spans[0].start)


def _join_item(sentences: Sequence[ObservedSentence], start: int, end: int) -> _SettledSpans:
    """An explicit sentence with the next ones without a matter of their own, and the one before that it points at."""
    core = sentences[start]
    goes_on = takewhile(lambda later: not later.named and not is_undone(later.signals), sentences[start + 1 : end])
    before = () if core.named else (other.span for other in sentences[max(0, start - 1) : start] if not other.span.asks)
    return _SettledSpans((*before, core.span, *(later.span for later in goes_on)), core)


def _build_candidate(best: _SettledSpans, quote: Span, exchange: Exchange, *, alone: bool) -> Candidate | None:
    """The quote as a line; `None` for a guess that a reader would not understand without the talk."""
    said, signals = exchange.said, best.signals
    proposal = exchange.before if signals & (_ACCEPTED | {Signal.CHOICE}) else None
    accepted = ""
    if proposal and (weight(quote.text) <= _BARE or not said.profile.content(quote.text)):
        accepted = _accepted_words(best, proposal)
    if proposal and accepted:
        plain = line_of_proposal(accepted, proposal.profile)
    else:
        plain = line_of(quote, exchange, alone=alone)
        says_nothing = not any(map(str.isalpha, said.profile.names(quote.text)))  # `yes for all 3`
        if (signals & _TAKES and says_nothing) or not (plain.named or is_explicit(signals)):
            return None
    others = {turn.message.number for turn in exchange.earlier if not turn.owner}
    if Signal.REMEMBER in signals and plain.rests_on in others:
        return doubt_about(Wish(quote, plain.text, plain.rests_on, kind=Kind.REMEMBER), said)
    supports = {proposal.message.number if proposal else None, plain.rests_on}
    return Candidate(
        kind=_kind_of(signals, plain.text, said),
        title=title_of(plain.text) or quote.text[:TITLE_LIMIT],
        quote=quote.text,
        quote_number=said.message.number,
        support_numbers=tuple(sorted(number for number in supports if number is not None)),
        confirmation="accepted" if accepted else "stated",
        why=reason_in(said.spans if alone else best.spans, said.profile),
        conclusion=shorten(plain.text, CONCLUSION_LIMIT),
        confidence=min(confidence(signals), 1.0 if plain.named or asks_to_remember(signals) else UNCERTAIN),
    )


def _accepted_words(best: _SettledSpans, proposal: Turn) -> str:
    """The assistant's words that a bare `yes` or `b` makes the owner's; empty when it is no acceptance."""
    if not best.signals & _ACCEPTED:
        return ""
    option = picked_option(best.spans[0], proposal.options, proposal.profile) if proposal.options else None
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


def _kind_of(signals: frozenset[Signal], words: str, said: Turn) -> Kind:
    """The kind, from how lasting the words are and whether they name parts of a system."""
    if Signal.REMEMBER in signals:
        return Kind.REMEMBER
    if signals & _LASTING or (Signal.DIRECTIVE in signals and not signals & _PICKED):
        return Kind.RULE
    if said.profile.finds("structure", fold(words)):
        return Kind.ARCHITECTURE
    return Kind.RULE if Signal.RULES in signals else Kind.DECISION


_POINTER = re.compile(r"\b(?:this|that|it|these|those|them|to|tego|tym|tamto|te|ten|ta|go|je)\b|[这那此它]")
_LEADS = ("remember", "opening", "request", "accept")
_TAKES_BACK = ("retract", "hesitate", "withdraw")
_UNSURE = frozenset(
    {Signal.CONDITION, Signal.COUNTERFACTUAL, Signal.DECLINES, Signal.HEDGE, Signal.MOOD, Signal.OBJECTED}
)
"""The noise that puts a request in doubt wherever it stands in the message."""
_NO_STATEMENT = _UNSURE | {
    Signal.ASKS,
    Signal.ATTEMPT,
    Signal.DEFER,
    Signal.DIRECTIVE,
    Signal.FEELING,
    Signal.INTERROGATIVE,
    Signal.LONG,
    Signal.MOMENTARY,
    Signal.OTHERS,
    Signal.PAST,
    Signal.REPORTED,
    Signal.RULE_OF_OTHERS,
    Signal.TASK,
}
_POINTED = 0.95  # as confidence: an explicit request beside a plain statement


def is_bare_request(request: ObservedSentence) -> bool:
    """Whether a request to remember names nothing, in any language: `keep that somewhere you'll find it next month`."""
    folded = request.span.folded
    if not _POINTER.search(folded):
        return False
    own = ((profile, profile.without(folded, "purpose", "remember")) for profile in PROFILES.values())
    return any(not profile.names(_POINTER.sub(" ", words), *_LEADS) for profile, words in own)


def read_bare_request(
    request: ObservedSentence, sentences: Sequence[ObservedSentence], exchange: Exchange
) -> Candidate | None:
    """The owner's statement beside a request that names nothing; `None` for a request not to remember.

    Only the owner's own statement directly before the request, in the same message, is written. Words in doubt, and
    words of another message, are suggested to a person.
    """
    said, span = exchange.said, request.span
    if MASK in said.text or denies(REMINDING.sub("", span.folded)):
        return None
    if not said.profile.names(f"{said.text[: span.start]} {said.text[span.end :]}", *_LEADS):
        wish = _words_before(request, exchange)
        return doubt_about(wish, said) if wish else None
    beside = _statement_beside(request, sentences, said)
    quote = quote_of(said.text, [sentence.span for sentence in (*beside, request)])
    if not beside or quote is None:
        words = " ".join(sentence.span.text for sentence in sentences)
        return doubt_about(Wish(span, words, kind=Kind.REMEMBER), said)
    plain = " ".join(without_lead(sentence.span.text, said.profile) for sentence in beside)
    words = third_person(plain, said.profile.code)
    return Candidate(
        kind=Kind.REMEMBER,
        title=title_of(words) or words[:TITLE_LIMIT],
        quote=quote.text,
        quote_number=said.message.number,
        conclusion=shorten(words, CONCLUSION_LIMIT),
        confidence=_POINTED,
    )


def _statement_beside(
    request: ObservedSentence, sentences: Sequence[ObservedSentence], said: Turn
) -> Sequence[ObservedSentence]:
    """The plain statement directly before a request, with the one that it points at; empty where there is a doubt."""
    place = sentences.index(request)
    points = place > 0 and said.profile.finds("pointing", sentences[place - 1].span.folded)
    needed = 2 if points else 1
    if place < needed:
        return ()
    beside = sentences[place - needed : place]
    pairs = pairwise([*beside, request])
    touching = not any(said.text[former.span.end : latter.span.start].strip() for former, latter in pairs)
    sure = not any(
        sentence.signals & _UNSURE or said.profile.finds_any(_TAKES_BACK, sentence.span.folded)
        for sentence in sentences
    )
    return beside if touching and sure and all(_is_plain(sentence, said) for sentence in beside) else ()


def _is_plain(sentence: ObservedSentence, said: Turn) -> bool:
    """Whether the owner states something, and neither asks nor orders anything, nor reports another person's words."""
    bids = Signal.ADDRESSED in sentence.signals and Signal.NARRATED not in sentence.signals
    noisy = bids or bool(sentence.signals & _NO_STATEMENT)
    return is_statement(sentence.span, said) and not noisy and not perhaps_reported(said.text, sentence.span.text)


def _words_before(request: ObservedSentence, exchange: Exchange) -> Wish | None:
    """The newest words before a message that is only a request; `None` where a secret stands among them.

    An answer that only takes note (`good to know`) leaves the owner's words the newest.
    """
    since = next((turn.place for turn in reversed(exchange.earlier) if turn.owner), 0)
    recent = [turn for turn in exchange.earlier if turn.place >= since]
    if not exchange.earlier or any(MASK in turn.text for turn in recent) or not exchange.earlier[-1].spans:
        return None
    open_to = recent[-1:] if recent[-1].questions else recent
    newest = next((turn for turn in reversed(open_to) if _statements_of(turn)), recent[-1])
    stated = _statements_of(newest)
    text = without_lead(stated[-1].text.strip(" -*•\t"), newest.profile) if stated else ""
    name = third_person if newest.owner else named_in_proposal
    words = name(text, newest.profile.code) or text or f"{newest.spans[-1].text} {request.span.text}"
    return Wish(request.span, words, newest.message.number, of_proposal=not newest.owner, kind=Kind.REMEMBER)


def _statements_of(turn: Turn) -> list[Span]:
    return [span for span in turn.spans if is_statement(span, turn)]
