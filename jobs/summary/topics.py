"""The topics that took up most of the window: the question and its outcome."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from jobs.summary.line_text import joined, plain
from jobs.summary.observed import Remark, WindowRemarks, known
from jobs.summary.points import Offer
from jobs.summary.sentence import Sentence
from pipeline.language.text import terms
from schemas.summary import Part

_PAUSE = timedelta(minutes=20)
_SHORT = 40  # in Latin letters: a message that only replies
_TURNS = 4  # messages: less is no talk
_BACK = 4
_AT_ONCE = 3  # sentences: "oh. right. scratch that"
_TELLING = 3
_FULL = 1200  # in Latin letters: what is longer is not more of a talk


def talks(stretch: WindowRemarks) -> Iterator[Offer]:
    """A line for each talk of some length."""
    for talk in _talks(stretch):
        opening = _opening(talk)
        outcome = _outcome(talk, opening, stretch) if opening and not _withdrawn(opening, stretch) else None
        if len(talk) >= _TURNS and opening and outcome and opening.number < outcome.number:
            text = joined(plain(opening), plain(outcome))
            yield Offer(Part.CONVERSATION, text, (opening.number, outcome.number), _size(talk, stretch))


def _talks(stretch: WindowRemarks) -> list[list[Remark]]:
    """The remarks of the window, parted where the owner begins something else."""
    parts: list[list[Remark]] = []
    for remark in stretch.remarks:
        if not parts or (remark.owner and _begins(remark, parts[-1])):
            parts.append([])
        parts[-1].append(remark)
    return parts


def _begins(remark: Remark, talk: Sequence[Remark]) -> bool:
    if remark.turn.message.time - talk[-1].turn.message.time >= _PAUSE:
        return True
    if not remark.sentences or remark.sentences[0].has_cue(
        "accept", "refuse", "ordinal", "retract", "hesitate", "counterfactual"
    ):
        return False
    recent: frozenset[str] = frozenset().union(*(known(one) for one in talk[-_BACK:]))
    size = sum(one.weight for one in remark.sentences)
    replies = talk[-1].asks and size <= 2 * _SHORT
    return size > _SHORT and not replies and not remark.terms & recent


def _size(talk: Sequence[Remark], stretch: WindowRemarks) -> float:
    said = sum(min(_FULL // 3, sum(one.weight for one in remark.sentences)) for remark in talk)
    settled = any(remark.number in stretch.settled for remark in talk)
    return len(talk) + min(_FULL, said) / 100 + 3.0 * settled


def _opening(talk: Sequence[Remark]) -> Sentence | None:
    """The owner's opening: the first question, else the first sentence with content."""
    for remark in talk[: _TURNS - 1]:
        said = [one for one in remark.sentences if remark.owner and len(one.terms) >= _TELLING]
        calm = [one for one in said if not one.has_cue("mood", "feeling") and not one.shows("hollow")]
        if calm:
            return max(calm, key=lambda one: (one.span.asks, len(one.terms)))
    return None


def _outcome(talk: Sequence[Remark], opening: Sentence, stretch: WindowRemarks) -> Sentence | None:
    """The outcome: the owner's most informative decision, else the assistant's last statement on the topic."""
    said = [one for remark in talk for one in remark.sentences if terms(one.span.text) and not one.shows("hollow")]
    settled = [one for one in said if one.turn.owner and stretch.settles(one)]
    if settled:
        best = max(settled, key=lambda one: len(one.terms))
        return _agreed(best, stretch) or best
    if accepted := [remark for remark in talk if remark.number in stretch.settled and remark.sentences]:
        return _agreed(accepted[-1].sentences[0], stretch)
    lost = {remark.number for remark in talk if _undone(remark, stretch)}
    candidates = [
        one
        for one in said
        if not one.turn.owner and one.number not in lost and _tells(one) and one.terms & opening.terms
    ]
    return next(reversed(candidates), None)


def _agreed(settled: Sentence, stretch: WindowRemarks) -> Sentence | None:
    """The proposal that the owner agreed to, where the owner's words are no more than that."""
    before = stretch.before(stretch.places[settled.number])
    if settled.substance >= _TELLING or not settled.has_cue("accept") or before is None or before.owner:
        return None
    candidates = [one for one in before.sentences if not one.asks and one.terms]
    return max(candidates, key=lambda one: (one.has_cue("propose"), len(one.terms)), default=None)


def _tells(sentence: Sentence) -> bool:
    """Whether the assistant's sentence states an outcome: no offer, no nod."""
    return not sentence.asks and sentence.substance >= _TELLING and not sentence.has_cue("offer")


def _withdrawn(opening: Sentence, stretch: WindowRemarks) -> bool:
    """Whether the owner takes back next what the talk began with."""
    return _undone(stretch.remarks[stretch.places[opening.number]], stretch)


def _undone(remark: Remark, stretch: WindowRemarks) -> bool:
    """Whether the owner takes back next what it is about."""
    reply = stretch.next_of_owner(stretch.places[remark.number])
    return reply is not None and any(one.takes_back for one in reply.sentences[:_AT_ONCE])
