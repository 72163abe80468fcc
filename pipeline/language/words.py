"""The words of a text as they are written, and which of them a question asks for."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pipeline.language import han
from pipeline.language.analysis import terms

_WORD = re.compile(rf"(?P<chinese>{han.RUN})|[^\W_{han.CHARACTERS}]+")
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its place, or two neighbouring Chinese characters, with the terms that find it."""

    start: int
    end: int
    terms: frozenset[str]


def words(text: str) -> Iterator[Word]:
    """The words of a text in order; pairs of Chinese characters overlap."""
    return (Word(start, end, _terms_of(text[start:end])) for start, end in _spans(text))


def words_of(text: str, wanted: Collection[str]) -> list[Word]:
    """The words of a text with one of the wanted terms."""
    spans = ((start, end, _terms_of(text[start:end])) for start, end in _spans(text))
    return [Word(start, end, held) for start, end, held in spans if not held.isdisjoint(wanted)]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(text):
        start, end = match.span()
        if match["chinese"]:
            yield from ((at, min(at + _PAIR, end)) for at in range(start, max(end - 1, start + 1)))
        else:
            yield start, end


def quote_words(text: str, chosen: Collection[Word]) -> tuple[str, ...]:
    """Words of a text as it has them, each once; Chinese pairs that overlap are one stretch."""
    spans: list[tuple[int, int]] = []
    for word in sorted(chosen, key=lambda other: other.start):
        if spans and word.start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(word.end, spans[-1][1]))
        else:
            spans.append((word.start, word.end))
    return tuple(dict.fromkeys(text[start:end] for start, end in spans))


@lru_cache(maxsize=1 << 14)
def _terms_of(word: str) -> frozenset[str]:
    own = terms(word)
    pairs = [term for term in own if len(term) == _PAIR] if len(word) == _PAIR and han.starts(word) else own
    return frozenset(pairs or own)
