"""Wishes: words that are clearly meant to last, and that the reading does not understand: a person decides.

They give something to the memory (`add that to memory`), state a preference, choose between things, tell of the owner's
own people and things (`my daughter is called Ida`), settle something in a sentence that mentions others, or take the
only proposal. Or they tell something of the owner's beside work that is asked for, so that the work fits: `we moved to
York in May. what's on this weekend?`. Each is a shape and no list of phrases.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.extraction.candidate_text import CONCLUSION_LIMIT, TITLE_LIMIT, quote_of, shorten, title_of
from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.grounds import is_undone
from jobs.extraction.headings import is_labelled
from jobs.extraction.observe import ObservedSentence
from jobs.extraction.options import agreed_words, last_list, offers_two
from jobs.extraction.retraction import denies, opens_with_no
from jobs.extraction.signals import Signal
from jobs.extraction.stand_alone import line_of_proposal, without_lead
from jobs.extraction.standing_orders import only_tells_of
from pipeline.entries.authorship.speech import shortcut, to_memory
from pipeline.language.folding import fold
from pipeline.language.text import Span, weight
from schemas.entry import Kind
from schemas.extraction import DoubtedCandidate, WordsDoubt
from schemas.transcript import MASK

_BEHIND = re.compile(r"\W*(?:for later|na pozniej|里|中)?\W*(?:[:：]|that|ze|,)?\s*")
_PREFERS = re.compile(
    r"\b(?:i|we)(?:'d| would)? (?:(?:really|always|much|generally) )?(?:prefer|rather|hate|can't stand)\b"
    r"|\b(?:wole|wolimy|preferuje|nie znosze)\b|我们?(?:都|更|比较|一般)?(?:喜欢|偏好|宁愿|讨厌)"
)
_BIDS = re.compile(
    r"^\W*(?:(?:please|pls|prosze|ok|and|also|请|那) ?)*"
    r"(?:use|write|keep|put|name|call|format|prefer|answer|sign|store)\b"
    r"|^\W*(?:(?:prosze|i|a) )*[a-z]{3,}(?:aj|uj|ij|yj|ej)\b|^\W*(?:请)?(?:用|写|放|存|叫)"
)
_CHOOSES = re.compile(
    r"\b(?:not|instead of|rather than|over|nie|zamiast)\b|不(?:用|要|是)|而不"
    r"|\b(?:in|for|across) (?:this|the|our|all|every) (?:\w+ )?"
    r"(?:repo\w*|project|codebase|docs?|files?|commits?|messages?|code)\b"
    r"|\b(?:w|we|do) (?:tym|naszym|calym|kazdym|wszystkich) \w+|(?:这个|本|所有)(?:仓库|项目|文档|代码)"
)
# What is so of the owner's own people and things: a name, a number, or what they are.
_TELLS = re.compile(
    r"(?i:my|our|your(?= name\b)) (?!(?:question|point|problem|issue|idea|guess|concern|plan|bad|favou?rite)\b)"
    r"(?:[\w'’]+ ){1,4}(?:is|are) (?:called |named |an? |the |head |\d|[A-Z])"
    r"|(?i:we|i) have (?:an?|two|three|\d+) (?:[\w'’]+ ){1,3}(?:named|called) [A-Z]"
    r"|(?i:moja|mój|moj|nasza|nasz) (?!(?:pytanie|problem|pomysł|pomysl|plan)\b)(?:\w+ ){1,3}"
    r"(?:to |ma na imi|nazywa si|jest \w+(?:em|ą|a)\b|ma \d)"
    r"|我们?的?(?!意思|问题|想法|建议|计划)[^，。]{1,6}(?:叫|今年\d|是(?!不|否|什么))"
)
# The owner speaks of the owner's own matters.
_OWN = re.compile(
    r"\b(?:i|i'?m|i'?ve|my|we|we'?re|we'?ve|our"
    r"|ja|moj\w{0,3}|mam|mamy|jestem|jestesmy|nasz\w{0,3}|\w{2,}l(?:am|em|ismy|ysmy)|\w{3,}(?:amy|emy|imy|ymy|uje))\b"
    r"|[我咱俺]"
)
_NOW = re.compile(r"\b(?:now|teraz)\b|现在")
_WORK = frozenset({Signal.ASKS, Signal.TASK, Signal.ADDRESSED, Signal.INTERROGATIVE})
_NO_STATEMENT_OF_OWN = frozenset({Signal.NARRATED, Signal.EMPTY, Signal.LONG})
# A yes to each thing that was asked or listed; `both` is a yes to two.
_SEVERAL = re.compile(
    r"\b(?:(?P<two>both|oba|obie|obu|jedno i drugie)|all|wszystki\w+)(?: (?:of )?(?:them|those|these|(?P<number>\d)"
    r"|two|three|four|dwie|trzy|cztery|dwa))*\b|(?:[两三四]个|全部)都?[要行好]?|都[要行好可]以?"
)
_OTHERWISE = ("interrogative", "hesitate", "retract", "withdraw", "mood", "counterfactual")
_SETTLES = ("standing", "order", "decide", "remember")
_FOR_GOOD = ("standing", "lasting", "universal", "order")
_DONE = re.compile(r"\b(?:done|on it|gotowe|zrobione|robie)\b|[好完]了|马上|这就")
_WISHED, _IN_PASSING = 0.5, 0.4  # as confidence
_SENTENCE = 40  # in Latin letters; a shorter remark tells little
_WORD = 24  # in Latin letters
_NAMES = 2
_SUBJECT = 3  # names, from which on an accepted proposal stands alone
_LONGEST = 240  # in Latin letters; who wishes something says it in a sentence or two


@dataclass(frozen=True)
class Wish:
    """A wish: its sentence, its line, and the message of another turn that it is from."""

    span: Span
    text: str
    rests_on: int | None = None
    of_proposal: bool = False
    kind: Kind = Kind.RULE
    confidence: float = _WISHED


def find_wish(exchange: Exchange) -> Wish | None:
    """The wish in the owner's message, if there is one and it has a subject in words."""
    said = exchange.said
    if not said.spans or weight(said.text) > _LONGEST or MASK in said.text:
        return None
    for span in said.spans:
        if wish := _given_to_memory(span, exchange) or _stated_wish(span, exchange):
            return wish
    return None


