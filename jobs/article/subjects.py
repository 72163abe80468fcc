"""The subjects that entries and facts come back to, as far as they are surely projects, things or topics."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache

from jobs.articles import DAYS
from jobs.bank.known import KnownFacts
from jobs.facts.mentions import mentions
from jobs.facts.reading import OWNER
from pipeline.entries.mentions import tokens
from pipeline.entries.standing import EntryState, fold
from pipeline.facts.names import PAGES, MentionFinder, all_names, names_of, same_name
from pipeline.facts.standing import StandingFact
from pipeline.job import Document, Noted
from pipeline.language.chinese import HAN
from pipeline.language.folding import flat, folded_words
from pipeline.language.lexicon import cues
from schemas.entry import NOT_STATED, Entry, Status, Trust
from schemas.fact import Fact, FactWord

_ARTICLE = r"(?:(?:the|our|a|an|this|that) )?"
_USED = "|".join(
    cues(
        r"us(?:e|es|ed|ing); (?:re)?plac(?:e|es|ed|ing)(?: by| with)?; (?:un|re)?install(?:s|ed|ing)?; via; onto; into",
        r"deploy(?:s|ed|ing)?(?: to)?; migrat(?:e|es|ed|ing) (?:to|from|off); switch(?:es|ed|ing)? (?:to|from)",
        r"mov(?:e|es|ed|ing) (?:over )?(?:to|off); upgrad(?:e|es|ed|ing)(?: to)?; built (?:on|with); runs? on",
        r"uzywa\w*; przez; przechodz\w+ na; przeszl\w+ na; instaluj\w*; wdraz\w+; korzysta\w* z; projek\w+; baz\w+",
        r"serwer\w*; aplikacj\w+; wersj\w+",
    )
)
_SORTS = "|".join(
    cues(
        "server; servers; database; databases; db; app; api; repo; repository; project; config; branch; service",
        "module; plugin; library; version; build; release; file; files; table; queue; cluster; board; pipeline; image",
        "container; format; protocol; schema; index; dashboard; backup; backups; account; licen[cs]e; migration",
    )
)
_USED_IN_CHINESE = "用|使用|改用|换成|换到|连|迁移到|切到|部署到|装|跑|接"
_SORTS_IN_CHINESE = "服务|数据库|资料库|集群|项目|专案|库|表|仓库|版本|接口|系统"
_DOES = "|".join(
    cues(
        "said; says; told; tells; asks?; asked; wants?; wanted; likes?; loves?; prefers?; lives?; lived; thinks?",
        "agreed; agrees; will (?:call|come|send|check|bring|ask|pick); comes; came",
        "is (?:my|our|his|her|allergic|away)",
        "and (?:i|me); mowi\\w*; powiedzial\\w*; chce; woli; mieszka; lubi; ma urodziny; i ja",
    )
)
_SPOKEN_TO = "|".join(
    cues(
        "ask; tell; told; call; called; e-?mail; meet; meeting with; talk to; talked to; dear; mr; mrs; ms; dr; pan",
        "pani; pana; panem; panu; zapytaj; zadzwon do; powiedz; my (?:wife|husband|son|daughter|boss|friend)",
    )
)
_DOES_IN_CHINESE = "说|喜欢|想|住|觉得|老师|先生|小姐|女士"


@lru_cache(maxsize=1024)
def _of_thing(name: str) -> re.Pattern[str]:
    named = _expression(name)
    return re.compile(
        rf"\b(?:{_USED}) {_ARTICLE}{named}|\b(?:the|our) {named}|{named} (?:{_SORTS})\b|{named} v?[0-9]+\.[0-9]"
        rf"|(?:{_USED_IN_CHINESE}) ?{named}|{named} ?(?:{_SORTS_IN_CHINESE})"
    )


@lru_cache(maxsize=1024)
def _of_person(name: str) -> re.Pattern[str]:
    named = _expression(name)
    return re.compile(
        rf"\b(?:{_SPOKEN_TO}) {named}|{named} (?:{_DOES})\b|{named}'s (?:birthday|wife|husband|mother|father|phone)\b"
        rf"|(?:小|阿|老){named}|{named} ?(?:{_DOES_IN_CHINESE})"
    )


def _expression(name: str) -> str:
    """A name as whole words, whatever stands between them."""
    words = r"[\W_]*".join(map(re.escape, tokens(name)))
    return rf"(?<![a-z0-9]){words}(?![a-z0-9])"


_LETTERS = 3
"""The fewest letters of a name; of Chinese characters one less."""
_CODE = re.compile(r"(?<![\w./@:-])[^\W\d_]\w*(?:[._]\w+)*(?![\w@/]|\.\w)")
_HUMP = re.compile(r"(?<!\AMc)(?<!\AMac)(?<!\ADe)(?<!\ALe)(?<!\ALa)(?<!\ADi)(?<!\AO)(?<=[^\W\d_A-Z])(?=[A-Z])")
_JOINED = re.compile(r"[^\W\d]{2,}[._][^\W\d]{2,}")
_TICKED = re.compile(r"(?<!`)`([^\W\d_][\w.-]{2,40})`(?!`)")
_IN_CHINESE = re.compile(
    rf"(?<=[{HAN}]) ?([a-z][a-z0-9_-]{{3,30}})(?![\w./@-])|(?<![\w./@-])([a-z][a-z0-9_-]{{3,30}}) ?(?=[{HAN}])"
)
_WORK = re.compile(r"《([^《》\n]{2,30})》")


@dataclass(frozen=True)
class ThingName:
    """A name in a text. What is `shaped` is written as no person is called."""

    text: str
    shaped: bool = False


def names_in(text: str) -> Iterator[ThingName]:
    """The names in a text that may be a project's, a thing's or a topic's."""
    shaped = [
        *_TICKED.findall(text),
        *_WORK.findall(text),
        *(match[1] or match[2] for match in _IN_CHINESE.finditer(text)),
        *(word for word in _CODE.findall(text) if _HUMP.search(word) or _JOINED.search(word)),
    ]
    yield from (ThingName(name) for name in mentions(text) if is_long(name))
    yield from (ThingName(name, shaped=True) for name in shaped if is_long(name))


