"""A line that stands alone: what was settled, with its subject and without the words that only led to it.

`that's how we do it` means nothing to a later reader. What it points at is in the owner's sentence before it, or in the
question or the proposal that it answers. Every word is somebody's: only `I` and `you` become names of who is meant.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.options import answered, weighs
from jobs.extraction.persons import named_in_proposal, third_person
from jobs.extraction.profile import Profile
from pipeline.language.detection import Language
from pipeline.language.folding import fold
from pipeline.language.text import Span, terms, values, weight
from schemas.transcript import MASK

_BARE = 24  # in Latin letters; so short an answer has no content of its own
_REFERENT = 160  # in Latin letters; a longer sentence explains, it names no subject
_NAMES = 2  # words that name something, from which on a line has a subject of its own
_ORDERS = ("order", "standing", "universal", "refuse", "accept")
_POINTS = 3  # the same, where it points at something
_COLON = re.compile(r"^[^:：\n]{1,70}(?:[:：](?=\s)|：)\s*")
_BULLETS = " -*•\t"
TAG = re.compile(
    r"[\s,，]*(?:\b(?:ok(?:ay)?|please|pls|alright|dobrze|prosz[eę])|好吗|好不好|可以吗|行吗)\s*[?？]+$", re.IGNORECASE
)
"""What makes a question of a request by its end alone: `remember that ..., ok?`."""
_LOOSE = " \t,;:，：；、-–—"


Piece = tuple[Turn, str]
"""A sentence and the turn it stands in."""


@dataclass(frozen=True)
class PlainStatement:
    """The text of a line; `rests_on` is the message of another turn that its subject is from, if one is.

    `named` says whether it has a subject.
    """

    text: str
    named: bool
    rests_on: int | None = None


def line(quote: Span, exchange: Exchange, *, alone: bool = True) -> PlainStatement:
    """What the quote settles, as a line that stands alone; beside others (not `alone`), in its own words only."""
    said = exchange.said
    changes = any(said.profile.finds(function, quote.folded) for function in ("retract", "hesitate"))
    words = quote.text if changes else without_lead(quote.text, said.profile)
    words = words.lstrip("# ")
    if said.profile.finds("remember", quote.folded):
        words = TAG.sub("", words)
    if said.profile.finds("request", quote.folded):
        words = words.rstrip("?？")
    resolved = third_person(words, said.profile.code)
    beside_others = not alone and _says_more(words, said.profile)
    if beside_others or _has_subject(words, quote, exchange):
        return PlainStatement(resolved, named=True)
    turn, referent = next(_referents(quote, exchange), (said, ""))
    if not referent or referent in words:
        return PlainStatement(resolved, named=bool(referent))
    of_whom = PlainStatement(referent, named=True) if turn.owner else _in_names(referent, turn.profile)
    rests_on = None if turn is said else turn.message.number
    answer = answered(of_whom.text, resolved)
    orders = any(said.profile.finds(function, quote.folded) for function in _ORDERS)
    named = of_whom.named and (answer is not None or orders or not weighs(of_whom.text))
    return PlainStatement(answer or f"{of_whom.text} {resolved}", named=named, rests_on=rests_on)


def taken_up(proposal: str, profile: Profile) -> PlainStatement:
    """What the assistant proposed and the owner only accepted, as a line that stands alone."""
    words = without_lead(proposal.strip(_BULLETS), profile)
    lead = profile.first("proposing", fold(words))
    if lead and profile.content(words[lead.end() :]):
        words = words[lead.end() :].lstrip(_LOOSE).rstrip("?？")
    return _in_names(words, profile)


def _in_names(words: str, profile: Profile) -> PlainStatement:
    """The assistant's words with names for `I` and `you`; unchanged, and no sure line, where grammar does not tell."""
    resolved = named_in_proposal(words, profile.code)
    return PlainStatement(resolved or words, named=resolved is not None)


