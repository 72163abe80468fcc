"""An embedder that hashes words and parts of words: no weights, no meaning, the same everywhere, and fast."""

import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pipeline.ports.index import Vector

_WORD = re.compile(r"\w+")
_PART = 3  # characters
_SIGN = 1 << 31  # the highest of a checksum's 32 bits


class HashingEmbedder:
    """`pipeline.ports.index.Embedder` by feature hashing: texts are near when they share words, or parts of words.

    Each word weighs 1 and each of its trigrams (of the word between two marks) 1/2; half of the features count
    negatively, so that texts with nothing in common have a cosine of about 0.
    """

    def __init__(self, dimension: int = 64) -> None:
        """`dimension` is 1 or more; with 64 unrelated texts have a cosine of some 0.1 to either side of 0."""
        self._dimension = dimension

    @property
    def name(self) -> str:
        """`hashing-` and the dimension."""
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return self._dimension

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order."""
        return [self.question(text) for text in texts]

    def question(self, text: str) -> Vector:
        """The same vector as the text has as a passage."""
        weights = Counter(_features(text))
        vector = [0.0] * self._dimension
        for feature, weight in weights.items():
            place, sign = _place(feature, self._dimension)
            vector[place] += sign * weight
        length = math.hypot(*vector)
        if not length:  # no letter and no digit in it, or they cancel each other out
            return [1.0] + [0.0] * (self._dimension - 1)
        return [value / length for value in vector]


def _features(text: str) -> Iterator[str]:
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        marked = f"<{word}>"
        yield marked
        yield marked
        for start in range(len(marked) - _PART + 1):
            yield marked[start : start + _PART]


@lru_cache(maxsize=1 << 16)
def _place(feature: str, dimension: int) -> tuple[int, int]:
    checksum = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
    return checksum % _SIGN % dimension, 1 if checksum & _SIGN else -1
