"""From a file as it is read to its points in the index. All that decides about their content is here."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from typing import Any, Final

from pipeline.agents.brain import HAS_REPLACED_MARK
from pipeline.agents.journal import session_word
from pipeline.entries.project_names import endings
from pipeline.facts.names import MentionFinder, same_name
from pipeline.facts.standing import confidence
from pipeline.index import schema as layout
from pipeline.index.chunking.documents import day_in
from pipeline.index.chunking.plain_text import is_fact_name, is_ours
from pipeline.index.chunking.splitting import weight
from pipeline.index.context import SaidIn
from pipeline.index.document import IndexedFile, Passage
from pipeline.language import analysis
from pipeline.ports.index import IndexPoint
from pipeline.workspace.layout import ACCEPTED, UNATTRIBUTED
from schemas.entry import Entry, Trust
from schemas.fact import Fact, FactWord

MOST_MESSAGES = 50
"""Messages of a passage that are noted; what rests on more is about a whole session."""
_PLACE = frozenset({"day", "path", "line"})
_TRUST = {FactWord.ASKED: FactWord.OWNER.value}
"""The trust of a fact by its word, where it has another name."""


def of_entry(entry: Entry) -> dict[str, Any]:
    """The fields of an entry."""
    return {
        layout.KIND: entry.kind.value,
        layout.TRUST: entry.trust.value,
        layout.ENTRY: entry.id,
        layout.CONFIDENCE: entry.confidence,
        layout.SUPERSEDES: list(entry.supersedes),
        layout.SUPERSEDED_BY: list(entry.superseded_by),
        layout.WRITTEN_STATUS: entry.status.value,
        layout.MOMENT: entry.date.isoformat(),
        layout.SAID: list(messages_of(entry.source.session_id, entry.source.message_range)),
        **({layout.SUPERSEDES_PART: list(entry.supersedes_part)} if entry.supersedes_part else {}),
        **({layout.CORRECTS: entry.corrects, layout.GROUNDS: entry.grounds} if entry.corrects else {}),
    }


def of_fact(fact: Fact, about: Sequence[str]) -> dict[str, Any]:
    """The fields of a fact; `about` are the names of entries in its lines."""
    refers = (*fact.supports, *fact.contradicts, *fact.replaces)
    said = list(messages_of(fact.session_id, fact.numbers)) if fact.id else []
    return {
        layout.KIND: fact.kind.term,
        layout.TRUST: _TRUST.get(fact.word, fact.word.value),
        layout.CONFIDENCE: confidence(fact).hundredths / 100,
        layout.FACT: fact.model_dump(mode="json", exclude=set(_PLACE), exclude_defaults=True),
        layout.ABOUT: [*([fact.id] if fact.id else []), *(name for name in about if not is_fact_name(name))],
        **({layout.SAID: said} if said else {}),
        **({layout.REFERS: list(dict.fromkeys(refers))} if refers else {}),
    }


def fact_of(payload: Mapping[str, Any]) -> Fact:
    """The fact of a passage; without a known day it is older than all others."""
    day = date.fromordinal(payload[layout.DAY]) if layout.DAY in payload else date.min
    place = {"day": day, "path": payload[layout.PATH], "line": payload.get(layout.ORDINAL, 0)}
    return Fact.model_validate({**payload[layout.FACT], **place})


def messages_of(session_id: str, numbers: tuple[int, int]) -> Iterator[str]:
    """Messages of a session as an entry or a fact names them, of many the first ones."""
    first, last = numbers
    session = session_word(session_id)
    return (f"{session}#{number}" for number in range(first, min(last, first + MOST_MESSAGES - 1) + 1))


VERSION: Final = 13
"""Counted up when something in this file changes what is in an index."""

AROUND: Final = 2
"""Passages before and after another that lend it their words."""
STRETCH: Final = 700
"""About how much text has one vector, in characters of an alphabet (see `splitting.weight`). On LoCoMo 700 finds a hair
more than a vector for each passage, with a quarter of the vectors; 1,000 finds less of the evidence, and 500 too."""

_HASH_BYTES = 16
_PLAIN = json.JSONEncoder(
    separators=(",", ":"), sort_keys=True
).encode  # made once: to make one takes longer than a use

Believed = Callable[[Passage, Entry], Entry]
"""The entry that a passage is, as far as it is believed."""
Wrote = Callable[[Passage, Fact], bool]
"""Whether a passage is a fact as we wrote it."""
Rendered = Callable[[Passage], bool]
"""Whether each line of a passage is one of our items, as we wrote it."""
_AGENT = "agent"
_ASSISTANT = frozenset({"Assistant", "Asystent", "助手", _AGENT})
"""The label of what the assistant said or did, in the languages of our pages."""
_ANSWERED = " → "
_SUMMARY = "summary"
_CITED = re.compile(r"\bsession (?:`([^`\n]+)`|([^\s,]+)), messages? ([0-9]+)")
"""The first citation of a line of a wrap-up."""
_ARCHIVE = "/memory/brain_archive.md"
_REPLACED = frozenset({"Replaced", "Zastąpione", "已被取代"})
"""The heading of the lines of an agent that others took the place of, in the languages of our pages."""
_DATE = "([0-9]{4}-[0-9]{2}-[0-9]{2})"
_DAY_OF_LINE = re.compile(
    rf"(?m)^(?:- )?{_DATE}: |\(j-[0-9a-f]+, {_DATE}\)|\]\([^()\n]*/{_DATE}\.md\)|, last named {_DATE}\."
)
"""The days of a line of ours: what it begins with, and those of the lines and the daily files that it names."""
_NOT_CONFIRMED = re.compile(r"\((?:not confirmed|niepotwierdzone|未确认)\)(?: *<!--.*)?$", re.MULTILINE)
"""The end of a line of an agent that no person confirmed."""


@dataclass(frozen=True)
class DraftPoint:
    """A passage on its way to a point. `id` changes with anything that goes into the point, except its ordinal.

    `around` are the passages of its section that lend it their words, itself included; `stretch` is the text that its
    vector is made of, which it shares with adjacent passages.
    """

    id: str
    passage: Passage
    around: Sequence[Passage]
    payload: dict[str, Any]
    stretch: str

    @property
    def content(self) -> str:
        """The key of its vector: the hash of the text of its stretch."""
        return str(self.payload[layout.CONTENT])


@dataclass(frozen=True)
class IndexedSection:
    """A stretch of text between two headings.

    `id` does not change with its words. `encoded` are these, passage by passage: each is a part of six hashes.
    """

    id: str
    path: str
    passages: Sequence[Passage]
    encoded: Sequence[str]

    @property
    def content(self) -> str:
        """The hash of its words."""
        return _hash_of(f"[{','.join(self.encoded)}]")


@dataclass(frozen=True)
class Cut:
    """A file cut into drafts of points. Nothing is analysed before `point` is called.

    `doubted` means that it holds an entry, or the item of a fact, that is not verified word for word as ours.
    """

    drafts: tuple[DraftPoint, ...] = ()
    sections: tuple[IndexedSection, ...] = ()
    doubted: bool = False
    _known: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    _above: dict[tuple[Sequence[str], int | None], str] = field(default_factory=dict, repr=False)

    @cached_property
    def places(self) -> list[list[str | int]]:
        """The points of the passages, in the order of the file, each with its first and last line."""
        return [[draft.id, draft.passage.start, draft.passage.end] for draft in self.drafts]

    @cached_property
    def entries(self) -> list[str]:
        """The points of the passages that are entries."""
        return [draft.id for draft in self.drafts if draft.passage.entry]

    @property
    def size(self) -> int:
        """The number of its points."""
        return len(self.drafts) + len(self.sections)

    def point(self, draft: DraftPoint) -> IndexPoint:
        """The point of a passage."""
        texts = {
            layout.WORDS: self._analyse(draft.passage.words)[0],
            layout.CONTEXT: " ".join(self._analyse(passage.words)[0] for passage in draft.around),
            layout.HEADING: self._terms_above(draft.passage.headings, draft.payload.get(layout.DAY)),
        }
        return IndexPoint(draft.id, draft.payload, texts)

    def section_point(self, section: IndexedSection) -> IndexPoint:
        """The point of a section."""
        grams = " ".join(self._analyse(passage.words)[1] for passage in section.passages)
        payload = {layout.SORT: layout.SECTION_POINT, layout.PATH: section.path}
        return IndexPoint(section.id, payload, {layout.SECTION_GRAMS: grams})

    def _analyse(self, words: str) -> tuple[str, str]:
        """The terms and the grams of a passage, made once: neighbours and the section share them."""
        known = self._known.get(words)
        if known is None:
            known = self._known[words] = analysis.terms_and_grams(words)
        return known

    def _terms_above(self, headings: Sequence[str], day: int | None) -> str:
        """The terms of the context of passages, their headings and their day, made once for all of them."""
        known = self._above.get((headings, day))
        if known is None:
            above = [*headings, *([] if day is None else [date.fromordinal(day).isoformat()])]
            known = self._above[headings, day] = " ".join(analysis.terms("\n".join(above)))
        return known


@dataclass(frozen=True)
class Evidence:
    """The knowledge about a file beyond its text: how far its entries are believed, and which of its lines are ours.

    `mentions` finds the names to look for, and `said_in` gives the projects of sessions.

    By default nobody vouches for a fact, or for a line of a page.
    """

    believed: Believed
    wrote: Wrote = lambda _, __: False
    rendered: Rendered = lambda _: False
    said_in: SaidIn = lambda _, __: ""
    mentions: MentionFinder = field(default_factory=MentionFinder)


def cut_document(document: IndexedFile, evidence: Evidence) -> Cut:
    """The drafts of a file's points."""
    cutting, sections = _Cutting(document, evidence), list(_split_sections(document))
    drafts = [draft for section in sections for draft in cutting.drafts(section)]
    drafts.sort(key=lambda draft: (draft.passage.start, draft.passage.end))
    for ordinal, draft in enumerate(drafts):
        draft.payload[layout.ORDINAL] = ordinal
    return Cut(tuple(drafts), tuple(sections), cutting.doubted)


