"""A message as lines, each with what stands around it."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.language.folding import fold
from pipeline.language.text import weight

Stretch = tuple[int, int]
"""Start (inside) and end (outside) of a piece of a text, in characters."""

HIDDEN = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for one character of a stretch that is already known to be foreign."""

_COLON = re.compile(r"[:：](?!//|[-'^]?[)(\]DPp|*](?:\W|$))")
_SENTENCE_END = re.compile(r"[.!?。！？;；](?=\s)|[。！？；]")
_TIME = re.compile(r"\d[:：]\d")
_LEAD = 160  # characters before a colon that may lead to what follows it
_COLONS = 6  # of a line that are looked at


@dataclass(frozen=True)
class MessageLine:
    """A line of a message at its place; `blank` holds only white space, `hidden` only what is known to be foreign."""

    start: int
    end: int
    text: str
    folded: str

    @property
    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text.strip()

    @property
    def hidden(self) -> bool:
        """Whether all that stands in it is known to be foreign."""
        return not self.blank and not self.text.replace(HIDDEN, "").strip(" \t\r\"'.,")

    @property
    def is_set_apart(self) -> bool:
        """Whether marks set it apart, so that a line beside it stands clearly outside: a fence, a quotation, `>`."""
        return self.hidden or self.text.lstrip().startswith(">")

    @property
    def weight(self) -> int:
        """Its length in Latin letters."""
        return weight(self.text)

    @property
    def leads(self) -> Iterator[tuple[str, int]]:
        """The folded words before each colon of its sentence, with the place in the text just after the colon."""
        for place, colon in enumerate(_COLON.finditer(self.text)):
            if place >= _COLONS or colon.start() > _LEAD:
                return
            if not _TIME.match(self.text, max(0, colon.start() - 1)):
                lead = self.folded[: colon.start()]
                ends = [match.end() for match in _SENTENCE_END.finditer(lead)]
                yield lead[ends[-1] if ends else 0 :], self.start + colon.end()


class Reduced:
    """A text in which each stretch that is known to be foreign takes one character, however long it is."""

    def __init__(self, text: str, apart: Sequence[Stretch]) -> None:
        self.text = ""
        self._shown: list[int] = [0]  # where each part begins, as it is shown
        self._began: list[int] = [0]  # and where it began
        parts, done, size = [], 0, 0
        for start, end in apart:
            parts += [text[done:start], HIDDEN]
            size += start - done
            self._shown += [size, size + 1]
            self._began += [start, end]
            size, done = size + 1, end
        self.text = "".join([*parts, text[done:]])

    def origin(self, stretch: Stretch) -> Stretch:
        """The stretch of the text that is shown, as a stretch of the text that it was made of."""
        start, end = stretch
        return self._origin(start), self._origin(end)

    def _origin(self, place: int) -> int:
        part = bisect_right(self._shown, place) - 1
        return self._began[part] + place - self._shown[part]


def lines_of(text: str) -> list[MessageLine]:
    """The lines of a text; a line ends before its line feed."""
    lines, start = [], 0
    for part in text.split("\n"):
        lines.append(MessageLine(start, start + len(part), part, fold(part)))
        start += len(part) + 1
    return lines


def cover_stretches(text: str, stretches: Iterable[Stretch], mark: str) -> str:
    """The text with the mark for every character of the stretches; its length stays."""
    parts, done = [], 0
    for start, end in merge_stretches(stretches):
        parts += [text[done:start], mark * (end - start)]
        done = end
    return "".join([*parts, text[done:]])


def merge_stretches(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The stretches in order; those that touch are one."""
    joined: list[Stretch] = []
    for start, end in sorted(stretches):
        if start >= end:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
