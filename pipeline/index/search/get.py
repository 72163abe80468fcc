"""Reading a place that a hit, or a person, names: lines of a file, or an entry by its id."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath

from pipeline.entries.reference import ids_by_short, is_short_id, item_of_short
from pipeline.errors import Held, IndexUnavailable, SeveralNames, UnknownEntry, UnknownPlace
from pipeline.index.chunking.documents import read_document
from pipeline.index.document import IndexedFile
from pipeline.index.schema import TRUST
from pipeline.index.search.citations import NO_DATE, Citing, doubts, doubts_of_text, passage_text, sureness
from pipeline.index.search.deduplication import Finding, saying
from pipeline.index.search.entry_lookup import Entries, day_of
from pipeline.index.search.live_files import LiveFiles, lines_of
from pipeline.index.search.query import AnalysedQuery, encodable
from pipeline.index.search.scoring import LocationIndex, ScoredPassage
from pipeline.index.search.search import Searching
from pipeline.index.sync.points import of_fact
from pipeline.markdown.blocks import Block
from pipeline.markdown.encoding import NotText
from pipeline.markdown.entries import parse_entries
from pipeline.workspace.layout import whole_name
from pipeline.workspace.listing import Listed, Patterns
from schemas.entry import Entry, Status
from schemas.fact import Fact
from schemas.hit import Hit, Place
from schemas.requests import SearchRequest
from schemas.tier import Tier

_NAMED = re.compile(r"(?P<path>.+?)#L(?P<first>\d{1,9})(?:-L?(?P<last>\d{1,9}))?", re.DOTALL)
_TEXT = Patterns(("**/*.md", "**/*.markdown", "**/*.txt"))
EMPTY_QUERY = AnalysedQuery("", {})


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines to show: those of a file from `first` to `last`, of which there are `lines` in all."""

    path: str
    lines: list[str]
    first: int
    last: int

    @property
    def place(self) -> Place:
        return Place(path=self.path, start_line=self.first, end_line=self.last)

    @property
    def text(self) -> str:
        return encodable("\n".join(self.lines[self.first - 1 : self.last]))


def read_place(searching: Searching, place: str, reader: str | None = None) -> Hit:
    """The hit at `PATH`, `PATH#L10` or `PATH#L10-L20`, or the entry or fact with an id.

    The beginning of an entry's id is enough when no other begins so. `reader` is the agent that asks: to it the files
    of other agents are no texts that are read here; `None` is a person.

    Raises:
        UnknownPlace: there is no such file, line or entry, or it is no text that is read here.
        SeveralNames: the ids of several entries begin so.
        WorkspaceError: the path leads out of the workspace; the system refuses.
    """
    searching = searching.for_reader(reader)
    files = LiveFiles(searching.workspace, searching.settings, searching.notes)
    if not place:
        raise UnknownPlace(repr(place), "is no place")
    named = _NAMED.fullmatch(place)
    path = PurePosixPath(named["path"]).as_posix() if named else place
    data = files.read(path)
    data = data if searching.access(path) else None
    if data is None and not named:
        entry_lines = _find_entry(searching, files, place)
        if entry_lines is None:
            raise UnknownPlace(place, "is no file that can be shown, nor the id of an entry or a fact")
        return _make_hit(searching, files, entry_lines)
    if data is None:
        raise UnknownPlace(place, "names no file that can be shown")
    # Settings hold keys, and other programs' files are no memory: only texts are shown.
    extra, inside = searching.settings.extra_of(path), path.partition(":")[2]
    chosen = Patterns(extra.patterns).matches(inside) or inside == PurePosixPath(extra.path).name if extra else None
    layout = searching.workspace.layout
    shown = not layout.is_hidden(path) and _TEXT.matches(path) and layout.is_searched(path)
    if chosen is False or (chosen is None and not shown):
        raise UnknownPlace(place, "is not one of the texts that are indexed")
    lines = lines_of(data)
    first, last = (int(named["first"]), int(named["last"] or named["first"])) if named else (1, max(len(lines), 1))
    if first < 1 or last < first:
        raise UnknownPlace(place, "names no lines: they are counted from 1, the first one first")
    if named and last > len(lines):
        raise UnknownPlace(place, f"goes beyond the end of the file, which has {len(lines)} lines")
    return _make_hit(searching, files, _Lines(path, lines, first, last))


def _find_entry(searching: Searching, files: LiveFiles, entry_id: str) -> _Lines | None:
    """The lines of an entry: by the index, else by the daily files themselves."""
    with suppress(IndexUnavailable, Held), searching.reading() as searcher:
        if searcher is not None:
            locations = LocationIndex(searcher)
            for version in Entries(locations, SearchRequest(query="")).entry_or_fact(item_of_short(entry_id)):
                place, lines = Citing(EMPTY_QUERY, files, locations).place(version), files.lines(version.path)
                if place and lines:
                    return _Lines(version.path, lines, place.start_line, place.end_line)
    matches = list(_find_beginning_with(searching, entry_id))
    if not matches:
        return None
    titles = {block.name: block.text.partition("\n")[0].lstrip("# ") for _, block, _ in matches}
    called = ids_by_short(titles, entry_id)
    if len(called) > 1:
        raise SeveralNames(UnknownEntry.sort, entry_id, titles)
    whole = called[0] if called else whole_name(entry_id, titles, UnknownEntry)
    path, block, height = next(match for match in matches if match[1].name == whole)
    return _Lines(path, files.lines(path) or [], block.line, block.line + height)


