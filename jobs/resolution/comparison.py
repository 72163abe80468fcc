"""Two texts side by side: are they about the same thing?

Works on English, Polish (inflected, with or without diacritics) and Chinese (both scripts) without a dictionary: words
count by their first letters, Chinese by pairs of characters, and each weighs the more the fewer of the texts hold it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

from jobs.resolution.lexicon import FREQUENT
from jobs.resolution.wording import fold, han_runs, letter_runs

STEM = 5
"""Letters by which a word counts: long enough to tell words apart, short enough to stand inflection."""

BACKGROUND = 50
"""Texts imagined beside those at hand, so that in the first few entries a shared word does not look common."""


@lru_cache(maxsize=65536)
def features(text: str) -> frozenset[str]:
    """What `text` is about: stems of words, and pairs of Chinese characters."""
    folded = fold(text)
    stems = {word[:STEM] for word in letter_runs(folded) if len(word) > 1 and word not in FREQUENT}
    pairs = {run[i : i + 2] for run in han_runs(folded) for i in range(len(run) - 1)}
    return frozenset(stems | pairs - FREQUENT)


@dataclass(frozen=True)
class Likeness:
    """How alike two texts are: `cosine` is 0 to 1; `shared` counts words in common, two Chinese characters as one."""

    cosine: float
    shared: int


class Weights:
    """How much each feature tells, from the texts at hand."""

    def __init__(self, texts: Iterable[str]) -> None:
        """`texts` are all that are compared; neither their order nor how often one is given matters."""
        distinct = set(texts)
        self._count = BACKGROUND + len(distinct)
        self._holders = Counter(feature for text in distinct for feature in features(text))

    def of(self, feature: str) -> float:
        """The weight of one feature; rare ones weigh most."""
        return log(self._count / max(1, self._holders[feature]))

    def likeness(self, one: str, other: str) -> Likeness:
        """How alike the two texts are, whichever comes first."""
        ours, theirs = features(one), features(other)
        common = ours & theirs
        norm = sqrt(self._total(ours) * self._total(theirs))
        han = {character for feature in common for character in feature if han_runs(character)}
        words = sum(1 for feature in common if not han_runs(feature))
        return Likeness(self._total(common) / norm if norm else 0.0, words + len(han) // 2)

    def _total(self, found: frozenset[str]) -> float:
        return sum(self.of(feature) for feature in sorted(found))
