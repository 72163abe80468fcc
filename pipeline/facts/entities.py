"""The entities that facts name: which facts name which, under one name each."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from pipeline.facts.names import EntityNames, alike, page_of
from schemas.fact import Fact

_APART = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Entity:
    """A person, project, place or thing that facts name.

    `key` is the same for all of its names, `name` the one that is shown, `page` the words of which the name of its page
    is made. `facts` are in the order in which they were said. It is `known` when a person has named it, or a fact of
    ours does.
    """

    key: str
    name: str
    aliases: tuple[str, ...]
    facts: tuple[Fact, ...]
    known: bool

    @property
    def page(self) -> str:
        """The words of which the name of its page is made."""
        return page_of(self.name)

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day on which it was named; `None` when no fact has a day."""
        days = [fact.day for fact in self.facts if fact.day > date.min]
        return (min(days), max(days)) if days else None


def key_of(mention: str, names: EntityNames) -> str:
    """The key of the entity that a mention belongs to."""
    return _APART.sub("-", page_of(names.name_of(mention))).strip("-").casefold()


def keys_by(names: EntityNames) -> Callable[[str], str]:
    """`key_of` with these names, for many mentions: the key of each is made once."""
    return cache(lambda mention: key_of(mention, names))


def entities_of(facts: Iterable[Fact], names: EntityNames) -> dict[str, Entity]:
    """The entities by their keys, in the order of these: those of facts, and those that people have named."""
    key_for = keys_by(names)
    named = defaultdict[str, list[Fact]](list)
    mentions = defaultdict[str, list[tuple[bool, date, str]]](list)
    for fact in sorted(facts, key=lambda fact: (fact.day, fact.id, fact.text)):
        for mention in fact.entities:
            mentions[key_for(mention)].append((not fact.id, fact.day, mention))
        for key in dict.fromkeys(map(key_for, fact.entities)):
            named[key].append(fact)
    given = {key_of(name, names): names.name_of(name) for name in names.written.values()}
    aliases = defaultdict[str, list[str]](list)
    for alias in names.aliases:
        aliases[key_of(alias, names)].append(alias)
    return {
        key: Entity(
            key=key,
            name=given.get(key) or min(mentions[key])[2],
            aliases=tuple(sorted(aliases[key])),
            facts=tuple(named[key]),
            known=key in given or any(fact.id for fact in named[key]),
        )
        for key in sorted({*named, *given})
    }


def likely_pairs(entities: Iterable[Entity]) -> list[tuple[Entity, Entity]]:
    """The pairs of entities whose names are alike; the one that was named first comes first."""
    ordered = sorted(entities, key=lambda entity: (entity.days is None, entity.days, entity.name))
    by_name = {name: entity for entity in ordered for name in (entity.name, *entity.aliases)}
    pairs = ((by_name[one], by_name[other]) for one, other in alike(list(by_name)))
    return [(one, other) for one, other in dict.fromkeys(pairs) if one.key != other.key]
