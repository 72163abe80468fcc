"""Reading what is remembered: entries with their standing, and the story of one of them. Nothing here writes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.entries.mentions import EntryMatcher
from pipeline.entries.project_names import goes_by
from pipeline.entries.provenance import identities_at, is_of_message, quoted_message
from pipeline.entries.reference import ids_by_reference, ids_by_short, is_wordless, short_id
from pipeline.entries.standing import Fold, fold
from pipeline.errors import SeveralNames, UnknownEntry
from pipeline.errors.agents import LineOfAnAgent
from pipeline.language.folding import flat
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.ledger.evidence import run_of_block
from pipeline.ledger.runs import RunRecord
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.markdown.blocks import Block
from pipeline.markdown.entries import parse_entry
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.occurrences import Occurrence, OccurrenceKind, occurrences, reason_below
from pipeline.reports.placed_entries import EntryBook, PlacedEntry
from pipeline.workspace.families import iso_week
from pipeline.workspace.file_access import ALL, FileAccess
from pipeline.workspace.forgotten import read_forgotten
from pipeline.workspace.layout import whole_name
from schemas.entry import Entry, Kind, Status
from schemas.outcome import Outcome
from schemas.reports.entries import (
    DoubtfulLink,
    EntryHistory,
    EntryPlace,
    EntryWords,
    ForgottenEntry,
    ForgottenTraces,
    GoneEntry,
    LinkGrounds,
    ListedEntry,
    VerdictReport,
)
from schemas.requests import EntryFilter
from schemas.suggestion import ProposedChange, ProposedFact, StandingEntry
from schemas.transcript import Message, Origin, Session

_EXPECTED = (BlockState.LIVE, BlockState.RECOVERED, BlockState.LOST, BlockState.ALLOWED)
_LINE = re.compile(r"j-[0-9a-f]+")
_AROUND = 4  # messages around a quote
_LONG = 1_200  # characters of one of them
_RULING = re.compile(r"- \*\*([^*\n]+)\*\* ")


def list_entries(engine: Engine) -> list[PlacedEntry]:
    """Every entry of the daily files, by day and place in the file."""
    return list(EntryBooks().of(engine).places)


def fold_entries(places: Sequence[PlacedEntry]) -> Fold:
    """The fold over entries."""
    return fold(place.entry for place in places)


def wanted_entries(engine: Engine, books: EntryBooks, wanted: EntryFilter) -> list[PlacedEntry]:
    """The entries that a filter lets through, by day and place in the file; their days are the workspace's."""
    project, words = engine.catalog.project_named(wanted.project), wanted.words and flat(wanted.words)
    first, last = wanted.since or date.min, wanted.until or date.max
    dated = bool(wanted.since or wanted.until)
    return [
        place
        for place in books.of(engine).texts
        if wanted.kind in {None, place.entry.kind}
        and wanted.status in {None, place.status}
        and wanted.trust in {None, place.entry.trust}
        and goes_by(place.project, project)
        and (not dated or first <= local_day(place.entry.date, engine.zone) <= last)
        and (not words or words in flat(f"{place.entry.title} {place.entry.conclusion} {place.entry.quote}"))
    ]


def listed_entry(place: PlacedEntry) -> ListedEntry:
    """An entry as programs get it."""
    return ListedEntry(**_entry_fields(place))


def _entry_fields(place: PlacedEntry) -> dict[str, Any]:
    standing = {
        "status": place.status,
        "verified": place.is_verified,
        "adopted": place.adopted,
        "project": place.project,
    }
    return (
        dict(place.entry)
        | standing
        | {
            "path": place.path,
            "line": place.line,
            "short": short_id(place.entry.id),
        }
    )


def story_of_entry(
    engine: Engine, entry_id: str, books: EntryBooks | None = None, access: FileAccess = ALL
) -> EntryHistory | GoneEntry | ForgottenEntry:
    """The history of one entry, or the fact that a person deleted it and no file mentions it any more.

    What `books` have read already is not read again. Traces in files that may not be seen are left out.

    Raises:
        NameRefused: nothing has this id; the ids of several entries begin so.
    """
    forgotten = any(gone.entry_id == entry_id for gone in read_forgotten(engine.workspace))
    try:
        story = explain(engine, entry_id, books, access)
    except UnknownEntry:
        if forgotten:
            return ForgottenEntry(entry_id)
        raise
    return ForgottenTraces(**dict(story)) if forgotten and isinstance(story, GoneEntry) else story


