"""Retraction: words that are withdrawn later, in the same message or by a later message.

Words are taken back only by words about the same thing: a sentence that withdraws and names nothing of its own (`no,
forget that`), a sentence that names the matter and denies it, and a sentence that puts another number in its place. A
sentence with a matter of its own (`wait, the server is down`) takes nothing back, whatever it begins with. A request
to the memory (`forget what I said about the boxes`) reaches everything that was said before it.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from jobs.extraction.exchanges import Exchange, Turn
from pipeline.entries.voice.phrases import CLEAR, FORGET, phrase_in
from pipeline.language.detection import Language
from pipeline.language.folding import fold
from pipeline.language.text import Span, clauses, terms, values
from schemas.entry import Kind
from schemas.extraction import Candidate

_TAKING_BACK = ("retract", "withdraw", "hesitate")
_PAUSE = ("", ",", ".", "!", "，", "。", "！")
_NEAR = 2
_INTERJECTION = 12
_ENOUGH = 2  # words in common with which even a hesitation denies: `wait, the server is not up` shares one
_NAMES = 3  # words of its own from which on a sentence is about something else
_RESTATING = 3  # sentences
_STEM = 4  # letters: in Polish short words are inflected too
_CLAUSE_END = re.compile(r"[,:;，：；]")
_DENIES = re.compile(r"\b(?:no|not|never|nothing|without|cannot|\w+n'?t|nie|nigdy|bez)\b|[不没]|别(?![的人])")


@dataclass(frozen=True)
class Settled:
    """A decision in one message: its sentences, and the candidate made of them."""

    exchange: Exchange
    spans: tuple[Span, ...]
    candidate: Candidate

    @property
    def place(self) -> int:
        """The index of the message in the conversation."""
        return self.exchange.said.place

    @property
    def words(self) -> str:
        """The owner's words."""
        return " ".join(span.text for span in self.spans)

    @cached_property
    def about(self) -> frozenset[str]:
        """The terms that may name it: those of the owner, of an accepted proposal, and of the restatement."""
        own = self.exchange.said.profile.names(f"{self.words} {self.candidate.conclusion}")
        answer = self.exchange.answer.spans[:_RESTATING] if self.exchange.answer else ()
        return own.union(*(terms(span.text) for span in answer if not span.asks and terms(span.text) & own))


def find_withdrawn(settled: Sequence[Settled], around: Sequence[Exchange]) -> list[Settled]:
    """The decisions that the owner takes back, in their own message or in a later message."""
    later = [decision for exchange in around for decision in _find_withdrawn_by(exchange, settled)]
    return [
        decision
        for decision in settled
        if decision in later or _is_corrected_at_once(decision) or _is_settled_again(decision, settled)
    ]


def _is_corrected_at_once(decision: Settled) -> bool:
    """Whether one of the next two sentences of the message takes the words back, or the next one begins with that."""
    said = decision.exchange.said
    after = [span for span in said.spans if span.start > decision.spans[-1].start]
    return any(_takes_back([span], decision, said) for span in after[:2]) or any(
        _begins_with_withdrawal(span, said) for span in after[:1]
    )


def _begins_with_withdrawal(span: Span, turn: Turn) -> bool:
    """Whether a clause before any matter withdraws: `no wait, forget it, the linter does that`."""
    leading = takewhile(lambda clause: not turn.profile.names(clause.text), clauses(span))
    return any(turn.profile.finds("retract", clause.folded) for clause in leading)


def _is_settled_again(decision: Settled, settled: Sequence[Settled]) -> bool:
    """Whether the assistant asks for a confirmation, and the owner's next words are the settled version."""
    answer = decision.exchange.answer
    if answer is None or not answer.asks or answer.spans[:1] != answer.spans[-1:]:
        return False
    if not answer.profile.finds("summing", answer.spans[-1].folded):
        return False
    reply = next((turn.place for turn in decision.exchange.later if turn.owner), None)
    return any(
        later.place == reply and later.candidate.confidence >= decision.candidate.confidence for later in settled
    )


def _find_withdrawn_by(exchange: Exchange, settled: Sequence[Settled]) -> Iterator[Settled]:
    """The earlier decisions that a message withdraws; without a name for it, only the last decision."""
    said, earlier, opening = exchange.said, exchange.earlier, _opening_spans(exchange.said)
    before = [decision for decision in settled if earlier and earlier[0].place <= decision.place < said.place]
    here = any(new.place == said.place for new in settled)
    named = _withdrawn_names(said.spans, said)  # `scrap the 30 days`
    forgotten = _forgotten_names(said)
    for decision in settled:
        if decision.place < said.place and any(_is_mostly_named(words, decision) for words in forgotten):
            yield decision
    for decision in before:
        near = decision.place == before[-1].place and said.place - decision.place <= _NEAR
        instead = near and here and decision.candidate.kind is not Kind.REMEMBER and _only_withdraws(opening, said)
        by_name = any(_is_mostly_named(words, decision) for words in named)
        if instead or by_name or _takes_back(opening, decision, said, near=near):
            yield decision


