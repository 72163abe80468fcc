"""What a text has and has not, found out for all of it at once, so that most finders look at few of its lines."""

# ruff: noqa: RUF001 - letters that resemble one another are meant

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate

from pipeline.adapters.redaction.spans import Span, lowered

_DIGITS, _UPPER, _LOWER = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz"
_UNKNOWN = b"?"  # any character outside of ASCII, which may belong to every class


def _shape(*classes: tuple[bytes, bytes]) -> bytes:
    """A table that writes each class of characters as one, line ends as they are, and all else as a blank."""
    table = bytearray(b" " * 256)
    table[ord("\n")] = ord("\n")
    for characters, sign in classes:
        for one in characters + _UNKNOWN:
            table[one] = sign[0]
    return bytes(table)


ALPHANUMERIC = _shape((_DIGITS + _UPPER + _LOWER, b"A"))
WORD = _shape((_DIGITS + _UPPER + _LOWER + b"_-", b"A"))
LONG = bytes(32 if one == ord("?") else sign for one, sign in enumerate(_shape((_DIGITS + _UPPER + _LOWER + b"_+/=.:-", b"A"))))
"""The one shape without what is unknown: its pattern takes ASCII alone."""
GROUP = bytes(32 if one == ord("?") else sign for one, sign in enumerate(_shape((b"-", b"-"), (_DIGITS + _UPPER, b"A"))))
DIGIT = _shape((_DIGITS, b"0"))
CAPITAL = _shape((_DIGITS + _UPPER, b"A"))
_LETTERS = bytes(one if one >= 0x80 or chr(one).isalpha() else ord(" ") for one in range(256))
_LETTER = re.compile(r"[^\W\d_]+")


class Stems:
    """Strings in lower case, of which a line has one if a finder finds anything in it."""

    def __init__(self, stems: Iterable[str]) -> None:
        """A stem may hold more than letters; it is looked for only if its longest word is in the text."""
        self._stems = tuple((one, max(_LETTER.findall(one) or [""], key=len).encode()) for one in dict.fromkeys(stems))

    def present(self, vocabulary: bytes) -> list[str]:
        """Those that may stand in a text with these words."""
        return [stem for stem, word in self._stems if word in vocabulary]


class Screen:
    """A text, and its lines that have something."""

    def __init__(self, text: str) -> None:
        """Nothing is looked for before somebody asks."""
        self.text = text
        self.low = lowered(text)
        # Patterns that ignore the case take these for ordinary letters.
        self.folded = self.low if text.isascii() else self.low.replace("ı", "i").replace("İ", "i").replace("ſ", "s")

    @cached_property
    def vocabulary(self) -> bytes:
        """The different words of the text, which are few: what is not in them is not in the text."""
        words = self.folded.encode(errors="surrogatepass").translate(_LETTERS).split()
        return b" ".join(set(words))

    @cached_property
    def _plain(self) -> bytes:
        return self.text.encode("ascii", "replace")

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))

    def line(self, number: int) -> Span:
        """Where a line begins and ends; they are counted from 0."""
        return self._starts[number], self._starts[number + 1] - 1

    def spans(self, numbers: Iterable[int]) -> Iterator[Span]:
        """Where these lines begin and end."""
        return map(self.line, sorted(numbers))

    def lines(self, stems: Stems) -> set[int]:
        """The numbers of the lines that have one of these, in lower case."""
        numbers = set[int]()
        for stem in stems.present(self.vocabulary):
            numbers.update(self._holding(stem, self.low))
        return numbers

    def folded_lines(self, stems: Stems) -> set[int]:
        """The same, where letters that merely resemble one count as well."""
        numbers = set[int]()
        for stem in stems.present(self.vocabulary):
            numbers.update(self._holding(stem, self.folded))
        return numbers

    def _holding(self, stem: str, text: str) -> Iterator[int]:
        place, starts = text.find(stem), self._starts
        while place >= 0:
            number = bisect_right(starts, place) - 1
            yield number
            place = text.find(stem, starts[number + 1] - 1)

    def having(self, pattern: re.Pattern[str]) -> set[int]:
        """The numbers of the lines that have a match of a cheap pattern, which does not go over a line's end."""
        return {bisect_right(self._starts, match.start()) - 1 for match in pattern.finditer(self.text)}

    def shaped(self, table: bytes, shape: bytes, without: bytes = b"") -> set[int]:
        """The numbers of the lines that have this shape in them, once some characters are taken out."""
        numbers, counted, number = set[int](), 0, 0
        seen = self._plain.translate(table, without)
        place = seen.find(shape)
        while place >= 0:
            number += seen.count(b"\n", counted, place)
            numbers.add(number)
            counted = seen.find(b"\n", place)
            if counted < 0:
                break
            place = seen.find(shape, counted)
        return numbers

    def occurrences(self, words: Iterable[str]) -> list[int]:
        """Where these words begin, in order."""
        places = set[int]()
        for word in words:
            place = self.folded.find(word)
            while place >= 0:
                places.add(place)
                place = self.folded.find(word, place + 1)
        return sorted(places)

    def matches(self, pattern: re.Pattern[str], places: Iterable[int]) -> Iterator[re.Match[str]]:
        """What `finditer` gives for a pattern that can begin at these places alone."""
        end = 0
        for place in places:
            if place >= end and (match := pattern.match(self.text, place)):
                yield match
                end = match.end()
