"""How sure a fact is: a sum over the relations that other facts state, in hundredths.

The same evidence gives the same number, in whatever order it came.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pipeline.facts.late import forward
from schemas.fact import UNVERIFIED_CONFIDENCE, Fact, FactKind, FactWord

_START = {FactWord.ASKED: 80, FactWord.ACCEPTED: 80, FactWord.OWNER: 70, FactWord.AGENT: 50, FactWord.UNVERIFIED: 50}
_FOR, _AGAINST = 5, 10
_LEAST, _MOST = 5, 95
_STEP = 5
CONTESTED, TENTATIVE, LIKELY, FIRM = "contested", "tentative", "likely", "firm"
FIRM_FROM, _LIKELY_FROM = 80, 65
"""From these hundredths on the words are used."""


@dataclass(frozen=True)
class Confidence:
    """The confidence of a fact in hundredths, and the sum that it is: the start, and the days for and against."""

    start: int
    days_for: tuple[date, ...] = ()
    days_against: tuple[date, ...] = ()
    most: int = _MOST

    @property
    def hundredths(self) -> int:
        """From 5 to 95, in steps of 5."""
        total = self.start + _FOR * len(self.days_for) - _AGAINST * len(self.days_against)
        return max(_LEAST, min(self.most, total)) // _STEP * _STEP

    @property
    def word(self) -> str:
        """The number in a word; what as many days contradict as support is contested, whatever the number."""
        if self.days_against and len(self.days_against) >= len(self.days_for):
            return CONTESTED
        if self.hundredths >= FIRM_FROM:
            return FIRM
        return LIKELY if self.hundredths >= _LIKELY_FROM else TENTATIVE

    @property
    def sum(self) -> str:
        """The sum in words."""
        evidence = ((f"+ {_FOR}", self.days_for), (f"- {_AGAINST}", self.days_against))
        parts = [f"{step} x {len(days)} ({', '.join(map(str, days))})" for step, days in evidence if days]
        return f"{' '.join([f'{self.start} at the start', *parts])} = {self.hundredths}"


def confidences(facts: Iterable[Fact]) -> dict[str, Confidence]:
    """The confidence of each fact that has an id.

    A day counts once, and not the day on which the fact itself was said. What nobody vouches for, and what the agent
    says of itself, is no evidence for another kind of fact.
    """
    known = {fact.id: fact for fact in forward(facts) if fact.id}
    days: dict[tuple[str, str], set[date]] = defaultdict(set)
    for fact in known.values():
        for name in (*fact.supports, *fact.contradicts):
            if name in known and is_evidence(fact, known[name]):
                days[name, "for" if name in fact.supports else "against"].add(fact.day)
    return {
        name: confidence(
            fact,
            days[name, "for"] - {fact.day},
            days[name, "against"],
        )
        for name, fact in known.items()
    }


def confidence(fact: Fact, days_for: Iterable[date] = (), days_against: Iterable[date] = ()) -> Confidence:
    """The confidence of one fact with these days of evidence."""
    if fact.word is FactWord.UNVERIFIED:
        start = min(UNVERIFIED_CONFIDENCE, fact.stated if fact.stated is not None else UNVERIFIED_CONFIDENCE)
        return Confidence(start, most=UNVERIFIED_CONFIDENCE)
    # What a person vouches for is as sure as the line says.
    start = fact.stated if fact.word is FactWord.ACCEPTED and fact.stated is not None else _START[fact.word]
    return Confidence(start, tuple(sorted(days_for)), tuple(sorted(days_against)))


def is_evidence(fact: Fact, other: Fact) -> bool:
    """Whether a fact may speak for or against another one."""
    if fact.word is FactWord.UNVERIFIED:
        return False
    return fact.kind is not FactKind.EXPERIENCE or other.kind is FactKind.EXPERIENCE