def own_matter_beside_work(exchange: Exchange, sentences: Sequence[ObservedSentence]) -> Wish | None:
    """The first plain statement of the owner's own matters in a message that also asks for work."""
    said = exchange.said
    if not any(_WORK & sentence.signals for sentence in sentences) or weight(said.text) > _LONGEST:
        return None
    spans = (sentence.span for sentence in sentences if _tells_own_matter(sentence, said))
    return next((Wish(span, span.text, kind=Kind.REMEMBER, confidence=_IN_PASSING) for span in spans), None)


def _tells_own_matter(sentence: ObservedSentence, said: Turn) -> bool:
    """Whether a sentence tells something of the owner's that is no task, trouble, story, doubt or mood."""
    span, signals = sentence.span, sentence.signals
    if not said.profile.finds("momentary", _NOW.sub(" ", span.folded)):
        signals -= {Signal.MOMENTARY}  # `we live in York now`
    if is_undone(signals) or signals & _NO_STATEMENT_OF_OWN or opens_with_no(span, said):
        return False
    tells = weight(span.text) >= _SENTENCE and is_statement(span, said) and _OWN.search(span.folded) is not None
    return tells and not only_tells_of(span, said.profile.code)


def doubt_about(wish: Wish, said: Turn) -> DoubtedCandidate | None:
    """The wish in a message as a candidate that a person decides about; `None` where it cannot be quoted."""
    quote = quote_of(said.text, (wish.span,))
    if quote is None:
        return None
    return DoubtedCandidate(
        kind=wish.kind,
        title=title_of(wish.text) or quote.text[:TITLE_LIMIT],
        quote=quote.text,
        quote_number=said.message.number,
        support_numbers=() if wish.rests_on is None else (wish.rests_on,),
        confirmation="accepted" if wish.of_proposal else "stated",
        conclusion=shorten(wish.text, CONCLUSION_LIMIT),
        confidence=wish.confidence,
        doubt=WordsDoubt.NOT_UNDERSTOOD,
    )


def is_statement(span: Span, turn: Turn) -> bool:
    """Whether a sentence states something of a subject in words, and holds no secret."""
    return not span.asks and _has_subject(span.text, turn)


def proposal_taken(exchange: Exchange) -> Wish | None:
    """The only proposal of the assistant, which the owner's yes takes."""
    before, span = exchange.before, exchange.said.spans[0]
    if before is None:
        return None
    proposing = [span for span in before.spans if not span.asks and before.profile.finds("propose", span.folded)]
    if len(proposing) != 1 or MASK in proposing[0].text:
        return None
    place = before.spans.index(proposing[0])
    plain = line_of_proposal(proposing[0].text, before.profile)
    if len(before.profile.names(plain.text)) < _SUBJECT and place > 0 and not before.spans[place - 1].asks:
        text = f"{before.spans[place - 1].text} {plain.text}"
    else:
        text = plain.text
    named = plain.named and len(before.profile.names(text)) >= _NAMES
    return Wish(span, text, before.message.number, of_proposal=True, kind=Kind.DECISION) if named else None


