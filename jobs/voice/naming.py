"""Whether a line is what the owner's words name: by each word that means something, however short, in any form."""

from functools import lru_cache

from pipeline.language.chinese import han_runs
from pipeline.language.folding import flat
from pipeline.language.stems import of as stem_of
from pipeline.language.stopwords import FREQUENT, FUNCTION
from pipeline.language.words import words

_ROOT = 2
"""Letters that two forms of a short word have in common at least: kot and kocie, psa and psem."""


@lru_cache(maxsize=65536)
def telling_words(text: str) -> frozenset[str]:
    """The stems of the words of a text that say what it is about, its numbers, and its Chinese characters."""
    return frozenset({stem_of(word) for word in _plain_words(text)} | (set("".join(han_runs(flat(text)))) - FUNCTION))


def share_named(naming: str, text: str) -> float:
    """The share of the telling words of `naming` that stand in a text; 0 when none of its words tells anything."""
    wanted = telling_words(naming)
    return len(wanted & telling_words(text)) / len(wanted) if wanted else 0.0


def may_name(naming: str, text: str) -> bool:
    """Whether each telling word of `naming` may be a form of a word of a text, by how both begin."""
    wanted, known = _plain_words(naming), _plain_words(text)
    return bool(wanted) and all(any(_may_be_one(word, other) for other in known) for word in wanted)


def _may_be_one(word: str, other: str) -> bool:
    begin = max(_ROOT, min(len(word), len(other)) - _ROOT)
    return word[:begin] == other[:begin] and not word.isdigit()


def _plain_words(text: str) -> frozenset[str]:
    """The telling words of a text in letters, as they are written but for accents and case."""
    folded = flat(text)
    written = {folded[word.start : word.end] for word in words(folded)}
    return frozenset(
        word for word in written if (len(word) > 1 or word.isdigit()) and word not in FREQUENT and not han_runs(word)
    )
