"""Taking back: whether what was said is withdrawn later, in the same message or by a later one."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from collections.abc import Sequence

from jobs.extraction.text import Span, terms
from jobs.extraction.turns import Exchange, Turn

_PAUSE = ("", ",", ".", "!", "，", "。", "！")
_NEAR = 2
_INTERJECTION = 12


def taken_back(spans: Sequence[Span], exchange: Exchange) -> bool:
    """Whether the owner withdraws or corrects the words later in what is known of the conversation."""
    said = exchange.said
    after = [other for other in said.spans if other.start > spans[-1].start]
    if any(_withdraws(other, said) for other in after[:2]):
        return True
    later = [turn for turn in exchange.later if turn.owner]
    if later and _asked_back(exchange.answer):
        return True
    return any(_corrects(turn, spans, exchange) for turn in later)


def _asked_back(answer: Turn | None) -> bool:
    """Whether the assistant asks if it understood well: what the owner says then is the settled version."""
    return answer is not None and answer.spans[:1] == answer.spans[-1:] and _sums_up(answer)


def _sums_up(answer: Turn) -> bool:
    return answer.asks and answer.profile.finds("summing", answer.spans[-1].folded)


def _corrects(turn: Turn, spans: Sequence[Span], exchange: Exchange) -> bool:
    opening = _opening(turn)
    if not opening:
        return False
    near = turn.place - exchange.said.place <= _NEAR
    subject = frozenset().union(*(terms(span.text) for span in spans))
    shared = len(subject & terms(turn.text))
    if any(_withdraws(part, turn) for part in opening) and (near or shared >= max(2, len(subject) / 3)):
        return True
    return near and _refuses(opening[0], turn) and not _offered(exchange.answer)


def _refuses(span: Span, turn: Turn) -> bool:
    """Whether the sentence is, or opens with, a `no` that stands by itself."""
    refusal = turn.profile.first("refuse", span.folded)
    return refusal is not None and span.folded[refusal.end() :].strip()[:1] in _PAUSE


def _opening(turn: Turn) -> list[Span]:
    """The first sentence that says something, with the interjections before it: what follows corrects only itself."""
    opening = []
    for span in turn.spans:
        opening.append(span)
        if len(span.text) > _INTERJECTION:
            break
    return opening


def _withdraws(span: Span, turn: Turn) -> bool:
    return turn.profile.finds("retract", span.folded)


def _offered(answer: Turn | None) -> bool:
    """Whether a refusal would rather be meant for what the assistant offered."""
    if answer is None:
        return False
    return answer.asks or any(
        answer.profile.finds(name, span.folded) for span in answer.spans for name in ("offer", "propose")
    )
