"""From a question to cited hits. Nothing here writes."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import add

from pipeline.clock import local_day, stopwatch
from pipeline.errors import EmbedderUnavailable, Held, IndexUnavailable, WriteFailed
from pipeline.facts.names import forms_of
from pipeline.index.notes import UNSURE, NoteReading
from pipeline.index.schema import HEADINGS, TEXT
from pipeline.index.search.citations import Citing, LiveTexts, passage_text, replaced_entry
from pipeline.index.search.deduplication import Finding, collapse
from pipeline.index.search.entry_lookup import Entries
from pipeline.index.search.live_files import LiveDetails, LiveFiles, ReadableSearcher
from pipeline.index.search.neighbours import Joining, answers
from pipeline.index.search.query import AnalysedQuery, analyse_query, encodable
from pipeline.index.search.request import Scope, steps
from pipeline.index.search.scoring import CandidateSearch, LocationIndex, Meaning, ScoredPassage
from pipeline.index.search.supersession import Succession
from pipeline.index.sync.entity_names import names_of
from pipeline.index.sync.stamp import read_stamp
from pipeline.ports.details import DetailSource
from pipeline.ports.engine import Clock
from pipeline.ports.index import (
    Embedder,
    IndexStore,
    Reranker,
    Searcher,
    Vector,
    VectorSearcher,
    VectorSpace,
    VectorStore,
)
from pipeline.workspace.file_access import ALL, FileAccess
from pipeline.workspace.files import Workspace
from schemas.hit import Answer, Hit, Reach, ReplacedEntry
from schemas.index_settings import IndexSettings
from schemas.requests import SearchRequest
from schemas.search_limits import LONGEST_QUERY

POOL, POOL_PER_HIT = 60, 4
"""Candidates that are looked at closely."""
SPARE = 10
"""Findings beyond the wanted number, to replace those whose text is gone from its file."""
RERANKED = 30
RERANKED_CHARACTERS = 1_500
NAMED = 3
NO_WORDS = {
    True: "No text has a word of the question; the hits are alike in meaning.",
    False: "No text has a word of the question; the hits have parts of its words, or stand beside such.",
}
"""The note of hits without a word of the question, by whether meanings were compared."""
NOTHING = "No text that was looked through has a word of the question."
"""The note of an answer without hits that has no other."""
BEYOND = (
    "Searched are the first 256 KiB of each text, and of a longer one its synopsis: retrieve_memory with a query, or "
    "`memory store show KEY --query`, looks through all of a text."
)
"""The note of an answer about details."""


@dataclass(frozen=True)
class Searching:
    """A workspace and its index, for reading.

    `zone` is an IANA name. Without `embedder` words alone are compared; `without` has the reason, when the settings do
    not ask for that (`by_words`). With `details` it is the index of these, which has words alone. `access` says which
    files may be shown.
    """

    workspace: Workspace
    settings: IndexSettings
    store: IndexStore
    vectors: VectorStore
    embedder: Embedder | None
    zone: str
    clock: Clock
    reranker: Reranker | None = None
    without: str = ""
    by_words: bool = False
    details: DetailSource | None = None
    access: FileAccess = ALL
    notes: NoteReading = UNSURE

    def for_reader(self, reader: str | None) -> "Searching":
        """The same workspace as an agent may read it, which asks; `None` is a person."""
        return replace(self, access=FileAccess(self.workspace.layout.agent_roots, reader))

    @contextmanager
    def reading(self) -> Iterator[Searcher | None]:
        """The index for a question, without what may not be seen; `None` when there is none yet."""
        with self.store.reading() as searcher:
            yield ReadableSearcher(searcher, self.access) if searcher and self.access.reader is not None else searcher

    @property
    def live(self) -> LiveTexts:
        """The texts as they are now."""
        return LiveDetails(self.details) if self.details else LiveFiles(self.workspace, self.settings, self.notes)


@dataclass(frozen=True)
class Looked:
    """The results of a search in the index: the scope, the findings in order, and the passages that may join them."""

    scope: Scope
    findings: list[Finding]
    pool: Sequence[ScoredPassage]
    locations: LocationIndex

    def fetch(self, number: int) -> None:
        """Read the places of the first findings together, which is cheaper than singly."""
        first = self.findings[:number]
        self.locations.fetch(passage.path for finding in first for passage in (finding.lead, *finding.elsewhere))

    def fetch_all(self) -> None:
        """Read all places that hits can need, so that the index is not asked any more."""
        self.fetch(len(self.findings))
        self.locations.fetch(passage.path for passage in self.pool)


def search(searching: Searching, wanted: SearchRequest) -> Answer:
    """The answer to a question; any text will do, and what has no answer has none.

    Raises:
        IndexUnavailable: the index is damaged, or its server does not answer.
        Held: others did not let the index go in time.
    """
    started, searching = stopwatch(), searching.for_reader(wanted.reader)
    today = wanted.as_of or local_day(searching.clock.now(), searching.zone)
    query = analyse_query(wanted.query, today)
    notes = [f"Only the first {LONGEST_QUERY:,} characters of the question count."] if query.shortened else []
    notes += [BEYOND] if searching.details else []
    answer = _answer(searching, wanted, query, notes)
    if answer.hits and not any(hit.terms for hit in answer.hits):
        notes.insert(0, NO_WORDS[answer.by_meaning])
    if wanted.project and not answer.hits:
        notes.append(f"Only what was said in the project {' or '.join(wanted.project)} was looked through.")
    if wanted.entity and not answer.hits:
        named = " or ".join(wanted.entity)
        notes.append(f"Only what names {named} was looked through; `memory show entities` lists the names.")
    if not answer.hits and not notes:
        notes.append(NOTHING)
    took = round(1000 * (stopwatch() - started), 3)
    return answer.model_copy(update={"notes": tuple(notes), "milliseconds": took})


def _answer(searching: Searching, wanted: SearchRequest, query: AnalysedQuery, notes: list[str]) -> Answer:
    """The answer; without hits, and with a note, where there is no index or no word to look for."""
    nothing = Answer(query=encodable(wanted.query), hits=())
    if not query.weights:
        notes.append("There is no word in the question to look for.")
        return nothing
    # Before anything is open: an embedder may take its time. A detail has no vector.
    question = None if searching.details else vector_of(searching, query, notes)
    with searching.reading() as searcher:
        if searcher is None:
            notes[:] = ["There is no index yet; `memory doctor reindex` makes it."]
            return nothing
        named = with_all_names(searcher, wanted)
        with open_meaning(searching, searcher, question, notes) as meaning:
            looked = _gather(searcher, named, query, meaning)
        extent = {"reached": looked.scope.tiers, "by_meaning": meaning is not None and not meaning.problem}
        if not wanted.rerank:
            return nothing.model_copy(update=extent | _make_hits(searching, wanted, query, looked, notes))
        looked.fetch_all()
    # Ranking again takes its time: the index is let go before.
    looked = replace(looked, findings=_rerank(searching, query, looked.findings, notes))
    return nothing.model_copy(update=extent | _make_hits(searching, wanted, query, looked, notes))


NO_VECTORS = "Words alone were compared: the index has no vectors. `memory doctor reindex` makes them."
"""The note of a search where no vector is made yet."""


def with_all_names(searcher: Searcher, wanted: SearchRequest) -> SearchRequest:
    """The request with all names of the entities that it narrows to."""
    if not wanted.entity:
        return wanted
    names = names_of(searcher)
    forms = (form for name in wanted.entity for form in forms_of(names, name))
    return wanted.model_copy(update={"entity": tuple(dict.fromkeys(forms))})


@contextmanager
def open_meaning(
    searching: Searching, searcher: Searcher, question: Vector | None, notes: list[str]
) -> Iterator[Meaning | None]:
    """The comparison of the question's vector with those of passages; `None`, and a note, when it is not possible."""
    with ExitStack() as opened:
        vectors = _open_vectors(searching, searcher, opened, notes) if question else None
        meaning = Meaning(searcher, vectors, question) if question and vectors else None
        yield meaning
    if meaning and meaning.problem:
        notes.append(f"Words alone were compared. {meaning.problem}")


