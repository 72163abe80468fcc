"""The words of a text and the stems in them: a word that many texts have is looked through once for all of them."""

import re
from collections.abc import Collection, Iterable
from functools import cache, reduce
from itertools import pairwise
from operator import or_

from pipeline.language.word_search import WordSearch

_LETTER = re.compile(r"[^\W\d_]+")
_ASCII, _OTHERS = bytes(range(128)), bytes(range(128, 256))
_LETTERS = bytes(one if chr(one).isalpha() else ord(" ") for one in _ASCII) + _OTHERS
"""A table that makes blanks of all in ASCII that is no letter."""
_LINES = _LETTERS[: ord("\n")] + b"\n" + _LETTERS[ord("\n") + 1 :]
"""The same, but that lines stay."""
_IN_A_ROW = re.compile(b"\1(?=\1)")
_LONG = 8_192  # bytes of a text in which some lines may have the same words as others
_LONGEST_KNOWN = 32  # bytes of a word that other texts may have
_MOST_KNOWN = 65_536


class _KnownWords:
    """For each word that was met, the set of the stems in it: a number in which each stem has its bit.

    A word may be a password, so the hash stands for it, which Python makes with a key of the process.
    """

    def __init__(self) -> None:
        self._known = dict[int, int]()
        self._bits = dict[str, int]()
        self._begun = dict[str | tuple[str, ...], list[tuple[str, int]]]()  # by a sign of a stem, or one or two letters
        self._marks = dict[str, int]()

    def bit(self, stem: str) -> int:
        """The bit of a stem, which is letters, with a blank where a word has to begin or to end."""
        if stem not in self._bits:
            bit = self._bits[stem] = self._next_bit
            sign = next((one for one in stem if not one.isascii()), None)
            self._begun.setdefault(sign or tuple(stem[:2]), []).append((stem, bit))
            self._known.clear()
        return self._bits[stem]

    def mark_bit(self, mark: str) -> int:
        """The bit of what stands for stems without a letter."""
        return self._marks.setdefault(mark, self._next_bit)

    @property
    def _next_bit(self) -> int:
        return 1 << (len(self._bits) + len(self._marks))

    def bits_of(self, text: str, words: Collection[bytes]) -> int:
        """The bits of all that stands in a text of these words."""
        of_words = [*map(self._known.get, map(hash, words))]
        if None in of_words:
            of_words = [*map(self._look_through, words, of_words)]
        bits = reduce(or_, filter(None, of_words), 0)
        for mark, bit in self._marks.items():
            if mark in text:
                bits |= bit
        return bits

    def _look_through(self, word: bytes, known: int | None) -> int:
        if known is not None:
            return known
        letters = word.decode(errors="surrogatepass")
        padded, bits, begins = f" {letters} ", 0, set[str | tuple[str, ...]]()
        if not word.isascii():
            begins.update(letters)
        if word.translate(None, _OTHERS):
            begins.update(zip(letters), pairwise(padded))
        for begin in self._begun.keys() & begins:
            for stem, bit in self._begun[begin]:
                if stem in padded:
                    bits |= bit
        if len(word) <= _LONGEST_KNOWN:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[hash(word)] = bits
        return bits


_KNOWN = _KnownWords()
_SEARCHED = set[str]()


@cache
def stem_search() -> WordSearch:
    """The search for all stems of ASCII that there are when a long text is searched for the first time."""
    return WordSearch(_SEARCHED)


class Stems:
    """Strings in lower case, of which a line has one if a finder finds anything in it."""

    def __init__(self, stems: Iterable[str]) -> None:
        """A stem may hold more than letters; it is looked for only if its longest word is in the text."""
        different = dict.fromkeys(stems)
        _SEARCHED.update(one for one in different if one.isascii())
        words = {one: _word(one) for one in different}
        self._stems = tuple(
            (one, _KNOWN.bit(word) if word else _KNOWN.mark_bit(_mark(one))) for one, word in words.items()
        )
        self._unworded = frozenset(one for one, word in words.items() if not word)
        self.bits = reduce(or_, (bit for _, bit in self._stems), 0)
        """The bits of all of them, for `Vocabulary.bits`."""

    def may_stand(self, vocabulary: "Vocabulary") -> bool:
        """Whether one of the stems may stand in a text with these words."""
        return bool(self.bits & vocabulary.bits)

    def present(self, vocabulary: "Vocabulary") -> list[str]:
        """The stems that may stand in a text with these words."""
        if not (bits := self.bits & vocabulary.bits):
            return []
        stems = [stem for stem, bit in self._stems if bits & bit]
        if self._unworded:
            return [stem for stem in stems if stem not in self._unworded or stem in vocabulary.folded]
        return stems

    def words(self, vocabulary: "Vocabulary") -> list[str]:
        """The stems that may stand in it, without the blank that tells where a word has to end."""
        return [stem.strip() for stem in self.present(vocabulary)]


class Vocabulary:
    """The words of a text, as bits: those of the stems that stand in one of them."""

    def __init__(self, folded: str) -> None:
        """`folded` is the text in lower case."""
        self.folded = folded
        """The text."""
        self.content = folded.encode(errors="surrogatepass")
        """The text in bytes."""
        foreign = b"" if folded.isascii() else self.content.translate(None, _ASCII)
        self.signs = frozenset(foreign.decode(errors="surrogatepass"))
        """The different characters of the text outside of ASCII."""
        self.is_long = len(self.content) >= _LONG
        """Whether it pays to look for many things at once."""
        self._all = self._words()
        self.different = set(self._all)
        """The different words."""
        self.bits = _KNOWN.bits_of(folded, self.different)
        """The bits of the stems that stand in the text."""

    @property
    def words(self) -> bytes:
        """The text with blanks for all in ASCII that is no letter."""
        return self.content.translate(_LETTERS)

    def in_a_row(self, words: frozenset[bytes]) -> set[bytes]:
        """The words among some that another of them follows in the text, or may follow."""
        known = bytes(map(words.__contains__, self._all))
        return {self._all[match.start()] for match in _IN_A_ROW.finditer(known)}

    def _words(self) -> list[bytes]:
        """The words in their order, but that lines of the same words count once in a long text."""
        if not self.is_long:
            return self.words.split()
        lines = dict.fromkeys(self.content.translate(_LINES).split(b"\n"))
        return b" ".join(lines).split()


def _mark(stem: str) -> str:
    """The last sign of a stem without a word, or the stem: several have the sign in common."""
    return next((sign for sign in reversed(stem) if not sign.isalnum()), stem)


def _word(stem: str) -> str:
    """The longest word of a stem, as the vocabulary has it, with a blank where it begins or ends."""
    word = max(_LETTER.finditer(stem), key=lambda match: len(match[0]), default=None)
    if not word:
        return ""
    before, behind = stem[: word.start()], stem[word.end() :]
    return " " * before.isascii() * bool(before) + word[0] + " " * behind.isascii() * bool(behind)