def taken_back(engine: Engine, entry_id: str) -> RunRecord | None:
    """The run that wrote an entry or a fact, and was undone; `entry_id` may be the name that pages have for it."""
    undone = {
        standing.block.name: standing.block.run_id for standing in engine.ledger.changes.in_state(BlockState.UNDONE)
    }
    name = ids_by_reference(undone).get(entry_id, entry_id)
    record = engine.ledger.runs.find(undone[name]) if name in undone else None
    return record if record and record.undone else None


def explain(
    engine: Engine, entry_id: str, books: EntryBooks | None = None, access: FileAccess = ALL
) -> EntryHistory | GoneEntry:
    """The history of one entry, also of one that only pages mention; the beginning of its id is enough.

    So is its name without words, which pages use. `books` and `access` as of `story_of_entry`.

    Raises:
        NameRefused: nothing has this id; the ids of several entries begin so.
        LineOfAnAgent: the id is that of a line of an agent's memory.
    """
    _refuse_lines(entry_id)
    books = books or EntryBooks()
    book = books.of(engine)
    entry_id = _whole_id(engine, entry_id, book.places)
    subject = _subject(entry_id, book.places)
    subject = replace(subject, known_names=lambda: book.by_reference) if subject.entries else subject
    every = [trace for trace in occurrences(engine, subject, books.letters) if access(trace.path)]
    traces = [occurrence for occurrence in every if occurrence.what is not OccurrenceKind.ANOTHER]
    place = book.counting(entry_id)
    named = any(occurrence.names(subject) and occurrence.what is not OccurrenceKind.LINE for occurrence in traces)
    if place is None and not named and not expected_blocks(engine, entry_id):
        raise UnknownEntry(entry_id, similar_ids(engine, entry_id))
    fields = {
        "verdicts": tuple(_rulings(engine, subject, traces)),
        "places": tuple(EntryPlace(trace.path, trace.line, trace.what.value, trace.first_line) for trace in traces),
    }
    return _history(engine, place, book, fields) if place else GoneEntry(id=entry_id, gone=True, **fields)


def _history(engine: Engine, place: PlacedEntry, book: EntryBook, fields: dict[str, Any]) -> EntryHistory:
    """The story of an entry that stands in a daily file."""
    entry, now = place.entry, book.now
    state, session = now.states[entry.id], engine.catalog.cited_session(entry.source)
    run = engine.ledger.runs.find(run_of_block(engine.ledger.store, entry.id))
    chain = [now.states[name].entry for name in now.chain(entry.id)]
    written = _entry_fields(place) | {"status": state.status, "superseded_by": state.superseded_by}
    return EntryHistory(
        **written,
        **fields,
        gone=False,
        reinforced_by=state.reinforced_by,
        part_superseded_by=tuple(_partial_replacements(now, entry)),
        rests_on=tuple(_grounds(now, entry.id)),
        run_id=run.run_id if run else None,
        findings=tuple(
            DoubtfulLink(fault.entry_id, fault.target, fault.doubt)
            for fault in now.findings
            if entry.id in {fault.entry_id, fault.target}
        ),
        words=_words(entry, session) if session else None,
        quote_stands=any(identities_at(entry, session)) if session else None,
        quote_said=quoted_message(entry, session) is not None if session else None,
        source_exists=session is not None,
        in_review=_review_reason(engine, entry.id) if state.status is Status.IN_REVIEW else "",
        before=tuple(map(_words_of, chain[: chain.index(entry)])),
        after=tuple(map(_words_of, chain[chain.index(entry) + 1 :])),
    )


def _words_of(entry: Entry) -> EntryWords:
    return EntryWords(entry.id, entry.title, entry.conclusion, entry.moment)


def _review_reason(engine: Engine, entry_id: str) -> str:
    """The reason for which an entry is in review; only its status says so when the ledger was lost."""
    asked = ((one, one.about) for one in waiting(engine))
    reasons = (one.reason for one, about in asked if isinstance(about, StandingEntry) and about.entry.id == entry_id)
    return next(reasons, Status.IN_REVIEW.value)


def _grounds(now: Fold, entry_id: str) -> Iterator[LinkGrounds]:
    """The grounds of the links of an entry, its own and those of others to it."""
    entry, state = now.states[entry_id].entry, now.states[entry_id]
    for earlier in (*entry.supersedes, *entry.supersedes_part, *entry.reinforces):
        yield LinkGrounds(entry_id, earlier, entry.grounds)
    for later in (*state.superseded_by, *state.reinforced_by):
        other = now.states[later].entry
        named = entry_id in (*other.supersedes, *other.reinforces)
        yield LinkGrounds(later, entry_id, other.grounds if named else entry.grounds)
    for later in _partial_replacements(now, entry):
        yield LinkGrounds(later, entry_id, now.states[later].entry.grounds)


