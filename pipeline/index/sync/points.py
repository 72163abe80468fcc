"""From a file as it is read to the points that stand for it. All that decides what goes into them is here."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from operator import add
from typing import Any, Final
from uuid import uuid5

from pipeline.index import schema as layout
from pipeline.index.document import IndexedFile, Passage
from pipeline.language import analysis
from pipeline.ports.index import IndexPoint, SparseVector, Vector
from schemas.entry import Entry, Trust

VERSION: Final = 3
"""Counted up when something in this file changes what is in an index."""

K1: Final = 1.2
B: Final = 0.75
"""The usual constants of BM25; between 0.9 and 2, and 0.3 and 1, they make no difference that could be measured."""
AVERAGE: Final = {layout.WORDS: 16, layout.CONTEXT: 64, layout.SECTION_GRAMS: 1500}
"""How many terms each vector stands for on average. A constant, as it may not change with every new file."""
AROUND: Final = 2
"""How many passages before and after one lend it their words."""
NEIGHBOUR: Final = 0.3
"""How much the passage before and the one after count in a dense vector, beside 1 for its own. On questions about
small talk that is worth as much as the vector alone."""

_HASH_BYTES = 16

Believed = Callable[[Passage, Entry], Entry]
"""The entry that a passage is, as far as it is believed."""


@dataclass(frozen=True)
class DraftPoint:
    """A passage on its way to a point. `id` changes with anything that goes into the point, but for its ordinal.

    `around` are the passages of its section that lend it their words, itself included; `embedded` is the text that its
    dense vector is made of, followed by those of its neighbours.
    """

    id: str
    passage: Passage
    around: Sequence[Passage]
    payload: dict[str, Any]
    embedded: Sequence[str]

    @property
    def content(self) -> str:
        """The hash of what its dense vector is made of."""
        return str(self.payload[layout.CONTENT])


@dataclass(frozen=True)
class IndexedSection:
    """A stretch of text between two headings. `id` does not change with its words; `content` does."""

    id: str
    path: str
    passages: Sequence[Passage]

    @property
    def content(self) -> str:
        """The hash of its words."""
        return _hash([passage.words for passage in self.passages])


@dataclass(frozen=True)
class Cut:
    """A file cut into drafts of points. Nothing is analysed before `point` is called.

    `doubted` means that it holds an entry that is not verified word for word as ours.
    """

    drafts: tuple[DraftPoint, ...] = ()
    sections: tuple[IndexedSection, ...] = ()
    doubted: bool = False
    _known: dict[str, list[int]] = field(default_factory=dict, repr=False)

    @cached_property
    def places(self) -> list[list[str | int]]:
        """The points of the passages, in the order of the file, each with its first and last line."""
        return [[draft.id, draft.passage.start, draft.passage.end] for draft in self.drafts]

    @property
    def size(self) -> int:
        """How many points it comes to."""
        return len(self.drafts) + len(self.sections)

    def point(self, draft: DraftPoint, dense: Vector | None, *, vectors: bool) -> IndexPoint:
        """The point of a passage; `vectors` is whether it is to have a dense one in time."""
        payload: dict[str, Any] = {layout.VECTOR: "no" if dense is None else "yes"}
        if vectors:
            payload[layout.EMBEDDED] = list(draft.embedded) if dense is None else []
        sparse = {
            layout.WORDS: _weighed(self._terms(draft.passage.words), AVERAGE[layout.WORDS]),
            layout.CONTEXT: _weighed(self._terms_of(draft.around), AVERAGE[layout.CONTEXT]),
            layout.HEADING: _weighed(self._terms(_above(draft.passage, draft.payload)), 0),
        }
        return IndexPoint(draft.id, draft.payload | payload, _filled(sparse), dense)

    def section_point(self, section: IndexedSection) -> IndexPoint:
        """The point of a section."""
        pieces = analysis.gram_ids("\n".join(passage.words for passage in section.passages))
        sparse = {layout.SECTION_GRAMS: _weighed(pieces, AVERAGE[layout.SECTION_GRAMS])}
        payload = {
            layout.SORT: layout.SECTION_POINT,
            layout.PATH: section.path,
            layout.CONTENT: section.content,
        }
        return IndexPoint(section.id, payload, _filled(sparse))

    def _terms(self, text: str) -> list[int]:
        """Each text is analysed once: neighbours, and what stands under one heading, share theirs."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = list(map(analysis.term_id, analysis.terms(text)))
        return known

    def _terms_of(self, passages: Iterable[Passage]) -> Iterator[int]:
        return chain.from_iterable(self._terms(passage.words) for passage in passages)


def cut(document: IndexedFile, believed: Believed) -> Cut:
    """The drafts of a file's points."""
    cutting, sections = _Cutting(document, believed), list(_sections(document))
    drafts = [
        cutting.draft(passage, place, section) for section in sections for place, passage in enumerate(section.passages)
    ]
    drafts.sort(key=lambda draft: (draft.passage.start, draft.passage.end))
    for ordinal, draft in enumerate(drafts):
        draft.payload[layout.ORDINAL] = ordinal
    return Cut(tuple(drafts), tuple(sections), cutting.doubted)


