"""A screen of a text: its words and shapes, found in all of it at once, so most finders look at few of its lines."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate

from pipeline.adapters.redaction.spans import Span, fold
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


_DIGITS, _UPPER, _LOWER = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz"
_FEW = 0.5
"""The share of the lines below which an excerpt is worth its making."""


def _shape(*classes: tuple[bytes, bytes], unknown: bytes = b"?") -> bytes:
    """A table that writes each class of characters as one, line ends as they are, and all else as a blank.

    `unknown` stands for any character outside of ASCII, which may belong to every class.
    """
    table = bytearray(b" " * 256)
    table[ord("\n")] = ord("\n")
    for characters, sign in classes:
        for one in characters + unknown:
            table[one] = sign[0]
    return bytes(table)


TAIL = _shape((b".", b"."), (b":", b":"), (_DIGITS + _UPPER + _LOWER + b"_-", b"A"))
ALPHANUMERIC = _shape((_DIGITS + _UPPER + _LOWER, b"A"))
WORD = _shape((_DIGITS + _UPPER + _LOWER + b"_-", b"A"))
DIGIT = _shape((_DIGITS, b"0"))
CAPITAL = _shape((_DIGITS + _UPPER, b"A"))
LONG = _shape((_DIGITS + _UPPER + _LOWER + b"_+/=.:-", b"A"), unknown=b"")
PATH = _shape((b"/", b"/"), (_DIGITS + _UPPER + _LOWER + b"_-", b"A"))
PARAMETER = _shape((b"?&;#", b"?"), (_UPPER + _LOWER, b"A"), unknown=b"")
GROUP = _shape((b"-", b"-"), (_DIGITS + _UPPER, b"A"), unknown=b"")
"""The shapes of text for `Screen.shaped`. The patterns behind the last three take ASCII alone."""


class Screen:
    """A text, and its lines that have something."""

    def __init__(self, text: str) -> None:
        """The stems are looked for at once, the shapes when they are asked for."""
        self.text = text
        self.folded = fold(text)
        """The text in which every look for words is made: a pattern that ignores the case finds no other letters."""
        self.places = stem_search().places(self.folded)
        """For each stem in the text the places where it begins."""
        self._plain = text.encode("ascii", "replace")
        self._shapes = dict[tuple[bytes, bytes], bytes]()

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate(map((1).__add__, map(len, self.text.split("\n"))), initial=0))

    def line(self, number: int) -> Span:
        """The beginning and the end of a line; lines are counted from 0."""
        return self._starts[number], self._starts[number + 1] - 1

    def spans(self, numbers: Iterable[int]) -> Iterator[Span]:
        """The spans of these lines."""
        return map(self.line, sorted(numbers))

    @property
    def height(self) -> int:
        """The number of lines of the text."""
        return len(self._starts) - 1

    def excerpt(self, numbers: Collection[int]) -> "LineSelection":
        """These lines alone, with an empty one wherever some are left out between two of them."""
        return LineSelection(self, sorted(numbers))

    def has(self, stems: Stems) -> bool:
        """Whether the text has one of these."""
        return not stems.isdisjoint(self.places)

    def lines(self, stems: Stems) -> set[int]:
        """The numbers of the lines that have one of these."""
        return {number for stem in stems.intersection(self.places) for number in self._holding(stem)}

    def _holding(self, stem: str) -> Iterator[int]:
        starts, end = self._starts, 0
        for place in self.places[stem]:
            if place >= end:
                number = bisect_right(starts, place)
                end = starts[number]
                yield number - 1

    def lines_of_shape(self, table: bytes, shape: bytes, without: bytes = b"") -> set[int]:
        """The numbers of the lines that have this shape in them, once some characters are taken out."""
        return set(_lines_with(shape, self._as_shapes(table, without)))

    def has_shape(self, table: bytes, shape: bytes, without: bytes = b"") -> bool:
        """Whether a line has this shape in it, once some characters are taken out."""
        return self._as_shapes(table, without).find(shape) >= 0

    def _as_shapes(self, table: bytes, without: bytes) -> bytes:
        shapes = self._shapes.get((table, without))
        if shapes is None:
            shapes = self._shapes[table, without] = self._plain.translate(table, without)
        return shapes

    def occurrences(self, stems: Stems) -> list[int]:
        """The places where these begin, in order."""
        present = stems.intersection(self.places)
        return sorted({place for stem in present for place in self.places[stem]}) if present else []

    def number(self, place: int) -> int:
        """The number of the line that holds this place."""
        return bisect_right(self._starts, place) - 1

    def line_at(self, place: int) -> Span:
        """The beginning and the end of the line that holds this place."""
        return self.line(self.number(place))

    def in_lines(
        self, pattern: re.Pattern[str], stems: Stems, begin: re.Pattern[str] | None = None
    ) -> Iterator[tuple[re.Match[str], Span]]:
        """The matches of `finditer` line by line for a pattern that begins with one of these words; and the lines.

        `begin`, if any, is a cheap pattern that matches in the folded text wherever the pattern does.
        """
        line, end = (0, -1), 0
        for place in self.occurrences(stems):
            if begin and not begin.match(self.folded, place):
                continue
            if place >= line[1]:
                line = self.line_at(place)
            if place >= end and (match := pattern.match(self.text, place, line[1])):
                yield match, line
                end = match.end()

    def matches(self, pattern: re.Pattern[str], places: Iterable[int]) -> Iterator[re.Match[str]]:
        """The matches of `finditer` for a pattern that can begin at these places alone."""
        end = 0
        for place in places:
            if place >= end and (match := pattern.match(self.text, place)):
                yield match
                end = match.end()


def _lines_with(sought: bytes, text: bytes) -> Iterator[int]:
    """The numbers of the lines with this in them, in order."""
    number, counted, place = 0, 0, text.find(sought)
    while place >= 0:
        number += text.count(b"\n", counted, place)
        yield number
        counted = text.find(b"\n", place)
        if counted < 0:
            return
        place = text.find(sought, counted)


class LineSelection:
    """Some lines of a text: a finder that never looks beyond a line and the next one finds the same in them."""

    def __init__(self, screen: Screen, numbers: Sequence[int]) -> None:
        """`numbers` are those of the lines, in order; if they are most of the lines, the text is taken as it is."""
        self._starts, self._moved = [0], [0]
        self.screen = screen
        """The excerpt as a text of its own."""
        self._numbers = list(numbers)
        if len(numbers) < _FEW * screen.height:
            self._starts, self._moved, self._numbers = [], [], []
            self.screen = Screen("\n".join(self._pieces(screen, numbers)))

    def _pieces(self, screen: Screen, numbers: Iterable[int]) -> Iterator[str]:
        place, count, last = 0, 0, -1
        for number in numbers:
            if number > last + 1:
                yield ""
                place, count = place + 1, count + 1
            start, end = screen.line(number)
            yield screen.text[start:end]
            self._starts.append(place)
            self._moved.append(start - place)
            self._numbers.append(count)
            place, count, last = place + end - start + 1, count + 1, number

    @property
    def lines(self) -> Iterator[Span]:
        """The spans of its lines."""
        return map(self.screen.line, self._numbers)

    def spans(self, spans: Iterable[Span]) -> Iterator[Span]:
        """The spans in the text of those that a finder gave for the excerpt."""
        for start, end in spans:
            moved = self._moved[bisect_right(self._starts, start) - 1]
            yield start + moved, end + moved


_LINES, _BEFORE, _BEHIND = 10, 600, 400
"""The most lines with something in them, and characters, between what a finder needs and what it finds."""
_FAR = re.compile("-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY")  # thousands of characters behind it may be a secret
_NOT_SPACE = re.compile(r"\S")


def neighbourhood(text: str, spans: Iterable[Span]) -> str:
    """The lines around these spans, all that can decide what else is a secret now that they are masked."""
    if _FAR.search(text):
        return text
    return "\n\n".join(text[start:end] for start, end in _join_near(text, spans))


def _join_near(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    start, end = 0, 0
    for first, last in sorted(spans):
        if first >= end:
            if end:
                yield start, end
            start = _start(text, first, end)
        if last + _BEHIND > end:  # a long line is looked through once
            end = _end(text, last)
    yield start, end


def _start(text: str, place: int, least: int) -> int:
    """The begin of a line before a place, and not before `least`."""
    near, lines = place - _BEFORE, 0
    place = text.rfind("\n", least, place) + 1
    while place > least and (lines < _LINES or place > near):
        before = max(least, text.rfind("\n", least, place - 1) + 1)
        lines += bool(_NOT_SPACE.search(text, before, place))
        place = before
    return max(least, place)


def _end(text: str, place: int) -> int:
    end = text.find("\n", place + _BEHIND)
    return end if end >= 0 else len(text)
