"""Reading a session without a model: what the owner says that lasts, and what the assistant says that it repaired."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jobs.extraction import extract
from jobs.extraction.exchanges import Exchange, Turn, exchanges, turns_of
from jobs.extraction.persons import NAMES_FOR_PERSONS, third_person
from jobs.extraction.profile import profile_of
from jobs.extraction.retraction import Settled, find_withdrawn
from jobs.facts.mentions import hyphenate, mentions
from jobs.facts.plain import is_broken, is_for_listener, is_no_rule, plain_statements
from jobs.facts.reading import OWNER, WORDS, SaidThing, find_sayings, given_name
from jobs.resolution.drafting import OFFLINE_LINE
from jobs.voice.forgetting import without_reminder
from pipeline.agents.journal import one_line
from pipeline.language.detection import Language
from pipeline.language.folding import flat, fold
from pipeline.language.text import Span, sentences, terms, weight
from schemas.entry import Kind
from schemas.extraction import Candidate, Conversation
from schemas.fact import LONGEST, MOST, FactCandidate, FactExtraction, FactKind
from schemas.transcript import MASK, Message, Session
from schemas.window import Window

_SURE, _DEED_SURE = 0.9, 0.8
_TYPED = 1200  # in Latin letters: who says something about themselves says it in a short message
_DEEDS = 2  # of the assistant, of one session
_TELLING = 3  # terms of what was repaired
_LAUGHS = re.compile(
    r"\b(?:lol|haha+\w*|hehe+|xd+|jk|just kidding|zart\w*|rotfl)\b"
    "|哈哈|开玩笑|[\U0001f600-\U0001f64f\U0001f923]"
)
_I = re.compile(r"\W*(?:i|i'm|i've|i am)\b|\W*我(?!们)")
_CHOOSES = frozenset({"likes", "prefers"})
"""Attributes that in an answer to a question tell about the matter, and not about the owner."""
_LASTS = ("universal", "order", "standing")
"""Words of a rule that holds beyond its matter, one of which it has to have."""
_RULE_NAMES = 3
"""Words that name something, of which a rule has so many at least; of Chinese, half of its pairs of characters."""
_OF_THE_DAY = re.compile(r"\b(?:today|tonight|tomorrow|dzis|dzisiaj|jutro)\b|今天|今晚|明天")
_SAID_BY_QUOTE = 0.5
"""The share of what is to be remembered that has to stand in the quote: else it only points at it."""


_LAST = 9
"""The rank of what only a person can tell to be worth keeping."""


@dataclass(frozen=True)
class _Ranked:
    """A candidate with its rank: the lower the more it deserves one of the few places of a session."""

    rank: int
    fact: FactCandidate


def read_facts(session: Session, window: Window) -> FactExtraction:
    """The facts of a window; the same answer for the same session and window."""
    said = [message for message in session.conversation if message.time < window.end]
    new = {message.number for message in said if message.time in window}
    if not new or session.routine:
        return FactExtraction()
    sayings = list(_find_sayings(said, new))
    settled = _settled_candidates(session.session_id, said, new)
    understood: list[FactCandidate | Candidate] = [*sayings, *(candidate for candidate, _ in settled)]
    plain = [
        statement
        for statement in plain_statements(session, exchanges(said), new)
        if not any(_meet(statement, other) for other in understood)
    ]
    ranked = [*_merge_facts(sayings, settled), *_find_deeds(said, new), *(_Ranked(_LAST, fact) for fact in plain)]
    best = sorted(ranked, key=lambda ranked_fact: (ranked_fact.rank, ranked_fact.fact.quote_number))[:MOST]
    facts = sorted((ranked_fact.fact for ranked_fact in best), key=lambda fact: fact.quote_number)
    return FactExtraction(facts=tuple(facts))


def _find_sayings(said: Sequence[Message], new: Iterable[int]) -> Iterator[FactCandidate]:
    """The sayings of the owner about themselves and named things, without those taken back."""
    around = exchanges(said)
    things = [(exchange, span, thing) for exchange in around for span, thing in _in_message(exchange, new)]
    settled = [_as_settled(*thing) for thing in things]
    gone = find_withdrawn(settled, around)
    for (exchange, span, thing), one in zip(things, settled, strict=True):
        if one not in gone:
            quote = _words(thing, span)
            of_owner = thing.who == OWNER or thing.who[0].islower() or thing.who.startswith("我")
            own = (OWNER if of_owner else hyphenate(thing.who), *given_name(thing))
            text = one_line(third_person(quote, exchange.said.profile.code))
            yield FactCandidate(
                kind=thing.saying.kind,
                entities=tuple(dict.fromkeys([*own, *mentions(quote)])),
                text=f"{text[:1].upper()}{text[1:]}"[:LONGEST],
                quote=quote,
                quote_number=exchange.said.message.number,
                asked=exchange.said.profile.finds("remember", span.folded[: thing.span[0]]),
                confidence=_SURE,
            )


def _in_message(exchange: Exchange, new: Iterable[int]) -> Iterator[tuple[Span, SaidThing]]:
    said = exchange.said
    if said.message.number not in new or said.foreign or weight(said.text) > _TYPED or _LAUGHS.search(fold(said.text)):
        return
    answers = exchange.before is not None and exchange.before.asks
    for span in said.spans:
        if MASK in span.text:
            continue
        for thing in find_sayings(span.text, said.profile.code):
            if not (answers and thing.saying.attribute in _CHOOSES) and not is_broken(_words(thing, span)):
                yield span, thing


def _as_settled(exchange: Exchange, span: Span, thing: SaidThing) -> Settled:
    text = _words(thing, span)
    candidate = Candidate(
        kind=Kind.REMEMBER,
        title=text[:80],
        quote=text,
        quote_number=exchange.said.message.number,
        conclusion=text,
        confidence=_SURE,
    )
    return Settled(exchange, (span,), candidate)


def _words(thing: SaidThing, span: Span) -> str:
    return span.text[slice(*thing.span)]


def _settled_candidates(
    session_id: str, said: Sequence[Message], new: Iterable[int]
) -> list[tuple[Candidate, Message]]:
    """The things that the owner settled or asks to remember, in words of their own that stand alone."""
    whole = Conversation(session_id=session_id, first_new=min(new), messages=tuple(said))
    messages = {message.number: message for message in said}
    settled = list[tuple[Candidate, Message]]()
    for candidate in extract(whole).candidates:
        # What was decided is an entry, and means little alone.
        sure = candidate.kind in {Kind.REMEMBER, Kind.RULE} and candidate.confidence >= OFFLINE_LINE
        if candidate.quote_number in new and sure:
            message = messages[candidate.quote_number]
            # An acceptance is in the words of another message, and so may a line be.
            own = candidate.confirmation == "stated" and terms(candidate.conclusion) - NAMES_FOR_PERSONS <= terms(
                message.text
            )
            if own and _stands_alone(candidate):
                settled.append((candidate, message))
    return settled


def _stands_alone(candidate: Candidate) -> bool:
    """Whether the quote names what it is about; a rule also has to say that it holds in all cases."""
    named, quoted = terms(candidate.conclusion), terms(candidate.quote)
    if len(named & quoted) < _SAID_BY_QUOTE * len(named):
        return False
    if candidate.kind is Kind.REMEMBER:
        text = _without_wish(without_reminder(candidate.conclusion))
        return bool(named and text) and not is_broken(text) and not is_for_listener(candidate.quote, text)
    if is_broken(candidate.conclusion) or is_no_rule(candidate.quote, candidate.conclusion):
        return False
    profile, folded = profile_of(candidate.quote), fold(candidate.quote)
    if _OF_THE_DAY.search(folded) or not profile.finds_any(_LASTS, folded):
        return False
    named = frozenset(term for term in profile.content(candidate.quote) if not term[0].isdigit())
    names = len(named) / (2 if profile.code is Language.CHINESE else 1)
    return names >= _RULE_NAMES and not profile.finds_any(("pointing", "momentary"), folded)


def _merge_facts(sayings: Sequence[FactCandidate], settled: Sequence[tuple[Candidate, Message]]) -> Iterator[_Ranked]:
    """The sayings, and things settled elsewhere: of both in one place the saying, asked for where the other is."""
    asked = [candidate for candidate, _ in settled if candidate.kind is Kind.REMEMBER]
    for fact in sayings:
        wanted = fact.asked or any(_meet(fact, candidate) for candidate in asked)
        yield _Ranked(0 if wanted else 1, fact.model_copy(update={"asked": wanted}))
    for candidate, message in settled:
        if not any(_meet(fact, candidate) for fact in sayings):
            text = one_line(_without_wish(without_reminder(candidate.conclusion)))
            opinion = candidate.kind is Kind.RULE
            own = (OWNER,) if opinion or _I.match(fold(candidate.quote)) else ()
            yield _Ranked(
                0 if candidate.kind is Kind.REMEMBER else 2,
                FactCandidate(
                    kind=FactKind.OPINION if opinion else FactKind.WORLD,
                    entities=tuple(dict.fromkeys([*own, *mentions(candidate.quote)])),
                    text=f"{text[:1].upper()}{text[1:]}"[:LONGEST],
                    quote=candidate.quote,
                    quote_number=message.number,
                    asked=candidate.kind is Kind.REMEMBER,
                    confidence=candidate.confidence,
                ),
            )


def _meet(fact: FactCandidate, other: FactCandidate | Candidate) -> bool:
    """Whether both quote the same words of one message, or one of them a part of these."""
    return fact.quote_number == other.quote_number and (fact.quote in other.quote or other.quote in fact.quote)


def _without_wish(text: str) -> str:
    """A text without the words by which the owner asks to keep it; empty when it has no others."""
    profile = profile_of(text)
    kept = [
        span
        for span in sentences(text)
        if not (profile.finds("pointing", span.folded) and profile.finds_any(("remember", "request"), span.folded))
    ]
    rest = text[kept[0].start : kept[-1].end] if kept else ""
    leads = (words.lead.match(fold(rest)) for words in WORDS.values())
    end = max((lead.end() for lead in leads if lead), default=0)
    return rest[end:] if any(map(str.isalnum, rest[end:])) else rest


def _find_deeds(said: Sequence[Message], new: Iterable[int]) -> list[_Ranked]:
    """The repairs that the assistant reports right after it was at work."""
    turns, deeds = turns_of(said), list[_Ranked]()
    for place, turn in enumerate(turns):
        before = turns[place - 1].message.number if place else turn.message.number
        worked = turn.message.number > before + 1
        if turn.owner or turn.message.number not in new or not worked:
            continue
        deeds += [_Ranked(3, fact) for span in turn.spans if (fact := _read_deed(span, turn))][:1]
    return deeds[-_DEEDS:]


def _read_deed(span: Span, turn: Turn) -> FactCandidate | None:
    words, profile, folded = WORDS[turn.profile.code], turn.profile, span.folded
    if span.asks or MASK in span.text or profile.finds_any(("hedge", "offer", "condition"), folded):
        return None
    match = next(filter(None, (pattern.fullmatch(folded) for pattern in words.done)), None)
    if match is None or len(terms(match["value"])) < _TELLING or profile.finds("pointing", match["value"].split()[0]):
        return None
    text = one_line(span.text).rstrip(" .。!")
    return FactCandidate(
        kind=FactKind.EXPERIENCE,
        entities=mentions(span.text),
        text=text[:LONGEST],
        quote=span.text,
        quote_number=turn.message.number,
        confidence=_DEED_SURE,
    )


def is_same_text(one: str, other: str) -> bool:
    """Whether one text says no more than another one, as far as their terms tell."""
    ours, theirs = terms(one), terms(other)
    return flat(one) == flat(other) or (bool(ours) and (ours <= theirs or theirs <= ours))
