"""The candidates of a question: passages with one score each.

The score is a plain sum: the score of the question's words, and the similarity in meaning, by a weight that grows with
the number of words. Ranks instead of scores (RRF) and scores brought to one scale (DBSF) did worse on LoCoMo. So scores
of one question can be compared across its queries.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.index.schema import (
    ABOUT,
    CONTENT,
    CONTEXT,
    DAY,
    ENTRY,
    FACT,
    HEADING,
    LABEL,
    ORDINAL,
    PASSAGES,
    PATH,
    SECTION,
    SECTION_GRAMS,
    STATUS,
    TIER,
    TRUST,
    WORDS,
    outline_id,
)
from pipeline.index.search.query import AnalysedQuery
from pipeline.index.search.request import Scope
from pipeline.language.analysis import terms
from pipeline.language.time_ranges.spans import DaySpan
from pipeline.ports.index import Leg, Query, Scored, Searcher, Vector, VectorSearcher, Where
from schemas.entry import Status, Trust
from schemas.tier import Tier

FEW_PASSAGES = 1_024
"""The most passages in scope whose own vectors alone are compared; of more, the nearest of all are taken."""
MOST_VECTORS = 4_096
"""The most vectors that are asked for, so that enough of them are in a narrow scope."""


@dataclass
class Meaning:
    """A question's vector, and the vectors that it is compared with.

    Where these fail, `problem` says why, and words go on alone.
    """

    searcher: Searcher
    vectors: VectorSearcher
    question: Vector
    problem: str = ""

    def within(self, where: Where, limit: int) -> list[Scored]:
        """The nearest passages that are meant, and their cosine."""
        nearest = dict(self._find_nearest(where, limit))
        above = {key: likeness + _ABOVE for key, likeness in nearest.items()}
        hits = self.searcher.search(Query([Leg(CONTENT, above, exact=True)], limit, where)) if nearest else ()
        passages = (Scored(hit.id, nearest[hit.payload[CONTENT]], hit.payload) for hit in hits)
        return sorted(passages, key=lambda scored: (-scored.score, scored.id))

    def keys_with_vectors(self, keys: Collection[str]) -> set[str]:
        """The keys that have a vector."""
        try:
            return self.vectors.known_keys(keys)
        except (IndexUnavailable, WriteFailed) as error:
            self.problem = str(error)
            return set()

    def _find_nearest(self, where: Where, limit: int) -> list[tuple[str, float]]:
        meant = self.searcher.count(where)
        keys = {point.payload[CONTENT] for point in self.searcher.scroll(where)} if meant <= FEW_PASSAGES else None
        try:
            share = 1.0 if keys is not None else 2 * max(self.vectors.size() / meant, 1.0)
            return self.vectors.nearest(self.question, min(round(limit * share), MOST_VECTORS), keys)
        except (IndexUnavailable, WriteFailed) as error:
            self.problem = str(error)
            return []


_ABOVE = 2.0  # added to a cosine where it has to be above 0

SPILL = timedelta(days=7)
"""Events of a day are mentioned in the days after it too."""
_WEEK, _MONTH = 7, 31
_INSIDE = ((_WEEK, 1.0), (_MONTH, 0.5))
_INSIDE_LONGER = 0.1


def nearness(period: DaySpan, day: date) -> float:
    """The nearness of a day to a period, 0 to 1: a short period weighs more; a day just after it counts half."""
    if not period.every_year:
        return _nearness_in_span(period, day)
    shifted = (period.in_year(day.year + years) for years in (-1, 0))
    return max((_nearness_in_span(period, day) for period in shifted if period), default=0.0)


def _nearness_in_span(period: DaySpan, day: date) -> float:
    length = (period.last - period.first).days + 1
    inside = next((worth for most, worth in _INSIDE if length <= most), _INSIDE_LONGER)
    if period.first <= day <= period.last:
        return inside
    spills = inside > _INSIDE_LONGER and timedelta() < day - period.last <= SPILL
    return inside / 2 if spills else 0.0


# Weights, by the development half of LoCoMo; all of them are flat around these values.
WEIGHTS = {WORDS: 0.7, CONTEXT: 1.0, HEADING: 0.7}
DENSE_WEIGHT = 1.2
"""For each word of the question, times the natural logarithm of the size of the index: that much a word can score at
most, so meaning weighs about as much as words. A fixed weight is as good on LoCoMo, and worse where foreign passages
share one rare word with the question (44 of 80 instead of 50)."""
SECTION_WEIGHT = 0.1
LABEL_WEIGHT = 2.0  # for each term of the question that the label has, however many labels have it
PERIOD_WEIGHT = 6.0
FADED = 0.3
"""The share of its score that a passage loses when its entry is superseded or not verified."""

SETTLED = 0.5
"""The share of its score that an entry gains: what was settled comes before the talk around it. A fact gains nothing in
a search: it is short already, and on LoCoMo an answer with the talk beside it holds more of the evidence."""

SURE, USUAL = 0.5, 0.7
"""The share of its score that a fact would gain for a whole point of confidence, and the confidence without effect:
that of what was said plainly. When facts are recalled it holds of entries too."""

LIMIT, LIMIT_PER_HIT, MOST = 60, 6, 300
"""Passages that are fetched of each sort: fewer lose hits, more bring none and take longer."""
SECTIONS, SECTIONS_PER_HIT = 40, 2
"""Sections that lend their score."""
DAY_DEPTH = 30
"""Passages of the time that the question names that are looked at, however far down they are otherwise."""

_TIERS = {tier: place for place, tier in enumerate(Tier)}


@dataclass(frozen=True, slots=True)
class ScoredPassage(Scored):
    """A passage that may answer: its point, and the score of the search."""

    @property
    def path(self) -> str:
        """The path of its file."""
        return str(self.payload[PATH])

    @property
    def entry_id(self) -> str:
        """The id of the entry that it is; empty when it is none."""
        return str(self.payload.get(ENTRY) or "")

    @property
    def is_fact(self) -> bool:
        """Whether it is a fact, whoever wrote it."""
        return FACT in self.payload

    @property
    def fact_id(self) -> str:
        """The id of the fact that it is; empty when it is none, or none of ours."""
        return self.about[0] if self.is_fact and self.is_verified and self.about else ""

    @property
    def about(self) -> tuple[str, ...]:
        """The ids of entries that it is about, the first one above all; of a fact its own id first."""
        return tuple(self.payload.get(ABOUT) or ())

    @property
    def is_verified(self) -> bool:
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
    """A question to an index, asked in one scope after the other, for enough candidates to give `k` hits."""

    searcher: Searcher
    query: AnalysedQuery
    meaning: Meaning | None
    k: int

    def within(self, scope: Scope) -> list[ScoredPassage]:
        """The candidates within a scope, best first; none when the question has neither a term nor a vector."""
        payloads: dict[str, Mapping[str, Any]] = {}
        scores: dict[str, float] = {}
        likeness: dict[str, float] = {}
        legs = [Leg(name, self.query.weights, weight) for name, weight in WEIGHTS.items()]
        for where, limit in self._filters(scope):
            for scored in self.searcher.search(Query(legs, limit, where)) if self.query.weights else ():
                payloads[scored.id], scores[scored.id] = scored.payload, scored.score
            for scored in self.meaning.within(where, limit) if self.meaning else ():
                payloads[scored.id], likeness[scored.id] = scored.payload, scored.score
        near = self._likeness_of(payloads, likeness)
        words = max(len({word.terms for word in self.query.words}), 1)
        weight = DENSE_WEIGHT * words * math.log(max(self.searcher.size(), 2)) if likeness else 0.0
        passages = (
            ScoredPassage(
                name,
                self._weigh_trust(scores.get(name, 0.0) + weight * near[name] + self._bonus_of(payload), payload),
                payload,
            )
            for name, payload in payloads.items()
            if scope.has(payload)
        )
        return sorted(passages, key=lambda candidate: candidate.order)

    def _likeness_of(
        self, payloads: Mapping[str, Mapping[str, Any]], likeness: Mapping[str, float]
    ) -> Mapping[str, float]:
        """The likeness of all candidates.

        What the list of the nearest does not have is at most as near as the last of them. What has no vector may be
        near or far.
        """
        floor = min(likeness.values(), default=0.0)
        usual = sum(likeness.values()) / max(len(likeness), 1)
        others = {name: payload[CONTENT] for name, payload in payloads.items() if name not in likeness}
        known = self.meaning.keys_with_vectors(set(others.values())) if self.meaning and likeness else set()
        return {**likeness, **{name: floor if key in known else usual for name, key in others.items()}}

    def _filters(self, scope: Scope) -> Iterator[tuple[Where, int]]:
        """The filters: the scope; undated points for a question as of a day; some of the period it names."""
        limit = min(max(LIMIT, LIMIT_PER_HIT * self.k), MOST)
        yield self._with_statuses(scope, scope.where()), limit
        if scope.wanted.as_of and not scope.wanted.has_period:
            yield self._with_statuses(scope, scope.where(dated=False)), limit
        for period in self.query.periods:
            if not period.every_year:
                where = self._with_statuses(scope, scope.where())
                low, high = where.between.get(DAY, (None, None))
                first, last = period.first.toordinal(), period.last.toordinal()
                days = max(first if low is None else low, first), min(last if high is None else high, last)
                yield replace(where, between={DAY: days}), DAY_DEPTH

    def _with_statuses(self, scope: Scope, where: Where) -> Where:
        """The filter with only the entries of the wanted statuses; all that has no standing is active."""
        statuses = scope.wanted.status
        if not statuses or Status.ACTIVE in statuses:
            return where
        standings = self.searcher.scroll(Where(any_of={STATUS: statuses}))
        return replace(where, any_of={**where.any_of, ENTRY: [point.payload[ENTRY] for point in standings]})

    @cached_property
    def _lent_scores(self) -> dict[str, float]:
        """The scores that sections lend to their passages, by the id of the section."""
        limit = min(max(SECTIONS, SECTIONS_PER_HIT * self.k), MOST)
        query = Query([Leg(SECTION_GRAMS, self.query.grams)], limit)  # only sections have such terms
        return {section.id: SECTION_WEIGHT * section.score for section in self.searcher.search(query)}

    def _bonus_of(self, payload: Mapping[str, Any]) -> float:
        added = self._lent_scores.get(payload.get(SECTION) or "", 0.0)
        if label := payload.get(LABEL):
            added += LABEL_WEIGHT * len(self.query.terms.intersection(_terms_of(label)))
        if self.query.periods and (ordinal := payload.get(DAY)) is not None:
            day = date.fromordinal(ordinal)
            added += PERIOD_WEIGHT * max(nearness(period, day) for period in self.query.periods)
        return added

    @staticmethod
    def _weigh_trust(score: float, payload: Mapping[str, Any]) -> float:
        if payload.get(TRUST) == Trust.UNVERIFIED:
            return score - FADED * abs(score)
        settled = payload.get(ENTRY) and payload.get(TRUST) != Trust.QUOTED
        return score + SETTLED * abs(score) if settled else score


@lru_cache(maxsize=1 << 12)
def _terms_of(label: str) -> frozenset[str]:
    return frozenset(terms(label))


def best(candidates: Sequence[ScoredPassage]) -> ScoredPassage:
    """The first in order."""
    return min(candidates, key=lambda candidate: candidate.order)


class Location(NamedTuple):
    """The lines of a passage when its file was indexed, both inside, and its number among those of its file."""

    start: int
    end: int
    number: int


@dataclass(frozen=True)
class LocationIndex:
    """The outlines of files, each read once for a question."""

    searcher: Searcher
    _listed: dict[str, dict[str, tuple[int, Sequence[Any]]]] = field(default_factory=dict)

    def fetch(self, paths: Iterable[str]) -> None:
        """Read the outlines of these files together, which is cheaper than singly."""
        missing = {path for path in paths if path not in self._listed}
        if not missing:
            return
        by_id = {outline_id(path): path for path in missing}
        self._listed.update({path: {} for path in missing})
        for outline in self.searcher.retrieve(by_id):
            places = outline.payload[PASSAGES]
            self._listed[by_id[outline.id]] = {place[0]: (number, place) for number, place in enumerate(places)}

    def location(self, candidate: ScoredPassage) -> Location | None:
        """The location of a passage; `None` when its file's outline does not name it."""
        path = candidate.path
        self.fetch([path])
        listed = self._listed[path].get(candidate.id)
        if listed is None:
            return None
        number, (_, start, end) = listed
        return Location(start, end, number)
