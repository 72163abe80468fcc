"""An entry as a job reads it, with all that a test does not care about filled in."""

from datetime import UTC, datetime
from typing import Any

from pipeline.job import Noted
from schemas.entry import QUOTED_CONFIDENCE, Entry, Kind, Source, Trust

TWINS = ("RULE-20260302-twin-635", "RULE-20260302-twin-45454")
"""Ids whose items have the same name."""

MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


def noted(entry_id: str, *, as_written: bool = True, path: str = "memory/2026-03-02.md", **fields: Any) -> Noted:  # noqa: ANN401 - fields of `Entry`
    """An entry of the file of 2 March 2026; `fields` are any others of `Entry`."""
    source = Source(session_id="s", session_path="memory:s.jsonl", message_range=(4, 7), entry_ids=("s-4",))
    made = {
        "id": entry_id,
        "title": entry_id,
        "kind": Kind.DECISION,
        "date": MORNING,
        "source": source,
        "quote": f"quote of {entry_id}",
        "conclusion": f"conclusion of {entry_id}",
        "confidence": 0.9,
    }
    return noted_entry(Entry.model_validate(made | fields), path, as_written=as_written)


def noted_entry(entry: Entry, path: str, *, as_written: bool = True) -> Noted:
    """An entry as a job is shown it: of one that is not as it was written, no more than its quote is believed."""
    if as_written or entry.trust is Trust.UNVERIFIED:
        return Noted(entry, path, entry.confidence)
    sure = {"trust": Trust.QUOTED, "confidence": min(entry.confidence, QUOTED_CONFIDENCE)}
    return Noted(entry.model_copy(update=sure).quote_alone(), path, entry.confidence)
