"""A text made flat whose characters know where they stood."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.language.folding import flat

_PIECE = re.compile(r"\s+|.", re.DOTALL)
_ODD_SPACE = re.compile(r"\s\s|[^\S ]")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c~"), "-")
_NO_END = "".join(rf"(?<!\b{short})" for short in ("pon", "wt", "sr", "czw", "pt", "sob", "ndz", "r"))
_END_OF_CLAUSE = re.compile(
    rf"(?:{_NO_END}\.|[!?])(?: |$)|[,;:。！？；，：\n()]|\b(?:that|when|where|ze|gdy|kiedy|zeby)\b"
)
_NEAR = 200  # characters on either side: reading stays linear in a text without marks


@dataclass(frozen=True)
class PlacedText:
    """`plain` is the flat text, with one space for white space and a hyphen for any dash; `places` lead to `text`."""

    text: str
    plain: str
    places: Sequence[int]

    def start(self, at: int) -> int:
        """Where in the text a character of the plain text begins."""
        return self.places[at]

    def end(self, at: int) -> int:
        """Where in the text the characters before this one end."""
        return max(self.places[at], self.places[at - 1] + 1)

    def written(self, start: int, end: int) -> str:
        """The text as its author wrote it, of a stretch of the plain text."""
        return self.text[self.start(start) : self.end(end)]

    def clause(self, at: int) -> str:
        """The clause around a place of the plain text, or so much of it as is near."""
        index = bisect_left(self._ends, at + 1)
        start, end = self._ends[max(index - 1, 0)], self._ends[min(index, len(self._ends) - 1)]
        return self.plain[max(start, at - _NEAR) : min(end, at + _NEAR)]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """Where clauses end in the plain text, and 0."""
        return (0, *(match.end() for match in _END_OF_CLAUSE.finditer(self.plain)), len(self.plain))


def placed(text: str) -> PlacedText:
    """The flat form of a text, character by character."""
    if text.isascii() and not _ODD_SPACE.search(text):
        return PlacedText(text, text.lower().translate(_DASHES), range(len(text) + 1))
    pieces, places = list[str](), list[int]()
    for match in _PIECE.finditer(text):
        piece = _plain(match[0])
        pieces.append(piece)
        places.extend([match.start()] * len(piece))
    return PlacedText(text, "".join(pieces), (*places, len(text)))


def _plain(piece: str) -> str:
    if piece.isspace():
        return "\n" if piece.count("\n") > 1 else " "
    return flat(piece).translate(_DASHES)
