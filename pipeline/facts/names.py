"""The names of entities: which one a mention belongs to, and which may be the same."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from unicodedata import normalize

from pipeline.language.folding import flat
from pipeline.language.stems import of as stem_of
from pipeline.markdown.front_matter import front_lines, yaml_fields
from schemas.fact import Fact

_DIGITS = 8
_PLAIN = re.compile(r"[^\W_]|[-_ ]")
_INSIDE = re.compile(r"(?<=[^\W_])[.'’](?=[^\W_])")  # noqa: RUF001
PAGES = "bank/entities/*.md"
"""The pages of entities, as a pattern; their front matter is people's."""


@dataclass(frozen=True)
class EntityNames:
    """The entities by their names. `aliases` has the name of an entity by each of its others; both in one form."""

    aliases: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, mention: str) -> str:
        """The name of the entity that a mention belongs to; the mention itself when nobody gave it another."""
        key = same_name(mention)
        seen = {key}
        while key in self.aliases and self.aliases[key] not in seen:
            key = self.aliases[key]
            seen.add(key)
        return self.written.get(key, mention if key == same_name(mention) else key)

    def of(self, mentions: Iterable[str]) -> tuple[str, ...]:
        """The names of the entities of some mentions, each once."""
        return tuple(dict.fromkeys(map(self.name_of, mentions)))


@dataclass(frozen=True)
class PageNames:
    """The entity of a page in its front matter; without a `name`, which is then not `stated`, its file's."""

    path: str
    name: str
    aliases: tuple[str, ...]
    kind: str
    stated: bool


def same_name(name: str) -> str:
    """A name without its case and its kind of width and of hyphens; accents stay: Kasia is not Kąsia."""
    return normalize("NFKC", name.removeprefix("@")).casefold().replace("_", "-").replace(" ", "-")


def page_of(name: str) -> str:
    """The words of which the name of an entity's page is made; `page_name` makes the file's name of them.

    With a hash where it would lose marks by which names differ: C++ is not C#.
    """
    plain = normalize("NFKC", name.removeprefix("@")).strip()
    if all(_PLAIN.fullmatch(mark) for mark in _INSIDE.sub("-", plain)):
        return plain
    return f"{plain}-{hashlib.sha256(same_name(name).encode(errors='surrogatepass')).hexdigest()[:_DIGITS]}"


def names_in(pages: Iterable[tuple[str, str]]) -> EntityNames:
    """The names that people gave in the front matter of pages, each a path with a text: `name` and `aliases`.

    An alias that two pages claim belongs to neither. A page without a `name` is called as its file is, unless that is
    an alias on another page.
    """
    every = [names_of(path, text) for path, text in pages]
    taken = {same_name(alias) for page in every for alias in page.aliases}
    written, owners = dict[str, str](), defaultdict[str, set[str]](set)
    for page in every:
        owner = same_name(page.name)
        own = [page.name] if page.stated or owner not in taken else []
        for claimed in (*own, *page.aliases):
            written[owner] = page.name
            owners[same_name(claimed)].add(owner)
    sure = {alias: next(iter(claimants)) for alias, claimants in owners.items() if len(claimants) == 1}
    return EntityNames({alias: owner for alias, owner in sure.items() if alias != owner}, written)


def names_of(path: str, text: str) -> PageNames:
    """The names that a page gives."""
    fields = yaml_fields("\n".join(front_lines(text.splitlines()))) or {}
    aliases = fields.get("aliases") or []
    listed = aliases if isinstance(aliases, list) else [aliases]
    return PageNames(
        path=path,
        name=str(fields.get("name") or "") or path.rpartition("/")[2].removesuffix(".md"),
        aliases=tuple(str(alias) for alias in listed if str(alias).strip()),
        kind=str(fields.get("kind") or ""),
        stated=bool(fields.get("name")),
    )


def find_similar_names(names: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of names that may be one entity's: alike without accents, or in their stems. The first was there before."""
    pairs, first = list[tuple[str, str]](), dict[str, str]()
    for name in names:
        plain = flat(same_name(name))
        for key in dict.fromkeys([plain, "-".join(map(stem_of, plain.split("-")))]):
            other = first.setdefault(key, name)
            if same_name(other) != same_name(name) and (other, name) not in pairs:
                pairs.append((other, name))
    return pairs


def front_of(name: str, aliases: Sequence[str]) -> str:
    """The front matter that gives an entity its names, as people have it: no mark of ours."""
    fields = {"name": name, "aliases": list(aliases)}
    lines = (f"{field}: {json.dumps(value, ensure_ascii=False)}" for field, value in fields.items())
    return "\n".join(["---", *lines, "---", ""])


@dataclass(frozen=True)
class MentionFinder:
    """Looks for names in texts. `names` are in the form of `same_name`."""

    names: frozenset[str] = frozenset()

    def named_in(self, text: str) -> list[str]:
        """The names that stand in the text, in order."""
        if not self.names:
            return []
        words = _words(text)
        named = set[str]()
        for at, word in enumerate(words):
            for name, parts in self._by_first.get(word, ()):
                if words[at : at + len(parts)] == parts:
                    named.add(name)
        return sorted(named)

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[str, Sequence[str]]]]:
        """The names with their words, by the first of these."""
        by_first = defaultdict[str, list[tuple[str, Sequence[str]]]](list)
        for name in self.names:
            if parts := _words(name):
                by_first[parts[0]].append((name, parts))
        return dict(by_first)


def mentions(text: str, name: str) -> bool:
    """Whether a text names an entity, in whatever form of the word; accents do not count."""
    words, parts = [[stem_of(flat(word)) for word in _words(part)] for part in (text, name.replace("-", " "))]
    return any(words[at : at + len(parts)] == parts for at in range(len(words) - len(parts) + 1)) if parts else False


def all_names(names: EntityNames) -> frozenset[str]:
    """Every name and alias of the known entities, in the form of `same_name`."""
    return frozenset({*names.written, *names.aliases} - {""})


def forms_of(names: EntityNames, mention: str) -> Collection[str]:
    """All names of the entity that a mention belongs to, itself included, in the form of `same_name`."""
    owner = same_name(names.name_of(mention))
    aliases = (alias for alias in names.aliases if same_name(names.name_of(alias)) == owner)
    return sorted({owner, same_name(mention), *aliases} - {""})


def _words(text: str) -> list[str]:
    from pipeline.entries.mentions import tokens  # noqa: PLC0415 - a search without names needs none of its expressions

    return tokens(normalize("NFKC", text))


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
    pairs = ((by_name[one], by_name[other]) for one, other in find_similar_names(list(by_name)))
    return [(one, other) for one, other in dict.fromkeys(pairs) if one.key != other.key]