def _takes_back(opening: Sequence[Span], decision: Settled, turn: Turn, *, near: bool = True) -> bool:
    """Whether the opening of a turn corrects a decision: by its names, or because it names nothing else."""
    if not opening or opening[-1].asks:
        return False
    text = " ".join(span.text for span in opening)
    own = turn.profile.names(text)
    refuses = opens_with_no(opening[0], turn) and not _offers_something(decision.exchange.answer)
    words = {name for name in _TAKING_BACK for span in opening if turn.profile.finds(name, span.folded)}
    clearly = refuses or bool(words - {"hesitate"})
    changed = near and _changes_number(text, decision, turn)
    if changed or not (clearly or words):
        return changed
    if not own:
        return near and (clearly or denies(text))
    if _only_replaces_number(opening, decision, turn):
        return not _withdrawn_names(opening, turn) and (near or len(own) > len(values(text)))
    shared = _count_shared(own, decision)
    if denies(text) == denies(decision.words):
        return clearly and shared == len(own)
    return _is_mostly_named(own, decision) and (clearly or shared >= _ENOUGH)


def _only_withdraws(opening: Sequence[Span], turn: Turn) -> bool:
    """Whether the first clause only withdraws, so that the next clause replaces it: `changed my mind: Ivo`."""
    first = _CLAUSE_END.split(opening[0].text)[0] if opening and not _withdrawn_names(opening, turn) else ""
    return turn.profile.finds("retract", fold(first)) and not turn.profile.names(first)


def _changes_number(text: str, decision: Settled, turn: Turn) -> bool:
    """Whether words change all numbers of a decision, and name them: `make it 8:00, 7:30 is too early`."""
    figures, old = values(text), values(decision.words)
    changes = bool(old) and old < figures and turn.profile.finds("replace", fold(text))
    return changes and len(turn.profile.names(text, "replace") - figures - decision.about) < _NAMES


def _only_replaces_number(opening: Sequence[Span], decision: Settled, turn: Turn) -> bool:
    """Whether a correction only has another number for the same thing: `no wait, 19:30`."""
    text = " ".join(span.text for span in opening)
    figures, words = values(text), turn.profile.names(text, "settle")
    new = bool(figures - decision.about) and bool(values(decision.words))
    return new and _count_shared(words - figures, decision) == len(words - figures)


def _withdrawn_names(spans: Sequence[Span], turn: Turn) -> list[frozenset[str]]:
    """The names of the things that clauses withdraw."""
    parts = [clause.folded for span in spans for clause in clauses(span) if not span.asks]
    named = (turn.profile.names(_without_new(part, turn)) for part in parts if turn.profile.finds("withdraw", part))
    return [words for words in named if words]


def _forgotten_names(turn: Turn) -> list[frozenset[str]]:
    """The names of the things that the owner asks to forget."""
    asked = (phrase_in(span, (*CLEAR, *FORGET)) for span in turn.spans if not span.asks)
    named = (turn.profile.names(match["content"]) for match in asked if match)
    return [words for words in named if words]


def _is_mostly_named(words: frozenset[str], decision: Settled) -> bool:
    """Whether words name a decision: all numbers in them are in it, and more of the words than not."""
    figures = values(" ".join(words))
    shared = 2 * _count_shared(words, decision)
    return figures <= decision.about and (shared > len(words) or (bool(figures) and shared == len(words)))


def _count_shared(words: frozenset[str], decision: Settled) -> int:
    """The number of the words that name the decision too."""
    letters = _STEM if decision.exchange.said.profile.code is Language.POLISH else None
    known = {term[:letters] for term in decision.about}
    return sum(word[:letters] in known for word in words)


def _without_new(part: str, turn: Turn) -> str:
    """The clause up to the words that settle something new in place of the withdrawn thing."""
    new = turn.profile.first("settle", part)
    old = part[: new.start()] if new else part
    return old if turn.profile.names(old) else part


def denies(text: str) -> bool:
    """Whether a text has a word that denies: `not`, `never`, `without`."""
    return _DENIES.search(text.lower()) is not None


def opens_with_no(span: Span, turn: Turn) -> bool:
    """Whether a sentence is, or opens with, a separate `no`."""
    refusal = turn.profile.first("refuse", span.folded)
    return refusal is not None and span.folded[refusal.end() :].strip()[:1] in _PAUSE


def _opening_spans(turn: Turn) -> list[Span]:
    """The first sentence with content, with the interjections before it: later sentences correct only themselves."""
    opening = []
    for span in turn.spans:
        opening.append(span)
        if len(span.text) > _INTERJECTION:
            break
    return opening


def _offers_something(answer: Turn | None) -> bool:
    """Whether a refusal would rather be meant for an offer of the assistant."""
    if answer is None:
        return False
    return answer.asks or any(answer.profile.finds_any(("offer", "propose"), span.folded) for span in answer.spans)
