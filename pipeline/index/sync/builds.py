"""The writing of words into the index: a new index of all files, or only what has changed since it was made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from pipeline.facts.names import MentionFinder, all_names
from pipeline.index import schema as layout
from pipeline.index.context import EVERYTHING, Indexing, WorkLimit
from pipeline.index.sync.changes import IndexChanges
from pipeline.index.sync.entity_names import NamedChanges, names_point, read_names
from pipeline.index.sync.file_intake import Intake, take_in_all
from pipeline.index.sync.points import Cut, DraftPoint, IndexedSection
from pipeline.index.sync.stamp import Stamp
from pipeline.index.sync.statuses import standings
from pipeline.index.sync.vectors import MissingVectors, in_parts
from pipeline.ports.index import IndexPoint, Searcher
from pipeline.workspace.listing import Listed, Listing, Unreadable

CUT_AT_ONCE = 1_024
"""About how many points of a new index are cut, and analysed, before the next: some megabytes."""
POINTS_AT_ONCE = 4_096
"""About how many points are put in by one change of the index: some tenths of a second, and what a stop may lose."""
LOOKED_AT_AGAIN = 300
"""The most files that did not change which each search reads: some 20 ms."""
FILES_AT_ONCE = 1_000
"""The number of files that are gone which a change of the index takes out."""


@dataclass
class Built:
    """The result of a build. `missing` are the texts of its passages that want a vector."""

    files: int = 0
    passages: int = 0
    missing: MissingVectors = field(default_factory=MissingVectors)
    unreadable: list[Unreadable] = field(default_factory=list)


def build(indexing: Indexing, listing: Listing, stamp: Stamp) -> Built:
    """Build the index anew from the listed files; the one there is is searched meanwhile."""
    built, entries, names = Built(), list[Mapping[str, Any]](), read_names(listing)
    mentions = MentionFinder(all_names(names))
    with indexing.store.building() as indexer:
        for intakes in take_in_all(indexing, listing.files, CUT_AT_ONCE, mentions):
            points = list[IndexPoint]()
            for intake in intakes:
                cut = intake.cut
                points += [*map(cut.point, cut.drafts), *map(cut.section_point, cut.sections), *intake.points()]
                entries += [draft.payload for draft in cut.drafts if draft.passage.entry]
                built.files += not intake.why
                built.passages += len(cut.drafts)
                built.missing.add(cut.drafts)
                if intake.why:
                    built.unreadable.append(Unreadable(intake.path, intake.why))
            indexer.insert(points)
        indexer.insert([*standings(entries), names_point(names), stamp.point()])
    return built


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
    return {
        point.payload[layout.PATH]: FileOutline(
            frozenset(place[0] for place in point.payload[layout.PASSAGES]),
            dict(point.payload[layout.SECTIONS]),
            frozenset(point.payload[layout.ENTRIES]),
        )
        for point in points
    }


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


@dataclass
class IncrementalUpdate:
    """An update of an index. `stamp` is that of the index, and is kept up to date with it.

    Its results: `passages` is how many were added, `missing` are the texts that they want embedded, and `unreadable`
    the reasons of files that are no text, empty for the others.
    """

    indexing: Indexing
    stamp: Stamp
    passages: int = 0
    missing: MissingVectors = field(default_factory=MissingVectors)
    unreadable: dict[str, str] = field(default_factory=dict)
    _signed: Sequence[IndexPoint] = ()

    def carry_through(self, named: NamedChanges, work_limit: WorkLimit) -> None:
        """Deal with all changes; new signatures are noted with the first of them, for each commit takes its time.

        The files that hold a new name come before the pages that give it: after a crash the pages still look changed.
        """
        changes = named.changes
        self._signed = signed_records(changes, work_limit)
        self._take_in(changes.again, named)
        if named.new:
            with self.indexing.store.writing() as indexer:
                indexer.upsert([names_point(named.names)])
        self._take_in((*changes.new, *changes.changed), named)
        self.remove(changes.gone)
        note_records(self.indexing, self._signed)

    def remove(self, gone: Iterable[str]) -> None:
        """Take files out."""
        for paths in in_parts(gone, FILES_AT_ONCE):
            with self.indexing.store.reading() as reader:
                outlines = read_outlines(reader, paths).values() if reader else ()
            ids = [name for path in paths for name in (layout.file_id(path), layout.outline_id(path))]
            ids += [point for outline in outlines for point in outline.points]
            self._write((), ids, touches_entries=any(outline.entries for outline in outlines), added=False)

    def _take_in(self, files: Iterable[Listed], named: NamedChanges) -> None:
        for intakes in take_in_all(self.indexing, files, POINTS_AT_ONCE, named.mentions):
            with self.indexing.store.reading() as reader:
                batch = compare(read_outlines(reader, [intake.path for intake in intakes]) if reader else {}, intakes)
            self._write(batch.points(), batch.leaving, touches_entries=batch.touches_entries, added=bool(batch.drafts))
            self.passages += len(batch.drafts)
            self.missing.add(draft for _, draft in batch.drafts)
            self.unreadable |= {intake.path: intake.why for intake in intakes}

    def _write(
        self, points: Iterable[IndexPoint], leaving: Sequence[str], *, touches_entries: bool, added: bool
    ) -> None:
        stamp = self.stamp.after(entries=touches_entries, passages=added, gone=len(leaving))
        self.indexing.safe_point()
        with self.indexing.store.writing() as indexer:
            indexer.delete(leaving)
            for part in in_parts(chain(self._signed, points), POINTS_AT_ONCE):
                indexer.upsert(part)
            if stamp != self.stamp:
                indexer.upsert([stamp.point()])
        self.stamp, self._signed = stamp, ()


def signed_records(changes: IndexChanges, work_limit: WorkLimit) -> Sequence[IndexPoint]:
    """The records with new signatures to note, of files that turned out to be the same.

    An update with limits, as of a search, notes them only when it takes long to look at these files again and again:
    each point that is put in changes the rarity of all words by a hair, and with it the scores of the next answer.
    """
    if len(changes.settled) <= (0 if work_limit == EVERYTHING else LOOKED_AT_AGAIN):
        return ()
    return [IndexPoint(name, payload) for name, payload in changes.settled.items()]


def note_records(indexing: Indexing, records: Sequence[IndexPoint]) -> None:
    """Note records in a commit of their own, if there are any."""
    if records:
        with indexing.store.writing() as indexer:
            indexer.upsert(records)
