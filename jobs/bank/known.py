"""The knowledge of a run of the bank: the facts with their standing, their confidence, and their entities."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.facts.names import PAGES, Entity, EntityNames, entities_of, keys_by, names_in
from pipeline.facts.sections import parse_fact
from pipeline.facts.standing import Confidence, FactStandings, confidence, confidences, is_evidence, stand
from pipeline.job import Document, Run
from schemas.fact import Fact, FactKind

_DIGITS = 8
_MARK = 6  # digits of a section, at the end of the name of an item
_ENTITIES = PAGES.removesuffix("*.md")


@dataclass(frozen=True)
class Grounds:
    """The facts that speak for a fact and against it, in the order in which they were said."""

    supporting: tuple[Fact, ...]
    contradicting: tuple[Fact, ...]


@dataclass(frozen=True)
class KnownFacts:
    """All facts of a run.

    `removed` are the names of the page items that people took out, without paths and sections. `key_for` gives the key
    of the entity that a mention belongs to.
    """

    standings: FactStandings
    sure: Mapping[str, Confidence]
    grounds: Mapping[str, Grounds]
    names: EntityNames
    entities: Mapping[str, Entity]
    removed: frozenset[str]
    key_for: Callable[[str], str]

    def holding(self, kind: FactKind) -> list[Fact]:
        """The facts of a kind that hold, by day, each once however often it was said."""
        holding = (fact for fact in self.standings.holding if fact.kind is kind)
        return sort_facts(fact for fact in holding if not self.standings.says_again(fact))

    def confidence(self, fact: Fact) -> Confidence:
        """The confidence of a fact."""
        return self.sure[fact.id] if fact.id else confidence(fact)

    def keys(self, fact: Fact) -> tuple[str, ...]:
        """The keys of the entities that it names."""
        return tuple(dict.fromkeys(map(self.key_for, fact.entities)))


def read_known(run: Run) -> KnownFacts:
    """The facts of a run and their standing, whatever the day."""
    names = names_in(
        (page.path, page.text) for page in run.inputs.by_people if page.path.startswith(_ENTITIES) and page.text.strip()
    )
    facts = _once([*run.inputs.facts, *(fact for page in run.inputs.by_people for fact in _observations(page))])
    standings = stand(facts)
    return KnownFacts(
        standings=standings,
        sure=confidences(facts),
        grounds=_grounds([standing.fact for standing in standings.all]),
        names=names,
        entities=entities_of(facts, names),
        removed=frozenset(name.rpartition("#")[2][:-_MARK] for name in run.refusals.removed),
        key_for=keys_by(names),
    )


def order(fact: Fact) -> tuple[date, str, str]:
    """The place of a fact on a page: it does not rest on when the fact arrived, nor on anything that changes."""
    return fact.day, fact.id, fact.text


def sort_facts(facts: Iterable[Fact]) -> list[Fact]:
    """The facts in their order on a page."""
    return sorted(facts, key=order)


def name_of(fact: Fact) -> str:
    """The name of a fact: its id, or one that is made of its words and its day where nobody gave it one."""
    if fact.id:
        return fact.id
    return f"u-{digest(json.dumps([fact.kind, fact.entities, fact.text, str(fact.day)]))[:_DIGITS]}"


def digest(text: str) -> str:
    """SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def _once(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, each once; those of other hands only where they are none of ours in other marks."""
    ours = {(fact.kind, fact.text.casefold()) for fact in facts if fact.id}
    other = [fact for fact in facts if fact.id or (fact.kind, fact.text.casefold()) not in ours]
    by_place = sorted(other, key=lambda fact: (fact.path, fact.line))
    return list({name_of(fact): fact for fact in reversed(by_place)}.values())  # of equal ones the first stays


def _observations(page: Document) -> list[Fact]:
    """The observations that a person wrote into a page of the bank."""
    lines = enumerate(page.text.splitlines(), 1)
    facts = ((number, parse_fact(line, date.min)) for number, line in lines if line.lstrip().startswith(("- S", "* S")))
    return [
        fact.model_copy(update={"path": page.path, "line": number})
        for number, fact in facts
        if fact and fact.kind is FactKind.OBSERVATION
    ]


def _grounds(facts: Sequence[Fact]) -> dict[str, Grounds]:
    known = {fact.id: fact for fact in facts if fact.id}
    supporting, contradicting = defaultdict[str, list[Fact]](list), defaultdict[str, list[Fact]](list)
    for fact in sort_facts(known.values()):
        for names, kept in ((fact.supports, supporting), (fact.contradicts, contradicting)):
            for name in names:
                if name in known and is_evidence(fact, known[name]):
                    kept[name].append(fact)
    return {name: Grounds(tuple(supporting[name]), tuple(contradicting[name])) for name in known}
