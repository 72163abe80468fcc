"""The subjects that entries and facts come back to, as far as they are surely projects, things or topics."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from jobs.article.evidence import is_of_person, is_of_thing
from jobs.article.naming import is_long, names_in
from jobs.article.noted import ArticleEntry, NotedEntries, is_said_in
from jobs.articles import DAYS
from jobs.bank.known import KnownFacts
from jobs.facts.saying import OWNER
from pipeline.facts.mentions import MentionFinder, all_names
from pipeline.facts.names import PAGES, names_of, same_name
from pipeline.facts.standing import StandingFact
from pipeline.job import Document
from schemas.fact import FactWord

LEAST = 4
"""The fewest entries and facts that name a subject."""
_SIGNS, _SHARE = 2, 4  # so many of them, and one of so many, have to say that it is a thing
_THINGS = frozenset({"project", "thing", "topic"})
"""The kinds of entities, as people state them, that have an article."""


@dataclass(frozen=True)
class Subject:
    """A subject. `entries` and `facts` name it; `key` is the same for all of its names, `name` the one to show."""

    key: str
    name: str
    entries: tuple[ArticleEntry, ...]
    facts: tuple[StandingFact, ...]

    @cached_property
    def items(self) -> frozenset[str]:
        """The ids of what names it."""
        return frozenset([*(one.entry.id for one in self.entries), *(one.fact.id for one in self.facts)])

    @property
    def days(self) -> list[date]:
        """The days on which it was named, in order."""
        return sorted({*(one.day for one in self.entries), *(one.fact.day for one in self.facts)})

    @property
    def comes_back(self) -> bool:
        """Whether it was named often enough, and something of it holds."""
        holds = any(one.holds for one in self.entries)
        return holds and len(self.items) >= LEAST and len(self.days) >= DAYS


@dataclass
class _Texts:
    """What names one thing: the texts, the names as they were written, and those that no person has."""

    entries: dict[str, ArticleEntry] = field(default_factory=dict)
    facts: dict[str, StandingFact] = field(default_factory=dict)
    named: dict[str, tuple[str, set[str]]] = field(default_factory=dict)
    written: Counter[str] = field(default_factory=Counter)
    shaped: set[str] = field(default_factory=set)

    def add(self, name: str, text: str, forms: Iterable[str]) -> None:
        """Note that an item of this name has these forms of the thing's name in its text."""
        self.named.setdefault(name, (text, set()))[1].update(forms)

    @property
    def is_thing(self) -> bool:
        """Whether enough of the texts say so, and none says that it is a person."""
        if any(is_of_person(text, form) for text, forms in self.named.values() for form in forms):
            return False
        said = {name for name, (text, forms) in self.named.items() if any(is_of_thing(text, form) for form in forms)}
        return len(said | self.shaped) >= max(_SIGNS, len(self.named) / _SHARE)


def subjects(known: KnownFacts, noted: NotedEntries, pages: Sequence[Document]) -> list[Subject]:
    """The subjects that have an article, by key. `pages` are those of entities, as people wrote them."""
    kinds, by_key = _kinds(known, pages), _by_key(known, noted)
    coming = (_subject(known, key, texts) for key, texts in sorted(by_key.items()) if key != known.key_for(OWNER))
    sure = [one for one in coming if one.comes_back and _is_thing(one, by_key[one.key], kinds)]
    return sorted(_apart(sure), key=lambda subject: subject.key)


def _is_thing(subject: Subject, texts: _Texts, kinds: Mapping[str, str]) -> bool:
    """By what a person said of its kind, else by its texts."""
    return kinds[subject.key] in _THINGS if subject.key in kinds else texts.is_thing


def _by_key(known: KnownFacts, noted: NotedEntries) -> dict[str, _Texts]:
    """What names each thing, by key."""
    by_key = defaultdict[str, _Texts](_Texts)
    forms = set(all_names(known.names))
    for one in noted.all:
        for name in names_in(one.text):
            texts = by_key[known.key_for(name.text)]
            texts.written[name.text] += 1
            texts.shaped.update([one.entry.id] if name.shaped else [])
            forms.add(same_name(name.text))
    ours = [one for one in known.standings.all if one.fact.id and one.fact.word is not FactWord.UNVERIFIED]
    forms |= {same_name(mention) for one in ours for mention in one.fact.entities}
    finder = MentionFinder(frozenset(filter(is_long, forms)))
    for one in noted.all:
        for key, said in _named(known, finder.named_in(one.text)):
            by_key[key].entries[one.entry.id] = one
            by_key[key].add(one.entry.id, one.text, said)
    for fact in (one for one in ours if not is_said_in(one.fact, noted)):
        text, mentioned = fact.fact.text, [same_name(mention) for mention in fact.fact.entities]
        for key, said in _named(known, [*finder.named_in(text), *mentioned]):
            by_key[key].facts[fact.fact.id] = fact
            by_key[key].add(fact.fact.id, text, said)
    return by_key


def _named(known: KnownFacts, names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The names by the keys of their things."""
    by_key = defaultdict[str, list[str]](list)
    for name in names:
        by_key[known.key_for(name)].append(name)
    yield from by_key.items()


def _subject(known: KnownFacts, key: str, texts: _Texts) -> Subject:
    entity = known.entities.get(key)
    written = max(texts.written, key=lambda name: (texts.written[name], name), default=key)
    return Subject(key, entity.name if entity else written, tuple(texts.entries.values()), tuple(texts.facts.values()))


def _kinds(known: KnownFacts, pages: Sequence[Document]) -> dict[str, str]:
    """The kinds that people state, by key."""
    named = (names_of(page.path, page.text) for page in pages if page.path.startswith(PAGES.removesuffix("*.md")))
    return {known.key_for(one.name): one.kind.casefold() for one in named if one.kind}


def _apart(sure: Sequence[Subject]) -> list[Subject]:
    """Without those of which another one has all items: `Postgres` says all of `Postgres Cluster`."""
    kept = list[Subject]()
    for one in sorted(sure, key=lambda subject: (-len(subject.items), -len(subject.name), subject.key)):
        if not any(one.items <= other.items for other in kept):
            kept.append(one)
    return kept
