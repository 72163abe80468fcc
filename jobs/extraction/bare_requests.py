"""Requests to remember that name nothing (`remember that`), and the words that they mean.

Only the owner's own statement directly before the request, in the same message, is written. Words in doubt, and words
of another message, are suggested to a person.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from jobs.extraction.candidate_text import CONCLUSION_LIMIT, TITLE_LIMIT, quote_of, shorten, title_of
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.observe import ObservedSentence
from jobs.extraction.persons import named_in_proposal, third_person
from jobs.extraction.profile import PROFILES, Profile
from jobs.extraction.retraction import denies
from jobs.extraction.signals import Signal
from jobs.extraction.stand_alone import without_lead
from jobs.extraction.wishes import Wish, doubt_about, is_statement
from pipeline.entries.authorship.reported import perhaps_reported
from pipeline.entries.voice.phrases import REMINDING
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.transcript import MASK

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
    return _POINTER.search(folded) is not None and any(_names_nothing(folded, profile) for profile in PROFILES.values())


def _names_nothing(folded: str, profile: Profile) -> bool:
    own = profile.without(folded, "purpose", "remember")
    return not profile.names(_POINTER.sub(" ", own), *_LEADS)


def read_bare_request(
    request: ObservedSentence, sentences: Sequence[ObservedSentence], exchange: Exchange
) -> Candidate | None:
    """The owner's statement beside a bare request, else a suggestion; `None` for a request not to remember."""
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
    touching = not any(said.text[one.span.end : then.span.start].strip() for one, then in pairs)
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
    """The newest words before a message that is only a request; `None` where a secret stands among them."""
    since = next((turn.place for turn in reversed(exchange.earlier) if turn.owner), 0)
    newest = exchange.earlier[-1] if exchange.earlier else None
    masked = any(MASK in turn.text for turn in exchange.earlier if turn.place >= since)
    if newest is None or masked or not newest.spans:
        return None
    stated = [span for span in newest.spans if is_statement(span, newest)]
    text = without_lead(stated[-1].text.strip(" -*•\t"), newest.profile) if stated else ""
    name = third_person if newest.owner else named_in_proposal
    words = name(text, newest.profile.code) or text or f"{newest.spans[-1].text} {request.span.text}"
    return Wish(request.span, words, newest.message.number, of_proposal=not newest.owner, kind=Kind.REMEMBER)
