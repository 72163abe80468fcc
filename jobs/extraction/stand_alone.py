"""Lines that stand alone: settled words with their subject and without a lead.

`that's how we do it` means nothing to a later reader. It points at the owner's sentence before it, or at the question
or the proposal that it answers. Every word was said: only `I` and `you` become names of persons.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.options import answer_question, offers_two
from jobs.extraction.persons import named_in_proposal, third_person
from jobs.extraction.profile import Profile
from pipeline.language.detection import Language
from pipeline.language.folding import fold
from pipeline.language.text import Span, clauses, terms, values, weight
from schemas.transcript import MASK

_BARE = 24  # in Latin letters; so short an answer has no content of its own
_REFERENT = 160  # in Latin letters; a longer sentence explains, it names no subject
_NAMES = 2  # words that name something, from which on a line has a subject of its own
_ORDERS = ("order", "standing", "universal", "refuse", "accept")
_POINTS = 3  # the same, where it points at something
_COLON = re.compile(r"^[^:：\n]{1,70}(?:[:：](?=\s)|：)\s*")
_BULLETS = " -*•\t"
_LOOSE = " \t,;:，：；、-–—"
_DOES_THAT = re.compile(
    r"\b(?:do|doing|did) (?:this|that|it|so)\b|\b(?:tak|tego|to) (?:\w+ ){0,2}z?rob\w*|\bz?rob\w* (?:tak|tego|to)\b"
    "|[这那]样[做弄搞写]?"
)
_TAG = re.compile(
    r"(?:\s*[,，;；.!。！]|\s[-–—])\s*(?:ok(?:ay)?|okej|please|pls|alright|deal|got it|understood|clear|dobrze|dobra"
    r"|jasne|zgoda|umowa|prosz[eę]|好吗|好不好|好吧|可以吗|行吗|行不行|明白吗|明白了吗|知道吗|懂了?吗)\s*[?？]+$"
    r"|(?:\s+(?:ok(?:ay)?|okej|please|pls|alright|dobrze|prosz[eę])|好吗|好不好|可以吗|行吗)\s*[?？]+$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\W*(?:(?:so|and|but|ok|a|i|to) )?(?:must|should|shall|will|would|do|does|did|is|are|has|have|may|why|what|how"
    r"|when|czy|dlaczego)\b",
    re.IGNORECASE,
)


Piece = tuple[Turn, str]
"""A sentence and its turn."""


@dataclass(frozen=True)
class PlainStatement:
    """The text of a line; `rests_on` is the message of another turn that its subject is from, if any.

    `named` tells whether it has a subject.
    """

    text: str
    named: bool
    rests_on: int | None = None


def line_of(quote: Span, exchange: Exchange, *, alone: bool = True) -> PlainStatement:
    """The quote as a line that stands alone; beside other lines (not `alone`), in its own words only."""
    said = exchange.said
    changes = said.profile.finds_any(("retract", "hesitate"), quote.folded)
    words = (quote.text if changes else without_lead(quote.text, said.profile)).lstrip("# ")
    words = without_tag(words)
    if said.profile.finds("request", quote.folded):
        words = words.rstrip("?？")
    resolved = third_person(words, said.profile.code)
    beside_others = not alone and _names_something(words, said.profile)
    if beside_others or _has_subject(words, quote, exchange):
        return PlainStatement(resolved, named=True)
    turn, referent = next(_find_referents(quote, exchange), (said, ""))
    if not referent or referent in words:
        return PlainStatement(resolved, named=bool(referent))
    of_whom = PlainStatement(referent, named=True) if turn.owner else _with_names(referent, turn.profile)
    rests_on = None if turn is said else turn.message.number
    answer = answer_question(of_whom.text, resolved)
    orders = said.profile.finds_any(_ORDERS, quote.folded)
    named = of_whom.named and (answer is not None or orders or not offers_two(of_whom.text))
    return PlainStatement(answer or f"{of_whom.text} {resolved}", named=named, rests_on=rests_on)


def line_of_proposal(proposal: str, profile: Profile) -> PlainStatement:
    """A proposal of the assistant that the owner only accepted, as a line that stands alone."""
    words = without_lead(proposal.strip(_BULLETS), profile)
    lead = profile.first("proposing", fold(words))
    if lead and profile.content(words[lead.end() :]):
        words = words[lead.end() :].lstrip(_LOOSE).rstrip("?？")
    return _with_names(words, profile)


def _with_names(words: str, profile: Profile) -> PlainStatement:
    """The assistant's words with names for `I` and `you`; unchanged, and no sure line, where grammar does not tell."""
    resolved = named_in_proposal(words, profile.code)
    return PlainStatement(resolved or words, named=resolved is not None)


