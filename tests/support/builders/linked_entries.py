"""Entries that may be linked."""

from datetime import UTC, datetime, timedelta

from schemas.entry import Entry, Kind, Source

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def said_on(day: int, text: str, **fields: object) -> Entry:
    """A rule that the owner states on a day, in a session of its own."""
    source = Source(session_id=f"s{day}", session_path="m:x", message_range=(1, 1), entry_ids=(f"e-{day}",))
    entry = Entry(
        id=f"RULE-{day}",
        title=text,
        kind=Kind.RULE,
        date=START + timedelta(days=day),
        source=source,
        quote=text,
        conclusion=text,
        confidence=0.9,
    )
    return entry.model_copy(update=fields)
