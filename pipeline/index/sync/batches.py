"""The difference between files and the index, by their outlines: which points to put in, and which to take out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pipeline.index import schema as layout
from pipeline.index.sync.file_intake import Intake
from pipeline.index.sync.points import Cut, DraftPoint, IndexedSection
from pipeline.ports.index import IndexPoint, Searcher

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
