"""A finding as a fact: what it says, whose view it is, and what it rests on."""

from datetime import date

from pipeline.facts.names import EntityNames
from pipeline.index.schema import ENTITIES, KIND, TEXT, TRUST
from pipeline.index.search.citations import project_of, sureness
from pipeline.index.search.deduplication import Finding
from pipeline.index.search.entry_lookup import day_of
from pipeline.index.search.query import encodable
from pipeline.index.sync.payloads import fact_of
from pipeline.language.time_ranges.reading import time_range
from pipeline.markdown.entries import parse_entries
from schemas.entry import Entry, Trust
from schemas.fact import Fact, FactKind, FactWord
from schemas.hit import Place
from schemas.reports.recall import Basis, RecalledFact

OWNER, AGENT = "owner", "agent"
_HOLDERS = {
    FactWord.ASKED: OWNER,
    FactWord.OWNER: OWNER,
    FactWord.ACCEPTED: OWNER,
    FactWord.AGENT: AGENT,
    FactWord.UNVERIFIED: "",
}


def certain(finding: Finding) -> bool:
    """Whether somebody vouches for a finding."""
    return finding.lead.verified


def sureness_of(finding: Finding) -> float:
    """How sure a finding is, 0 to 1."""
    return sureness(finding, finding.lead) or 0.0


def mentions(finding: Finding) -> list[str]:
    """The entities that a finding names, in all places that say it: of a fact as written, of an entry as known."""
    said = [fact_of(passage.payload).entities for passage in (finding.lead, *finding.elsewhere) if passage.is_fact]
    known = [] if finding.lead.is_fact else finding.lead.payload.get(ENTITIES) or []
    return [*(name for names in said for name in names), *known]


def recalled_fact(finding: Finding, place: Place, names: EntityNames) -> RecalledFact:
    """The fact of a finding that stands at a place now."""
    payload = finding.lead.payload
    fact = fact_of(payload) if finding.lead.is_fact else None
    entry = None if fact else _entry(str(payload[TEXT]))
    content = fact.text if fact else _content(entry, str(payload[TRUST])) if entry else str(payload[TEXT])
    return RecalledFact(
        kind=str(payload[KIND]),
        timestamp=day_of(finding.lead),
        range=days_of(fact) if fact else None,
        entities=tuple(map(encodable, names.of(mentions(finding)))),
        content=encodable(content),
        source=f"{place.path}#L{place.start_line}",
        confidence=sureness_of(finding),
        status=finding.standing.status,
        holder=_HOLDERS[fact.word] if fact else OWNER if certain(finding) else "",
        trust=str(payload[TRUST]),
        id=finding.fact_id or finding.entry_id,
        basis=_basis(fact, str(payload[TRUST])),
        sureness=finding.sureness if certain(finding) else "",
        project=project_of(finding),
    )


def days_of(fact: Fact) -> tuple[date, date | None] | None:
    """The first and the last day that a fact speaks of, without a last one while it goes on; `None` when in doubt."""
    read = time_range(fact.text, fact.day)
    return (read.first, read.last) if read else None


def _basis(fact: Fact | None, trust: str) -> Basis:
    """What it rests on, by its trust; what several facts show was inferred, whoever stands behind it."""
    if trust == Trust.UNVERIFIED:
        return Basis.UNKNOWN
    if fact and fact.kind is FactKind.OBSERVATION:
        return Basis.INFERRED
    return Basis.ACCEPTED if trust == Trust.ACCEPTED else Basis.SAID


def _entry(text: str) -> Entry | None:
    return next((entry for _, entry in parse_entries(text.encode(errors="replace"))), None)


def _content(entry: Entry, trust: str) -> str:
    """The words of an entry; of one of which only the quote is believed that quote."""
    return entry.quote if trust == Trust.QUOTED else entry.conclusion