def _partial_replacements(now: Fold, entry: Entry) -> Iterator[str]:
    """The entries that replace a part of one; what is believed less than it replaces nothing of it."""
    for entry_id, state in now.states.items():
        if entry.id in state.entry.supersedes_part and state.entry.trust.level >= entry.trust.level:
            yield entry_id


def entry_named(engine: Engine, given: str) -> PlacedEntry:
    """The entry of a daily file with this id, in the version that counts; the beginning of its id is enough.

    Raises:
        NameRefused: no daily file has it; the ids of several entries begin so.
    """
    book = EntryBooks().of(engine)
    entry_id = _whole_id(engine, given, book.places)
    if place := book.counting(entry_id):
        return place
    raise UnknownEntry(entry_id, similar_ids(engine, entry_id))


def subject_of(engine: Engine, entry_id: str) -> EntryMatcher:
    """The matcher of an entry, with all its versions and all other entries.

    `entry_id` may be the name that pages have for it. Its words are those of the files, and as the ledger wrote them.

    Raises:
        UnknownEntry: the id is blank.
        LineOfAnAgent: the id is that of a line of an agent's memory.
    """
    if not entry_id.strip():  # it would be in every line
        raise UnknownEntry(entry_id)
    _refuse_lines(entry_id)
    places, changes = list_entries(engine), engine.ledger.changes
    is_whole = any(place.entry.id == entry_id for place in places)
    subject = _subject(entry_id if is_whole else _resolve_id(entry_id, places), places)
    known = expected_blocks(engine, subject.entry_id)
    blocks = [
        block
        for known_block in known
        if (block := changes.as_written(known_block.path, known_block.name, known_block.digest))
    ]
    changed = [
        Block(place.entry.id, 0, 0, place.line, place.text, "")
        for place in places
        if place.adopted and place.entry.id == subject.entry_id
    ]
    stated = filter(None, map(parse_entry, [*blocks, *changed]))
    return replace(subject, entries=tuple(dict.fromkeys([*subject.entries, *stated])))


def _refuse_lines(entry_id: str) -> None:
    """Refuse an id of a journal: pages of the agent name it, so it would pass for an entry that is gone."""
    if is_line(entry_id):
        raise LineOfAnAgent(entry_id)


def is_line(entry_id: str) -> bool:
    """Whether an id is that of a line of an agent's memory."""
    return _LINE.fullmatch(entry_id) is not None


def expected_blocks(engine: Engine, entry_id: str) -> list[KnownBlock]:
    """The blocks of an entry that stand in daily files, or that a run may write there again."""
    families = [engine.family(job) for job in engine.jobs if job.writes.append]
    known = (
        standing.block for standing in engine.ledger.changes.in_state(*_EXPECTED) if standing.block.name == entry_id
    )
    return [block for block in known if any(family.day_of(block.path) for family in families)]


def _subject(entry_id: str, places: Sequence[PlacedEntry]) -> EntryMatcher:
    versions = tuple(place.entry for place in places if place.entry.id == entry_id)
    others = {place.entry.id: place.entry for place in places if place.entry.id != entry_id}
    return EntryMatcher(entry_id, versions, others)


def _rulings(engine: Engine, subject: EntryMatcher, occurrences: Sequence[Occurrence]) -> Iterator[VerdictReport]:
    """The plans' verdicts on an entry: list items that begin with a word in bold, with the text indented below.

    Lines of a person count as well, as they do for the jobs that read the plans.
    """
    for job in engine.jobs:
        family = engine.family(job)
        for occurrence in occurrences if "{week}" in job.writes.family else ():
            day, head = family.day_of(occurrence.path), _RULING.match(occurrence.passage.text)
            if day and head and subject.first_id(occurrence.first_line) == subject.entry_id:
                reason = reason_below(occurrence.passage.text)
                yield VerdictReport(iso_week(day), head.group(1), reason, occurrence.path, occurrence.line)


def _whole_id(engine: Engine, given: str, places: Sequence[PlacedEntry]) -> str:
    """The id that is meant. One that only pages or `memory/forgotten.md` still name is no beginning of another."""
    if not given.strip():
        raise UnknownEntry(given)
    given = _resolve_id(given, places)
    titles = {place.entry.id: place.entry.title for place in places}
    if not any(name.startswith(given) for name in titles if name != given):
        return given
    subject = EntryMatcher(given)
    gone = given in {tombstone.entry_id for tombstone in read_forgotten(engine.workspace)}
    named = gone or any(occurrence.names(subject) for occurrence in occurrences(engine, subject))
    return given if named else whole_name(given, titles, UnknownEntry, similar_ids(engine, given))


