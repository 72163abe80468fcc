"""The letters and digits of a text, and where they stand in it: words are found whatever marks stand around them."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

_MARKS = re.compile(r"[\W_]+")
_STANDING = re.compile(r"&#?\w+;|.[\u0300-\u036f]*", re.DOTALL)
_BEGINNING = 60  # letters by which words are known; see `pipeline.entries.mentions`


def letters_of(text: str) -> str:
    """The letters and digits of a text alone."""
    return _MARKS.sub("", normalize("NFC", html.unescape(text)).casefold())


@dataclass(frozen=True)
class LetterMap:
    """A text, its letters, and the place of each."""

    text: str

    def places(self, words: str) -> Iterator[tuple[int, int]]:
        """The spans of the text with the beginning of some bare words, each as far as it goes on as they do."""
        beginning, letters = words[:_BEGINNING], self._letters[0]
        at = letters.find(beginning) if beginning else -1
        while at >= 0:
            end = at + len(beginning)
            while end < len(letters) and letters[at : end + 1] == words[: end + 1 - at]:
                end += 1
            yield self._letters[1][at][0], self._letters[1][end - 1][1]
            at = letters.find(beginning, end)

    @cached_property
    def _letters(self) -> tuple[str, list[tuple[int, int]]]:
        letters, spans = list[str](), list[tuple[int, int]]()
        for match in _STANDING.finditer(self.text):
            for letter in letters_of(match.group()):
                letters.append(letter)
                spans.append(match.span())
        return "".join(letters), spans
