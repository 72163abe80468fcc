"""The terms of a text for the index, in English, Polish and Chinese, mixed as people mix them.

The language is not detected: each token is treated by its characters. Accents are dropped before anything else, because
many people type Polish without them.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Final

from pipeline.language import date_terms, han, identifiers, numerals, stems, stopwords
from pipeline.language.folding import remove_accents

VERSION: Final = 2
"""Raised when the terms of any text change, so that an index made with another one is built anew."""

# "don't", "Heron's" and the Polish "Facebook'a": the letters after the apostrophe are an ending.
_ENDING = re.compile(r"'(?<=\w')\w{1,3}\b")
_KNOWN = f"{date_terms.PATTERN}|{numerals.SPACED}|{han.RUN}|{identifiers.PATTERN}|{numerals.MONEY}"
# Most tokens are words before another word, and begin behind a blank: no more is tried at these.
_TOKEN = re.compile(f" *+([A-Za-z]++(?= [A-Za-z])|{_KNOWN})")
_WORD = re.compile(r"[^\W_]+")
_GRAM: Final = 4
_LONGEST_KEPT: Final = 64
"""Characters of the tokens whose terms are remembered: long ones hardly come again, and would fill the memory."""


def terms(text: str) -> list[str]:
    """The terms of a text for BM25, in order, repeats kept (their count is the frequency)."""
    return _terms(_tokens(text))


def query_terms(text: str) -> list[str]:
    """The terms of a question: without question words and stop words when something else is left."""
    tokens = _tokens(text)
    wanted = [token for token in tokens if token.casefold() not in stopwords.WORDS]
    asked = (
        han.question_terms(token) if han.starts(token) else date_terms.question_terms(token) or _terms([token])
        for token in wanted
    )
    return list(chain.from_iterable(asked)) or _terms(tokens)


def grams(text: str) -> list[str]:
    """The pieces of four characters of a text's words, each word between ^ and $; of Chinese the pairs.

    They find a word in forms that no stem knows, and misspelt. Stop words have none.
    """
    return list(chain.from_iterable(map(_grams_of, _tokens(text))))


def terms_and_grams(text: str) -> tuple[str, str]:
    """The terms and grams of a text, in which the words are looked for once; a blank parts two of them."""
    tokens = _tokens(text)
    texts = [*map(_remembered_texts if _are_short(tokens) else _texts_of, tokens)]
    return " ".join([of_terms for of_terms, _ in texts if of_terms]), " ".join([grams for _, grams in texts if grams])


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_ENDING.sub("", remove_accents(text)))


def _terms(tokens: list[str]) -> list[str]:
    return list(chain.from_iterable(map(_remembered if _are_short(tokens) else _of_any, tokens)))


def _are_short(tokens: list[str]) -> bool:
    """Whether the terms of all tokens are remembered: it is asked once, for it is asked of every text."""
    return max(map(len, tokens), default=0) <= _LONGEST_KEPT


def _of_any(token: str) -> tuple[str, ...]:
    return (_remembered if len(token) <= _LONGEST_KEPT else _analyse)(token)


def _analyse(token: str) -> tuple[str, ...]:
    """A plain word by its stem, anything else by the first kind that knows it."""
    plain = token.islower() or token.isupper() or token.istitle()
    if plain and token.isalpha():
        return (stems.of(token.casefold()), *date_terms.of_month(token.casefold()))
    return next((analysed for kind in _KINDS if (analysed := kind(token))), ())


@lru_cache(maxsize=1 << 12)
def _grams_of(token: str) -> tuple[str, ...]:
    if han.starts(token):
        return tuple(term for term in han.of(token) if term[1:]) or han.of(token)
    words = (f"^{word}$" for word in _WORD.findall(token.casefold()) if word not in stopwords.WORDS)
    return tuple(word[at : at + _GRAM] for word in words for at in range(max(len(word) - _GRAM + 1, 1)))


def _texts_of(token: str) -> tuple[str, str]:
    """The terms and the grams of a token."""
    return " ".join(_of_any(token)), " ".join(_grams_of(token))


_KINDS: tuple[Callable[[str], tuple[str, ...]], ...] = (date_terms.of, numerals.of, han.of, identifiers.of)
_remembered = lru_cache(maxsize=1 << 12)(_analyse)
_remembered_texts = lru_cache(maxsize=1 << 15)(_texts_of)
