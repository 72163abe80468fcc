"""Commitments of the speakers, and deeds that the assistant reports; tasks for tomorrow stand apart."""

from collections.abc import Iterator

from jobs.summary.line_text import joined, named, plain, run_on
from jobs.summary.observed import Remark, WindowRemarks
from jobs.summary.points import Offer
from jobs.summary.sentence import Sentence
from pipeline.language.text import values
from schemas.summary import Part

_ENOUGH = 1.5
_TELLING = 4  # words: a sentence with fewer needs what it answers beside it
_NAMED = 2  # words
_NO_DEED = ("mood", "counterfactual", "reported", "feeling")


def commitments(stretch: WindowRemarks) -> Iterator[Offer]:
    """A line for each commitment that was not withdrawn."""
    for place, remark in enumerate(stretch.remarks):
        weigh = _owners if remark.owner else _assistants
        for sentence in remark.sentences:
            score = weigh(sentence, place, stretch)
            if score >= _ENOUGH and not _withdrawn(sentence, place, stretch):
                offer = _offer(sentence, place, stretch, score)
                if offer:
                    yield offer


def _assistants(sentence: Sentence, place: int, stretch: WindowRemarks) -> float:
    """The score of the assistant's sentence as a deed: something it does, or has done with its tools."""
    remark, before = stretch.remarks[place], stretch.before(place)
    if remark.light or sentence.shows("hollow", "letter", "recalled") or (remark.turn.options and sentence.listed):
        return 0.0
    if before is not None and before.owner and before.jests and not remark.worked:
        return 0.0
    promised = sentence.shows("promise") or (sentence.shows("begun") and not sentence.shows("noted", "left"))
    offered = sentence.has_cue("offer") and (sentence.asks or not promised)
    proposed = sentence.has_cue("propose", "either") and not promised and not remark.worked
    if offered or proposed or (not promised and (sentence.asks or sentence.shows("noted"))):
        return 0.0
    if not promised and sentence.shows("postponed", "undecided", "undone", "depends"):
        return 0.0
    if sentence.shows("looks") and _goes_on(place, stretch):
        return 0.0
    score = 2.0 * promised + (3.0 if remark.worked else 1.5) * sentence.shows("done")
    return score + 0.5 * sentence.shows("near", "dated") + 0.25 * min(2, len(values(sentence.span.text)))


def _goes_on(place: int, stretch: WindowRemarks) -> bool:
    """Whether the assistant speaks again before the owner does: then an announced look is done."""
    after = stretch.after(place)
    return bool(after) and not after[0].owner


def _owners(sentence: Sentence, place: int, stretch: WindowRemarks) -> float:
    """The score of the owner's sentence as a commitment: a plan of theirs, or a task with a date."""
    if sentence.asks or sentence.shows("hollow", "postponed", "undecided", "dropped") or sentence.has_cue(*_NO_DEED):
        return 0.0
    if (sentence.number in stretch.lasting and stretch.settles(sentence)) or stretch.reports_done(sentence, place):
        return 0.0
    timed = sentence.shows("near", "dated")
    wanted = sentence.shows("wanted") or sentence.has_cue("task")
    score = 2.0 * sentence.shows("duty") + 1.0 * wanted + 1.0 * timed
    return score - 0.5 - 0.5 * sentence.has_cue("hedge") - 0.5 * (sentence.substance < _TELLING)


def _withdrawn(sentence: Sentence, place: int, stretch: WindowRemarks) -> bool:
    """Whether the owner withdraws it: in their next words, or later by its name."""
    reply = stretch.next_of_owner(place)
    opening = reply.sentences[:2] if reply else ()
    if any(one.takes_back and (one.terms & sentence.terms or len(one.terms) < _TELLING) for one in opening):
        return True
    later = (one for after, one in stretch.taken_back if after > place)
    return any(len(one.terms & sentence.terms) >= _NAMED for one in later)


def _offer(sentence: Sentence, place: int, stretch: WindowRemarks, score: float) -> Offer | None:
    remark, line, rests = stretch.remarks[place], named(sentence, plain(sentence)), [sentence.number]
    lead = _lead(sentence, remark)
    asked = None if lead else _asked(sentence, place, stretch)
    words = sentence.substance + sum(one.substance for one in (lead, asked) if one)
    if lead:
        line = named(sentence, run_on(remark, lead.rank, sentence.rank))
    elif asked:
        again = asked.turn.owner == sentence.turn.owner
        line = joined(named(asked, plain(asked)), plain(sentence) if again else line)
        rests.append(asked.number)
    if words + len(values(line)) < _TELLING:
        return None
    return Offer(_part(sentence, lead, asked), line, tuple(rests), score)


def _part(sentence: Sentence, *beside: Sentence | None) -> Part:
    """A thing still to come, by a day or by the owner's own hand, is a next step; any other is an action."""
    ahead = sentence.shows("promise", "begun", "duty") and not sentence.shows("done")
    soon = any(one.shows("near") for one in (sentence, *beside) if one)
    own = sentence.turn.owner and sentence.shows("duty")
    return Part.NEXT if soon or (ahead and (own or sentence.shows("dated"))) else Part.ACTION


def _lead(sentence: Sentence, remark: Remark) -> Sentence | None:
    """The sentence before it in the same message, when it is short and that one names its subject."""
    points = sentence.shows("pointing") and sentence.substance < 2 * _TELLING
    before = next((one for one in remark.sentences if one.rank == sentence.rank - 1), None)
    if before is None or not (points or sentence.substance <= _TELLING):
        return None
    return None if before.span.asks or before.shows("hollow") or before.substance < _NAMED else before


def _asked(sentence: Sentence, place: int, stretch: WindowRemarks) -> Sentence | None:
    """The most informative sentence of the other side just before, when this one is short.

    Where the owner only agreed, it is the proposal.
    """
    before = stretch.before(place)
    brief = sentence.substance <= (_NAMED if sentence.turn.owner else _TELLING)
    if not brief or before is None or before.owner == sentence.turn.owner:
        return None
    if before.owner and place > 1 and before.sentences and all(_refers(one) for one in before.sentences):
        return max(_telling(stretch.remarks[place - 2]), key=_proposal, default=None)
    return max(_telling(before), key=_worth, default=None)


def _refers(sentence: Sentence) -> bool:
    """Whether the owner's sentence only refers to the assistant's words."""
    return sentence.brief and (
        sentence.has_cue("accept") or (sentence.substance < _NAMED and sentence.shows("pointing"))
    )


def _telling(remark: Remark) -> list[Sentence]:
    return [one for one in remark.sentences if one.terms and not one.has_cue("mood", "feeling")]


def _proposal(sentence: Sentence) -> tuple[bool, int]:
    return sentence.has_cue("propose"), len(sentence.terms)


def _worth(sentence: Sentence) -> tuple[bool, int]:
    return _wants(sentence), len(sentence.terms)


def _wants(sentence: Sentence) -> bool:
    return sentence.shows("wanted") or sentence.has_cue("task", "settle", "decide", "directive")
