"""Open loops: unanswered questions, offers without a reply, things put off."""

from collections.abc import Iterator

from jobs.summary.line_text import joined, plain, run_on
from jobs.summary.observed import Remark, WindowRemarks
from jobs.summary.points import Offer
from jobs.summary.sentence import Sentence
from pipeline.language.text import terms
from schemas.summary import Part

_TELLING = 4  # terms: a sentence with fewer needs what it answers beside it
_WORD = 20  # in Latin letters
_SHORT = 40  # in Latin letters: a reply that can only be an answer
_NO_LOOP = ("mood", "counterfactual", "feeling", "reported")
_SHARED = 2


def loops(stretch: WindowRemarks) -> Iterator[Offer]:
    """A line for each open loop that no later sentence settles."""
    for place in range(len(stretch.remarks)):
        offers = _of_owner(place, stretch) if stretch.remarks[place].owner else _of_assistant(place, stretch)
        yield from (offer for offer in offers if not _resolved(offer, place, stretch))


def _of_owner(place: int, stretch: WindowRemarks) -> Iterator[Offer]:
    remark = stretch.remarks[place]
    before = stretch.before(place)
    answers = before is not None and not before.owner and before.asks
    for sentence in remark.sentences:
        if _puts_off(sentence, answers=answers) and not stretch.settles(sentence):
            yield from _put_off(sentence, place, stretch)
            return
    if remark.sentences and remark.sentences[-1].asks:
        yield from _unanswered(place, stretch)
    yield from _undone(place, stretch)


def _puts_off(sentence: Sentence, *, answers: bool) -> bool:
    """Whether it is a `not now`; a daydream counts when it answers the assistant or is the whole message."""
    plain_words = answers or sentence.weight <= _WORD
    if sentence.shows("hollow") or (sentence.has_cue(*_NO_LOOP) and not plain_words):
        return False
    return sentence.shows("postponed", "undecided") and not (sentence.span.asks and not sentence.shows("undecided"))


def _put_off(sentence: Sentence, place: int, stretch: WindowRemarks) -> Iterator[Offer]:
    """The thing that the owner puts off, with the sentence it answers."""
    after = stretch.after(place)
    left = bool(after) and not after[0].owner and any(one.shows("left") for one in after[0].sentences)
    score = 2.0 + left + 0.5 * sentence.shows("undecided") + 0.25 * (len(sentence.terms) >= _TELLING)
    subject = _subject(sentence, place, stretch)
    between = _proposed(subject, place, stretch)
    if subject and between is None and (topic := _topic(subject, place, stretch)):
        subject, between = topic, subject
    said = joined(plain(between), plain(sentence)) if between else plain(sentence)
    text = joined(_led(subject, stretch), said) if subject else said
    rests = [one.number for one in (subject, between) if one and one.number != sentence.number]
    numbers = (sentence.number, *rests)
    if len(terms(text)) >= _TELLING - 1:
        part = Part.NEXT if sentence.shows("near") else Part.LOOP
        yield Offer(part, text, numbers, score + 0.5 * bool(subject))


def _topic(subject: Sentence, place: int, stretch: WindowRemarks) -> Sentence | None:
    """The owner's words that the assistant's proposal answers."""
    earlier = stretch.before(place - 1) if place > 0 else None
    if subject.turn.owner or subject.span.asks or earlier is None or not earlier.owner:
        return None
    if any(stretch.settles(one) for one in earlier.sentences):
        return None
    candidates = [one for one in earlier.sentences if one.substance > 1 and not one.has_cue("mood", "feeling")]
    return max(candidates, key=lambda one: (one.asks, len(one.terms)), default=None)


def _subject(sentence: Sentence, place: int, stretch: WindowRemarks) -> Sentence | None:
    """The thing put off: the question before it in the message, else the assistant's question, offer or statement."""
    own = [one for one in stretch.remarks[place].sentences if one.rank < sentence.rank and one.terms]
    asked = [one for one in own if one.asks or one.span.asks]
    if asked:
        return max(asked, key=lambda one: len(one.terms))
    if own and len(own[-1].terms) >= _TELLING:
        return own[-1]
    before = stretch.before(place)
    if before is None or not before.sentences:
        return own[-1] if own else None
    if before.owner:
        return before.sentences[-1] if len(sentence.terms) < _TELLING else None
    return _left_open(sentence, before) or _question(place, stretch) or before.sentences[-1]


def _proposed(subject: Sentence | None, place: int, stretch: WindowRemarks) -> Sentence | None:
    """The assistant's proposal between the owner's question and its being put off."""
    before = stretch.before(place)
    if subject is None or before is None or not subject.turn.owner or subject.number >= before.number or before.owner:
        return None
    offered = [one for one in before.sentences if one.terms and one.has_cue("offer", "propose")]
    return next(iter(offered or before.sentences), None)


def _left_open(sentence: Sentence, before: Remark) -> Sentence | None:
    """The assistant's open point: the one that the reply names, else its question, else its offer or proposal."""
    asked = [one for one in before.sentences if one.terms and one.span.asks]
    offered = [one for one in before.sentences if one.terms and one.has_cue("offer", "propose")]
    sharing = [one for one in asked + offered if one.terms & sentence.terms]
    return next(reversed(sharing or asked), None)


