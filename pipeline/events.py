"""What the engine announces: one stable name per happening, in structured log lines."""

from collections.abc import Callable
from enum import StrEnum

Emit = Callable[..., None]
"""Takes an `Event` and its fields as keyword arguments."""


class Event(StrEnum):
    """The names of all happenings. They are part of the interface: watchers match on them."""

    NOTHING_DUE = "run.nothing_due"
    RUN_BEGAN = "run.began"
    RUN_ENDED = "run.ended"
    RUN_EMPTY = "run.empty"
    SERIES_ENDED = "series.ended"
    REJECTED = "candidate.rejected"
    MENDED = "file.mended"
    DELETED_BY_PERSON = "entry.deleted_by_person"
    REMOVED_BY_PERSON = "item.removed_by_person"
    LEDGER_REBUILT = "ledger.rebuilt"
    SOURCE_UNREADABLE = "source.unreadable"
    SOURCES_READ = "sources.read"
    INDEX_UPDATED = "index.updated"
    INDEX_REBUILT = "index.rebuilt"
    INDEX_UNREADABLE = "index.unreadable"


MEANINGS = {
    Event.NOTHING_DUE: "a run found no time it has to deal with",
    Event.RUN_BEGAN: "a partition's run begins",
    Event.RUN_ENDED: "a partition's run ended; `ending` says how",
    Event.RUN_EMPTY: "a partition's run ended and had found nothing",
    Event.SERIES_ENDED: "all runs of a command are over; `endings` counts how they ended",
    Event.REJECTED: "a candidate was not written; `reason` says why",
    Event.MENDED: "what a crash had left half-written was completed or removed",
    Event.DELETED_BY_PERSON: "an entry is gone from its file and will not be extracted again",
    Event.REMOVED_BY_PERSON: "a line of ours was taken out of a page and will not be put there again",
    Event.LEDGER_REBUILT: "`state.db` was missing and has been rebuilt from the Markdown files",
    Event.SOURCE_UNREADABLE: "a transcript file cannot be read; its time is run again when it can",
    Event.SOURCES_READ: "the transcript folders were looked at; `read` files were new or changed",
    Event.INDEX_UPDATED: "files have changed and the index follows them; `passages` were put in, `vectors` were made",
    Event.INDEX_REBUILT: "the index has been built anew; `rebuilt` says why",
    Event.INDEX_UNREADABLE: "`files` cannot be read, or are no text, and are left out of the index",
}


def silent(event: Event, **fields: object) -> None:
    """Announce nothing."""
    del event, fields
