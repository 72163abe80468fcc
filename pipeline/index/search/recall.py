"""From a question to facts and decisions: one ranking of words, entities, time and confidence. Nothing here writes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pipeline.clock import local_day
from pipeline.facts.names import EntityNames, MentionFinder, all_names, forms_of
from pipeline.index.schema import ENTITIES, KIND, TEXT, TRUST
from pipeline.index.search.citations import Citing, project_of, sureness
from pipeline.index.search.deduplication import Finding
from pipeline.index.search.entry_lookup import day_of
from pipeline.index.search.live_files import LiveFiles
from pipeline.index.search.query import AnalysedQuery, analyse_query, encodable
from pipeline.index.search.request import passages_wanted, steps
from pipeline.index.search.scoring import SETTLED, SURE, USUAL, CandidateSearch, ScoredPassage
from pipeline.index.search.search import (
    POOL,
    POOL_PER_HIT,
    Looked,
    Searching,
    open_meaning,
    settle_findings,
    vector_of,
    with_all_names,
)
from pipeline.index.sync.entity_names import names_of
from pipeline.index.sync.points import fact_of
from pipeline.language.analysis import terms
from pipeline.language.time_ranges.reading import time_range
from pipeline.markdown.entries import parse_entries
from schemas.entry import Status, Trust
from schemas.fact import Fact, FactKind, FactWord
from schemas.hit import Place
from schemas.reports.recall import Basis, Recalled, RecalledFact
from schemas.requests import RecallRequest

OWNER, AGENT = "owner", "agent"
_HOLDERS = {
    FactWord.ASKED: OWNER,
    FactWord.OWNER: OWNER,
    FactWord.ACCEPTED: OWNER,
    FactWord.AGENT: AGENT,
    FactWord.UNVERIFIED: "",
}


def is_vouched_for(finding: Finding) -> bool:
    """Whether a finding is verified, so that somebody vouches for it."""
    return finding.lead.is_verified


def sureness_of(finding: Finding) -> float:
    """The confidence of a finding, 0 to 1."""
    return sureness(finding, finding.lead) or 0.0


def mentions(finding: Finding) -> list[str]:
    """The entities that a finding names, in all places that say it: of a fact as written, of an entry as known."""
    said = [fact_of(passage.payload).entities for passage in (finding.lead, *finding.elsewhere) if passage.is_fact]
    known = [] if finding.lead.is_fact else finding.lead.payload.get(ENTITIES) or []
    return [*(name for names in said for name in names), *known]


def recalled_fact(finding: Finding, place: Place, names: EntityNames) -> RecalledFact:
    """The fact of a finding whose text is at `place` now."""
    payload = finding.lead.payload
    text, trust = str(payload[TEXT]), str(payload[TRUST])
    fact = fact_of(payload) if finding.lead.is_fact else None
    content = fact.text if fact else text
    entry = None if fact else next((entry for _, entry in parse_entries(text.encode(errors="replace"))), None)
    if entry:  # one of which only the quote is believed says that quote
        content = entry.quote if trust == Trust.QUOTED else entry.conclusion
    return RecalledFact(
        kind=str(payload[KIND]),
        timestamp=day_of(finding.lead),
        range=days_of(fact) if fact else None,
        entities=tuple(map(encodable, names.of(mentions(finding)))),
        content=encodable(content),
        source=f"{place.path}#L{place.start_line}",
        confidence=sureness_of(finding),
        status=finding.standing.status,
        holder=_HOLDERS[fact.word] if fact else OWNER if is_vouched_for(finding) else "",
        trust=trust,
        id=finding.fact_id or finding.entry_id,
        basis=_basis_of(fact, trust),
        sureness=finding.sureness if is_vouched_for(finding) else "",
        project=project_of(finding),
    )


def days_of(fact: Fact) -> tuple[date, date | None] | None:
    """The first and the last day that a fact speaks of, without a last one while it goes on; `None` when in doubt."""
    read = time_range(fact.text, fact.day)
    return (read.first, read.last) if read else None


def _basis_of(fact: Fact | None, trust: str) -> Basis:
    """The basis of a fact, by its trust; what several facts show was inferred, whoever vouches for it."""
    if trust == Trust.UNVERIFIED:
        return Basis.UNKNOWN
    if fact and fact.kind is FactKind.OBSERVATION:
        return Basis.INFERRED
    return Basis.ACCEPTED if trust == Trust.ACCEPTED else Basis.SAID


NAMED = 2.0
"""The score that a passage gains for each entity of the question that it names: as much as for a word of its label."""


@dataclass(frozen=True)
class _EntityQuery:
    """A question with the entities that it names, each by all names that it has."""

    query: AnalysedQuery
    entities: tuple[frozenset[str], ...]

    def count_named(self, finding: Finding) -> int:
        """The number of the entities that a finding names, in all places that say it."""
        passages = (finding.lead, *finding.elsewhere)
        names = {name for passage in passages for name in passage.payload.get(ENTITIES) or ()}
        return sum(not names.isdisjoint(forms) for forms in self.entities)


def recall(searching: Searching, wanted: RecallRequest) -> Recalled:
    """The facts that answer, best first; unverified ones come last.

    What was superseded at the time that is asked about is left out.
    """
    searching = searching.for_reader(wanted.reader)
    now = local_day(searching.clock.now(), searching.zone)
    query, notes = analyse_query(wanted.query, wanted.as_of or now), list[str]()
    vector = vector_of(searching, query, notes) if query.weights else None
    with searching.reading() as searcher:
        if searcher is None:
            return Recalled(facts=(), notes=("There is no index yet; `memory doctor reindex` makes it.",))
        names = names_of(searcher)
        asked = _find_entities(query, names)
        scope = steps(with_all_names(searcher, passages_wanted(wanted)))[0]
        with open_meaning(searching, searcher, vector, notes) as meaning:
            gathering = CandidateSearch(searcher, asked.query, meaning, wanted.k)
            if query.weights:
                candidates = gathering.within(scope)
            else:  # all passages in scope, the newest first
                points = (ScoredPassage(point.id, 0.0, point.payload) for point in searcher.scroll(scope.where()))
                candidates = sorted(points, key=lambda passage: (-(passage.day or 0), passage.order))
        looked = settle_findings(searcher, asked.query, scope, candidates[: max(POOL, POOL_PER_HIT * wanted.k)])
        citing = Citing(
            query, LiveFiles(searching.workspace, searching.settings, searching.notes), looked.locations, wanted.as_of
        )
        facts = tuple(_first_facts(_rank(asked, looked), citing, names, wanted))
    return Recalled(facts=facts, notes=tuple(notes))


def _find_entities(query: AnalysedQuery, names: EntityNames) -> _EntityQuery:
    """The question with the other names of the entities in it, which are looked for too."""
    named = MentionFinder(all_names(names)).named_in(query.text)
    entities = tuple(dict.fromkeys(frozenset(forms_of(names, name)) for name in named))
    others = (term for forms in entities for form in forms for term in terms(form.replace("-", " ")))
    return _EntityQuery(replace(query, weights={**dict.fromkeys(others, 1), **query.weights}), entities)


def _rank(asked: _EntityQuery, looked: Looked) -> list[Finding]:
    """The findings that hold, by their scores with entities and confidence; unverified ones last."""
    scored = list[Finding]()
    for finding in looked.findings:
        if finding.standing.status != Status.SUPERSEDED:
            score = finding.score + NAMED * asked.count_named(finding)
            # A fact gains what an entry has gained already; its confidence is in its score by now.
            gain = SETTLED if finding.fact_id else SURE * (sureness_of(finding) - USUAL)
            scored.append(replace(finding, score=score + gain * abs(score)))
    return sorted(scored, key=lambda finding: (not is_vouched_for(finding), -finding.score))


def _first_facts(
    findings: Sequence[Finding], citing: Citing, names: EntityNames, wanted: RecallRequest
) -> Iterator[RecalledFact]:
    """The first facts that are still in their files, and have the wanted confidence."""
    number = 0
    for finding in findings:
        if number == wanted.k:
            return
        place = citing.place(finding.lead) if sureness_of(finding) >= wanted.min_confidence else None
        if place:
            number += 1
            yield recalled_fact(finding, place, names)
