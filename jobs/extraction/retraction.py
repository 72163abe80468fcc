"""Retraction: whether words are withdrawn later, in the same message or by a later one."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from jobs.extraction.exchanges import Exchange, Turn
from pipeline.language.text import Span, clauses, terms, values
from schemas.extraction import Candidate

_PAUSE = ("", ",", ".", "!", "，", "。", "！")
_NEAR = 2
_INTERJECTION = 12
_RESTATING = 3  # sentences


@dataclass(frozen=True)
class Settled:
    """The decision in one message: its sentences, and the candidate made of them."""

    exchange: Exchange
    spans: tuple[Span, ...]
    candidate: Candidate

    @property
    def place(self) -> int:
        """The index of the message in the conversation."""
        return self.exchange.said.place

    @cached_property
    def subject(self) -> frozenset[str]:
        """The terms of the owner's words."""
        return _terms(self.spans)

    @cached_property
    def about(self) -> frozenset[str]:
        """The terms it may be named by: the owner's, those of the proposal accepted, and of the restatement."""
        own = self.subject | terms(self.candidate.conclusion)
        answer = self.exchange.answer.spans[:_RESTATING] if self.exchange.answer else ()
        return own.union(*(terms(span.text) for span in answer if not span.asks and terms(span.text) & own))


def taken_back(spans: Sequence[Span], exchange: Exchange) -> bool:
    """Whether the message itself, or the reply to a question back, replaces the words."""
    said = exchange.said
    after = [other for other in said.spans if other.start > spans[-1].start]
    if any(_withdraws(other, said) and not _elsewhere(other, spans, exchange) for other in after[:2]):
        return True
    return _asked_back(exchange.answer) and any(turn.owner for turn in exchange.later)


def standing(settled: Sequence[Settled], around: Sequence[Exchange]) -> list[Settled]:
    """The decisions that no later message withdraws."""
    gone = {one.place for exchange in around for one in _withdrawn(exchange, settled)}
    return [one for one in settled if one.place not in gone]


def _withdrawn(exchange: Exchange, settled: Sequence[Settled]) -> list[Settled]:
    """The decisions that the message withdraws: those it names, else the last one."""
    said, earlier = exchange.said, exchange.earlier
    before = [one for one in settled if earlier and earlier[0].place <= one.place < said.place]
    if not before:
        return []
    named = _object(said.spans, said) & _known(exchange)
    return _sharing(named, before) if named else _unnamed(exchange, before)


def _sharing(named: frozenset[str], before: Sequence[Settled]) -> list[Settled]:
    """The decisions with the most words of the object; a number in it must be in the decision."""
    wanted = frozenset(term for term in named if term[0].isdigit()) or named
    sharing = [one for one in before if wanted & one.about]
    most = max((len(named & one.about) for one in sharing), default=0)
    return [one for one in sharing if len(named & one.about) == most]


def _unnamed(exchange: Exchange, before: Sequence[Settled]) -> list[Settled]:
    """The decision that a bare correction means, such as `no wait`, or one with only the new version."""
    said, opening = exchange.said, _opening(exchange.said)
    latest = [one for one in before[-1:] if said.place - one.place <= _NEAR]
    corrects = any(_withdraws(part, said) or _drops(part, said) for part in opening)
    refuses = bool(latest and opening) and _refuses(opening[0], said) and not _offered(latest[0].exchange.answer)
    if not corrects and not refuses:
        return []
    words = said.profile.content(" ".join(part.text for part in opening))
    if not latest:
        return [one for one in before if len(words & one.subject) >= max(2, len(one.subject) / 3)]
    if words & latest[0].about:
        return latest
    return _sharing(_old(words, exchange, opening), before) or latest


def _old(words: frozenset[str], exchange: Exchange, opening: Sequence[Span]) -> frozenset[str]:
    """The words of a correction that may be the old version: numbers, and words before the settling ones."""
    said = exchange.said
    before_new = frozenset().union(*(said.profile.content(_before_new(part.folded, said)) for part in opening))
    return (values(" ".join(words)) | before_new) & _known(exchange)


def _object(spans: Sequence[Span], turn: Turn) -> frozenset[str]:
    """The object of a verb of withdrawal in a clause: `scrap the 30 days`."""
    parts = [clause.folded for span in spans for clause in clauses(span) if not span.asks]
    parts = [part for part in parts if turn.profile.finds("withdraw", part)]
    return frozenset().union(*(turn.profile.content(_before_new(part, turn)) for part in parts))


def _before_new(part: str, turn: Turn) -> str:
    """The clause up to the words that settle something in place of what it withdraws."""
    new = turn.profile.first("settle", part)
    old = part[: new.start()] if new else part
    return old if turn.profile.content(old) else part


def _known(exchange: Exchange) -> frozenset[str]:
    """The terms of the conversation so far."""
    return frozenset().union(*(terms(turn.text) for turn in exchange.earlier))


def _elsewhere(other: Span, spans: Sequence[Span], exchange: Exchange) -> bool:
    """Whether a sentence after the words withdraws something before them."""
    named = _object((other,), exchange.said) & _known(exchange)
    return bool(named) and not named & _terms(spans)


def _terms(spans: Sequence[Span]) -> frozenset[str]:
    return frozenset().union(*(terms(span.text) for span in spans))


def _asked_back(answer: Turn | None) -> bool:
    """Whether the assistant asks for a confirmation: the owner's next words are then the settled version."""
    return answer is not None and answer.spans[:1] == answer.spans[-1:] and _sums_up(answer)


def _sums_up(answer: Turn) -> bool:
    return answer.asks and answer.profile.finds("summing", answer.spans[-1].folded)


def _refuses(span: Span, turn: Turn) -> bool:
    """Whether the sentence is, or opens with, a `no` that stands by itself."""
    refusal = turn.profile.first("refuse", span.folded)
    return refusal is not None and span.folded[refusal.end() :].strip()[:1] in _PAUSE


def _opening(turn: Turn) -> list[Span]:
    """The first sentence with content, with the interjections before it: later ones correct only themselves."""
    opening = []
    for span in turn.spans:
        opening.append(span)
        if len(span.text) > _INTERJECTION:
            break
    return opening


def _withdraws(span: Span, turn: Turn) -> bool:
    return turn.profile.finds("retract", span.folded)


def _drops(span: Span, turn: Turn) -> bool:
    """Whether a clause withdraws what it has no name for: `forget the whole idea`."""
    parts = [clause.folded for clause in clauses(span) if not span.asks]
    return any(turn.profile.finds("withdraw", part) and not turn.profile.content(part) for part in parts)


def _offered(answer: Turn | None) -> bool:
    """Whether a refusal would rather be meant for what the assistant offered."""
    if answer is None:
        return False
    return answer.asks or any(
        answer.profile.finds(name, span.folded) for span in answer.spans for name in ("offer", "propose")
    )
