"""Entries and their stories as programs get them."""

from pipeline.engine.context import Engine
from pipeline.errors import UnknownEntry
from pipeline.reports.entries import PlacedEntry, TracedEntry, explain
from pipeline.workspace.tombstones import read_forgotten
from schemas.reports.entries import (
    DoubtfulLink,
    EntryHistory,
    EntryPlace,
    ForgottenEntry,
    ForgottenTraces,
    GoneEntry,
    ListedEntry,
    Traced,
)


def listed_entry(place: PlacedEntry) -> ListedEntry:
    """An entry where it stands."""
    entry = dict(place.entry) | {"status": place.status}
    return ListedEntry(**entry, verified=place.verified, adopted=place.adopted, path=place.path, line=place.line)


def explained(engine: Engine, entry_id: str) -> TracedEntry | ForgottenEntry:
    """The history of one entry, or the fact that a person deleted it and no file mentions it any more.

    Raises:
        UnknownEntry: nothing has this id.
        SeveralNames: the ids of several entries begin so.
    """
    try:
        return explain(engine, entry_id)
    except UnknownEntry:
        if is_forgotten(engine, entry_id):
            return ForgottenEntry(entry_id)
        raise


def is_forgotten(engine: Engine, entry_id: str) -> bool:
    """Whether a person deleted an entry."""
    return any(gone.entry_id == entry_id for gone in read_forgotten(engine.workspace))


def history(story: TracedEntry, *, forgotten: bool) -> EntryHistory | GoneEntry:
    """The history of one entry; `forgotten` means that a person deleted it."""
    rest = dict(_traced(story))
    if story.place is None:
        return (ForgottenTraces if forgotten else GoneEntry)(id=story.entry_id, **rest)
    entry = dict(listed_entry(story.place)) | {"superseded_by": story.superseded_by}
    return EntryHistory(**entry, reinforced_by=story.reinforced_by, **rest)


def _traced(story: TracedEntry) -> Traced:
    return Traced(
        gone=story.place is None,
        quote_stands=story.quote_stands,
        quote_said=story.quote_said,
        source_exists=story.source_exists,
        run_id=story.run.run_id if story.run else None,
        findings=tuple(DoubtfulLink(fault.entry_id, fault.target, fault.doubt) for fault in story.findings),
        verdicts=story.rulings,
        places=tuple(
            EntryPlace(occurrence.path, occurrence.line, occurrence.what.value, occurrence.first_line)
            for occurrence in story.occurrences
        ),
        words=story.source,
    )