def vector_of(searching: Searching, query: AnalysedQuery, notes: list[str]) -> Vector | None:
    """The vector of the question; `None`, and a note that it was wanted, when none can be had."""
    if searching.embedder is None:
        why = searching.without or "`memory doctor` says how to get one."
        if not searching.by_words:
            notes.append(f"No embedder is at hand, so words alone were compared. {why}")
        return None
    try:
        return searching.embedder.question(query.text)
    except EmbedderUnavailable as error:
        notes.append(f"Words alone were compared. {error}")
        return None


def _open_vectors(
    searching: Searching, searcher: Searcher, opened: ExitStack, notes: list[str]
) -> VectorSearcher | None:
    """The vectors that the question's can be compared with; `None`, and a note, when there are none."""
    try:
        space = VectorSpace(searching.embedder.name, searching.embedder.dimension) if searching.embedder else None
        vectors = opened.enter_context(searching.vectors.reading(space)) if space else None
    except (EmbedderUnavailable, Held, IndexUnavailable, WriteFailed) as error:
        notes.append(f"Words alone were compared. {error}")
        return None
    if vectors is None:
        stamp = read_stamp(searcher)
        there = stamp.space if stamp and stamp.space != space else None
        present = ""
        if there and space and there.embedder == space.embedder:
            lengths = f"{there.dimension} numbers, and its embedder makes some of {space.dimension} now"
            present = f"vectors of {lengths} ({there.embedder})"
        elif there:
            present = f"vectors of another embedder ({there.embedder})"
        others = f"Words alone were compared: the index has {present}. `memory doctor reindex` makes them."
        notes.append(others if present else NO_VECTORS)
    return vectors


