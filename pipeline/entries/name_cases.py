"""Grammatical cases of names that stand in texts."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from unicodedata import normalize

from pipeline.language.declension import cases_of

_WORD = re.compile(r"[^\W\d_]+")
_WITHIN_SENTENCE = re.compile(r"(?<=[\w,] )[^\W\d_]{2,}(?!\w)")
_COMMON_WORD = re.compile(r"(?<![\w/@#.-])[^\W\d_A-Z]+(?![\w/-])")  # not in ids and paths, which are made of words


def other_cases_in(texts: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    """Words of texts that may be other cases of names, each with the number of its places.

    Each is written as a name, with one capital, within a sentence at least once, and never in lower case.
    """
    single = (name for name in names if _WORD.fullmatch(name) and name[0].isupper())
    forms = frozenset[str]().union(*map(cases_of, single))
    places, within, common = Counter[str](), set[str](), set[str]()
    for text in (normalize("NFC", text) for text in (texts if forms else ())):
        places.update(word for word in _WORD.findall(text) if word.casefold() in forms)
        within.update(_WITHIN_SENTENCE.findall(text))
        common.update(_COMMON_WORD.findall(text))
    named = set(map(str.casefold, names))
    return {
        word: number
        for word, number in sorted(places.items())
        if word in within and word.istitle() and word.casefold() not in common | named
    }
