"""Entries and facts by their ids, for people: what each is called, and its day."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from pipeline.clock import local_day
from pipeline.reports.facts import FactBook
from pipeline.reports.placed_entries import EntryBook


@dataclass(frozen=True)
class EntryTitle:
    """What an entry or a fact is called; `day` is empty where it is not known."""

    words: str
    day: str


def entry_titles(book: EntryBook, ids: Iterable[str], zone: str) -> Mapping[str, EntryTitle]:
    """The titles of those of the entries that a daily file has, by id."""
    wanted = set(ids)
    return {
        place.entry.id: EntryTitle(place.entry.title, str(local_day(place.entry.date, zone)))
        for place in book.places
        if place.entry.id in wanted and book.now.counts(place.entry)
    }


def fact_titles(book: FactBook, ids: Iterable[str]) -> Mapping[str, EntryTitle]:
    """The words of those of the facts that are known, by id."""
    known = ((name, book.standings.by_id.get(name)) for name in ids)
    return {
        name: EntryTitle(one.fact.text, str(one.fact.day) if one.fact.day > date.min else "")
        for name, one in known
        if one
    }
