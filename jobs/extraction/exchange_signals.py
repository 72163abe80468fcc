"""The signals of an exchange: the role of the owner's words among the turns around them, in any language."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence

from jobs.extraction.addressed import says_own_doing
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.options import picked_option
from jobs.extraction.signals import Signal
from pipeline.language.folding import fold
from pipeline.language.text import Span, clauses, terms, values, weight

_LAUGHS = re.compile(r"\W*(?:(?:ha|he|hi|xd|lol|lmao)+\b|[哈嘿]+)|[^\w\n]*[\U0001f602\U0001f605\U0001f606\U0001f923]")
_SCOLDS = re.compile(r"\W*(?:(?:and|but|so) )?you (?P<how>never|always)\b")
_NEVER = re.compile(r"\b(?:never|not|no longer)\b|n't\b")
_BRIEF = 40  # in Latin letters
_MARKED = 24  # in Latin letters, of the clause that names an option by its mark
_FEW = 3  # terms
_OPENING = 3  # sentences
_CONCISE = 150  # in Latin letters: who confirms does not explain


def signals_before(span: Span, exchange: Exchange) -> frozenset[Signal]:
    """The signals of a sentence in the light of the assistant's turn before."""
    before = exchange.before
    if before is None:
        return frozenset({Signal.OPENS})
    return frozenset(_reply_signals(span, exchange, before) | _choice_signals(span, exchange, before))


def _reply_signals(span: Span, exchange: Exchange, before: Turn) -> set[Signal]:
    """The signals of an answer to the assistant's open question, offer or proposal."""
    signals, text = set(), span.text
    open_matter = before.asks or before.proposes or bool(before.options)
    if open_matter and values(text) and values(before.text):
        signals.add(Signal.COUNTERS)
    profile, folded = exchange.said.profile, fold(text)
    if before.asks and not _ends_with_open_question(before):
        signals.add(Signal.OFFERED)
        if profile.finds("refuse", folded) and weight(text) <= _BRIEF:
            signals.add(Signal.DECLINES)
    if not span.asks and (profile.finds("accept", folded) or profile.finds("approve", folded)):
        signals |= _acceptance_signals(before)
        if Signal.ACCEPTS_PROPOSAL in signals and profile.finds("approve", folded):
            signals.add(Signal.APPROVES)
    return signals


def _choice_signals(span: Span, exchange: Exchange, before: Turn) -> set[Signal]:
    """The signals of words that take up the assistant's text, or one of the options in it."""
    signals, profile = set(), exchange.said.profile
    opening = next(iter(clauses(span)), None)
    if opening and span == exchange.said.spans[0] and (before.options or before.weighs):
        taken_up = len(terms(opening.text) & terms(before.text))
        if taken_up and 2 * taken_up >= len(terms(opening.text)):
            signals.add(Signal.CHOICE)
    brief = weight((opening or span).text) <= _MARKED  # `b sounds rude to the loser` picks nothing
    if (
        brief
        and before.options
        and (picked_option(span, before.options, profile) or profile.finds("ordinal", span.folded))
    ):
        signals.add(Signal.LABEL)
    return signals


def _acceptance_signals(before: Turn) -> set[Signal]:
    """The meaning of an acceptance: a summary confirmed, a proposal taken, or only a task allowed."""
    if not before.spans:
        return set()
    last = before.spans[-1]
    if last.asks and before.profile.finds("summing", last.folded):
        return {Signal.CONFIRMS_SUMMARY}
    if _states(before, "propose") or _states(before, "offer"):
        return {Signal.ACCEPTS_PROPOSAL}
    return {Signal.ACCEPTS_OFFER} if last.asks else set()


def _ends_with_open_question(turn: Turn) -> bool:
    """Whether the turn ends by asking what or which, rather than by offering to do something."""
    last = turn.spans[-1].folded.rstrip("?？ ")
    if turn.profile.finds("offer", last):
        return False
    return turn.profile.finds("either", last) or turn.profile.finds("interrogative", last)


def _states(turn: Turn, function: str) -> bool:
    """Whether a statement of the turn, not a question, holds a word of this class."""
    return any(turn.profile.finds(function, span.folded) for span in turn.spans if not span.asks)


def signals_after(span: Span, exchange: Exchange, *, accepted: bool) -> frozenset[Signal]:
    """The signals of the words in the light of the answer; for `accepted` words, the proposal counts as said."""
    answer = exchange.answer
    if answer is None or not answer.spans:
        return frozenset()
    text = span.text
    begun = _opening_of(answer, span)
    stated = " ".join(span.text for span in begun if not span.asks)
    signals = _reception_signals(answer)
    if _is_taken_on(answer, begun, terms(text)):
        signals.add(Signal.TAKEN_ON)
    subject = terms(f"{text} {exchange.before.text}" if accepted and exchange.before else text)
    shared = len(subject & terms(stated))
    if shared > 1 or (shared and len(subject) <= _FEW):  # of a short subject one word is enough
        signals.add(Signal.RESTATED)
    if values(text) & values(stated):
        signals.add(Signal.RESTATED_VALUE)
    if answer.message.number > exchange.said.message.number + 1 or _tells_of_trouble(answer, exchange):
        signals.add(Signal.WORKED)
    opening = answer.spans[0]
    if _LAUGHS.match(fold(answer.text)):
        signals.add(Signal.MOOD)
    if not opening.asks and weight(opening.text) <= _CONCISE and weight(answer.text) <= 2 * _CONCISE:
        signals.add(Signal.CONFIRMED)
    return frozenset(signals)


def _tells_of_trouble(answer: Turn, exchange: Exchange) -> bool:
    """Whether the assistant takes the words for a trouble: it looks into it, works on it, or shows solutions.

    It works on, if there is more of its work between its first words and its next, before the owner speaks again.
    """
    shows = _states(answer, "either") and _states(answer, "propose")
    then = next((turn for turn in exchange.later if turn.place == answer.place + 1), None)
    works_on = then is not None and not then.owner and then.message.number > answer.message.number + 1
    return shows or _looks_into(answer) or works_on


def _looks_into(answer: Turn) -> bool:
    """Whether the assistant begins to look into it."""
    return any(answer.profile.finds("looking", span.folded) for span in answer.spans[:_OPENING])


def _reception_signals(answer: Turn) -> set[Signal]:
    """The signals of the answer's first sentence: a note, a question, or an objection."""
    opening = answer.spans[0]
    if opening.asks:
        return {Signal.QUESTIONED}
    classes = {"noted": Signal.NOTED, "objection": Signal.OBJECTED}
    return {signal for function, signal in classes.items() if answer.profile.finds(function, opening.folded)}


def _is_taken_on(answer: Turn, opening: Sequence[Span], subject: frozenset[str]) -> bool:
    """Whether the assistant tells its own doing in words of the subject, and neither asks nor goes to look."""
    doing = (span.text for span in opening if says_own_doing(span.text))
    return not (answer.asks or _looks_into(answer)) and any(subject & terms(text) for text in doing)


def _opening_of(answer: Turn, said: Span) -> list[Span]:
    """The first sentences of the answer, without the contrary of what was said of the assistant.

    `You never read it` that is answered by `I will read it` was no order.
    """
    opening, scolds = answer.spans[:_OPENING], _SCOLDS.match(said.folded)
    if scolds is None:
        return list(opening)
    return [span for span in opening if (scolds["how"] == "never") == bool(_NEVER.search(span.folded))]
