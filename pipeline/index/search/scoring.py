"""The candidates of a question: passages with one score each.

The score is a plain sum: the score of the question's words, and the similarity in meaning, by a weight that grows with
the number of words. Ranks instead of scores (RRF) and scores brought to one scale (DBSF) did worse on LoCoMo. So scores
of one question can be compared across its queries.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

from pipeline.index.schema import (
    ABOUT,
    AGENT,
    CONTEXT,
    DAY,
    ENTRY,
    HEADING,
    KIND,
    LABEL,
    ORDINAL,
    PATH,
    SECTION,
    SECTION_GRAMS,
    SORT,
    TIER,
    TRUST,
    VECTOR,
    WORDS,
)
from pipeline.index.search.query import AnalysedQuery
from pipeline.index.search.request import Scope
from pipeline.language.analysis import terms
from pipeline.ports.index import DENSE, Leg, Query, Scored, Searcher, Vector, Where
from schemas.entry import Trust
from schemas.hit import Tier

# Weights, by the development half of LoCoMo; all of them are flat around these values.
WEIGHTS = {WORDS: 0.5, CONTEXT: 1.0, HEADING: 1.0}
DENSE_WEIGHT = 1.2
"""For each word of the question, times the natural logarithm of the size of the index: that much a word can score at
most, so meaning weighs about as much as words. A fixed weight is as good on LoCoMo, and worse where foreign passages
share one rare word with the question (44 of 80 instead of 50)."""
SECTION_WEIGHT = 0.15
LABEL_WEIGHT = 2.0  # for each term of the question that the label has, however many labels have it
PERIOD_WEIGHT = 6.0
FADED = 0.3
"""The share of its score that a passage loses when its entry is superseded or not verified."""

SETTLED = 0.5
"""The share of its score that an entry gains: what was settled comes before the talk around it."""

LIMIT, LIMIT_PER_HIT, MOST = 60, 6, 300
"""Passages that are fetched of each sort: fewer lose hits, more bring none and take longer."""
SPARE = 60
"""How much longer each ranking is than what is fetched: the engine's choice among equals at its end is its own."""
SECTIONS, SECTIONS_PER_HIT = 40, 2
"""Sections that lend their score."""
DAY_DEPTH = 30
"""Passages of the time that the question names that are looked at, however far down they are otherwise."""

_SCORED = (SORT, PATH, TIER, DAY, AGENT, KIND, SECTION, LABEL, ORDINAL, VECTOR, TRUST, ENTRY)
"""The fields of a passage that its score needs; the others are read of the few best candidates."""
_TIERS = {tier: place for place, tier in enumerate(Tier)}


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage that may answer: its point's id and payload, and its score."""

    id: str
    score: float
    payload: Mapping[str, Any]

    @property
    def path(self) -> str:
        """Its file's."""
        return str(self.payload[PATH])

    @property
    def entry_id(self) -> str:
        """The id of the entry that it is; empty when it is none."""
        return str(self.payload.get(ENTRY) or "")

    @property
    def about(self) -> tuple[str, ...]:
        """The ids of entries that it is about, the first one above all."""
        return tuple(self.payload.get(ABOUT) or ())

    @property
    def verified(self) -> bool:
        """Whether it is no entry that does not verify."""
        return self.payload.get(TRUST) != Trust.UNVERIFIED

    @property
    def day(self) -> int | None:
        """Its day, an ordinal."""
        day = self.payload.get(DAY)
        return int(day) if day is not None else None

    @property
    def order(self) -> tuple[float, int, int, str, int, str]:
        """The sort key of candidates: the score, then the nearer tier, the newer day, and the place."""
        tier = _TIERS.get(self.payload[TIER], len(_TIERS))
        place = int(self.payload.get(ORDINAL) or 0)
        return (-self.score, tier, -(self.day or 0), self.path, place, self.id)