def _sections(document: IndexedFile) -> Iterator[IndexedSection]:
    by_number: dict[int, list[Passage]] = {}
    for passage in document.passages:
        by_number.setdefault(passage.section, []).append(passage)
    seen = Counter[tuple[str, ...]]()
    for passages in by_number.values():
        # The number of a section would change with every heading above it; that of its likes hardly ever does.
        headings = passages[0].headings
        name = json.dumps([layout.SECTION_POINT, document.path, headings, seen[headings]])
        seen[headings] += 1
        yield IndexedSection(str(uuid5(layout.NAMESPACE, name)), document.path, tuple(passages))


class _Cutting:
    """Drafts the points of one file's passages. `doubted` is set when an entry is not all ours."""

    def __init__(self, document: IndexedFile, believed: Believed) -> None:
        self.doubted = False
        self._document, self._believed = document, believed
        self._seen = Counter[str]()

    def draft(self, passage: Passage, place: int, section: IndexedSection) -> DraftPoint:
        """The draft of the passage at a `place` of its section."""
        payload = self._payload(passage, section)
        embedded = _embedded(section.passages, place)
        payload[layout.CONTENT] = _hash(embedded)
        around = section.passages[max(place - AROUND, 0) : place + AROUND + 1]
        digest = _hash([payload, [neighbour.words for neighbour in around]])
        name = f"{self._document.path}\n{digest}\n{self._seen[digest]}"
        self._seen[digest] += 1
        return DraftPoint(str(uuid5(layout.NAMESPACE, name)), passage, around, payload, embedded)

    def _payload(self, passage: Passage, section: IndexedSection) -> dict[str, Any]:
        payload = {
            layout.SORT: layout.PASSAGE,
            layout.PATH: self._document.path,
            layout.TEXT: passage.text,
            layout.HEADINGS: list(passage.headings),
            layout.LABEL: passage.label,
            layout.SECTION: section.id,
            layout.KIND: self._document.kind,
            layout.TIER: self._document.tier.value,
            layout.AGENT: self._document.agent,
            layout.TRUST: self._document.trust,
            layout.ABOUT: list(passage.about),
        }
        entry = self._believed(passage, passage.entry) if passage.entry else None
        if entry:
            payload |= self._of_entry(entry)
        day = entry.date.date() if entry else self._document.day
        return payload | ({layout.DAY: day.toordinal()} if day else {})

    def _of_entry(self, entry: Entry) -> dict[str, Any]:
        self.doubted |= entry.trust.level < Trust.ACCEPTED.level
        return {
            layout.KIND: entry.kind.value,
            layout.TRUST: entry.trust.value,
            layout.ENTRY: entry.id,
            layout.CONFIDENCE: entry.confidence,
            layout.SUPERSEDES: list(entry.supersedes),
            layout.SUPERSEDED_BY: list(entry.superseded_by),
            layout.STATUS: entry.status.value,
            layout.SUCCESSORS: [],
            layout.WRITTEN_STATUS: entry.status.value,
            layout.MOMENT: entry.date.isoformat(),
        }


def _embedded(passages: Sequence[Passage], place: int) -> list[str]:
    """The texts that a dense vector is made of: a passage's own, then those before and after it."""
    return [
        passages[place].words,
        *(passage.words for passage in (*passages[max(place - 1, 0) : place], *passages[place + 1 : place + 2])),
    ]


def mixed(vectors: Sequence[Vector]) -> Vector:
    """The dense vector of a passage, of length 1: its own, and beside it those of its neighbours."""
    own, *beside = vectors
    if not beside:
        return own
    around: Iterable[float] = beside[0]
    for other in beside[1:]:
        around = map(add, around, other)  # three times as fast as a sum for each place
    total = [value + NEIGHBOUR * near for value, near in zip(own, around, strict=True)]
    length = math.hypot(*total)
    return [value / length for value in total] if length else own


def _above(passage: Passage, payload: Mapping[str, Any]) -> str:
    """The context of a passage: its headings and its day."""
    day = payload.get(layout.DAY)
    return "\n".join([*passage.headings, *([] if day is None else [date.fromordinal(day).isoformat()])])


def _weighed(terms: Iterable[int], average: int) -> SparseVector:
    """The document's side of BM25; the engine does that of the collection. Without an `average` length does not count.

    Two terms with one id count as one.
    """
    counts = Counter(terms)
    length = K1 * (1 - B + B * counts.total() / average) if average else K1
    return SparseVector(list(counts), [count * (K1 + 1) / (count + length) for count in counts.values()])


def _filled(sparse: Mapping[str, SparseVector]) -> dict[str, SparseVector]:
    return {name: vector for name, vector in sparse.items() if vector.indices}


def _hash(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return blake2b(text.encode("ascii"), digest_size=_HASH_BYTES).hexdigest()