def stretches_of(document: IndexedFile) -> Iterator[tuple[str, str]]:
    """The stretches of a file, each behind the key of its vector."""
    for section in _passages_by_section(document):
        for passages in _split_stretches(section):
            stretch = "\n".join(passage.words for passage in passages)
            yield _hash(stretch), stretch


def _passages_by_section(document: IndexedFile) -> Iterable[list[Passage]]:
    by_number: dict[int, list[Passage]] = {}
    for passage in document.passages:
        by_number.setdefault(passage.section, []).append(passage)
    return by_number.values()


def _split_sections(document: IndexedFile) -> Iterator[IndexedSection]:
    seen = Counter[tuple[str, ...]]()
    for passages in _passages_by_section(document):
        # The number of a section would change with every heading above it; that of its likes hardly ever does.
        headings = passages[0].headings
        name = _hash([layout.SECTION_POINT, document.path, headings, seen[headings]])
        seen[headings] += 1
        yield IndexedSection(name, document.path, tuple(passages), [_PLAIN(passage.words) for passage in passages])


class _Cutting:
    """Drafts the points of one file's passages. `doubted` is set when some of it may be trusted more later."""

    def __init__(self, document: IndexedFile, evidence: Evidence) -> None:
        # A stranger's note may turn out to be an agent's: a transcript of its writing may be read later.
        self.doubted = document.trust == UNATTRIBUTED and ":" in document.path.partition("/")[0]
        self._document, self._evidence = document, evidence
        self._of_document = {
            layout.PATH: document.path,
            layout.KIND: document.kind,
            layout.TIER: document.tier.value,
            layout.AGENT: document.agent,
        }
        self._seen = Counter[str]()
        self._is_archive = bool(document.agent) and document.path.endswith(_ARCHIVE)

    def drafts(self, section: IndexedSection) -> Iterator[DraftPoint]:
        """The drafts of a section's passages."""
        place = 0
        for passages in _split_stretches(section.passages):
            stretch = "\n".join(passage.words for passage in passages)
            content = _hash(stretch)
            for number, passage in enumerate(passages):
                sorts = [layout.PASSAGE] if number else [layout.PASSAGE, layout.STRETCH]
                payload = self._payload(passage, section) | {layout.SORT: sorts, layout.CONTENT: content}
                # A fact stands alone, and so does each part of a detail: in a log, it says nothing about the next part.
                alone = passage.fact or self._document.readers
                near = slice(place, place + 1) if alone else slice(max(place - AROUND, 0), place + AROUND + 1)
                around = section.passages[near]
                digest = _hash_of(f"[{_PLAIN(payload)},[{','.join(section.encoded[near])}]]")
                name = f"{digest}-{self._seen[digest]}" if self._seen[digest] else digest
                self._seen[digest] += 1
                yield DraftPoint(name, passage, around, payload, stretch)
                place += 1

    def _payload(self, passage: Passage, section: IndexedSection) -> dict[str, Any]:
        payload: dict[str, Any] = self._of_document | {
            layout.TEXT: passage.text,
            layout.HEADINGS: list(passage.headings),
            layout.LABEL: passage.label,
            layout.SECTION: section.id,
            layout.TRUST: self._trust(passage),
            layout.ABOUT: list(passage.about),
        }
        names = set(map(same_name, passage.fact.entities)) if passage.fact else set[str]()
        if self._evidence.mentions.names:
            names.update(self._evidence.mentions.named_in("\n".join([passage.words, *passage.headings])))
        payload |= {layout.ENTITIES: sorted(names)} if names else {}
        if self._document.readers:
            payload[layout.READERS] = list(self._document.readers)
            payload |= {layout.THREAD: self._document.thread} if self._document.thread else {}
        of_archive = self._is_archive and passage.headings and passage.headings[-1] in _REPLACED
        if of_archive or (self._document.agent and HAS_REPLACED_MARK.search(passage.text)):
            payload[layout.REPLACED] = True
        entry = self._evidence.believed(passage, passage.entry) if passage.entry else None
        if entry:
            self.doubted |= entry.trust.level < Trust.ACCEPTED.level
            payload |= of_entry(entry)
        if passage.fact:
            ours = self._is_ours(passage)
            self.doubted |= bool(passage.fact.id) and not ours
            payload |= of_fact(passage.fact if ours else passage.fact.as_unverified(), passage.about)
        day = entry.date.date() if entry else self._own_day(passage) or self._document.day
        project = self._project(passage, entry)
        payload |= {layout.PROJECT: list(endings(project))} if project else {}
        return payload | ({layout.DAY: day.toordinal()} if day else {})

    def _own_day(self, passage: Passage) -> date | None:
        """The last day of the lines of a page, where that of the page is an earlier one, or none."""
        document = self._document
        if document.kind in {"log", "memory"} or not (document.agent or document.day is None):
            return None
        days = chain.from_iterable(_DAY_OF_LINE.findall(passage.text)) if is_ours(passage.text) else ()
        return max(filter(None, map(day_in, days)), default=None)

    def _project(self, passage: Passage, entry: Entry | None) -> str:
        """The project in which an entry, a fact or what a line of a wrap-up cites was said."""
        if entry and (entry.project or entry.trust is Trust.UNVERIFIED):
            return entry.project
        said = _cited_message(passage, entry) if entry or passage.fact or self._document.kind == _SUMMARY else None
        if said is None or not (entry or self._is_ours(passage)):
            return ""
        project = self._evidence.said_in(*said)
        self.doubted |= project is None  # the ledger may know it later
        return project or ""

    def _is_ours(self, passage: Passage) -> bool:
        wrote, fact = self._evidence.wrote, passage.fact
        return bool(fact.id) and wrote(passage, fact) if fact else self._evidence.rendered(passage)

    def _trust(self, passage: Passage) -> str:
        """The trust of a passage that is neither an entry nor a fact: a path alone vouches for nothing."""
        if self._document.trust != ACCEPTED or passage.entry or passage.fact:
            return self._document.trust
        if not self._evidence.rendered(passage):
            self.doubted |= is_ours(passage.text)  # the ledger may know it later
            return UNATTRIBUTED
        if self._is_archive and _NOT_CONFIRMED.search(passage.text):
            return UNATTRIBUTED
        answered = passage.label != _AGENT and _ANSWERED in passage.words
        only_assistant = passage.label in _ASSISTANT and not answered
        return FactWord.AGENT.value if only_assistant else ACCEPTED


def _cited_message(passage: Passage, entry: Entry | None) -> tuple[str, int] | None:
    """The session and the message that a passage rests on; of a line of a wrap-up the first that it cites."""
    if entry:
        return entry.source.session_id, entry.source.message_range[1]
    if passage.fact:
        return passage.fact.session_id, passage.fact.numbers[1]
    cited = _CITED.search(passage.text)
    return (cited[1] or cited[2], int(cited[3])) if cited else None


def _split_stretches(passages: Sequence[Passage]) -> Iterator[Sequence[Passage]]:
    """The passages of a section, so many together that they come to one stretch; at least one, and a fact alone."""
    part, size = list[Passage](), 0
    for passage in passages:
        heavy = weight(passage.words) + 1
        if part and (size + heavy > STRETCH or passage.fact or part[-1].fact):
            yield part
            part, size = [], 0
        part.append(passage)
        size += heavy
    yield part


def _hash(value: object) -> str:
    return _hash_of(_PLAIN(value))


def _hash_of(plain: str) -> str:
    return blake2b(plain.encode("ascii"), digest_size=_HASH_BYTES).hexdigest()