def _resolve_id(given: str, places: Sequence[PlacedEntry]) -> str:
    """The id of the entry with an id, a short id, a name of pages, or a mark of `MEMORY.md`.

    A program can give its entry an id that is the short id of another: then both are meant, and neither is taken.
    """
    titles = {place.entry.id: place.entry.title for place in places}
    given = f"m-{given.removeprefix('m:')}" if given.startswith("m:") else given
    referred = ids_by_reference(titles).get(given, given) if is_wordless(given) else given
    meant = {given, referred, *ids_by_short(titles, given)} & titles.keys()
    if len(meant) > 1:
        raise SeveralNames(UnknownEntry.sort, given, {name: titles[name] for name in titles if name in meant})
    return meant.pop() if meant else given


def _words(entry: Entry, session: Session) -> tuple[Message, ...]:
    named = entry.source.entry_ids
    return tuple(
        message for message in session.conversation if any(is_of_message(entry_id, message) for entry_id in named)
    )


def words_around(engine: Engine, suggestion: KeptSuggestion) -> tuple[Message, ...] | None:
    """The messages around the quote, long ones cut; `None` when they cannot be read, nothing where nothing was said."""
    shown = suggestion.shown
    if not shown.quote:
        return ()
    by_id = isinstance(suggestion.about, ProposedChange | ProposedFact)
    catalog, source = engine.catalog, shown.source
    session = catalog.session(source.session_id) if by_id else catalog.cited_session(source)
    talk = session.conversation if session else ()
    first, last = source.message_range
    places = [at for at, message in enumerate(talk) if first <= message.number <= last]
    if not places:
        return None
    quoting = [at for at in places if talk[at].origin is Origin.OWNER and shown.quote in talk[at].text]
    quoted = quoting[0] if quoting else places[-1]
    near = [at for at in sorted({*places, quoted - 1, quoted + 1}) if 0 <= at <= min(quoted + 1, len(talk) - 1)]
    return tuple(_shorten_message(talk[at], shown.quote if at == quoted else "") for at in near[-_AROUND:])


def _shorten_message(message: Message, quote: str) -> Message:
    """The message, or of a long one what is near the quote, else its begin and its end."""
    text = message.text
    if len(text) <= _LONG:
        return message
    at = text.find(quote) if quote else -1
    start, end = max(0, at - _LONG // 4), at + len(quote) + _LONG // 4
    kept = f"… {text[start:end]} …" if at >= 0 else f"{text[: _LONG // 2]} … {text[-_LONG // 2 :]}"
    return message.model_copy(update={"text": kept})


def written_titles(engine: Engine, outcome: Outcome) -> dict[str, str]:
    """The titles of the entries that a run wrote, by id."""
    changes = engine.ledger.changes.of_run(outcome.run_id)
    blocks = {name: block for change in changes for name, block in change.blocks().items()}
    entries = {name: parse_entry(blocks[name]) for name in outcome.written if name in blocks}
    return {name: entry.title for name, entry in entries.items() if entry}


def similar_ids(engine: Engine, entry_id: str) -> list[str]:
    """The ids to suggest for an unknown one, at most five: they share a word, beside the kind, or the day with it."""
    words, kinds = set(entry_id.lower().split("-")), {kind.value for kind in Kind}
    ids = [place.entry.id for place in list_entries(engine)]
    shared = {known: len(words.intersection(known.lower().split("-")) - kinds) for known in ids}
    return sorted((word for word, number in shared.items() if number), key=lambda word: -shared[word])[:5]


def other_words(engine: Engine, entry_id: str) -> list[Entry]:
    """The entries that an entry corrects, and that correct it, also those that were taken back, the last ones first.

    What corrects it may be anybody's: it says that it is about the entry. What it corrects is known of ours alone.
    """
    places = list_entries(engine)
    known = {entry.id: entry for entry in _versions_written(engine, entry_id)} | {
        place.entry.id: place.entry for place in places
    }
    chain = dict.fromkeys(fold_entries(places).chain(entry_id))
    while later := [entry.id for entry in known.values() if entry.corrects in chain and entry.id not in chain]:
        chain |= dict.fromkeys(later)
    return [known[name] for name in reversed(chain) if name != entry_id and name in known]


def _versions_written(engine: Engine, entry_id: str) -> Iterator[Entry]:
    """The entries that the ledger has, in any state, of the files that hold an entry."""
    changes = engine.ledger.changes
    for path in dict.fromkeys(standing.block.path for standing in changes.standings_of([entry_id])):
        for block in (standing.block for standing in changes.in_file(path)):
            written = changes.as_written(path, block.name, block.digest)
            entry = parse_entry(written) if written and not written.item else None
            if entry:
                yield entry
