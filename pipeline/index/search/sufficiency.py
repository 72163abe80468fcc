"""Whether what was found near at hand answers a question, or one has to look further."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipeline.index.schema import HEADINGS, TEXT
from pipeline.index.search.query import AnalysedQuery
from pipeline.index.search.scoring import ScoredPassage
from pipeline.language.analysis import terms
from pipeline.language.words import Word

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
    if len(candidates) < k or not _of_its_time(query, candidates):
        return False
    held = [terms_of(candidate.payload) for candidate in candidates[: max(LOOKED_AT, k)]]
    weights = _weights(query.words, held)
    total = sum(weights.values())
    covered = (
        sum(weights[word] for word in weights if not word.isdisjoint(candidate_terms))
        for candidate_terms in held[:BEST]
    )
    return total > 0 and max(covered, default=0.0) / total >= ENOUGH


def _of_its_time(query: AnalysedQuery, candidates: Sequence[ScoredPassage]) -> bool:
    """Whether one of them is of the time that the question names, if it names any."""
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


def _weights(wanted: Sequence[Word], held: Sequence[frozenset[str]]) -> dict[frozenset[str], float]:
    """The inverse document frequency of each word among the candidates."""
    wanted_terms = dict.fromkeys(word.terms for word in wanted)
    counts = Counter(
        {word: sum(not word.isdisjoint(candidate_terms) for candidate_terms in held) for word in wanted_terms}
    )
    return {word: math.log(1 + (len(held) - counts[word] + 0.5) / (counts[word] + 0.5)) for word in wanted_terms}
