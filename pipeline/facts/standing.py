"""Which facts hold now, and which held until when."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from pipeline.facts.late import forward
from schemas.fact import Fact, FactKind


@dataclass(frozen=True)
class StandingFact:
    """A fact, and the one that took its place; `until` is the day on which that was said."""

    fact: Fact
    replaced_by: Fact | None = None

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
        return [one.fact for one in self.all if one.holds]

    def says_again(self, fact: Fact) -> bool:
        """Whether a belief says an earlier one again, which holds: it is that one, and counts in its sum."""
        if fact.kind is not FactKind.OPINION or not fact.word.trusted:
            return False
        earlier = (one for name in fact.supports if (one := self.by_id.get(name)) and one.holds)
        return any(one.fact.kind is FactKind.OPINION and one.fact.word.trusted for one in earlier)


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
            if old and fact.word.trusted and _order(old) < _order(fact):
                by.setdefault(name, fact)
    standing = tuple(StandingFact(fact, by.get(fact.id) if fact.id else None) for fact in said)
    return FactStandings(standing, {one.fact.id: one for one in standing if one.fact.id})


def _order(fact: Fact) -> tuple[date, str, int, str]:
    """By day; within a day by the place in its file, which grows as things are said."""
    return fact.day, fact.path, fact.line, fact.id
