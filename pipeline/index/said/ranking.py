"""The ranking of passages by a question: by their own words, those around them, and those of their session.

The index has the words of each passage alone, and little room is to be taken by it. So the words around a passage, and
those of its session, are added up when the question is asked: a first look finds the passages with most of the
question, and a second one, in the sessions of these, each word of it by itself.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import Final

from pipeline.index.said import schema
from pipeline.index.search.query import AnalysedQuery
from pipeline.ports.index import Leg, Query, RankedSearcher, Where

# Weights, by the development half of LoCoMo as transcripts; all of them are flat around these values.
OWN: Final = 0.4
AROUND: Final = 1.0
SESSION: Final = 1.5
IN_SESSION: Final = 2.0
"""The number of occurrences of a word in a session at which it counts half of the most."""
BESIDE: Final = 2
"""Passages before and after another whose words count as its surroundings."""

POOL, POOL_PER_HIT, MOST_POOL = 200, 10, 600
"""Passages that the first look finds."""
PER_WORD: Final = 300
"""Passages that the second look finds for each word."""
WORDS: Final = 16
"""The words of a question that the second look is for: the rarest ones."""

_SATURATION = 1.2  # k1 of BM25 in the engine
_FULL = 0.999  # of what a word can score at most; a rounded score may be a little more


Place = tuple[str, int]
"""The place of a passage: the letters of its session, and its number there."""


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage that may answer: the letters of its session, its number there, and its score.

    `words` is the part of the score that its own words have, and those around it: not what its session lends.
    """

    session: str
    ordinal: int
    score: float
    words: float

    @property
    def id(self) -> str:
        """The id of its point."""
        return schema.passage_id(self.session, self.ordinal)


def rank_passages(
    reader: RankedSearcher, query: AnalysedQuery, where: Where, k: int, most: int
) -> tuple[list[RankedPassage], Mapping[Place, float]]:
    """The `most` best of the passages that may answer, best first; and the `words` of all of them."""
    pool = min(max(POOL, POOL_PER_HIT * k), MOST_POOL)
    first = reader.rank_points(Query([Leg(schema.WORDS, query.weights)], pool, where))
    sessions = sorted({name[:4] for name, _ in first})
    if not sessions:
        return [], {}
    inside = replace(where, any_of={**where.any_of, schema.IN_SESSION: sessions})
    scores = defaultdict[Place, float](float)
    lent = defaultdict[str, float](float)
    for word in _read_words(reader, query, inside):
        word.lend(scores)
        for session, score in word.of_sessions(len(sessions)):
            lent[session] += score
    by_session = {session: SESSION * score for session, score in lent.items()}
    order = ((-score - by_session.get(place[0], 0.0), place) for place, score in scores.items())
    best = [RankedPassage(*place, -score, scores[place]) for score, place in nsmallest(most, order)]
    return best, scores


@dataclass(frozen=True, slots=True)
class _RankedWord:
    """A word of the question: what it can score at most, its weight, and how often passages have it.

    How often is told in the unit of `K` in BM25: it grows by as much with each occurrence, the more the shorter the
    passage is.
    """

    most: float
    weight: float
    often: Mapping[Place, float]

    def lend(self, scores: defaultdict[Place, float]) -> None:
        """Add to the scores of passages what the word lends them: for itself, and for its surroundings."""
        around = defaultdict[Place, float](float)
        own, beside = OWN * self.most, AROUND * self.most
        for place, count in self.often.items():
            session, ordinal = place
            scores[place] += own * count / (1 + count)
            for near in range(max(ordinal - BESIDE, 0), ordinal + BESIDE + 1):
                around[session, near] += count
        for place, count in around.items():
            scores[place] += beside * count / (1 + count)

    def of_sessions(self, sessions: int) -> Iterator[tuple[str, float]]:
        """The score that the word lends all passages of a session, by its letters: less where most sessions have it."""
        inside = defaultdict[str, float](float)
        for (session, _), count in self.often.items():
            inside[session] += count / IN_SESSION
        rarity = math.log(1 + (sessions - len(inside) + 0.5) / (len(inside) + 0.5))
        for session, count in inside.items():
            yield session, self.weight * (1 + _SATURATION) * rarity * count / (1 + count)


def _read_words(reader: RankedSearcher, query: AnalysedQuery, where: Where) -> Iterator[_RankedWord]:
    """The words of the question that stand in the index, each with its passages."""
    size = reader.size()
    known = {term: reader.frequency(schema.WORDS, term) for term in query.weights}
    rarest = sorted((term for term in known if known[term]), key=lambda term: known[term])[:WORDS]
    for term in rarest:
        rarity = math.log(1 + (size - known[term] + 0.5) / (known[term] + 0.5))
        best = reader.rank_points(Query([Leg(schema.WORDS, {term: 1.0})], PER_WORD, where))
        most = (1 + _SATURATION) * rarity
        shares = ((name, min(score / most, _FULL)) for name, score in best)
        often = {(name[:4], schema.number_of(name[4:])): share / (1 - share) for name, share in shares}
        yield _RankedWord(most * query.weights[term], query.weights[term], often)
