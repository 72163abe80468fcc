"""Two texts side by side: are they about the same thing?

Works on English, Polish (inflected, with or without diacritics) and Chinese (both scripts) without a dictionary: words
count by their first letters, Chinese by pairs of characters, and each weighs the more the fewer of the texts hold it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log, sqrt

from pipeline.language.chinese import han_runs, letter_runs, pairs
from pipeline.language.dates import undated
from pipeline.language.folding import flat
from pipeline.language.stems import BEGINNING
from pipeline.language.stopwords import FREQUENT, FUNCTION

BACKGROUND = 50
"""Imagined texts beside the real ones, so that a common word of the first few entries does not look frequent."""

_MARKS = re.compile(r"「」|『』|“”|„”|«»|\"\"")  # an empty pair of quotation marks is named for its own sake

_PRICE = re.compile(r"(?<![\w.,:])\d+[.,]\d{2}(?![\w.,:]*\d)")  # two decimals identify a thing as well as a name


@lru_cache(maxsize=65536)
def features(text: str) -> frozenset[str]:
    """The features of `text`: stems of words, and pairs of Chinese characters."""
    folded = undated(flat(text))
    stems = {_stem(word) for word in letter_runs(folded) if len(word) > 1 and word not in FREQUENT}
    telling = {pair for pair in pairs(folded) if not FUNCTION.intersection(pair)}
    prices = {price.replace(",", ".") for price in _PRICE.findall(folded)}
    return frozenset(stems | telling - FREQUENT | prices | set(_MARKS.findall(folded)))


def _stem(word: str) -> str:
    plural = len(word) >= BEGINNING and word.endswith("s") and not word.endswith("ss")
    return word[: len(word) - plural][:BEGINNING]


@lru_cache(maxsize=65536)
def _han(feature: str) -> frozenset[str]:
    """The Chinese characters of a feature."""
    return frozenset("".join(han_runs(feature)))


@dataclass(frozen=True)
class Likeness:
    """How alike two texts are: `cosine` is 0 to 1; `shared` counts words in common, two Chinese characters as one."""

    cosine: float
    shared: int


class Weights:
    """The weight of each feature: its inverse frequency in the given texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        """`texts` are all that are compared; neither their order nor how often one is given matters."""
        distinct = set(texts)
        self._count = BACKGROUND + len(distinct)
        self._holders = Counter(feature for text in distinct for feature in features(text))
        self._weights: dict[str, float] = {}
        self._totals: dict[str, float] = {}

    def of(self, feature: str) -> float:
        """The weight of one feature; rare ones weigh most."""
        if feature not in self._weights:
            self._weights[feature] = log(self._count / max(1, self._holders[feature]))
        return self._weights[feature]

    def likeness(self, one: str, other: str) -> Likeness:
        """How alike the two texts are, whichever comes first."""
        ours, theirs = features(one), features(other)
        common = ours & theirs
        norm = sqrt(self._whole(one) * self._whole(other)) if common else 0.0
        signs = [_han(feature) for feature in common]
        words = sum(1 for characters in signs if not characters)
        han = len(frozenset[str]().union(*signs))
        return Likeness(self._total(common) / norm if norm else 0.0, words + (han + 1) // 2)

    def _whole(self, text: str) -> float:
        if text not in self._totals:
            self._totals[text] = self._total(features(text))
        return self._totals[text]

    def _total(self, features: frozenset[str]) -> float:
        return fsum(map(self.of, features))  # whose result does not depend on the order, which a set does not have
