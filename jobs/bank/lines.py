"""The lines of the bank's pages: a fact's own words, and behind them what it rests on."""

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from jobs.bank.known import KnownFacts
from jobs.wrapup.line_text import inline, link
from pipeline.facts.standing import StandingFact
from schemas.fact import Fact, FactKind, FactWord

_SAYERS = {FactWord.AGENT: "said by the agent", FactWord.UNVERIFIED: "unverified"}
_PLAIN = re.compile(r"[\w./-]+")


def reference(fact: Fact, up: str) -> str:
    """A link to the file of a fact, by its id; by its file where it has none."""
    if fact.id and _PLAIN.fullmatch(fact.path):  # nearly all of them, and there are thousands
        return f"[{fact.id}]({up}{fact.path})"
    return link(fact.id or fact.path.rpartition("/")[2].removesuffix(".md"), up + fact.path)


def world_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """What is so, since when."""
    return _listed(fact, [*_since(fact), *_doubt(fact, known), reference(fact, up)])


def experience_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """What the agent did, and when."""
    day = [] if fact.day == date.min else [str(fact.day)]
    return _listed(fact, [*day, *_doubt(fact, known), reference(fact, up)])


def opinion_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """A belief: how sure it is, who said it, since when, when that changed last, and what speaks for and against it."""
    sure, grounds = known.confidence(fact), known.grounds.get(fact.id)
    supporting, contradicting = (grounds.supporting, grounds.contradicting) if grounds else ((), ())
    changed = max((other.day for other in (*supporting, *contradicting)), default=fact.day)
    parts = [f"c {sure.hundredths / 100:.2f}, {sure.word}", _SAYERS.get(fact.word, "said by the owner"), *_since(fact)]
    if changed > fact.day:
        parts.append(f"last change {changed}")
    for word, others in (("for", supporting), ("against", contradicting)):
        if others:
            parts.append(f"{word} {', '.join(reference(other, up) for other in others)}")
    return _listed(fact, [*parts, reference(fact, up)])


def observation_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """What a person noticed in several facts."""
    return _listed(fact, [*_since(fact), *_doubt(fact, known), reference(fact, up)])


def history_line(one: StandingFact, up: str) -> str:
    """What held, from when until when, and what took its place."""
    by = [f"replaced by {reference(one.replaced_by, up)}"] if one.replaced_by else []
    return _listed(one.fact, [f"from {one.fact.day} until {one.until}", *by, reference(one.fact, up)])


LINES = {
    FactKind.WORLD: world_line,
    FactKind.EXPERIENCE: experience_line,
    FactKind.OPINION: opinion_line,
    FactKind.OBSERVATION: observation_line,
}
"""The line of a fact that holds, by its kind."""


@lru_cache(maxsize=1 << 14)  # a fact stands on several pages
def words_of(text: str) -> str:
    """The sentence of a fact, made safe."""
    return inline(text)


def _listed(fact: Fact, parts: Iterable[str]) -> str:
    return f"- {words_of(fact.text)} ({'; '.join(parts)})"


def _since(fact: Fact) -> list[str]:
    return [] if fact.day == date.min else [f"since {fact.day}"]


def _doubt(fact: Fact, known: KnownFacts) -> list[str]:
    """How sure what nobody vouches for is."""
    if fact.word is not FactWord.UNVERIFIED:
        return []
    return [f"unverified, c {known.confidence(fact).hundredths / 100:.2f}"]
