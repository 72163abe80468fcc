"""Findings: an error and its fix, figures, lessons, facts about systems."""

import re
from collections.abc import Iterator, Sequence

from jobs.summary.line_text import LIMIT, joined, plain, run_on
from jobs.summary.observed import Remark, WindowRemarks, known
from jobs.summary.points import Offer
from jobs.summary.sentence import Sentence
from pipeline.language.text import terms, values
from schemas.summary import Part

_ENOUGH = 2.25
_FIGURE = re.compile(r"(?<![\w.])\d[\d.,:]*(?:\s?[%\w])?")
_NAME = re.compile(
    r"`[^`]+`|\b\w+_\w+\b|\b[\w-]+\.[a-z]{2,5}\b|\b[a-z]+[A-Z]\w+\b|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|\b[A-Z]{2,}[a-z]?[A-Z]*\b|\b[A-Z]{1,3}-?\d+\b|\w/\w"
)
_RESTATED = 0.5
_FRESH = 0.375
_TELLING = 3  # terms
_NAMED = 2  # words that are no figures: with fewer, the subject of the figures is missing
_LITTLE = 7  # words that are no figures


def findings(stretch: WindowRemarks) -> Iterator[Offer]:
    """A line for each message with a finding."""
    for place, remark in enumerate(stretch.remarks):
        scores = [_score(sentence, place, stretch) for sentence in remark.sentences]
        best = max(scores, default=0.0)
        if best >= _ENOUGH and not remark.light and (offer := _offer(place, stretch, scores, best)):
            yield offer


def _score(sentence: Sentence, place: int, stretch: WindowRemarks) -> float:
    """The score of the sentence as a finding."""
    remark = stretch.remarks[place]
    if sentence.asks or sentence.announces or sentence.shows("hollow", "letter") or _option(sentence, remark):
        return 0.0
    if sentence.has_cue("counterfactual") or (remark.owner and sentence.has_cue("mood", "feeling")):
        return 0.0
    score = (
        _substance(sentence)
        + _FRESH * min(2, _fresh(sentence, place, stretch))
        + (_owners(sentence, stretch) if remark.owner else _assistants(sentence, place, stretch))
    )
    return score - 1.5 * sentence.shows("promise") - 1.0 * sentence.has_cue("hedge")


def _substance(sentence: Sentence) -> float:
    figures = len(_FIGURE.findall(sentence.span.text))
    names = len(_NAME.findall(sentence.span.text))
    words = 1.25 * sentence.shows("fault") + 1.0 * sentence.shows("cause") + 0.5 * sentence.shows("finding")
    short = 1.0 * (len(sentence.terms) < _TELLING)
    return 0.75 * min(3, figures) + 0.75 * min(3, names) + words - short


def _fresh(sentence: Sentence, place: int, stretch: WindowRemarks) -> int:
    """The number of figures in it that are new in the window."""
    return sum(stretch.first_named.get(figure) == place for figure in values(sentence.span.text))


def _assistants(sentence: Sentence, place: int, stretch: WindowRemarks) -> float:
    remark, before = stretch.remarks[place], stretch.before(place)
    asked = before is not None and before.owner and before.inquires
    restated = len(sentence.terms & known(before)) >= _RESTATED * max(1, len(sentence.terms))
    echo = restated and not remark.worked and not asked
    fact = asked and remark.sentences[0].has_cue("accept", "refuse") and len(known(before)) >= _TELLING
    recalled = any(one.shows("recalled") for one in remark.sentences)
    score = (
        1.5 * remark.worked + 0.75 * asked + 1.25 * fact - 2.0 * echo - 1.5 * sentence.has_cue("offer") - 5.0 * recalled
    )
    return score - 1.0 * sentence.has_cue("propose") - 1.0 * (sentence.shows("noted") and not remark.worked)


def _owners(sentence: Sentence, stretch: WindowRemarks) -> float:
    settled = stretch.settles(sentence)
    wanted = sentence.shows("wanted", "duty") or sentence.has_cue("task", "order")
    return -0.25 - 2.0 * settled - 1.5 * wanted - 1.0 * sentence.has_cue("reported") - 1.5 * sentence.shows("postponed")


def _option(sentence: Sentence, remark: Remark) -> bool:
    return not remark.owner and bool(remark.turn.options) and sentence.listed


def _offer(place: int, stretch: WindowRemarks, scores: Sequence[float], best: float) -> Offer | None:
    """The sentences of the message with the highest score within the limit, after the question they answer."""
    remark = stretch.remarks[place]
    first, last = _run(remark, scores)
    text, rests = run_on(remark, first, last), [remark.number]
    before = stretch.before(place)
    words = sum(one.substance - len(values(one.span.text)) for one in remark.sentences[first : last + 1])
    asked = _asked(place, stretch, words) if first == 0 else ""
    if words < _NAMED and not asked:
        return None
    if before and asked:
        text, rests = joined(asked, text), [remark.number, before.number]
    return Offer(Part.TECHNICAL, text, tuple(rests), best)


def _asked(place: int, stretch: WindowRemarks, words: int) -> str:
    """The owner's question just before, or the owner's statement where the answer alone is short."""
    remark, before = stretch.remarks[place], stretch.before(place)
    if before is None or not before.sentences or not before.owner or remark.owner:
        return ""
    end = len(before.sentences) - 1
    outcome = before.sentences[end]
    little = words < _LITTLE and not outcome.brief
    if stretch.settles(outcome) or not (before.inquires or little):
        return ""
    asked = run_on(before, max(0, end - _bare(before.sentences[end])), end)
    return asked if len(terms(asked)) > 1 else ""


def _bare(question: Sentence) -> bool:
    """Whether it cannot be understood without the sentence before it."""
    return len(terms(plain(question))) < _TELLING or question.shows("pointing")


def _run(remark: Remark, scores: Sequence[float]) -> tuple[int, int]:
    """The ranks of the first and last sentence of the best stretch of the message."""
    worth: dict[tuple[int, int], float] = {}
    for first in range(len(scores)):
        room, score = LIMIT, 0.0
        for last in range(first, len(scores)):
            size = len(plain(remark.sentences[last])) + 2
            if scores[last] <= 0 or room <= 0:
                break
            score, room = score + scores[last] * min(1.0, room / size), room - size
            worth[first, last] = score
    return max(worth, key=lambda pair: (worth[pair], -pair[1]))
