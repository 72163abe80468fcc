"""Lines of an agent's memory that rest on the words of an entry which another one has replaced."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from pipeline.language.folding import folded_words
from pipeline.reports.placed_entries import EntryBook
from schemas.entry import Entry, Status
from schemas.reports.agents import KnownLine


def replaced_lines(lines: Iterable[KnownLine], book: EntryBook) -> Mapping[str, str]:
    """By the id of a line, the id of the entry that replaced what the line says.

    A line and an entry are the same where they have the same quote out of the same message.
    """
    by_session = defaultdict[str, list[Entry]](list)
    for place in book.places:
        if place.status is Status.SUPERSEDED and book.now.counts(place.entry):
            by_session[place.entry.source.session_id].append(place.entry)
    pairs = ((line.id, _later(line, by_session.get(line.session_id, ()), book)) for line in lines if line.quote)
    return {name: later for name, later in pairs if name and later}


def _later(line: KnownLine, entries: Iterable[Entry], book: EntryBook) -> str:
    said = folded_words(line.quote)
    for entry in entries:
        first, last = entry.source.message_range
        if first <= line.message <= last and said == folded_words(entry.quote):
            return next(iter(book.now.states[entry.id].superseded_by), "")
    return ""
