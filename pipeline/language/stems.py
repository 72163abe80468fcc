"""The stem of a word, without a guess at its language: the English rules, then the Polish ones, on every word.

One stem a word: two, which are the same for some words and not for others, weigh words unevenly. On conversations in
English it finds as much as the English rules alone, and it joins most of the Polish inflections, which they do not.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

_LONGEST: Final = 64  # a longer one is no word; its beginning is enough to find it
BEGINNING: Final = 5
"""Letters by which a word counts where whole texts are compared: enough to distinguish words, and to stand inflection.
The stems below were tried there, and left: on labelled conversations they find one replacement less, and nothing
more."""

_SHORTEST: Final = 3  # a stem of a letter or two would join what has nothing in common

# The Polish rules look for accents, which are gone by now: these endings get back what they nearly always have.
_ENDINGS = (
    *("ów", "ać", "ić", "eć", "yć", "ał", "ił", "ył"),
    *("ałem", "ałam", "iłem", "iłam", "aliśmy", "iliśmy", "ałyśmy", "iłyśmy"),
)
_PLAIN = str.maketrans("óćłś", "ocls")
_ACCENTED = {ending.translate(_PLAIN): ending for ending in _ENDINGS}
_LENGTHS = sorted({len(ending) for ending in _ENDINGS}, reverse=True)
_POLISH_ONLY = ("lismy", "lysmy")  # to the English rules an adverb
# How the end of one Polish stem looks from case to case: decyzj, sciezk and sciezc, bulk and bulek, serwer and serwerz.
_ALTERNATIONS = {"dz": "d", "rz": "r", "cz": "k", "ek": "k", "ec": "k", "sz": "s"}


def of(word: str) -> str:
    """The stem of a word in lower case without accents."""
    word = word[:_LONGEST]
    english, polish = _rules()
    first = word if word.endswith(_POLISH_ONLY) else english(word)
    # Twice, as some endings stand on others; and the English rules again for what was under a Polish ending: Postgresa.
    stem = english(_without_ending(polish, _without_ending(polish, first)))
    return _alternate(stem[:_SHORTEST] + stem[_SHORTEST:].rstrip("aeiouy"))


def _accent(word: str) -> str:
    length = next((length for length in _LENGTHS if word[-length:] in _ACCENTED), 0)
    return word[:-length] + _ACCENTED[word[-length:]] if length else word


def _without_ending(rules: Callable[[str], str], word: str) -> str:
    stem = rules(_accent(word)) if len(word) > _SHORTEST else word
    return stem if stem.isascii() else stem.translate(_PLAIN)


def _alternate(stem: str) -> str:
    if len(stem) > _SHORTEST and stem[-2:] in _ALTERNATIONS:
        return stem[:-2] + _ALTERNATIONS[stem[-2:]]
    return stem[:-1] + "k" if stem.endswith("c") and len(stem) >= _SHORTEST else stem


@cache
def _rules() -> tuple[Callable[[str], str], Callable[[str], str]]:
    from Stemmer import Stemmer  # type: ignore[import-not-found] # noqa: PLC0415 - only the index loads it

    return Stemmer("english", 0).stemWord, Stemmer("polish", 0).stemWord