@dataclass(frozen=True)
class CandidateSearch:
    """Asks an index one question, in one scope after the other, for so many candidates that `k` hits come of them."""

    searcher: Searcher
    query: AnalysedQuery
    dense: Vector | None
    k: int
    _payloads: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def within(self, scope: Scope) -> list[ScoredPassage]:
        """The candidates within a scope, best first; none when the question has neither a term nor a vector."""
        payloads: dict[str, Mapping[str, Any]] = {}
        scores: dict[str, float] = {}
        likeness: dict[str, float] = {}
        for where, limit in self._wheres(scope):
            for scored in self._by_words(where, limit):
                payloads[scored.id], scores[scored.id] = scored.payload, scored.score
            for scored in self._by_meaning(where, limit):
                payloads[scored.id], likeness[scored.id] = scored.payload, scored.score
        # What the list of the nearest does not have is at most as near as the last of them. What has no vector may
        # be near or far.
        floor = min(likeness.values(), default=0.0)
        usual = sum(likeness.values()) / max(len(likeness), 1)

        def near(name: str) -> float:
            return likeness.get(name, floor if payloads[name].get(VECTOR) == "yes" else usual)

        words = max(len({word.terms for word in self.query.words}), 1)
        weight = DENSE_WEIGHT * words * math.log(max(self.searcher.size(), 2)) if likeness else 0.0
        passages = (
            ScoredPassage(
                name,
                self._believed(scores.get(name, 0.0) + weight * near(name) + self._added(payload), payload),
                payload,
            )
            for name, payload in payloads.items()
            if scope.has(payload)
        )
        return sorted(passages, key=lambda candidate: candidate.order)

    def _by_words(self, where: Where, limit: int) -> list[Scored]:
        legs = [Leg(name, self.query.vector, limit + SPARE, weight) for name, weight in WEIGHTS.items()]
        return self.searcher.search(Query(legs, limit, where, fields=_SCORED)) if self.query.weights else []

    def _by_meaning(self, where: Where, limit: int) -> list[Scored]:
        if not self.dense:
            return []
        return self.searcher.search(Query([Leg(DENSE, self.dense, limit + SPARE)], limit, where, fields=_SCORED))

    def _wheres(self, scope: Scope) -> Iterator[tuple[Where, int]]:
        """The filters: the scope; undated points for a question as of a day; some of the period it names."""
        limit = min(max(LIMIT, LIMIT_PER_HIT * self.k), MOST)
        yield scope.where(), limit
        if scope.wanted.as_of and not scope.wanted.dated:
            yield scope.where(dated=False), limit
        for period in self.query.periods:
            if not period.every_year:
                where = scope.where()
                yield replace(where, between={DAY: _narrowed(where, period.first, period.last)}), DAY_DEPTH

    def whole(self, candidates: Sequence[ScoredPassage]) -> list[ScoredPassage]:
        """The candidates with all that the index knows of them."""
        missing = [candidate.id for candidate in candidates if candidate.id not in self._payloads]
        self._payloads.update((point.id, point.payload) for point in self.searcher.retrieve(missing))
        return [
            replace(candidate, payload=self._payloads[candidate.id])
            for candidate in candidates
            if candidate.id in self._payloads
        ]

    @cached_property
    def _lent(self) -> dict[str, float]:
        """By the id of a section, what it lends to the passages in it."""
        limit = min(max(SECTIONS, SECTIONS_PER_HIT * self.k), MOST)
        # Only sections have such a vector.
        query = Query([Leg(SECTION_GRAMS, self.query.grams, limit + SPARE)], limit, fields=())
        return {section.id: SECTION_WEIGHT * section.score for section in self.searcher.search(query)}

    def _added(self, payload: Mapping[str, Any]) -> float:
        added = self._lent.get(payload.get(SECTION) or "", 0.0)
        if label := payload.get(LABEL):
            added += LABEL_WEIGHT * len(self.query.terms.intersection(_terms_of(label)))
        return added + PERIOD_WEIGHT * self._nearness(payload.get(DAY)) if self.query.periods else added

    @staticmethod
    def _believed(score: float, payload: Mapping[str, Any]) -> float:
        if payload.get(TRUST) == Trust.UNVERIFIED:
            return score - FADED * abs(score)
        settled = payload.get(ENTRY) and payload.get(TRUST) != Trust.QUOTED
        return score + SETTLED * abs(score) if settled else score

    def _nearness(self, day: int | None) -> float:
        if day is None:
            return 0.0
        return max(period.nearness(date.fromordinal(day)) for period in self.query.periods)


@lru_cache(maxsize=1 << 12)
def _terms_of(label: str) -> frozenset[str]:
    return frozenset(terms(label))


def _narrowed(where: Where, first: date, last: date) -> tuple[int | None, int | None]:
    low, high = where.between.get(DAY, (None, None))
    starts, ends = first.toordinal(), last.toordinal()
    return (starts if low is None else max(low, starts), ends if high is None else min(high, ends))


def best(candidates: Sequence[ScoredPassage]) -> ScoredPassage:
    """The first in order."""
    return min(candidates, key=lambda candidate: candidate.order)
