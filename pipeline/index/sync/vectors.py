"""The vectors of stretches of text: one is embedded once, wherever it stands, and kept under a hash of its words.

The word index is the record of what is in the index. A vector that is missing there is made, one that nothing refers to
is taken out when the vectors settle; so a crash between the two stores costs no more than a look.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from pipeline.clock import stopwatch
from pipeline.errors import EmbedderUnavailable
from pipeline.events import Event
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.file_intake import Intake, take_in
from pipeline.index.sync.points import Cut, DraftPoint, IndexedSection
from pipeline.ports.index import Embedder, IndexPoint, Searcher, Vector, VectorSearcher, VectorSpace, Where
from pipeline.process.cancellation import CancellationToken
from pipeline.workspace.listing import Listing

POINTS_AT_ONCE = 4_096
"""About how many points are put in by one change of the index: some tenths of a second, and what a stop may lose."""

T = TypeVar("T")


@dataclass(frozen=True)
class FileOutline:
    """The points that the index has of a file."""

    passages: frozenset[str] = frozenset()
    sections: Mapping[str, str] | None = None
    entries: frozenset[str] = frozenset()

    @property
    def points(self) -> set[str]:
        """All of them."""
        return {*self.passages, *(self.sections or {})}


@dataclass(frozen=True)
class Batch:
    """Some files: the passages and sections to put in for them, and the ids of the points to take out.

    `touches_entries` is whether entries come or go, so that others may stand differently.
    """

    intakes: Sequence[Intake]
    drafts: Sequence[tuple[Cut, DraftPoint]]
    sections: Sequence[tuple[Cut, IndexedSection]]
    leaving: Sequence[str]
    touches_entries: bool

    def points(self) -> Iterator[IndexPoint]:
        """The points to put in, those of the files last."""
        for cut, draft in self.drafts:
            yield cut.point(draft)
        for cut, section in self.sections:
            yield cut.section_point(section)
        for intake in self.intakes:
            yield from intake.points()


def read_outlines(reader: Searcher, paths: Iterable[str]) -> dict[str, FileOutline]:
    """The outlines of those files that the index knows, by path."""
    points = reader.retrieve([layout.outline_id(path) for path in paths])
    return {point.payload[layout.PATH]: _outline(point.payload) for point in points}


def compare(outlines: Mapping[str, FileOutline], intakes: Sequence[Intake]) -> Batch:
    """The difference between these files and the index."""
    pairs = [(intake.cut, outlines.get(intake.path, FileOutline())) for intake in intakes]
    drafts = [(cut, draft) for cut, known in pairs for draft in cut.drafts if draft.id not in known.passages]
    sections = [
        (cut, section)
        for cut, known in pairs
        for section in cut.sections
        if (known.sections or {}).get(section.id) != section.content
    ]
    wanted = {draft.id for cut, _ in pairs for draft in cut.drafts}
    wanted |= {section.id for cut, _ in pairs for section in cut.sections}
    gone = any(known.entries - wanted for _, known in pairs)
    return Batch(
        intakes,
        drafts,
        sections,
        leaving=sorted(set[str]().union(*(known.points for _, known in pairs)) - wanted),
        touches_entries=gone or any(draft.passage.entry for _, draft in drafts),
    )


def in_parts(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """The things in their order, `size` at a time."""
    left = iter(things)
    while part := list(islice(left, size)):
        yield part


def _outline(payload: Mapping[str, Any]) -> FileOutline:
    return FileOutline(
        frozenset(place[0] for place in payload[layout.PASSAGES]),
        dict(payload[layout.SECTIONS]),
        frozenset(payload[layout.ENTRIES]),
    )


TEXTS_AT_ONCE = 16
"""How many texts an embedder is given: enough for it to be fast, and few enough to stop soon."""
LOOKED_UP_AT_ONCE = 4_096
"""For how many keys it is looked up at a time whether they have a vector."""
HELD_SECONDS = 1.0
"""How long vectors are held back before they are put in: what a stop may lose."""
REPORTED_SECONDS = 10.0
"""How often it is said how far it is, while an embedder is at work."""
REMEMBERED = 1_000
"""The most texts of new passages that are remembered until their vectors are made; of more, the files are cut again."""

STRETCHES = Where(any_of={layout.SORT: (layout.STRETCH,)})

Texts = Mapping[str, str]
"""The texts that vectors are made of, by the key of the vector."""


@dataclass
class MissingVectors:
    """The texts to embed, by key. With `whole`, no other is missing; too many texts are not remembered."""

    texts: dict[str, str] = field(default_factory=dict)
    whole: bool = True

    def add(self, drafts: Iterable[DraftPoint]) -> None:
        """Note what new passages want."""
        if self.whole:
            self.texts |= {draft.content: draft.stretch for draft in drafts}
            self.whole = len(self.texts) <= REMEMBERED
            if not self.whole:
                self.texts.clear()


@dataclass
class VectorMaker:
    """Makes vectors of about `limit` texts. `why` has the reason when it failed; `made` counts the vectors.

    `refused` are the keys of the texts that the embedder did not take, each by itself.

    `wanted` is how many there are to make, as far as is known; `seconds` is how long those that
    are made took, and `reported` what it was at the last report.
    """

    embedder: Embedder | None
    limit: int | None = None
    safe_point: CancellationToken = field(default_factory=CancellationToken)
    wanted: int = 0
    made: int = 0
    seconds: float = 0.0
    reported: float = -REPORTED_SECONDS
    why: str = ""
    refused: set[str] = field(default_factory=set)

    @property
    def at_work(self) -> bool:
        """Whether it can and may make more."""
        return self.embedder is not None and not self.why and (self.limit is None or self.made < self.limit)

    def make(self, wanted: Texts) -> Iterator[dict[str, Vector]]:
        """The vectors by key, a few at a time and as far as that goes."""
        for part in in_parts(wanted.items(), min(TEXTS_AT_ONCE, self.limit or TEXTS_AT_ONCE)):
            if not self.at_work or self.embedder is None:
                return
            self.safe_point()
            since = stopwatch()
            try:
                vectors = self._vectors_of(self.embedder, part)
            except EmbedderUnavailable as error:
                self.why = str(error)
                return
            self.made += len(vectors)
            self.seconds += stopwatch() - since
            if vectors:
                yield vectors

    def _vectors_of(self, embedder: Embedder, part: Sequence[tuple[str, str]]) -> dict[str, Vector]:
        """The vectors of all texts that the embedder takes: of those that it refuses together, the halves are asked."""
        try:
            vectors = embedder.passages([text for _, text in part])
        except EmbedderUnavailable as error:
            if not error.refused:
                raise
            if len(part) == 1:
                self.refused.add(part[0][0])
                return {}
            half = len(part) // 2
            return self._vectors_of(embedder, part[:half]) | self._vectors_of(embedder, part[half:])
        return {key: vector for (key, _), vector in zip(part, vectors, strict=True)}


def give_vectors(indexing: Indexing, space: VectorSpace, wanted: Texts, maker: VectorMaker) -> int:
    """Make those of the wanted vectors that are not there, and put them in; how many are still missing."""
    missing = _unknown(indexing, space, wanted)
    since, held = stopwatch(), dict[str, Vector]()
    left = len(missing)
    for made in maker.make({key: wanted[key] for key in wanted if key in missing}):
        held |= made
        left -= len(made)
        _report(indexing, maker)
        if stopwatch() - since >= HELD_SECONDS:
            _put(indexing, space, held)
            since, held = stopwatch(), {}
    _put(indexing, space, held)
    return left


def _report(indexing: Indexing, maker: VectorMaker) -> None:
    """Say now and then how far it is, when all are to be made: an embedder may take hours for a first index."""
    left = (maker.wanted - maker.made) * maker.seconds / maker.made
    if maker.limit is None and left >= REPORTED_SECONDS and maker.seconds - maker.reported >= REPORTED_SECONDS:
        maker.reported = maker.seconds
        indexing.emit(Event.VECTORS_PROGRESSED, made=maker.made, wanted=maker.wanted, seconds_left=round(left))


def missing_files(reader: Searcher, vectors: VectorSearcher | None) -> dict[str, set[str]]:
    """The keys that have no vector, by the files that want them, in the order of the files."""
    missing = dict[str, set[str]]()
    for part in in_parts(reader.scroll(STRETCHES), LOOKED_UP_AT_ONCE):
        pairs = [(point.payload[layout.CONTENT], point.payload[layout.PATH]) for point in part]
        known = vectors.known({key for key, _ in pairs}) if vectors else set()
        for key, path in pairs:
            if key not in known:
                missing.setdefault(path, set()).add(key)
    return dict(sorted(missing.items()))


def texts_of(indexing: Indexing, listing: Listing, missing: Mapping[str, set[str]]) -> Iterator[Texts]:
    """The texts of missing vectors, file by file; a file that has changed since may give fewer."""
    for listed in listing.files:
        if wanted := missing.get(listed.path):
            intake = take_in(indexing, listed)
            drafts = intake.cut.drafts if intake else ()
            yield {draft.content: draft.stretch for draft in drafts if draft.content in wanted}


def estimated(reader: Searcher, vectors: VectorSearcher | None) -> int:
    """About how many stretches have no vector, without looking at each."""
    return max(reader.count(STRETCHES) - (vectors.size() if vectors else 0), 0)


def sweep(indexing: Indexing, space: VectorSpace) -> None:
    """Take out the vectors that nothing refers to, and have the rest settle."""
    with indexing.store.reading() as reader, indexing.vectors.writing(space) as indexer:
        wanted = {point.payload[layout.CONTENT] for point in reader.scroll(STRETCHES)} if reader else set()
        indexer.delete(set(indexer.keys()) - wanted)
    indexing.vectors.settle()


def rewrite(indexing: Indexing, space: VectorSpace) -> None:
    """Make the store of vectors anew from those that are referred to: nothing else is left of the old one."""
    with indexing.store.reading() as reader, indexing.vectors.building(space) as indexer:
        if reader is None:
            return
        for part in in_parts(reader.scroll(STRETCHES), LOOKED_UP_AT_ONCE):
            with indexing.vectors.reading(space) as old:
                indexer.put(old.vectors({point.payload[layout.CONTENT] for point in part}) if old else {})


def _unknown(indexing: Indexing, space: VectorSpace, wanted: Texts) -> set[str]:
    with indexing.vectors.reading(space) as vectors:
        return wanted.keys() - (vectors.known(wanted.keys()) if vectors else set())


def _put(indexing: Indexing, space: VectorSpace, vectors: Mapping[str, Vector]) -> None:
    if vectors:
        with indexing.vectors.writing(space) as indexer:
            indexer.put(vectors)
