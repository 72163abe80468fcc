"""Which facts hold now, and which held until when."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from schemas.fact import UNVERIFIED_CONFIDENCE, Fact, FactKind, FactWord


def forward(facts: Iterable[Fact]) -> list[Fact]:
    """The facts with all relations in the later one, as if each had been written down on its day."""
    known = list(facts)
    later_says: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for fact in known:
        said = {"supports": fact.supported_by, "contradicts": fact.contradicted_by, "replaces": fact.replaced_by}
        for relation, later_ids in said.items():
            for later in later_ids:
                later_says[later][relation].append(fact.id)
    for at, fact in enumerate(known):
        if relations := later_says.get(fact.id):
            merged = {name: tuple(dict.fromkeys([*getattr(fact, name), *ids])) for name, ids in relations.items()}
            known[at] = fact.model_copy(update=merged)
    return known


@dataclass(frozen=True)
class StandingFact:
    """A fact, and the one that took its place; `until` is the day on which that was said."""

    fact: Fact
    replaced_by: Fact | None

    @property
    def holds(self) -> bool:
        """Whether nothing replaced it."""
        return self.replaced_by is None

    @property
    def until(self) -> date | None:
        """The day from which it holds no more."""
        return self.replaced_by.day if self.replaced_by else None


@dataclass(frozen=True)
class FactStandings:
    """All facts in the order in which they were said."""

    all: tuple[StandingFact, ...]
    by_id: dict[str, StandingFact] = field(default_factory=dict)

    @property
    def holding(self) -> list[Fact]:
        """The facts that hold."""
        return [standing.fact for standing in self.all if standing.holds]

    def says_again(self, fact: Fact) -> bool:
        """Whether a belief says an earlier one again, which holds: it is that one, and counts in its sum."""
        if fact.kind is not FactKind.OPINION or not fact.word.is_trusted:
            return False
        earlier = (one for name in fact.supports if (one := self.by_id.get(name)) and one.holds)
        return any(standing.fact.kind is FactKind.OPINION and standing.fact.word.is_trusted for standing in earlier)


def stand(facts: Iterable[Fact], as_of: date | None = None) -> FactStandings:
    """The standing of facts; with `as_of` that of this day, of what had been said by then.

    What was said earlier never replaces what was said later, whenever it was written down. Of several that replace a
    fact the first one counts.
    """
    said = sorted((fact for fact in forward(facts) if as_of is None or fact.day <= as_of), key=_order)
    known = {fact.id: fact for fact in said if fact.id}
    by = dict[str, Fact]()
    for fact in said:
        for name in fact.replaces:
            old = known.get(name)
            if old and fact.word.is_trusted and _order(old) < _order(fact):
                by.setdefault(name, fact)
    standing = tuple(StandingFact(fact, by.get(fact.id) if fact.id else None) for fact in said)
    return FactStandings(standing, {one.fact.id: one for one in standing if one.fact.id})


def _order(fact: Fact) -> tuple[date, str, int, str]:
    """The sort key of a fact: its day, then its place in the file, which grows as things are said."""
    return fact.day, fact.path, fact.line, fact.id


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