def _led(subject: Sentence, stretch: WindowRemarks) -> str:
    """The sentence, after the one before it where it is too short by itself."""
    if len(subject.terms) >= (2 * _TELLING if subject.shows("pointing") else _TELLING):
        return plain(subject)
    remark = next(one for one in stretch.remarks if one.number == subject.number)
    lead = next((one for one in remark.sentences if one.rank == subject.rank - 1), None)
    return run_on(remark, lead.rank, subject.rank) if lead and len(lead.terms) > 1 else plain(subject)


def _question(place: int, stretch: WindowRemarks) -> Sentence | None:
    """The question that the owner asked before the assistant's last words."""
    earlier = stretch.before(place - 1) if place > 0 else None
    if earlier is None or not earlier.owner:
        return None
    return next((one for one in reversed(earlier.sentences) if one.asks), None)


def _unanswered(place: int, stretch: WindowRemarks) -> Iterator[Offer]:
    """A question of the owner's that got no answer, or only that it depends."""
    question = stretch.remarks[place].sentences[-1]
    if len(question.terms) < _SHARED or question.has_cue("mood") or question.shows("hollow"):
        return
    if not question.span.asks and question.has_cue("counterfactual", "condition"):
        return
    after = stretch.after(place)
    answer = next((one for one in after if not one.owner), None)
    if answer is None:
        yield Offer(Part.LOOP, joined("", plain(question)), (question.number,), 1.5)


def _undone(place: int, stretch: WindowRemarks) -> Iterator[Offer]:
    """Things still to be done, asked or waited for, and the assistant's requests to the owner."""
    remark, before = stretch.remarks[place], stretch.before(place)
    asked = before.sentences[-1] if before and before.owner and not remark.owner and before.inquires else None
    for sentence in remark.sentences:
        open_ended = sentence.shows("undone") or (not remark.owner and sentence.shows("yours"))
        if sentence.span.asks or sentence.shows("hollow", "recalled") or not open_ended:
            continue
        if len(sentence.terms) < _SHARED or sentence.has_cue(*_NO_LOOP) or stretch.settles(sentence):
            continue
        if asked and sentence.rank == 0:
            text = joined(_led(asked, stretch), plain(sentence))
            yield Offer(Part.LOOP, text, (sentence.number, asked.number), 1.0)
        else:
            asks_of_owner = sentence.rank > 0 and sentence.shows("yours")
            text = run_on(remark, sentence.rank - 1, sentence.rank) if asks_of_owner else _led(sentence, stretch)
            yield Offer(Part.LOOP, joined("", text), (sentence.number,), 1.0)


def _advised(place: int, stretch: WindowRemarks) -> Iterator[Offer]:
    """Questions that the assistant can only answer with: it depends, ask first."""
    remark, before = stretch.remarks[place], stretch.before(place)
    opening = next(iter(remark.sentences), None)
    if before and before.owner and before.sentences and opening and opening.shows("depends") and not opening.span.asks:
        about = max(before.sentences, key=lambda one: (one.span.asks, len(one.terms)))
        if (
            len(about.terms) >= _SHARED
            and (about.span.asks or not about.has_cue(*_NO_LOOP[:3]))
            and not stretch.settles(about)
        ):
            text = joined(plain(about), plain(opening))
            yield Offer(Part.LOOP, text, (opening.number, about.number), 2.0 + 0.5 * about.span.asks)


def _of_assistant(place: int, stretch: WindowRemarks) -> Iterator[Offer]:
    """A question of the assistant's that the owner passes over."""
    remark = stretch.remarks[place]
    yield from _advised(place, stretch)
    yield from _undone(place, stretch)
    if not remark.asks or remark.light or _only_greeted(place, stretch):
        return
    question = remark.sentences[-1]
    reply = stretch.next_of_owner(place)
    if question.shows("hollow") or len(question.terms) < _SHARED or _taken_up(question, reply):
        return
    yield Offer(Part.LOOP, joined("", _led(question, stretch)), (question.number,), 1.5 if reply is None else 1.25)


def _only_greeted(place: int, stretch: WindowRemarks) -> bool:
    """Whether nothing was said before but a greeting: then the question asks what there is to do."""
    before = [sentence for remark in stretch.remarks[:place] for sentence in remark.sentences]
    return bool(before) and all(not one.terms or one.shows("hollow", "letter") for one in before)


def _taken_up(question: Sentence, reply: Remark | None) -> bool:
    """Whether the reply may be an answer; an open question is answered by anything, an offer by what refers to it."""
    if reply is None or not reply.sentences:
        return False
    opening = reply.sentences[0]
    if not question.has_cue("offer") or opening.weight <= _SHORT:
        return True
    answers = opening.has_cue("accept", "approve", "refuse", "ordinal") or opening.shows("dropped", "postponed")
    return answers or bool(question.terms & reply.terms)


def _resolved(offer: Offer, place: int, stretch: WindowRemarks) -> bool:
    """Whether a later sentence settles it, or reports it as done."""
    about = terms(offer.text)
    answers = (one for after, one in stretch.concluded if after > place + 1)
    return any(len(one.terms & about) >= max(_SHARED, len(about) / 3) for one in answers)
