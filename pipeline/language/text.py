"""Text as a reader sees it: cut into sentences that keep their place, and by what it is about."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from dataclasses import dataclass
from functools import lru_cache

from pipeline.language.chinese import han_runs, letter_runs, pairs
from pipeline.language.folding import fold
from pipeline.language.stems import BEGINNING
from pipeline.language.stopwords import EMPTY

# A mark ends a sentence only where a space follows, so that `?page=` and `4.5.1` stay whole; so do initials.
# Runs are taken as a whole: of each step, the engine would keep a hundred bytes, in megabytes that were pasted.
_SENTENCE = re.compile(r"(?:[^.!?;\n。！？；…]++|[.!?;](?=[^\s.!?;])|(?<=\s[A-Z])[.])+[.!?;。！？；…]*")
# Behind these a full stop ends no sentence.
_ABBREVIATED = re.compile(r"(?<!\w)(?:tys|mln|mld|np|nr|ul|godz|str|tzn|itp|m\.in|e\.g|i\.e|approx|vs|ca)\.$")
_LONGEST_ABBREVIATION = len("approx.")
_CLAUSE = re.compile(r"(?:[^,，、]++|(?<=\d),(?=\d))+")
_SHORTEST = 4  # letters of a word that is about something
_WORD = re.compile(r"\d+(?:[.:]\d+)*|[^\W\d_]+")


@dataclass(frozen=True)
class Span:
    """A piece of a message: `start` and `end` are offsets in its text."""

    start: int
    end: int
    text: str

    @property
    def folded(self) -> str:
        """The text for comparing; as long as the text."""
        return fold(self.text)

    @property
    def asks(self) -> bool:
        """Whether it ends as a question does."""
        return self.text.rstrip(" \"'”’)」』").endswith(("?", "？"))


def sentences(text: str) -> list[Span]:
    """The sentences of `text`, without the white space around them; one goes on behind an abbreviation."""
    places: list[tuple[int, int]] = []
    for span in _strip(text, _SENTENCE):
        start, end = places[-1] if places else (0, 0)
        is_abbreviated = _ABBREVIATED.search(text, max(start, end - _LONGEST_ABBREVIATION), end)
        if is_abbreviated and text[end : span.start] in {"", " "}:
            places[-1] = start, span.end
        else:
            places.append((span.start, span.end))
    return [Span(start, end, text[start:end]) for start, end in places]


def clauses(span: Span) -> list[Span]:
    """The parts of a sentence between commas, at their place in the message."""
    inner = _strip(span.text, _CLAUSE)
    return [Span(span.start + part.start, span.start + part.end, part.text) for part in inner]


def _strip(text: str, pattern: re.Pattern[str]) -> list[Span]:
    spans = []
    for match in pattern.finditer(text):
        piece = match.group()
        left = match.start() + len(piece) - len(piece.lstrip())
        right = left + len(piece.strip())
        if any(character.isalnum() for character in piece):
            spans.append(Span(left, right, text[left:right]))
    return spans


def weight(text: str) -> int:
    """The length of `text` in Latin letters; a Chinese character counts for three."""
    return len(text) + 2 * sum(map(len, han_runs(text)))


def values(text: str) -> frozenset[str]:
    """The numbers among the terms."""
    return frozenset(term for term in terms(text) if term[0].isdigit())


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """The features of `text` for comparing: numbers, stems of longer words, pairs of Chinese characters."""
    features: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if word[0].isdigit():
            features.update(part.lstrip("0") or "0" for part in re.split("[.:]", word))
        elif han_runs(word):
            features.update(pairs(word), (run[:BEGINNING] for run in letter_runs(word)))
        elif len(word) >= _SHORTEST and word not in EMPTY:
            features.add(word[:BEGINNING])
    return frozenset(features)
