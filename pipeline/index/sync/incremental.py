"""Putting into an index what has changed since it was made, and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.index.context import Indexing
from pipeline.index.sync.batches import (
    POINTS_AT_ONCE,
    Batch,
    carry_out,
    compare,
    in_parts,
    payload_steps,
    read_stock,
    steps_of_removal,
)
from pipeline.index.sync.changes import IndexChanges
from pipeline.index.sync.file_intake import Intake, take_in_all
from pipeline.index.sync.points import DraftPoint
from pipeline.index.sync.vectors import VectorReuse
from pipeline.ports.index import IndexPoint, Vector

FILES_AT_ONCE = 64
"""How many files that are gone are taken out at a time."""


@dataclass
class Freshening:
    """One update of an index; `vectors` is whether its passages are to have dense ones.

    Its results: `passages` is how many were added, `waiting` those of them without a vector yet, `unreadable` the
    reasons of files that are no text, empty for the others, `left` the points that were deleted, and `in_doubt` whether
    entries came or went.
    """

    indexing: Indexing
    vectors: bool
    passages: int = 0
    waiting: dict[str, DraftPoint | None] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    in_doubt: bool = False
    _reuse: VectorReuse = field(default_factory=VectorReuse)

    def carry_through(self, changes: IndexChanges) -> None:
        """Deal with all changes; what is gone comes last, for others may take over its vectors."""
        files = (*changes.new, *changes.changed, *changes.again)
        for intakes in take_in_all(self.indexing, files, POINTS_AT_ONCE):
            self._put(intakes)
        for paths in in_parts(changes.gone, FILES_AT_ONCE):
            self._remove(paths)
        settle(self.indexing, changes)

    def _put(self, intakes: Sequence[Intake]) -> None:
        with self.indexing.store.reading() as reader:
            if reader is None:
                return
            batch = compare(read_stock(reader, [intake.path for intake in intakes]), intakes)
            if self.vectors:
                self._reuse.keep(reader, batch.leaving)
            contents = [draft.content for _, draft in batch.drafts] if self.vectors else []
            vectors = self._reuse.find(reader, contents)
        carry_out(self.indexing, batch.steps(self._points(batch, vectors)))
        self.in_doubt |= batch.touches_entries
        self.left.update(batch.leaving)
        self.passages += len(batch.drafts)
        self.unreadable |= {intake.path: intake.why for intake in intakes}

    def _points(self, batch: Batch, vectors: Mapping[str, Vector]) -> list[IndexPoint]:
        if self.vectors:
            late = [draft for _, draft in batch.drafts if draft.content not in vectors]
            # A few are remembered, so that what they wait for need not be looked up.
            self.waiting |= {draft.id: draft if len(self.waiting) < POINTS_AT_ONCE else None for draft in late}
        passages = [cut.point(draft, vectors.get(draft.content), vectors=self.vectors) for cut, draft in batch.drafts]
        return passages + [cut.section_point(section) for cut, section in batch.sections]

    def _remove(self, paths: Sequence[str]) -> None:
        with self.indexing.store.reading() as reader:
            if reader is None:
                return
            stock = read_stock(reader, paths)
        carry_out(self.indexing, steps_of_removal(stock))
        self.left.update(stock.points)
        self.in_doubt |= stock.has_entries(list(stock.points))


def settle(indexing: Indexing, changes: IndexChanges) -> None:
    """Note the new signatures of files that turned out to be the same."""
    carry_out(indexing, payload_steps(changes.settled))
