"""A new index, made beside the one there is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.clock import stopwatch
from pipeline.errors import IndexUnavailable
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.batches import POINTS_AT_ONCE, in_parts, payload_steps
from pipeline.index.sync.file_intake import Intake, take_in_all
from pipeline.index.sync.points import DraftPoint
from pipeline.index.sync.stamp import Identity
from pipeline.index.sync.statuses import changed_standings, read_entries
from pipeline.index.sync.vectors import VectorMaker, VectorReuse
from pipeline.ports.index import Indexer, IndexPoint, Vector
from pipeline.workspace.listing import Listing, Unreadable

TAKEN_AT_ONCE = 4096
"""For how many points vectors are looked up in the old index at a time: opening it costs more than looking."""


@dataclass
class Built:
    """The result of a build. `waiting` are the points that have no vector yet, and could have one."""

    files: int = 0
    passages: int = 0
    waiting: dict[str, None] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)


def build(indexing: Indexing, listing: Listing, now: Identity, old: Identity | None, maker: VectorMaker) -> Built:
    """Build the index anew from the listed files, with the vectors that the `old` one has of the same text."""
    building = _Building(indexing, now, maker, takes_over=now.same_vectors(old))
    maker.since = stopwatch()
    with indexing.store.building(layout.layout(now.dimension)) as indexer:
        for intakes in take_in_all(indexing, listing.files, TAKEN_AT_ONCE):
            building.put(indexer, intakes)
        for _, operation in payload_steps(changed_standings(read_entries(indexer))):
            operation(indexer)
        indexer.upsert([_stamp(now)])
    maker.since = None
    return building.built


@dataclass
class _Building:
    indexing: Indexing
    now: Identity
    maker: VectorMaker
    takes_over: bool
    built: Built = field(default_factory=Built)

    def put(self, indexer: Indexer, intakes: list[Intake]) -> None:
        """Put files in, whole."""
        texts = {draft.content: draft.embedded for intake in intakes for draft in intake.cut.drafts}
        vectors = self._vectors(texts)
        for part in in_parts(self._points(intakes, vectors), POINTS_AT_ONCE):
            self.indexing.safe_point()
            indexer.upsert(part)
        self.built.files += sum(not intake.why for intake in intakes)
        self.built.unreadable += [Unreadable(intake.path, intake.why) for intake in intakes if intake.why]

    def _vectors(self, texts: Mapping[str, Sequence[str]]) -> dict[str, Vector]:
        vectors = self._taken_over(texts) if self.takes_over else {}
        if self.now.dimension:
            for made in self.maker.make({content: text for content, text in texts.items() if content not in vectors}):
                vectors |= made
        return vectors

    def _taken_over(self, contents: Iterable[str]) -> dict[str, Vector]:
        try:
            with self.indexing.store.reading() as old:
                return VectorReuse().find(old, contents) if old else {}
        except IndexUnavailable:
            self.takes_over = False  # what is damaged is worth a new index, not a second look
            return {}

    def _points(self, intakes: list[Intake], vectors: Mapping[str, Vector]) -> Iterator[IndexPoint]:
        for intake in intakes:
            for draft in intake.cut.drafts:
                self._count(draft, vectors)
                yield intake.cut.point(draft, vectors.get(draft.content), vectors=bool(self.now.dimension))
            yield from map(intake.cut.section_point, intake.cut.sections)
            yield intake.record()

    def _count(self, draft: DraftPoint, vectors: Mapping[str, Any]) -> None:
        self.built.passages += 1
        if self.now.dimension and draft.content not in vectors:
            self.built.waiting[draft.id] = None


def _stamp(now: Identity) -> IndexPoint:
    fields = {layout.IDENTITY: now.stamp(), layout.FOLDED: True, layout.UNSETTLED: 0}
    return IndexPoint(layout.STAMP_ID, {layout.SORT: layout.STAMP, **fields})
