"""News: what was written, changed, taken off `MEMORY.md` and read since a moment, by the time of writing."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Self

from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.ledger.evidence import blocks_written, records_read
from pipeline.markdown.blocks import without_marks
from pipeline.reports.placed_entries import EntryBook, PlacedEntry
from pipeline.reports.runs import difference
from schemas.hot_page import PATH

_RUNS = 20
"""The newest runs that render the page, which are looked at for lines that left it."""
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
# What an item ends with: ` ([DEC-20260302-ab12cd34](a.md), …)`, ` (session s-1, …)`, ` ([2026-03-02](a.md))`.
_ENTRY = re.compile(r" \(\[([A-Z]+-\d{8}-[^\]\s]+)\]\([^)\n]*\)[^()\n]*\)")
_GROUNDS = re.compile(r" \((?:session|sessions|from) [^()\n]*\)")
_DATED = re.compile(r" \(\[[^\]\n]*\]\([^)\n]*\)\)")
WEEKS = 53
"""The weeks of the map of a year."""


@dataclass(frozen=True)
class FreshEntry:
    """An entry that a run wrote, and the entries whose place it took."""

    place: PlacedEntry
    replaced: tuple[PlacedEntry, ...]

    @classmethod
    def of(cls, place: PlacedEntry, book: EntryBook) -> Self:
        """The entry at a place with those that it replaced, as far as they stand."""
        entry = place.entry
        corrected = (entry.corrects,) if entry.corrects else ()
        names = dict.fromkeys((*entry.supersedes, *entry.supersedes_part, *corrected))
        return cls(place, tuple(earlier for name in names if (earlier := book.counting(name))))


@dataclass(frozen=True)
class WrapUpItem:
    """An item of a wrap-up: its words, and the id of its entry, if it has one."""

    words: str
    entry: str


@dataclass(frozen=True)
class WrapUp:
    """The newest wrap-up: its day, its path, and the items of its sections that have any."""

    day: date
    path: str
    sections: Mapping[str, Sequence[WrapUpItem]]


@dataclass(frozen=True)
class DayFigures:
    """Figures by day, the oldest first: records read, entries written, suggestions made, tokens of the model."""

    read: Sequence[int]
    written: Sequence[int]
    suggested: Sequence[int]
    tokens: Sequence[int]


@dataclass(frozen=True)
class MapDay:
    """A day of the map: the number of its entries, and its rank among the days with any, from 0 to 4."""

    day: date
    number: int
    level: int


def written_since(engine: Engine, book: EntryBook, moment: datetime, most: int = -1) -> list[PlacedEntry]:
    """The entries that runs wrote at or after a moment and that still stand, the newest first; at most the `most`."""
    names = (name for name, _ in blocks_written(engine.ledger.store, moment, most))
    return [place for name in names if (place := book.counting(name))]


def last_written(engine: Engine) -> datetime | None:
    """The begin of the last run that wrote an entry which still stands."""
    return next((began for _, began in blocks_written(engine.ledger.store, datetime.min.replace(tzinfo=UTC), 1)), None)


def off_page_since(engine: Engine, moment: datetime) -> list[str]:
    """The words of the lines that runs took off `MEMORY.md` at or after a moment, and that did not come back."""
    job = engine.page_job
    records = [
        record for record in (engine.ledger.runs.latest(job.name, _RUNS) if job else ()) if record.began >= moment
    ]
    changes = [
        line
        for record in reversed(records)
        for change in engine.ledger.changes.of_run(record.run_id)
        if change.path == PATH
        for line in difference(change)
    ]
    gone = dict[str, None]()
    for line in changes:
        words = _item_words(line[1:])
        if line.startswith("-- "):
            gone[words] = None
        elif line.startswith("+- "):
            gone.pop(words, None)
    return list(gone)


def _item_words(line: str) -> str:
    return _LINK.sub(r"\1", _DATED.sub("", without_marks(line))).removeprefix("- ").strip()


def last_wrap_up(engine: Engine) -> WrapUp | None:
    """The newest wrap-up of a day."""
    job = next((job for job in engine.jobs if job.name == "daily_wrapup"), None)
    if job is None:
        return None
    family = engine.family(job)
    days = {day: path for path in family.paths() if (day := family.day_of(path))}
    if not days:
        return None
    day = max(days)
    text = (engine.workspace.read(days[day]) or b"").decode(errors="replace")
    return WrapUp(day, days[day], _sections(text.splitlines()))


def _sections(lines: Iterable[str]) -> dict[str, list[WrapUpItem]]:
    sections, now = dict[str, list[WrapUpItem]](), list[WrapUpItem]()
    for line in lines:
        text = without_marks(line).rstrip()
        if text.startswith("## "):
            now = sections.setdefault(text[3:].strip(), [])
        elif text.startswith("- "):
            entry = _ENTRY.search(text)
            now.append(WrapUpItem(_item_words(_GROUNDS.sub("", _ENTRY.sub("", text))), entry[1] if entry else ""))
    return {name: items for name, items in sections.items() if items}


def figures_by_day(engine: Engine, days: int) -> DayFigures:
    """The figures of so many days up to this one, by local days of the runs."""
    first = local_day(engine.clock.now(), engine.zone) - timedelta(days=days - 1)
    since, store = day_start(first, engine.zone), engine.ledger.store

    def series(values: Iterable[tuple[datetime, int]]) -> list[int]:
        counts = Counter[date]()
        for moment, number in values:
            counts[local_day(moment, engine.zone)] += number
        return [counts[first + timedelta(days=number)] for number in range(days)]

    return DayFigures(
        read=series(records_read(store, since)),
        written=series((written, 1) for _, written in blocks_written(store, since)),
        suggested=series((noted, 1) for noted in engine.ledger.suggestions.noted_since(since)),
        tokens=series(
            (spent.began, spent.usage.tokens) for spent in engine.ledger.spending.since(since, engine.clock.now())
        ),
    )


def map_of_year(engine: Engine, book: EntryBook) -> list[list[MapDay | None]]:
    """The entries by the days of their words, a list for each week from Monday on; `None` for days to come."""
    today = local_day(engine.clock.now(), engine.zone)
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    counts = book.days(engine.zone)
    ranks = sorted(number for day, number in counts.items() if first <= day <= today)
    days = [first + timedelta(days=number) for number in range(WEEKS * 7)]
    marked = [
        MapDay(day, counts[day], 1 + 4 * bisect_left(ranks, counts[day]) // len(ranks) if counts[day] else 0)
        if day <= today
        else None
        for day in days
    ]
    return [marked[at : at + 7] for at in range(0, len(marked), 7)]
