"""Putting into an index what has changed since it was made, and nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.index import schema as layout
from pipeline.index.context import EVERYTHING, Indexing, WorkLimit
from pipeline.index.sync.changes import IndexChanges
from pipeline.index.sync.entity_names import NamedChanges, put_names
from pipeline.index.sync.file_intake import Intake, take_in_all
from pipeline.index.sync.stamp import Stamp
from pipeline.index.sync.vectors import POINTS_AT_ONCE, MissingVectors, compare, in_parts, read_outlines
from pipeline.ports.index import IndexPoint
from pipeline.workspace.listing import Listed

LOOKED_AT_AGAIN = 300
"""Up to how many files that did not change are read by each search: some 20 ms."""
FILES_AT_ONCE = 1_000
"""How many files that are gone are taken out by one change of the index."""


@dataclass
class Freshening:
    """One update of an index. `stamp` is that of the index, and is kept up to date with it.

    Its results: `passages` is how many were added, `missing` are the texts that they want embedded, and `unreadable`
    the reasons of files that are no text, empty for the others.
    """

    indexing: Indexing
    stamp: Stamp
    passages: int = 0
    missing: MissingVectors = field(default_factory=MissingVectors)
    unreadable: dict[str, str] = field(default_factory=dict)

    def carry_through(self, named: NamedChanges) -> None:
        """Deal with all changes but new signatures.

        The files that hold a new name come before the pages that give it: after a crash the pages still look changed.
        """
        changes = named.changes
        self._take_in(changes.again, named)
        if named.new:
            put_names(self.indexing, named.names)
        self._take_in((*changes.new, *changes.changed), named)
        self.remove(changes.gone)

    def remove(self, gone: Iterable[str]) -> None:
        """Take files out."""
        for paths in in_parts(gone, FILES_AT_ONCE):
            self._remove(paths)

    def _take_in(self, files: Iterable[Listed], named: NamedChanges) -> None:
        for intakes in take_in_all(self.indexing, files, POINTS_AT_ONCE, named.mentions):
            self._put(intakes)

    def _put(self, intakes: Sequence[Intake]) -> None:
        with self.indexing.store.reading() as reader:
            batch = compare(read_outlines(reader, [intake.path for intake in intakes]) if reader else {}, intakes)
        self._write(batch.points(), batch.leaving, touches_entries=batch.touches_entries, added=bool(batch.drafts))
        self.passages += len(batch.drafts)
        self.missing.add(draft for _, draft in batch.drafts)
        self.unreadable |= {intake.path: intake.why for intake in intakes}

    def _remove(self, paths: Sequence[str]) -> None:
        with self.indexing.store.reading() as reader:
            outlines = read_outlines(reader, paths).values() if reader else ()
        ids = [name for path in paths for name in (layout.file_id(path), layout.outline_id(path))]
        ids += [point for outline in outlines for point in outline.points]
        self._write((), ids, touches_entries=any(outline.entries for outline in outlines), added=False)

    def _write(
        self, points: Iterable[IndexPoint], leaving: Sequence[str], *, touches_entries: bool, added: bool
    ) -> None:
        stamp = self.stamp.after(entries=touches_entries, passages=added, gone=len(leaving))
        self.indexing.safe_point()
        with self.indexing.store.writing() as indexer:
            indexer.delete(leaving)
            for part in in_parts(points, POINTS_AT_ONCE):
                indexer.upsert(part)
            if stamp != self.stamp:
                indexer.upsert([stamp.point()])
        self.stamp = stamp


def settle(indexing: Indexing, changes: IndexChanges, work_limit: WorkLimit) -> None:
    """Note the new signatures of files that turned out to be the same.

    An update with limits, as of a search, notes them only when it takes long to look at these files again and again:
    each point that is put in changes the rarity of all words by a hair, and with it the scores of the next answer.
    """
    if len(changes.settled) > (0 if work_limit == EVERYTHING else LOOKED_AT_AGAIN):
        with indexing.store.writing() as indexer:
            indexer.upsert([IndexPoint(name, payload) for name, payload in changes.settled.items()])