def _find_beginning_with(searching: Searching, beginning: str) -> Iterator[tuple[str, Block, int]]:
    """Files with the blocks whose ids begin so, and how many line ends are inside each."""
    for pattern in searching.workspace.layout.entries if beginning else ():
        for path in filter(searching.access, searching.workspace.select(pattern)):
            data = searching.workspace.read(path) or b""
            is_short = is_short_id(beginning)
            for block, _ in parse_entries(data) if is_short or beginning.encode("utf-8", "replace") in data else ():
                if block.name.startswith(beginning) or (is_short and ids_by_short([block.name], beginning)):
                    height = data.count(b"\n", block.start, max(block.end - 1, block.start))
                    yield path, block, height


def _make_hit(searching: Searching, files: LiveFiles, shown: _Lines) -> Hit:
    document = _read_as_indexed(searching, files, shown)
    inside = [passage for passage in document.passages if passage.start <= shown.last and shown.first <= passage.end]
    passage = inside[0] if len(inside) == 1 else None
    entry = passage.entry if passage else None
    hit = Hit(
        path=shown.path,
        start_line=shown.first,
        end_line=shown.last,
        text=shown.text,
        snippet=encodable(passage_text(shown.text).snippet(())),
        score=0.0,
        date=document.day,
        kind=document.kind,
        tier=Tier(document.tier),
        headings=passage.headings if passage else (),
        trust=document.trust,
        uncertain=", ".join([*doubts_of_text(document.trust), *([] if document.day else [NO_DATE])]),
        agent=document.agent,
        places=(shown.place,),
    )
    if passage and passage.fact:
        return _add_fact(searching, hit, passage.fact)
    return _add_entry(searching, files, hit, entry) if entry else hit


def _read_as_indexed(searching: Searching, files: LiveFiles, shown: _Lines) -> IndexedFile:
    """The file as the index would read it."""
    extra = searching.settings.extra_of(shown.path)
    tier = extra.tier if extra else searching.workspace.layout.tier(shown.path)
    listed = Listed(shown.path, str(files.locate(shown.path)), tier, 0, 0, 0, 0)
    is_note, layout = searching.settings.is_note(shown.path), searching.workspace.layout
    role = searching.notes.role_of(listed.file, tier) if is_note else layout.place(shown.path)
    try:
        return read_document(listed, files.read(shown.path) or b"", role)
    except NotText as error:
        raise UnknownPlace(shown.path, str(error)) from error


def _add_entry(searching: Searching, files: LiveFiles, hit: Hit, entry: Entry) -> Hit:
    """The hit with the fields of an entry's block; the standing comes from the index."""
    written: dict[str, object] = {
        "entry_id": entry.id,
        "kind": entry.kind.value,
        "date": entry.date.date(),
        "confidence": entry.confidence,
        "trust": entry.trust.value,
        "status": entry.status.value,
        "uncertain": "not in the index, so nothing vouches for it",
    }
    with suppress(IndexUnavailable, Held), searching.reading() as searcher:
        if searcher is not None:
            written |= _indexed_fields(Citing(EMPTY_QUERY, files, LocationIndex(searcher)), entry.id, hit)
    return hit.model_copy(update=written)


def _add_fact(searching: Searching, hit: Hit, fact: Fact) -> Hit:
    """The hit with the fields of a fact; what vouches for it, and how sure it is, come from the index."""
    from pipeline.index.search.fact_lookup import FactLookup  # noqa: PLC0415 - other places need it not

    known = Finding(ScoredPassage("", 0.0, of_fact(fact.as_unverified(), ())), 0.0)
    with suppress(IndexUnavailable, Held), searching.reading() as searcher:
        if searcher is not None and fact.id:
            entries = Entries(LocationIndex(searcher), SearchRequest(query=""))
            own = [Finding(passage, 0.0) for passage in entries.entry_or_fact(fact.id) if passage.path == hit.path]
            settled = FactLookup(searcher).settle(own[:1], SearchRequest(query=""), after_old=True)
            known = settled[0] if settled else known
    superseded = known.standing.status == Status.SUPERSEDED
    return hit.model_copy(
        update={
            "kind": fact.kind.term,
            "fact_id": known.fact_id,
            "entities": fact.entities,
            "trust": str(known.lead.payload[TRUST]),
            "confidence": sureness(known, known.lead),
            "status": known.standing.status,
            "superseded_by": known.standing.successors if superseded else (),
            "uncertain": ", ".join([*doubts(known, known.lead), *([] if hit.date else [NO_DATE])]),
        }
    )


def _indexed_fields(citing: Citing, entry_id: str, hit: Hit) -> dict[str, object]:
    """The fields of a hit that the index knows of its entry; none when it does not know the entry."""
    entries = Entries(citing.locations, SearchRequest(query=""))
    versions = entries.versions(entry_id)
    if not versions:
        return {}
    version = next((passage for passage in versions if passage.path == hit.path), versions[0])
    standing = entries.standing(entry_id)
    finding = Finding(version, 0.0, standing=standing)
    places = (
        citing.place(passage) for passage in saying(entries, entry_id) if passage.is_verified >= version.is_verified
    )
    others = [  # which are not the lines of the hit
        place
        for place in places
        if place and (place.path != hit.path or place.end_line < hit.start_line or hit.end_line < place.start_line)
    ]
    return {
        "date": day_of(version),
        "trust": str(version.payload[TRUST]),
        "status": standing.status,
        "superseded_by": standing.successors if standing.status == "superseded" else (),
        "uncertain": ", ".join(doubts(finding, version)),
        "places": (*hit.places, *others),
    }
