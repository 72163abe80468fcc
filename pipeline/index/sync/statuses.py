"""The standing of entries, folded from all entries in the index."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import Any

from pipeline.entries.standing import EntryState, fold
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.batches import carry_out, payload_steps, set_payload
from pipeline.ports.index import Searcher, Where
from schemas.entry import Entry, Kind, Source, Status, Trust

_ENTRIES = Where(any_of={layout.STATUS: [status.value for status in Status]})
_FIELDS = (
    layout.ENTRY,
    layout.KIND,
    layout.CONFIDENCE,
    layout.TRUST,
    layout.MOMENT,
    layout.SUPERSEDES,
    layout.SUPERSEDED_BY,
    layout.WRITTEN_STATUS,
    layout.STATUS,
    layout.SUCCESSORS,
)
_NOWHERE = Source(session_id="", session_path="", message_range=(0, 0), entry_ids=("",))

Standings = Mapping[str, Mapping[str, Any]]
"""The payload changes of entries whose status differs from the fold, by the ids of their points."""


def read_entries(reader: Searcher) -> dict[str, Mapping[str, Any]]:
    """The fields of all entries in the index that the fold needs, by the ids of their points."""
    return {point.id: point.payload for point in reader.scroll(_ENTRIES, fields=_FIELDS)}


def changed_standings(entries: Mapping[str, Mapping[str, Any]]) -> Standings:
    """The payload changes to apply, by the ids of the points."""
    states = fold(map(_entry, entries.values())).states
    payloads = {entry_id: _status_payload(state, states) for entry_id, state in states.items()}
    wanted = {point_id: payloads[payload[layout.ENTRY]] for point_id, payload in entries.items()}
    return {
        point_id: standing
        for point_id, standing in wanted.items()
        if any(entries[point_id][name] != value for name, value in standing.items())
    }


def settle_standings(indexing: Indexing) -> None:
    """Give every entry in the index its status of the fold."""
    with indexing.store.reading() as reader:
        entries = read_entries(reader) if reader else {}
    changed = changed_standings(entries)
    carry_out(indexing, chain(payload_steps(changed), [set_payload({layout.STAMP_ID: {layout.FOLDED: True}})]))


def _status_payload(state: EntryState, states: Mapping[str, EntryState]) -> dict[str, Any]:
    successors = ((successor, states[successor].entry.date.date().toordinal()) for successor in state.superseded_by)
    return {layout.STATUS: state.status.value, layout.SUCCESSORS: [list(successor) for successor in successors]}


def _entry(payload: Mapping[str, Any]) -> Entry:
    """As much of an entry as the fold looks at; it was checked when it was read from its file."""
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
        supersedes=_ids(payload[layout.SUPERSEDES]),
        superseded_by=_ids(payload[layout.SUPERSEDED_BY]),
        reinforces=(),
    )


def _ids(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(ids)