def _gather(searcher: Searcher, wanted: SearchRequest, query: AnalysedQuery, meaning: Meaning | None) -> Looked:
    """The findings of as many tiers as an answer needs: near ones first, all when the question reaches back."""
    at_once = query.reaches_back and wanted.tier is Reach.AUTO
    gathering = CandidateSearch(searcher, query, meaning, wanted.k)
    near, *further = steps(wanted)
    scopes = [reduce(add, further, near)] if at_once else [near, *further]
    close = max(POOL, POOL_PER_HIT * wanted.k)
    scope, candidates = scopes[0], gathering.within(scopes[0])[:close]
    for more in scopes[1:]:
        if answers(query, candidates, wanted.k):
            break
        scope = scope + more
        candidates = sorted([*candidates, *gathering.within(more)], key=lambda candidate: candidate.order)[:close]
    return settle_findings(searcher, query, scope, candidates)


def settle_findings(
    searcher: Searcher, query: AnalysedQuery, scope: Scope, candidates: Sequence[ScoredPassage]
) -> Looked:
    """The candidates of a scope as findings, without duplicates, and with valid entries in place of superseded ones."""
    locations, wanted = LocationIndex(searcher), scope.wanted
    entries = Entries(locations, wanted)
    if not any(candidate.is_fact for candidate in candidates):
        findings = Succession(query, scope, entries).settle(collapse(candidates, entries.items(candidates)))
        return Looked(scope, findings, _find_joinable(candidates, findings), locations)
    from pipeline.index.search.fact_lookup import FactLookup  # noqa: PLC0415 - a search may meet no fact

    facts = FactLookup(searcher, wanted.as_of)
    findings = collapse(candidates, {**entries.items(candidates), **facts.entries(candidates, scope)})
    standing = Succession(query, scope, entries).settle(findings)
    standing = facts.settle(standing, wanted, after_old=query.after_old)
    return Looked(scope, standing, _find_joinable(candidates, standing), locations)


def _find_joinable(candidates: Sequence[ScoredPassage], findings: Sequence[Finding]) -> list[ScoredPassage]:
    """The candidates that may join an adjacent hit: none that repeats what was superseded."""
    ended = {finding.lead.id for finding in findings if finding.has_ended_words}
    return [candidate for candidate in candidates if candidate.id not in ended]


def _make_hits(
    searching: Searching, wanted: SearchRequest, query: AnalysedQuery, looked: Looked, notes: list[str]
) -> dict[str, object]:
    """The fields of the answer with its hits, and with the entries with words of the question that they replace."""
    looked.fetch(wanted.k)
    joined = Joining(looked.locations, looked.pool).join(looked.findings)
    citing = Citing(query, searching.live, looked.locations, wanted.as_of)
    hits: list[Hit] = []
    gone, replaced, lowest = 0, list[ReplacedEntry](), float("inf")
    for finding in islice(joined, wanted.k + SPARE):
        if len(hits) == wanted.k:
            break
        hit = citing.hit(replace(finding, score=(lowest := min(lowest, finding.score))))
        if hit is None:
            gone += 1
            continue
        hits.append(hit)
        replaced += filter(None, (replaced_entry(query, old, finding.entry_id) for old in finding.replaced))
    if replaced:
        more = f" and {len(replaced) - NAMED} more" if len(replaced) > NAMED else ""
        named = ", ".join(f'"{one.words}" ({one.date}, {one.id})' for one in replaced[:NAMED])
        notes.append(f"Superseded, and left out for what took its place: {named}{more}.")
    if gone:
        are = f"{gone} hits are" if gone > 1 else "1 hit is"
        notes.append(
            f"{are} gone from the file since it was indexed; `memory doctor reindex` brings the index up to date."
        )
    return {"hits": tuple(hits), "replaced": tuple(replaced)}


def _rerank(searching: Searching, query: AnalysedQuery, findings: list[Finding], notes: list[str]) -> list[Finding]:
    """The findings with the first of them in the reranker's order."""
    if searching.reranker is None:
        notes.append("No reranker is configured; set reranker.model or reranker.folder.")
        return findings
    first, rest = findings[:RERANKED], findings[RERANKED:]
    payloads = [finding.lead.payload for finding in first]
    above = ["".join(f"{heading}\n" for heading in payload.get(HEADINGS) or ()) for payload in payloads]
    whole = [passage_text(payload[TEXT]).whole for payload in payloads]
    texts = [f"{lead}{text}"[:RERANKED_CHARACTERS] for lead, text in zip(above, whole, strict=True)]
    try:
        scores = searching.reranker.scores(query.text, texts)
    except EmbedderUnavailable as error:
        notes.append(f"Not ranked again. {error}")
        return findings
    ordered = sorted(zip(scores, first, strict=True), key=lambda pair: -pair[0])
    return [replace(finding, score=score) for score, finding in ordered] + rest