def is_long(name: str) -> bool:
    """Whether a name is long enough to be looked for: `C#` is found in too many words."""
    words = tokens(name)
    return sum(2 if re.match(f"[{HAN}]", word) else len(word) for word in words) >= _LETTERS


_SHOWN = {Status.ACTIVE, Status.SUPERSEDED}


@dataclass(frozen=True)
class ArticleEntry:
    """An entry that holds, or held. `path` is its file."""

    state: EntryState
    path: str

    @property
    def entry(self) -> Entry:
        """The entry, as far as it is believed."""
        return self.state.entry

    @property
    def holds(self) -> bool:
        """Whether nothing took its place."""
        return self.state.status is Status.ACTIVE

    @property
    def day(self) -> date:
        """The day of its message."""
        return self.entry.date.date()

    @property
    def statement(self) -> str:
        """The decision in words: the conclusion, else the title."""
        entry = self.entry
        return entry.title if entry.conclusion in {"", NOT_STATED} else entry.conclusion

    @cached_property
    def text(self) -> str:
        """Its words, in which a subject is named; what is inside of others stands once."""
        text = self.entry.quote
        for words in (self.statement, self.entry.title):
            text = text if words.removesuffix("…") in text else f"{text}\n{words}"
        return text


@dataclass(frozen=True)
class NotedEntries:
    """All entries that may be shown, in the order of their messages."""

    all: tuple[ArticleEntry, ...]

    @cached_property
    def by_id(self) -> Mapping[str, ArticleEntry]:
        """The entries by id."""
        return {entry.entry.id: entry for entry in self.all}

    @cached_property
    def by_session(self) -> Mapping[str, Sequence[Entry]]:
        """The entries by session."""
        by_session: dict[str, list[Entry]] = {}
        for entry in self.all:
            by_session.setdefault(entry.entry.source.session_id, []).append(entry.entry)
        return by_session

    def with_linked(self, entries: Iterable[ArticleEntry]) -> list[ArticleEntry]:
        """The entries, and those that took their place or whose place they took, in the order of their messages."""
        linked, waiting = set[str](), [entry.entry.id for entry in entries]
        while waiting:
            name = waiting.pop()
            if name in self.by_id and name not in linked:
                linked.add(name)
                waiting += [*self.by_id[name].state.superseded_by, *self._replaced_ids.get(name, ())]
        return [entry for entry in self.all if entry.entry.id in linked]

    @cached_property
    def _replaced_ids(self) -> Mapping[str, Sequence[str]]:
        """The ids of the entries that one took the place of."""
        replaced: dict[str, list[str]] = {}
        for entry in self.all:
            for successor in entry.state.superseded_by:
                replaced.setdefault(successor, []).append(entry.entry.id)
        return replaced


