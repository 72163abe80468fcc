"""The joining of neighbours: a hit takes in adjacent passages that answer nearly as well, and have the same trust.

On LoCoMo this gives 2.5 points more evidence in 4,000 tokens than single passages, and none less in 1,000.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pipeline.index.schema import HEADINGS, SECTION, TEXT, TRUST
from pipeline.index.search.deduplication import Finding, subject
from pipeline.index.search.query import AnalysedQuery
from pipeline.index.search.scoring import LocationIndex, ScoredPassage, best
from pipeline.language.analysis import terms

LOOKED_AT = 20
"""The hits by which the rarity of a question's words is estimated."""
BEST = 3
"""Hits that may answer by themselves."""
ENOUGH = 0.6
"""The share of the question's words, by their rarity, that one of the best hits has when it answers."""


def answers(query: AnalysedQuery, candidates: Sequence[ScoredPassage], k: int) -> bool:
    """Whether there are `k` candidates, best first, and one of the first has most of the question's rare words.

    A word that none of the candidates has is the rarest, so it weighs most: it may be the important one, and stand in
    older files.
    """
    if len(candidates) < k or not _is_any_in_time(query, candidates):
        return False
    held = [terms_of(candidate.payload) for candidate in candidates[: max(LOOKED_AT, k)]]
    counts = {word.terms: sum(not word.terms.isdisjoint(those) for those in held) for word in query.words}
    # The inverse document frequency of each word among the candidates.
    weights = {word: math.log(1 + (len(held) - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
    total = sum(weights.values())
    covered = (
        sum(weights[word] for word in weights if not word.isdisjoint(candidate_terms))
        for candidate_terms in held[:BEST]
    )
    return total > 0 and max(covered, default=0.0) / total >= ENOUGH


def _is_any_in_time(query: AnalysedQuery, candidates: Sequence[ScoredPassage]) -> bool:
    """Whether a candidate is of the time that the question names; true when it names none."""
    named = [period for period in query.periods if not period.every_year]
    days = {candidate.day for candidate in candidates}
    return not named or any(period.has(day) for period in named for day in days if day is not None)


def terms_of(payload: Mapping[str, object]) -> frozenset[str]:
    """The terms of a passage and of its headings."""
    headings = payload.get(HEADINGS)
    above = headings if isinstance(headings, list) else []
    return _terms_in("\n".join([str(payload.get(TEXT) or ""), *map(str, above)]))


@lru_cache(maxsize=1 << 10)
def _terms_in(text: str) -> frozenset[str]:
    return frozenset(terms(text))


SHARE = 0.6
"""The share of the score of the passage that opens the hit; flat between .5 and .8."""
CHARACTERS, LINES = 600, 8
"""The limits of a joined hit."""


@dataclass(frozen=True)
class Joining:
    """Opens hits one after the other. `pool` are the passages that may join."""

    locations: LocationIndex
    pool: Sequence[ScoredPassage]
    used: set[str] = field(default_factory=set)
    _numbered: dict[str, Mapping[int, ScoredPassage]] = field(default_factory=dict)

    def join(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """The findings with their neighbours, without those that have become neighbours themselves."""
        for finding in findings:
            if finding.lead.id not in self.used:
                parts = self._join_parts(finding)
                self.used.update(part.id for part in parts)
                yield replace(finding, parts=parts)

    def _join_parts(self, finding: Finding) -> tuple[ScoredPassage, ...]:
        parts = [finding.lead]
        if finding.entry_id or finding.lead.is_fact or finding.has_ended_words:
            return tuple(parts)
        least = SHARE * finding.lead.score
        inside = self._passages_in_file(finding.lead.path)
        while True:
            ends = self._number_of(parts[0]) - 1, self._number_of(parts[-1]) + 1
            beside = [inside[number] for number in ends if number in inside]
            neighbours = [one for one in beside if one.score >= least and self._fits(one, parts)]
            if not neighbours:
                return tuple(parts)
            chosen = best(neighbours)
            parts = [*parts, chosen] if self._number_of(chosen) > self._number_of(parts[-1]) else [chosen, *parts]

    def _passages_in_file(self, path: str) -> Mapping[int, ScoredPassage]:
        """The pool's passages of one file, by their numbers in it; collected when they are first asked for."""
        if path not in self._numbered:
            passages = [candidate for candidate in self.pool if candidate.path == path]
            self._numbered[path] = {self._number_of(candidate): candidate for candidate in passages}
        return self._numbered[path]

    def _fits(self, candidate: ScoredPassage, parts: Sequence[ScoredPassage]) -> bool:
        if candidate.id in self.used or candidate.is_fact or subject(candidate):
            return False
        if any(candidate.payload.get(name) != parts[0].payload.get(name) for name in (SECTION, TRUST)):
            return False
        together = (candidate, *parts)
        known_locations = [location for passage in together if (location := self.locations.location(passage))]
        lines = (
            max(location.end for location in known_locations) - min(location.start for location in known_locations) + 1
        )
        return lines <= LINES and sum(len(passage.payload[TEXT]) + 1 for passage in together) <= CHARACTERS

    def _number_of(self, candidate: ScoredPassage) -> int:
        location = self.locations.location(candidate)
        return location.number if location else -1
