"""A new index, made in place of the one there is, which is searched meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.facts.names import MentionFinder, all_names
from pipeline.index.context import Indexing
from pipeline.index.sync.entity_names import names_point, read_names
from pipeline.index.sync.file_intake import Intake, take_in_all
from pipeline.index.sync.stamp import Stamp
from pipeline.index.sync.statuses import standings
from pipeline.index.sync.vectors import MissingVectors
from pipeline.ports.index import Indexer, IndexPoint
from pipeline.workspace.listing import Listing, Unreadable

POINTS_AT_ONCE = 1_024
"""About how many points are cut, and analysed, before the next: some megabytes."""


@dataclass
class Built:
    """The result of a build. `missing` are the texts of its passages that want a vector."""

    files: int = 0
    passages: int = 0
    missing: MissingVectors = field(default_factory=MissingVectors)
    unreadable: list[Unreadable] = field(default_factory=list)


def build(indexing: Indexing, listing: Listing, stamp: Stamp) -> Built:
    """Build the index anew from the listed files."""
    built, entries, names = Built(), list[Mapping[str, Any]](), read_names(listing)
    mentions = MentionFinder(all_names(names))
    with indexing.store.building() as indexer:
        for intakes in take_in_all(indexing, listing.files, POINTS_AT_ONCE, mentions):
            _put(indexer, intakes)
            _count(built, intakes)
            drafts = (draft for intake in intakes for draft in intake.cut.drafts)
            entries += [draft.payload for draft in drafts if draft.passage.entry]
        indexer.upsert([*standings(entries), names_point(names), stamp.point()])
    return built


def _put(indexer: Indexer, intakes: Sequence[Intake]) -> None:
    points = list[IndexPoint]()
    for intake in intakes:
        points += map(intake.cut.point, intake.cut.drafts)
        points += map(intake.cut.section_point, intake.cut.sections)
        points += intake.points()
    indexer.upsert(points)


def _count(built: Built, intakes: Sequence[Intake]) -> None:
    for intake in intakes:
        built.files += not intake.why
        built.passages += len(intake.cut.drafts)
        built.missing.add(intake.cut.drafts)
        if intake.why:
            built.unreadable.append(Unreadable(intake.path, intake.why))
