"""Writing changed files to the index in batches, so that the next update can mend the effects of a crash.

Before its other points are touched, the record of a file marks it as being changed (its digest is empty) and names all
its old and new points. An update that finds such a record knows which points to look for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.file_intake import Intake
from pipeline.index.sync.points import Cut, DraftPoint, IndexedSection
from pipeline.ports.index import Indexer, IndexPoint, Searcher

POINTS_AT_ONCE = 256
"""How many points are written while others wait: some 30 ms."""

T = TypeVar("T")
Operation = Callable[[Indexer], None]
Step = tuple[int, Operation]
"""One write to the index, and the number of points it writes."""


@dataclass(frozen=True)
class Stock:
    """The index's content of some files: their records by path, and the payload of the points that these name, by id.

    A named point without a payload was lost to a crash.
    """

    records: Mapping[str, Mapping[str, Any]]
    points: Mapping[str, Mapping[str, Any]]

    def has_entries(self, ids: Sequence[str]) -> bool:
        """Whether any of these points is an entry."""
        return any(layout.ENTRY in self.points[point_id] for point_id in ids)


@dataclass(frozen=True)
class Batch:
    """Some files, and what has to be put in and taken out for them."""

    intakes: Sequence[Intake]
    stock: Stock
    drafts: Sequence[tuple[Cut, DraftPoint]]
    sections: Sequence[tuple[Cut, IndexedSection]]
    leaving: Sequence[str]

    @property
    def touches_entries(self) -> bool:
        """Whether entries come or go, so that others may stand differently."""
        return any(draft.passage.entry for _, draft in self.drafts) or self.stock.has_entries(self.leaving)

    def steps(self, points: Sequence[IndexPoint]) -> Iterator[Step]:
        """The steps, in order; `points` are those of its drafts and sections."""
        if self.touches_entries:
            yield _standing_in_doubt()
        if points or self.leaving:
            yield _upsert([self._intent(intake) for intake in self.intakes])
        for part in in_parts(points, POINTS_AT_ONCE):
            yield _upsert(part)
        for ids in in_parts(self.leaving, POINTS_AT_ONCE):
            yield _delete(ids)
        yield _upsert([intake.record() for intake in self.intakes])

    def _intent(self, intake: Intake) -> IndexPoint:
        record = self.stock.records.get(intake.path, {})
        return intake.intent(record.get(layout.PASSAGES, ()), record.get(layout.SECTIONS, ()))


def read_stock(reader: Searcher, paths: Sequence[str]) -> Stock:
    """The index's content of these files."""
    records = {point.payload[layout.PATH]: point.payload for point in reader.retrieve(list(map(layout.file_id, paths)))}
    named = list(chain.from_iterable(map(_named, records.values())))
    return Stock(records, {point.id: point.payload for point in (reader.retrieve(named) if named else ())})


def compare(stock: Stock, intakes: Sequence[Intake]) -> Batch:
    """The difference between these files and the index: the points to add and the points to delete."""
    drafts = [(intake.cut, draft) for intake in intakes for draft in intake.cut.drafts if draft.id not in stock.points]
    sections = [
        (intake.cut, section)
        for intake in intakes
        for section in intake.cut.sections
        if stock.points.get(section.id, {}).get(layout.CONTENT) != section.content
    ]
    wanted = {draft.id for intake in intakes for draft in intake.cut.drafts}
    wanted |= {section.id for intake in intakes for section in intake.cut.sections}
    return Batch(intakes, stock, drafts, sections, [point_id for point_id in stock.points if point_id not in wanted])


def steps_of_removal(stock: Stock) -> Iterator[Step]:
    """How files that are gone are taken out."""
    records = {layout.file_id(path): {layout.DIGEST: ""} for path in stock.records}
    if stock.has_entries(list(stock.points)):
        yield _standing_in_doubt()
    # First, for a file may come back just as it was between a crash and the next update.
    yield set_payload(records)
    for part in in_parts(list(stock.points), POINTS_AT_ONCE):
        yield _delete(part)
    yield _delete(list(records))


def carry_out(indexing: Indexing, steps: Iterator[Step]) -> None:
    """Do it, letting others in between, and stopping there if asked."""
    group, size = list[Operation](), 0
    for points, operation in steps:
        if size and size + points > POINTS_AT_ONCE:
            _write(indexing, group)
            group, size = [], 0
        group.append(operation)
        size += points
    if group:
        _write(indexing, group)


def set_payload(changes: Mapping[str, Mapping[str, Any]]) -> Step:
    """The step that sets these fields of points, by id."""
    return len(changes), lambda indexer: indexer.set_payload(changes)


def payload_steps(changes: Mapping[str, Mapping[str, Any]]) -> Iterator[Step]:
    """The steps that set these fields of any number of points."""
    for part in in_parts(changes, POINTS_AT_ONCE):
        yield set_payload({point_id: changes[point_id] for point_id in part})


def in_parts(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """The things in their order, `size` at a time."""
    left = iter(things)
    while part := list(islice(left, size)):
        yield part


def _write(indexing: Indexing, operations: Sequence[Operation]) -> None:
    indexing.safe_point()
    with indexing.store.writing() as indexer:
        for operation in operations:
            operation(indexer)


def _named(record: Mapping[str, Any]) -> list[str]:
    return [*(place[0] for place in record[layout.PASSAGES]), *record[layout.SECTIONS]]


def _standing_in_doubt() -> Step:
    return set_payload({layout.STAMP_ID: {layout.FOLDED: False}})


def _upsert(points: Sequence[IndexPoint]) -> Step:
    return len(points), lambda indexer: indexer.upsert(points)


def _delete(ids: Sequence[str]) -> Step:
    return 0, lambda indexer: indexer.delete(ids)
