"""The facts of a workspace with their standing, as values."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pipeline.engine.context import Engine
from pipeline.engine.inputs import all_facts
from pipeline.errors import SeveralNames
from pipeline.facts.standing import Confidence, FactStandings, StandingFact, confidence, confidences, is_evidence, stand
from schemas.fact import FactKind
from schemas.reports.entities import FactReport

_SORT = "fact"
_BEGINNING = "f-"


@dataclass(frozen=True)
class FactBook:
    """All facts of a workspace: their standing, how sure they are, and by the id of each those for and against it."""

    standings: FactStandings
    sure: Mapping[str, Confidence]
    supporting: Mapping[str, list[str]]
    contradicting: Mapping[str, list[str]]

    def report(self, standing: StandingFact) -> FactReport:
        """A fact as programs get it."""
        fact = standing.fact
        sure = self.sure.get(fact.id) or confidence(fact)
        return FactReport(
            id=fact.id,
            kind=fact.kind.name.lower(),
            entities=fact.entities,
            text=fact.text,
            day=str(fact.day) if fact.day > date.min else None,
            word=fact.word.value,
            confidence=sure.hundredths,
            sureness=sure.word,
            sum=sure.sum,
            quote=fact.quote,
            session_id=fact.session_id,
            numbers=fact.numbers,
            replaces=fact.replaces,
            replaced_by=standing.replaced_by.id if standing.replaced_by else "",
            until=str(standing.until) if standing.until else None,
            supported_by=tuple(self.supporting.get(fact.id, ())),
            contradicted_by=tuple(self.contradicting.get(fact.id, ())),
            path=fact.path,
            line=fact.line,
        )


def fact_book(engine: Engine) -> FactBook:
    """The facts of all files in which a job of the workspace reads facts."""
    facts = all_facts(engine)
    standings = stand(facts)
    known = {standing.fact.id: standing.fact for standing in standings.all if standing.fact.id}
    supporting, contradicting = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for fact in known.values():
        for names, kept in ((fact.supports, supporting), (fact.contradicts, contradicting)):
            for name in (name for name in names if name in known and is_evidence(fact, known[name])):
                kept[name].append(fact.id)
    return FactBook(standings, confidences(facts), supporting, contradicting)


def is_fact(given: str) -> bool:
    """Whether an id is that of a fact, or the beginning of one."""
    return given.startswith(_BEGINNING)


def explained_fact(engine: Engine, name: str, book: FactBook | None = None) -> FactReport | None:
    """The fact with an id, or with the only one that begins so; `None` when there is none.

    A `book` that was read already is not read again.

    Raises:
        SeveralNames: several begin so.
    """
    book = book or fact_book(engine)
    known = book.standings.by_id
    named = [name] if name in known else [fact_id for fact_id in known if fact_id.startswith(name)]
    if len(named) > 1:
        raise SeveralNames(_SORT, name, {fact_id: known[fact_id].fact.text for fact_id in named})
    return book.report(known[named[0]]) if named else None


def beliefs(book: FactBook) -> list[FactReport]:
    """The opinions that hold, the newest first, each with the sum behind its number."""
    holding = [standing for standing in book.standings.all if standing.holds and standing.fact.kind is FactKind.OPINION]
    return [book.report(standing) for standing in reversed(holding)]