def question_taken(exchange: Exchange) -> Wish | None:
    """The words that a yes makes of the assistant's only question, or of all questions, if some of it is to last."""
    before, span = exchange.before, exchange.said.spans[0]
    if before is None:
        return None
    asked = _things_asked(exchange, before)
    lasts = any(before.profile.finds_any(_FOR_GOOD, fold(question)) for question in asked)
    if not lasts or any(offers_two(question) or not _has_subject(question, before) for question in asked):
        return None
    words = "; ".join(agreed_words(question).rstrip(".;") for question in asked)
    return Wish(span, words, before.message.number, of_proposal=True, kind=Kind.DECISION)


def takes_several(exchange: Exchange) -> bool:
    """Whether the owner says yes to several things at once: `yes to both`."""
    return _SEVERAL.search(exchange.said.spans[0].folded) is not None


def _things_asked(exchange: Exchange, before: Turn) -> tuple[str, ...]:
    """The questions, or the items of a list, that a plain yes answers; empty where that is not clear."""
    text, questions = exchange.said.spans[0].folded, tuple(question.text for question in before.questions)
    several = _SEVERAL.search(text)
    if exchange.said.profile.content(_SEVERAL.sub(" ", text)):
        return ()
    if several is None:
        return questions if len(questions) == 1 and before.asks else ()
    things = last_list(before.text) or questions
    said = 2 if several["two"] else int(several["number"] or len(things))
    return things if len(things) == said > 1 else ()


def _has_subject(text: str, turn: Turn) -> bool:
    """Whether a sentence has a subject, and no secret."""
    return MASK not in text and len(turn.profile.names(text)) >= _NAMES


def _given_to_memory(span: Span, exchange: Exchange) -> Wish | None:
    """The words that a sentence gives to the memory: those after the request, else the statement it points at."""
    said = exchange.said
    memory = to_memory(span.folded)
    before = span.folded[: memory.start()] if memory else ""
    inquires = said.profile.finds("interrogative", before) and not said.profile.finds("request", before)
    if memory is None or inquires:
        return None
    behind = _BEHIND.match(span.folded, memory.end())
    rest = span.text[behind.end() if behind else memory.end() :].rstrip("?？ ")
    tells_first = len(said.profile.names(span.text[: memory.start()])) >= _NAMES
    if denies(before) and not tells_first:
        return None  # `I would not add that to memory`
    if said.profile.names(rest):
        return Wish(span, rest)
    if tells_first:
        return None
    return next((Wish(span, text, rests_on) for text, rests_on in _referents(span, exchange)), None)


def _referents(span: Span, exchange: Exchange) -> list[tuple[str, int | None]]:
    """The statements that `that` may mean, the nearest first."""
    said, before = exchange.said, exchange.before
    beside = [
        (earlier.text, None) for earlier in said.spans if earlier.end <= span.start and is_statement(earlier, said)
    ]
    taken = proposal_taken(exchange)
    proposed = [(taken.text, taken.rests_on)] if taken and before else []
    opener = next((turn for turn in reversed(exchange.earlier) if turn.owner), None)
    owned = (
        [(span.text, opener.message.number) for span in opener.spans if is_statement(span, opener)] if opener else []
    )
    return [*reversed(beside), *proposed, *reversed(owned)]


def _is_order(span: Span, said: Turn) -> bool:
    """Whether the sentence asks the assistant for something, and not only at this moment."""
    orders = said.profile.finds_any(("directive", "task", "imperative"), span.folded)
    return (orders or _BIDS.search(span.folded) is not None) and not said.profile.finds("momentary", span.folded)


def _is_only_acknowledged(exchange: Exchange) -> bool:
    """Whether the assistant says yes in a word and does nothing: the order is for another time."""
    said, answer = exchange.said, exchange.answer
    if answer is None or answer.message.number != said.message.number + 1 or weight(answer.text) > _WORD:
        return False
    return answer.profile.finds("acknowledge", fold(answer.text)) and not _DONE.search(fold(answer.text))


def _stated_wish(span: Span, exchange: Exchange) -> Wish | None:
    """A preference, a choice, an order for another time, or a word that settles, whoever is named beside it."""
    said = exchange.said
    if span.asks or said.profile.finds_any(_OTHERWISE, span.folded):
        return None
    if is_labelled(span, said.profile):
        return Wish(span, span.text)
    if not is_statement(span, said):
        return None
    if shortcut(said.text):
        return Wish(span, span.text.lstrip("# "))
    tells = _TELLS.match(span.text) is not None and not said.profile.finds("momentary", span.folded)
    chooses = _PREFERS.search(span.folded) or (_BIDS.search(span.folded) and _CHOOSES.search(span.folded))
    settles = said.profile.finds_any(_SETTLES, span.folded)
    if tells or chooses or settles or (_is_order(span, said) and _is_only_acknowledged(exchange)):
        return Wish(span, without_lead(span.text, said.profile), kind=Kind.REMEMBER if tells else Kind.RULE)
    return None
