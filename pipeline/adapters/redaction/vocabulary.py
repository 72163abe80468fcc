"""The different words of a text, which are few: what is in none of them is not in the text."""

import re
import sys
from collections.abc import Iterable
from functools import cache, cached_property

_LETTER = re.compile(r"[^\W\d_]+")
_OTHER = 0xFF
"""Stands for every byte outside of ASCII: no text in UTF-8 has it."""


_ASCII = bytes(one if chr(one).isalpha() else ord(" ") for one in range(128))
_LETTERS = _ASCII + bytes(range(128, 256))
"""A table that makes blanks of all in ASCII that is no letter."""
_LATIN = bytes(range(128)) + bytes([_OTHER] * 128)
_IN_A_ROW = re.compile(b"\1(?=\1)")
_FOUR = 4  # bytes that are looked for together, in a word that has as many
_SMALL = 8_192  # characters of a text


class Stems:
    """Strings in lower case, of which a line has one if a finder finds anything in it."""

    def __init__(self, stems: Iterable[str]) -> None:
        """A stem may hold more than letters; it is looked for only if its longest word is in the text."""
        self._stems = tuple((one, _word(one)) for one in dict.fromkeys(stems))

    def present(self, vocabulary: "Vocabulary") -> list[str]:
        """The stems that may stand in a text with these words."""
        if vocabulary.is_small:
            words = vocabulary.different
            return [stem for stem, word in self._stems if word in words]
        return [stem for stem, word in self._stems if word in vocabulary]

    def words(self, vocabulary: "Vocabulary") -> list[str]:
        """The stems that may stand in it, without the blank that tells where a word has to end."""
        return [stem.rstrip() for stem in self.present(vocabulary)]


class Vocabulary:
    """The words of a text, for `in`: a word, with a blank where it has to begin or to end."""

    def __init__(self, folded: str) -> None:
        """`folded` is the text in lower case."""
        self.is_small = len(folded) < _SMALL
        """Whether to look through all of its words is the fastest."""
        self._folded, self._known = folded, dict[bytes, bool]()

    def __contains__(self, word: bytes) -> bool:
        """Whether the text has it; the finders have many words in common, so each is looked for once."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._has(word)
        return known

    @cached_property
    def signs(self) -> frozenset[str]:
        """The different characters of the text outside of ASCII."""
        return frozenset(self.content.translate(None, bytes(range(128))).decode(errors="surrogatepass"))

    @cached_property
    def words(self) -> bytes:
        """The text with blanks for all in ASCII that is no letter."""
        return self.content.translate(_LETTERS)

    @cached_property
    def different(self) -> bytes:
        """The different words of the text."""
        return _join_different(self._all)

    def in_a_row(self, words: frozenset[bytes]) -> set[bytes]:
        """The words among some that another of them follows in the text."""
        if words.isdisjoint(self._all):
            return set()
        known = bytes(map(words.__contains__, self._all))
        return {self._all[match.start()] for match in _IN_A_ROW.finditer(known)}

    def _has(self, word: bytes) -> bool:
        if self.is_small:
            return word in self.different
        if not word.isascii():
            return self.signs >= _signs_of(word) and word in self.different
        return (len(word) < _FOUR or self._fours.issuperset(_fours_of(word))) and word in self._latin

    @cached_property
    def content(self) -> bytes:
        """The text in bytes."""
        return self._folded.encode(errors="surrogatepass")

    @cached_property
    def _all(self) -> list[bytes]:
        return self.words.split()

    @cached_property
    def _latin(self) -> bytes:
        """The words with all that is outside of ASCII alike: a page in Chinese, which has no blanks, has few then."""
        return self.different if self._folded.isascii() else _join_different(self.different.translate(_LATIN).split())

    @cached_property
    def _fours(self) -> set[int]:
        """The bytes that stand together in them: to look here first is many times as fast as to look for each word."""
        words, fours = memoryview(self._latin), set[int]()
        for offset in range(_FOUR):
            fours.update(words[offset : len(words) - (len(words) - offset) % _FOUR].cast("I"))
        return fours


def _join_different(words: Iterable[bytes]) -> bytes:
    return b" ".join([b"", *set(words), b""])


@cache
def _fours_of(word: bytes) -> tuple[int, ...]:
    return tuple(int.from_bytes(word[place : place + _FOUR], sys.byteorder) for place in range(len(word) - _FOUR + 1))


@cache
def _signs_of(word: bytes) -> frozenset[str]:
    return frozenset(one for one in word.decode() if not one.isascii())


def _word(stem: str) -> bytes:
    """The longest word of a stem, as the vocabulary has it, with a blank where it begins or ends."""
    word = max(_LETTER.finditer(stem), key=lambda match: len(match[0]), default=None)
    if not word:
        return b""
    before, behind = stem[: word.start()], stem[word.end() :]
    return (" " * before.isascii() * bool(before) + word[0] + " " * behind.isascii() * bool(behind)).encode()
