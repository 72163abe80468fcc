"""The standing of entries, folded from all entries in the index."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pipeline.entries.standing import EntryState, fold
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.stamp import Stamp
from pipeline.ports.index import IndexPoint, Where
from schemas.entry import Entry, Kind, Source, Status, Trust

_ENTRIES = Where(any_of={layout.WRITTEN_STATUS: [status.value for status in Status]})
_STANDINGS = Where(any_of={layout.SORT: (layout.STANDING,)})
_NOWHERE = Source(session_id="", session_path="", message_range=(0, 0), entry_ids=("",))


def standings(entries: Iterable[Mapping[str, Any]]) -> list[IndexPoint]:
    """The points of the entries that are not plainly active, from the payloads of all."""
    states = fold(map(_entry_of, entries)).states
    return [
        _standing_point(entry_id, state, states)
        for entry_id, state in states.items()
        if state.status is not Status.ACTIVE or state.superseded_by
    ]


def settle_standings(indexing: Indexing, stamp: Stamp) -> Stamp:
    """Bring the standings up to date with the entries of the index; the stamp that says so."""
    with indexing.store.reading() as reader:
        wanted = standings(point.payload for point in reader.scroll(_ENTRIES)) if reader else []
        known = {point.id: point.payload for point in reader.scroll(_STANDINGS)} if reader else {}
    gone = known.keys() - {point.id for point in wanted}
    folded = replace(stamp, folded=True)
    with indexing.store.writing() as indexer:
        indexer.delete(gone)
        indexer.upsert([*(point for point in wanted if known.get(point.id) != point.payload), folded.point()])
    return folded


def _standing_point(entry_id: str, state: EntryState, states: Mapping[str, EntryState]) -> IndexPoint:
    successors = ((successor, states[successor].entry.date.date().toordinal()) for successor in state.superseded_by)
    payload = {
        layout.SORT: layout.STANDING,
        layout.ENTRY: entry_id,
        layout.STATUS: state.status.value,
        layout.SUCCESSORS: [list(successor) for successor in successors],
    }
    return IndexPoint(layout.standing_id(entry_id), payload)


def _entry_of(payload: Mapping[str, Any]) -> Entry:
    """The fields of an entry that the fold looks at; it was checked when it was read from its file."""
    return Entry.model_construct(
        id=payload[layout.ENTRY],
        title="",
        kind=Kind(payload[layout.KIND]),
        date=datetime.fromisoformat(payload[layout.MOMENT]),
        source=_NOWHERE,
        quote="",
        conclusion="",
        confidence=payload[layout.CONFIDENCE],
        trust=Trust(payload[layout.TRUST]),
        status=Status(payload[layout.WRITTEN_STATUS]),
        supersedes=tuple(payload[layout.SUPERSEDES]),
        superseded_by=tuple(payload[layout.SUPERSEDED_BY]),
        reinforces=(),
        corrects=payload.get(layout.CORRECTS, ""),
        grounds=payload.get(layout.GROUNDS, ""),
    )
