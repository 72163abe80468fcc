"""The entries of a workspace, read once and again after a change: for a service, which is asked often."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from threading import Lock

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.entries.mentions import bare_text
from pipeline.job import Target
from pipeline.ledger.evidence import evidence_digest, stamp_of
from pipeline.reports.facts import FactBook
from pipeline.reports.occurrences import TextSpan, passages
from pipeline.reports.placed_entries import EntryBook, PlacedEntry, PlacedFiles
from pipeline.workspace.families import Parsed, TargetFile, TargetFiles
from schemas.reports.entities import FactReport
from schemas.settings import SourceSettings


@dataclass(frozen=True)
class _BookInputs:
    """The inputs that the entries of a book depend on."""

    files: list[TargetFile]
    evidence: str
    sources: tuple[SourceSettings, ...]


class EntryBooks:
    """The last book of one workspace. May be used from several threads.

    A file is parsed again when its stamp is another, and the book is made again when the content of a
    file is another, or what the ledger knows of blocks and transcripts; only what may have changed is looked at then
    (`PlacedFiles`). What a transcript says is looked at again when a job has looked, which the ledger notes. `letters`
    are those of the files in which entries are looked for, `parsed` the files of jobs.
    """

    def __init__(self) -> None:
        """Nothing is read yet."""
        self.letters = FileLetters()
        self._lock = Lock()
        self._placed = PlacedFiles()
        self._families: dict[Target, TargetFiles] = {}
        self.parsed: Parsed = {}
        self._known: tuple[object, str] = (None, "")
        self._seen: _BookInputs | None = None
        self._book: EntryBook | None = None

    def of(self, engine: Engine) -> EntryBook:
        """The entries as they stand now."""
        with self._lock:
            seen = _BookInputs(self._files(engine), self._evidence(engine), engine.settings.transcript_sources)
            if self._book is None or seen != self._seen:
                evidence = seen.evidence, seen.sources
                self._book, self._seen = self._placed.book(engine, seen.files, evidence), seen
            return self._book

    def _evidence(self, engine: Engine) -> str:
        """The digest of what the ledger knows, made again after a commit."""
        stamp = stamp_of(engine.ledger.store.path)  # before the look: what is committed meanwhile is seen next time
        if stamp is None or stamp != self._known[0]:
            self._known = stamp, evidence_digest(engine.ledger.store)
        return self._known[1]

    def _files(self, engine: Engine) -> list[TargetFile]:
        targets = [job.writes for job in engine.jobs if job.writes.append]
        self._families = {
            target: self._families.get(target) or TargetFiles(engine.workspace, target, self.parsed)
            for target in targets
        }
        return [file for family in self._families.values() for file in family.files()]


class FileLetters:
    """The `bare_text` and the passages of files; of each file those of its bytes now."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._kept: dict[str, tuple[bytes, str]] = {}
        self._passages: dict[str, tuple[bytes, Sequence[TextSpan]]] = {}

    def keep(self, paths: Collection[str]) -> None:
        """Drop what is known of all other files."""
        self._kept = {path: kept for path, kept in self._kept.items() if path in paths}
        self._passages = {path: kept for path, kept in self._passages.items() if path in paths}

    def of(self, path: str, data: bytes, text: str) -> str:
        """The letters of the `text` of a file that has these bytes."""
        digest, kept = hashlib.blake2b(data).digest(), self._kept.get(path)
        if kept is None or kept[0] != digest:
            kept = self._kept[path] = digest, bare_text(text)
        return kept[1]

    def passages(self, path: str, data: bytes) -> Sequence[TextSpan]:
        """The passages of a file that has these bytes."""
        digest, kept = hashlib.blake2b(data).digest(), self._passages.get(path)
        if kept is None or kept[0] != digest:
            kept = self._passages[path] = digest, list(passages(data))
        return kept[1]


@dataclass(frozen=True)
class EntryTitle:
    """The title of an entry or a fact; `day` is empty where it is not known."""

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


def titles_named(book: EntryBook, texts: Iterable[str], zone: str) -> Mapping[str, EntryTitle]:
    """The titles of the entries that texts name, by the names that stand there."""
    words = {word.strip("()[];,.:") for text in texts for word in text.split()}
    names = {name: book.by_reference[name] for name in words if name in book.by_reference}
    titles = entry_titles(book, names.values(), zone)
    return {name: titles[entry_id] for name, entry_id in names.items() if entry_id in titles}


def chain_of(book: EntryBook, entry_id: str, most: int) -> list[PlacedEntry]:
    """The entries that replaced one another before and after an entry, by their days; the nearest of them."""
    states = book.now.states
    seen, coming = {entry_id: None}, [entry_id]
    while coming and len(seen) < most:
        state = states.get(coming.pop(0))
        near = (*state.entry.supersedes, *state.superseded_by) if state else ()
        fresh = [name for name in near if name not in seen][: most - len(seen)]
        seen |= dict.fromkeys(fresh)
        coming += fresh
    places = [place for name in seen if (place := book.counting(name))]
    return sorted(places, key=lambda place: place.entry.moment) if len(places) > 1 else []


def fact_titles(book: FactBook, facts: Iterable[FactReport]) -> Mapping[str, EntryTitle]:
    """The words of the facts that these facts name, as far as they are known, by id."""
    links = ((fact.replaced_by, *fact.replaces, *fact.supported_by, *fact.contradicted_by) for fact in facts)
    known = ((name, book.standings.by_id.get(name)) for names in links for name in names)
    return {
        name: EntryTitle(one.fact.text, str(one.fact.day) if one.fact.day > date.min else "")
        for name, one in known
        if one
    }
