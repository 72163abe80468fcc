"""The stems that finders need: they are looked for together, in one pass over a text."""

from collections.abc import Iterable
from functools import cache

from pipeline.language.word_search import WordSearch

Stems = frozenset[str]
"""Strings in lower case, of which a line has one if a finder finds anything in it."""

STEMS = set[str]()
"""The stems of all finders."""


def register_stems(stems: Iterable[str]) -> Stems:
    """The stems as a set, which `stem_search` looks for from now on."""
    registered = frozenset(stems)
    STEMS.update(registered)
    stem_search.cache_clear()
    return registered


@cache
def stem_search() -> WordSearch:
    """The search for all stems of all finders."""
    return WordSearch(STEMS)