def noted_entries(noted: Sequence[Noted]) -> NotedEntries:
    """The entries that may be shown: nothing of those that do not verify, that a person archived, or in review."""
    now = fold(entry.entry for entry in noted)
    paths = {
        entry.entry.id: entry.path for entry in sorted(noted, key=lambda entry: entry.path) if now.counts(entry.entry)
    }
    shown = (
        ArticleEntry(state, paths[name])
        for name, state in now.states.items()
        if name in paths and state.status in _SHOWN and state.entry.trust is not Trust.UNVERIFIED
    )
    return NotedEntries(tuple(shown))


def is_said_in(fact: Fact, noted: NotedEntries) -> bool:
    """Whether an entry has the words of a fact from the same session: one thing that was said once."""
    words = folded_words(fact.quote or fact.text)
    return any(
        words in said or said in words
        for said in (folded_words(entry.quote) for entry in noted.by_session.get(fact.session_id, ()))
        if said
    )


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
        return frozenset([*(entry.entry.id for entry in self.entries), *(standing.fact.id for standing in self.facts)])

    @property
    def days(self) -> list[date]:
        """The days on which it was named, in order."""
        return sorted({*(entry.day for entry in self.entries), *(standing.fact.day for standing in self.facts)})

    @property
    def comes_back(self) -> bool:
        """Whether it was named often enough, and something of it holds."""
        holds = any(entry.holds for entry in self.entries)
        return holds and len(self.items) >= LEAST and len(self.days) >= DAYS


@dataclass
class _Texts:
    """The evidence of a name: the texts, the names as they were written, and those that no person has."""

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
        if any(_of_person(flat(form)).search(flat(text)) for text, forms in self.named.values() for form in forms):
            return False
        said = {
            name
            for name, (text, forms) in self.named.items()
            if any(_of_thing(flat(form)).search(flat(text)) for form in forms)
        }
        return len(said | self.shaped) >= max(_SIGNS, len(self.named) / _SHARE)


def subjects(known: KnownFacts, noted: NotedEntries, pages: Sequence[Document]) -> list[Subject]:
    """The subjects that have an article, by key. `pages` are those of entities, as people wrote them."""
    named = (names_of(page.path, page.text) for page in pages if page.path.startswith(PAGES.removesuffix("*.md")))
    kinds = {known.key_for(entity.name): entity.kind.casefold() for entity in named if entity.kind}
    sure = list[Subject]()
    for key, texts in sorted(_by_key(known, noted).items()):
        written = max(texts.written, key=lambda name: (texts.written[name], name), default=key)
        name = known.entities[key].name if key in known.entities else written
        one = Subject(key, name, tuple(texts.entries.values()), tuple(texts.facts.values()))
        if key != known.key_for(OWNER) and one.comes_back:
            # What a person says of its kind counts more than the texts do.
            is_thing = kinds[key] in _THINGS if key in kinds else texts.is_thing
            if is_thing:
                sure.append(one)
    kept = list[Subject]()
    for one in sorted(sure, key=lambda subject: (-len(subject.items), -len(subject.name), subject.key)):
        if not any(one.items <= other.items for other in kept):  # `Postgres` says all of `Postgres Cluster`
            kept.append(one)
    return sorted(kept, key=lambda subject: subject.key)


def _by_key(known: KnownFacts, noted: NotedEntries) -> dict[str, _Texts]:
    """The evidence of each thing, by key."""
    by_key = defaultdict[str, _Texts](_Texts)
    forms = set(all_names(known.names))
    for entry in noted.all:
        for name in names_in(entry.text):
            texts = by_key[known.key_for(name.text)]
            texts.written[name.text] += 1
            texts.shaped.update([entry.entry.id] if name.shaped else [])
            forms.add(same_name(name.text))
    ours = [one for one in known.standings.all if one.fact.id and one.fact.word is not FactWord.UNVERIFIED]
    forms |= {same_name(mention) for one in ours for mention in one.fact.entities}
    finder = MentionFinder(frozenset(filter(is_long, forms)))
    for entry in noted.all:
        for key, said in _names_by_key(known, finder.named_in(entry.text)):
            by_key[key].entries[entry.entry.id] = entry
            by_key[key].add(entry.entry.id, entry.text, said)
    for fact in (standing for standing in ours if not is_said_in(standing.fact, noted)):
        text, mentioned = fact.fact.text, [same_name(mention) for mention in fact.fact.entities]
        for key, said in _names_by_key(known, [*finder.named_in(text), *mentioned]):
            by_key[key].facts[fact.fact.id] = fact
            by_key[key].add(fact.fact.id, text, said)
    return by_key


def _names_by_key(known: KnownFacts, names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The names by the keys of their things."""
    by_key = defaultdict[str, list[str]](list)
    for name in names:
        by_key[known.key_for(name)].append(name)
    yield from by_key.items()
