"""The spans of secrets in a text, and their masking."""

import re
from collections.abc import Iterable, Iterator

from schemas.transcript import MASK

Span = tuple[int, int]
"""The first and one past the last character, counted from 0."""

_VISIBLE = re.compile(r"[^\r\n]")


def mask_spans(text: str, spans: Iterable[Span]) -> str:
    """`text` with every character of `spans` masked; line ends stay, so that lines keep their numbers."""
    pieces, place = list[str](), 0
    for start, end in sorted(spans):
        begin = max(start, place)
        pieces += [text[place:begin], _VISIBLE.sub(MASK, text[begin:end])]
        place = max(end, place)
    return "".join([*pieces, text[place:]])


def occurrences(text: str, secret: str) -> Iterator[Span]:
    """The spans of a secret, of one character or more, in a text; also where two of them overlap."""
    start = text.find(secret)
    while start >= 0:
        yield start, start + len(secret)
        start = text.find(secret, start + 1)


def fold(text: str) -> str:
    """`text` in the letters for which a pattern that ignores the case takes its own, each as one character.

    They are those in lower case, but for two of Turkish and a long s; `str.lower` makes two characters of the first.
    """
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()