def without_tag(text: str) -> str:
    """The text without the end that makes a question of a request or an order: `remember that ..., ok?`.

    A question by its first word keeps its end: `must the door always be ok?`.
    """
    return text if _ASKS.match(text) else _TAG.sub("", text)


def without_lead(text: str, profile: Profile) -> str:
    """The text without the words that only lead to what it says: `and one more:`, `remember that`."""
    for _ in range(4):
        shorter = _drop_lead(text, profile)
        if shorter == text:
            break
        text = shorter
    return text


def _drop_lead(text: str, profile: Profile) -> str:
    folded = fold(text)
    colon, opening = _COLON.match(text), profile.first("opening", folded)
    if colon and _only_announces(folded[: colon.end()], folded[colon.end() :], profile):
        return text[colon.end() :]
    if opening and opening.start() == 0 and profile.content(text[opening.end() :]):
        return text[opening.end() :].lstrip(_LOOSE)
    return text


def _only_announces(lead: str, rest: str, profile: Profile) -> bool:
    """Whether the text before a colon only announces the text after it; `the garage:` names it."""
    if not profile.content(rest) or values(lead):
        return False
    if not _count_names(lead, profile):
        return True
    announces = profile.finds_any(("remember", "decide", "announcing"), lead)
    return announces and (_count_names(rest, profile) >= _NAMES or weight(rest) > _BARE)


def _has_subject(text: str, quote: Span, exchange: Exchange) -> bool:
    """Whether the words of a quote name their subject.

    A bare answer does not, unless it takes up a name of the question.
    """
    profile, before = exchange.said.profile, exchange.before
    if not _names_something(text, profile) or _only_points(quote, profile):
        return False
    names = _count_names(text, profile)
    if names and values(text) and not _points_elsewhere(text, profile):
        asked = before.questions[-1:] if before else ()
        takes_up = not profile.finds("accept", quote.folded) and bool(asked and terms(asked[0].text) & terms(text))
        return names >= _NAMES or not asked or takes_up
    if _points_elsewhere(text, profile):
        return names >= _POINTS and weight(text) > _BARE
    if not names:
        return False
    orders = profile.finds_any(("order", "standing", "decide", "remember"), quote.folded)
    return names >= _NAMES or orders or weight(text) > _BARE


def _names_something(text: str, profile: Profile) -> bool:
    """Whether the words name the matter of an order or an answer: `never` does not."""
    return weight(text) > _BARE or bool(profile.names(text, *_ORDERS))


def _only_points(quote: Span, profile: Profile) -> bool:
    """Whether the clause that orders names no act: `never do that again, you deleted my file`."""
    acts = (clause.folded for clause in clauses(quote) if _DOES_THAT.search(clause.folded))
    act = next(acts, None)
    return act is not None and not profile.names(_DOES_THAT.sub(" ", act), *_ORDERS)


def _points_elsewhere(text: str, profile: Profile) -> bool:
    return profile.finds("pointing", fold(text))


def _count_names(text: str, profile: Profile) -> int:
    """The number of words of a text that name something; of Chinese, half of its pairs of characters."""
    names = [term for term in profile.content(text) if not term[0].isdigit()]
    return (len(names) + 1) // 2 if profile.code is Language.CHINESE else len(names)


def _find_referents(quote: Span, exchange: Exchange) -> Iterator[Piece]:
    """Sentences that the words may point at: of the message, of the question it answers, or the owner before."""
    said, before = exchange.said, exchange.standing
    beside = _naming_sentences(said, [span for span in said.spans if span.end <= quote.start])
    if _points_elsewhere(quote.text, said.profile):
        yield from beside
    opener = next((turn for turn in reversed(exchange.earlier) if turn.owner), None)
    raised = [(opener, span.text) for span in reversed(opener.questions) if _is_short(span)] if opener else []
    asked = [(before, span.text) for span in reversed(before.questions) if _is_short(span)] if before else []
    # A question that shares a word with the answer only names what to choose from.
    yield from [*raised, *asked] if any(terms(text) & terms(quote.text) for _, text in asked) else [*asked, *raised]
    if before:
        yield from _naming_sentences(
            before, [span for span in before.spans if before.profile.finds("propose", span.folded)]
        )
    yield from beside
    for turn in filter(None, (opener, before)):
        yield from _naming_sentences(turn, list(turn.spans))


def _naming_sentences(turn: Turn, spans: list[Span]) -> list[Piece]:
    """The sentences that name a matter, those with the most names first."""
    counted = [(_count_names(span.text, turn.profile), span) for span in spans if _is_short(span)]
    counted.sort(key=lambda pair: -pair[0])
    telling = [span for names, span in counted if names >= _NAMES]
    return [(turn, without_lead(span.text.strip(_BULLETS), turn.profile)) for span in telling]


def _is_short(span: Span) -> bool:
    return MASK not in span.text and weight(span.text) <= _REFERENT
