"""Dense vectors: taken over from text that had them, or made."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.clock import stopwatch
from pipeline.errors import EmbedderUnavailable
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.batches import POINTS_AT_ONCE, in_parts
from pipeline.index.sync.points import DraftPoint, mixed
from pipeline.ports.index import Embedder, Searcher, Vector, Where
from pipeline.process.cancellation import CancellationToken

TEXTS_AT_ONCE = 64
"""How many texts an embedder is given: enough for it to be fast, and few enough to stop soon."""
LOOKED_UP_AT_ONCE = 1024
"""For how many points it is looked up what they wait for."""
BEHIND_SECONDS = 5.0
"""By how much making vectors may take longer than all else before a new index takes its place without the rest."""
HELD_SECONDS = 1.0
"""How long vectors are held back before they are put in: what a stop may lose."""


@dataclass
class VectorReuse:
    """The vectors of text that has left, or is about to, for where it stands now."""

    _kept: dict[str, Vector] = field(default_factory=dict)

    def keep(self, reader: Searcher, ids: Sequence[str]) -> None:
        """Remember the vectors of points that will be taken out."""
        for point in reader.retrieve(ids, vectors=True) if ids else ():
            if point.dense is not None:
                self._kept[point.payload[layout.CONTENT]] = array("f", point.dense)

    def find(self, reader: Searcher, contents: Iterable[str]) -> dict[str, Vector]:
        """The vectors of those contents that have one, remembered or in the index."""
        wanted = set(contents)
        vectors = {content: self._kept[content] for content in wanted & self._kept.keys()}
        for part in in_parts(sorted(wanted - vectors.keys()), POINTS_AT_ONCE):
            where = Where(any_of={layout.CONTENT: part, layout.VECTOR: ("yes",)})
            for point in reader.scroll(where, fields=(layout.CONTENT,), vectors=True):
                if point.dense is not None:
                    vectors[point.payload[layout.CONTENT]] = array("f", point.dense)
        return vectors


@dataclass
class VectorMaker:
    """Makes vectors within its limits: of about `limit` texts.

    With `since`, a time on the stopwatch, it takes about as long as everything since then. `why` has the reason when it
    failed; `made` counts the vectors of points.
    """

    embedder: Embedder | None
    limit: int | None = None
    safe_point: CancellationToken = field(default_factory=CancellationToken)
    since: float | None = None
    made: int = 0
    why: str = ""
    _asked: int = 0
    _seconds: float = 0.0

    @property
    def at_work(self) -> bool:
        """Whether it can and may make more."""
        if self.embedder is None or self.why or (self.limit is not None and self._asked >= self.limit):
            return False
        return self.since is None or 2 * self._seconds < stopwatch() - self.since + BEHIND_SECONDS

    def make(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Vector]]:
        """The vectors of contents, each made of some texts, a few at a time and as far as that goes."""
        known = dict[str, Vector]()
        for part in _parts(wanted, min(TEXTS_AT_ONCE, self.limit or TEXTS_AT_ONCE)):
            texts = dict.fromkeys(text for content in part for text in wanted[content] if text not in known)
            if not self._learn(known, list(texts)):
                return
            self.made += len(part)
            yield {content: mixed([known[text] for text in wanted[content]]) for content in part}

    def _learn(self, known: dict[str, Vector], texts: Sequence[str]) -> bool:
        """Have these texts embedded; whether that went well."""
        for part in in_parts(texts, TEXTS_AT_ONCE):
            if not self.at_work or self.embedder is None:
                return False
            self.safe_point()
            began = stopwatch()
            try:
                known.update(zip(part, self.embedder.passages(part), strict=True))
            except EmbedderUnavailable as error:
                self.why = str(error)
                return False
            self._asked += len(part)
            self._seconds += stopwatch() - began
        return True


def _parts(wanted: Mapping[str, Sequence[str]], size: int) -> Iterator[list[str]]:
    """The contents, so many at a time that they are made of up to `size` texts; at least one."""
    part, texts = list[str](), set[str]()
    for content, made_of in wanted.items():
        if part and len(texts.union(made_of)) > size:
            yield part
            part, texts = [], set()
        part.append(content)
        texts.update(made_of)
    if part:
        yield part


def waiting(reader: Searcher) -> list[str]:
    """The points that are to have a vector and have none, in the order of their files."""
    points = reader.scroll(Where(any_of={layout.VECTOR: ("no",)}), fields=(layout.PATH, layout.ORDINAL))
    ordered = sorted((point.payload[layout.PATH], point.payload[layout.ORDINAL], point.id) for point in points)
    return [point_id for _, _, point_id in ordered]


def give_vectors(indexing: Indexing, ids: Mapping[str, DraftPoint | None], maker: VectorMaker) -> int:
    """Give vectors to the points that wait for one; the number of points that got it. Missing drafts are looked up."""
    given = 0
    for part in in_parts(list(ids), LOOKED_UP_AT_ONCE):
        if not maker.at_work:
            break
        drafts = {point_id: ids[point_id] for point_id in part}
        pending = PendingVectors()
        for point_id, draft in drafts.items():
            if draft:
                pending.add(point_id, draft.content, draft.embedded)
        known = pending.look_up(indexing, [point_id for point_id, draft in drafts.items() if not draft])
        given += _give(indexing, pending, known, maker)
    return given


@dataclass
class PendingVectors:
    """Points that wait for their vectors: the texts to embed, by content, and the points of each."""

    texts: dict[str, Sequence[str]] = field(default_factory=dict)
    points: dict[str, list[str]] = field(default_factory=dict)

    def add(self, point: str, content: str, texts: Sequence[str]) -> None:
        """Note that a point waits for the vector of some texts."""
        self.texts[content] = texts
        self.points.setdefault(content, []).append(point)

    def look_up(self, indexing: Indexing, ids: Sequence[str]) -> dict[str, Vector]:
        """Note what these points wait for, in their order; the vectors that others of the same content have."""
        if not ids:
            return {}
        with indexing.store.reading() as reader:
            if reader is None:
                return {}
            payloads = {point.id: point.payload for point in reader.retrieve(ids)}
            for point_id in ids:
                if point_id in payloads:
                    self.add(point_id, payloads[point_id][layout.CONTENT], payloads[point_id][layout.EMBEDDED])
            return VectorReuse().find(reader, self.texts)

    def fulfilled(self, vectors: Mapping[str, Vector]) -> dict[str, Vector]:
        """The vectors by content as vectors by point."""
        return {point: vector for content, vector in vectors.items() for point in self.points[content]}


def _give(indexing: Indexing, pending: PendingVectors, known: dict[str, Vector], maker: VectorMaker) -> int:
    given, since = 0, stopwatch()
    for made in maker.make({content: texts for content, texts in pending.texts.items() if content not in known}):
        known |= made
        if len(known) >= POINTS_AT_ONCE or stopwatch() - since >= HELD_SECONDS:
            given += _put(indexing, pending.fulfilled(known))
            known, since = {}, stopwatch()
    return given + _put(indexing, pending.fulfilled(known))


def _put(indexing: Indexing, vectors: Mapping[str, Vector]) -> int:
    if vectors:
        with indexing.store.writing() as indexer:
            indexer.set_dense(vectors)
            # Only after that, so that a crash in between leaves points that wait.
            indexer.set_payload({point_id: {layout.VECTOR: "yes", layout.EMBEDDED: []} for point_id in vectors})
    return len(vectors)