def without_lead(text: str, profile: Profile) -> str:
    """The text without the words that only lead to what it says: `and one more:`, `remember that`."""
    for _ in range(4):
        shorter = _shortened_once(text, profile)
        if shorter == text:
            break
        text = shorter
    return text


def _shortened_once(text: str, profile: Profile) -> str:
    folded = fold(text)
    colon, opening = _COLON.match(text), profile.first("opening", folded)
    if colon and _leads(folded[: colon.end()], folded[colon.end() :], profile):
        return text[colon.end() :]
    if opening and opening.start() == 0 and profile.content(text[opening.end() :]):
        return text[opening.end() :].lstrip(_LOOSE)
    return text


def _leads(lead: str, rest: str, profile: Profile) -> bool:
    """Whether what stands before a colon only announces what stands behind it; `the garage:` names it."""
    if not profile.content(rest) or values(lead):
        return False
    if not _names(lead, profile):
        return True
    announces = any(profile.finds(function, lead) for function in ("remember", "decide", "announcing"))
    return announces and (_names(rest, profile) >= _NAMES or weight(rest) > _BARE)


def _has_subject(text: str, quote: Span, exchange: Exchange) -> bool:
    """Whether the words of a quote name what they are about.

    A bare answer does not, unless it takes up a name of the question.
    """
    profile, before = exchange.said.profile, exchange.before
    if not _says_more(text, profile):
        return False
    names = _names(text, profile)
    if names and values(text) and not _points(text, profile):
        asked = before.questions[-1:] if before else ()
        takes_up = not profile.finds("accept", quote.folded) and bool(asked and terms(asked[0].text) & terms(text))
        return names >= _NAMES or not asked or takes_up
    if _points(text, profile):
        return names >= _POINTS and weight(text) > _BARE
    if not names:
        return False
    orders = any(profile.finds(function, quote.folded) for function in ("order", "standing", "decide", "remember"))
    return names >= _NAMES or orders or weight(text) > _BARE


def _says_more(text: str, profile: Profile) -> bool:
    """Whether the words say what an order or an answer is about: `never` does not."""
    return weight(text) > _BARE or bool(profile.names(text, *_ORDERS))


def _points(text: str, profile: Profile) -> bool:
    return profile.finds("pointing", fold(text))


def _names(text: str, profile: Profile) -> int:
    """How many words of a text name something; of Chinese, half of its pairs of characters."""
    names = [term for term in profile.content(text) if not term[0].isdigit()]
    return (len(names) + 1) // 2 if profile.code is Language.CHINESE else len(names)


def _referents(quote: Span, exchange: Exchange) -> Iterator[Piece]:
    """What the words may point at: in the same message, else what they answer, else what the owner said before."""
    said, before = exchange.said, exchange.standing
    beside = _telling(said, [span for span in said.spans if span.end <= quote.start])
    if _points(quote.text, said.profile):
        yield from beside
    opener = next((turn for turn in reversed(exchange.earlier) if turn.owner), None)
    raised = [(opener, span.text) for span in reversed(opener.questions) if _fits(span)] if opener else []
    asked = [(before, span.text) for span in reversed(before.questions) if _fits(span)] if before else []
    # A question that shares a word with the answer only names what to choose from.
    yield from [*raised, *asked] if any(terms(text) & terms(quote.text) for _, text in asked) else [*asked, *raised]
    if before:
        yield from _telling(before, [span for span in before.spans if before.profile.finds("propose", span.folded)])
    yield from beside
    for turn in filter(None, (opener, before)):
        yield from _telling(turn, list(turn.spans))


def _telling(turn: Turn, spans: list[Span]) -> list[Piece]:
    """The sentences that name a matter, the one with the most names first."""
    named = [(_names(span.text, turn.profile), span) for span in spans if _fits(span)]
    telling = sorted((one for one in named if one[0] >= _NAMES), key=lambda one: -one[0])
    return [(turn, without_lead(span.text.strip(_BULLETS), turn.profile)) for _, span in telling]


def _fits(span: Span) -> bool:
    return MASK not in span.text and weight(span.text) <= _REFERENT
