"""The subject of a decision: the words around a quote that name it, taken as they are.

`the second one` or `Tuesday 18 and that's it` mean nothing to a later reader. The question before it, the owner's own
sentence before it and the assistant's confirmation give the subject.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterable, Iterator

from jobs.extraction.candidate_text import shorten
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.retraction import Settled
from pipeline.language.text import Span, terms, weight
from schemas.entry import NOT_STATED, Kind
from schemas.extraction import Candidate
from schemas.transcript import MASK

CONTEXT_LIMIT = 360
"""Characters of a conclusion and of the words in which the assistant takes note of it, together."""

FINDING_LIMIT = 320

_LONGEST = 400  # in Latin letters; a longer sentence explains, it names no subject
_FIRST = 4  # sentences of an answer that may take note
_CITED = 24  # in Latin letters; a longer quotation in an answer may be another person's words
_MARGIN = 4  # characters between the parts of a conclusion
_CLEARLY = 3  # terms in common, with which even a sentence that sounds like a proposal takes note
_BESIDE = 160  # characters before a quote in which its own message may name the subject
_STEM = 4  # letters: short words are inflected too
_SPEECH = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』\n]*)[\"”“»」』]")
_NOTED = re.compile(r"^[^\W\d]{1,12}[:：]\s*")
_OWN_DOING = re.compile(r"(?:I|I'\w+|\w+ę|\w+am)\b|我")  # what the assistant is going to do about it
_BULLETS = "-*•– \t"
_OPEN = ("offer", "hedge", "objection")  # what leaves something open takes note of nothing
_LISTED = ("- ", "* ", "•", "– ")

Piece = tuple[Turn, Span]
"""A sentence and the turn it stands in."""


def add_context(settled: Settled) -> Candidate:
    """The candidate with the subject in its finding and its impact, where the conversation names it."""
    candidate, exchange = settled.candidate, settled.exchange
    restated = _find_restatement(candidate, exchange.answer) if exchange.answer else []
    pieces = [piece for piece in _preceding_pieces(candidate, exchange) if piece[1].text != candidate.conclusion]
    supports = {turn.message.number for turn, _ in (*restated, *pieces)} - {candidate.quote_number}
    return candidate.model_copy(
        update={
            # Not into the conclusion: the owner has not confirmed these words.
            "impact": _join_pieces(restated, CONTEXT_LIMIT - len(candidate.conclusion)),
            "finding": _join_pieces(pieces, FINDING_LIMIT),
            "support_numbers": tuple(sorted(supports.union(candidate.support_numbers))),
        }
    )


def _join_pieces(pieces: Iterable[Piece], limit: int) -> str:
    text = " ".join(_NOTED.sub("", span.text.lstrip(_BULLETS)) for _, span in pieces)
    return shorten(text, limit) if text else NOT_STATED


def _find_restatement(candidate: Candidate, answer: Turn) -> list[Piece]:
    """The sentence in which the assistant takes note, if it adds to the owner's words, and a further statement."""
    own, profile = candidate.conclusion, answer.profile
    first = (span for span in answer.spans[:_FIRST] if _is_citable(span))
    stated = [span for span in first if not span.text.startswith(_LISTED) and span.text[-1:] not in ":："]
    for place, span in enumerate(stated):
        if profile.finds_any(_OPEN, span.folded):
            continue
        least = _CLEARLY if profile.finds("propose", span.folded) else 1
        if _count_shared(span.text, own) >= least and terms(span.text) - terms(own):
            room = CONTEXT_LIMIT - len(own) - len(span.text) - _MARGIN
            further = [
                (answer, following)
                for following in stated[place + 1 : place + 2]
                if len(following.text) < room
                and not _OWN_DOING.match(following.text)
                and not profile.finds_any(("propose", *_OPEN), following.folded)
            ]
            return [(answer, span), *further]
    return []


def _preceding_pieces(candidate: Candidate, exchange: Exchange) -> Iterator[Piece]:
    """The sentences before the words: the owner's own on the matter, and the assistant's last question."""
    before = exchange.before
    # A thing to remember comes out of the blue, unless it shares a word with what the assistant said.
    if before and (candidate.kind is not Kind.REMEMBER or _count_shared(before.text, candidate.quote)):
        opener = next((turn for turn in reversed(exchange.earlier) if turn.owner and turn.place < before.place), None)
        shown = _question_answered(candidate, before, opener)
        if opener and shown:
            yield from ((opener, span) for span in _raised_by_owner(opener, candidate, shown))
        yield from ((before, span) for span in shown)
    start = exchange.said.text.find(candidate.quote)
    beside = [span for span in exchange.said.spans if start - _BESIDE <= span.start and span.end <= start]
    yield from ((exchange.said, span) for span in beside if _is_citable(span, question=True))


def _question_answered(candidate: Candidate, before: Turn, opener: Turn | None) -> list[Span]:
    """The assistant's question, and its sentence that shares most with the answer, if the matter was open."""
    if not (before.asks or before.proposes or before.options or (opener and opener.questions)):
        return []
    asked = [span for span in before.questions if _is_citable(span, question=True)][-1:]
    named = [span for span in before.spans if _is_citable(span) and _count_shared(span.text, candidate.quote)]
    best = max(named, key=lambda span: _count_shared(span.text, candidate.quote), default=None)
    return asked or [span for span in before.spans if span is best]


def _raised_by_owner(opener: Turn, candidate: Candidate, shown: list[Span]) -> list[Span]:
    """The owner's last sentences on the matter: a question with its lead, or sentences that share a word with it."""
    matter = " ".join([candidate.conclusion, *(span.text for span in shown)])
    last = [
        span
        for span in opener.spans[-2:]
        if _is_citable(span, question=True) and not opener.profile.finds_any(("counterfactual", "mood"), span.folded)
    ]
    asks = any(span.asks for span in last)
    return [span for span in last if asks or _count_shared(span.text, matter)]


def _count_shared(one: str, other: str) -> int:
    """The number of stems or values that two texts have in common."""
    ours, theirs = ({term[:_STEM] for term in terms(text)} for text in (one, other))
    return len(ours & theirs)


def _is_citable(span: Span, *, question: bool = False) -> bool:
    """Whether a sentence may be cited: no secret, no words of strangers, not too long."""
    cited = any(weight(match.group(1)) > _CITED for match in _SPEECH.finditer(span.text))
    return (question or not span.asks) and MASK not in span.text and not cited and weight(span.text) <= _LONGEST
