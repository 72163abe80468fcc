"""Facts in the index: the entries that say the same, what took their place, and how sure they are."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pipeline.facts.standing import Confidence, FactStandings, confidence, confidences, stand
from pipeline.index.schema import ENTRY, PASSAGE, REFERS, SAID, SORT, TRUST
from pipeline.index.search.deduplication import Finding, says_again
from pipeline.index.search.entry_lookup import EntryStanding
from pipeline.index.search.request import Scope
from pipeline.index.search.scoring import FADED, SURE, USUAL, ScoredPassage
from pipeline.index.sync.points import fact_of
from pipeline.ports.index import Searcher, Where
from schemas.entry import Status, Trust
from schemas.fact import Fact
from schemas.requests import SearchRequest


@dataclass
class FactLookup:
    """The facts among the passages of one question. `as_of` is the last day that counts."""

    searcher: Searcher
    as_of: date | None = None
    _standings: FactStandings = field(default_factory=lambda: FactStandings(()))
    _confidences: dict[str, Confidence] = field(default_factory=dict)

    def fetch(self, passages: Sequence[ScoredPassage]) -> None:
        """Read what speaks for and against these facts, and what replaces them, at once."""
        own = [passage for passage in passages if passage.fact_id]
        if not own:
            return
        where = Where(any_of={SORT: (PASSAGE,), REFERS: sorted({passage.fact_id for passage in own})})
        referring = map(fact_of, (point.payload for point in self.searcher.scroll(where)))
        facts = [*(fact_of(passage.payload) for passage in own), *referring]
        then = [fact for fact in facts if fact.id and (self.as_of is None or fact.day <= self.as_of)]
        self._standings, self._confidences = stand(then, self.as_of), confidences(then)

    def entries(self, passages: Sequence[ScoredPassage], scope: Scope) -> dict[str, str]:
        """The ids of entries in the scope by the facts that say the same of the same message."""
        own = [passage for passage in passages if passage.fact_id]
        messages = sorted({message for passage in own for message in passage.payload.get(SAID) or ()})
        if not messages:
            return {}
        where = Where(any_of={SORT: (PASSAGE,), SAID: messages})
        said = [point.payload for point in self.searcher.scroll(where) if point.payload.get(ENTRY)]
        sure = sorted(
            (payload for payload in said if payload[TRUST] != Trust.UNVERIFIED and scope.has(payload)),
            key=lambda payload: str(payload[ENTRY]),
        )
        pairs = (
            (passage, next((payload for payload in sure if says_again(payload, passage.payload)), None))
            for passage in own
        )
        return {passage.fact_id: str(entry[ENTRY]) for passage, entry in pairs if entry}

    def successor(self, fact_id: str) -> Fact | None:
        """The fact that took the place of one, at the time that is asked about."""
        standing = self._standings.by_id.get(fact_id)
        return standing.replaced_by if standing else None

    def confidence(self, passage: ScoredPassage) -> Confidence:
        """The confidence of a fact."""
        return self._confidences.get(passage.fact_id) or confidence(fact_of(passage.payload))

    def settle(self, findings: Sequence[Finding], wanted: SearchRequest, *, after_old: bool) -> list[Finding]:
        """The findings with the standing of facts.

        What was replaced gives way where the fact that took its place is there too; else it loses a part of its score.
        Of two that answer alike the surer one comes first.
        """
        self.fetch([finding.lead for finding in findings])
        shown = set() if after_old else {finding.fact_id for finding in findings}
        settled = list[Finding]()
        for finding in findings:
            if finding.entry_id or not finding.lead.is_fact:
                settled.append(finding)
                continue
            standing = self._standings.by_id.get(finding.fact_id)
            # Each belief is found once: in the earliest of the facts that say it.
            if standing and not shown.isdisjoint(standing.fact.supports) and self._standings.says_again(standing.fact):
                continue
            successor = self.successor(finding.fact_id)
            status = Status.SUPERSEDED if successor else Status.ACTIVE
            if (wanted.status and status not in wanted.status) or (successor and successor.id in shown):
                continue
            state = EntryStanding(status.value, (successor.id,) if successor else ())
            confidence = self.confidence(finding.lead)
            sure = confidence.hundredths / 100
            share = SURE * (sure - USUAL) - (FADED if successor else 0.0)
            score = finding.score + share * abs(finding.score)
            settled.append(replace(finding, score=score, standing=state, confidence=sure, sureness=confidence.word))
        return sorted(settled, key=lambda finding: -finding.score)
