"""Where secrets stand in a text, and how they are masked."""

import re
from collections.abc import Iterable, Iterator

from schemas.transcript import MASK

Span = tuple[int, int]
"""The first and one past the last character, counted from 0."""

_WIDE_LETTER = "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
_WIDE = re.compile(rf"[{_WIDE_LETTER}](?:[\uff01-\uff5e]*[{_WIDE_LETTER}])?")
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def masked(text: str, spans: Iterable[Span]) -> str:
    """`text` with every character of `spans` masked; line ends stay, so that lines keep their numbers."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = [one if one in "\r\n" else MASK for one in characters[start:end]]
    return "".join(characters)


def occurrences(text: str, secret: str) -> Iterator[Span]:
    """Wherever a secret, of one character or more, stands in a text; also where two of them overlap."""
    start = text.find(secret)
    while start >= 0:
        yield start, start + len(secret)
        start = text.find(secret, start + 1)


def lowered(text: str) -> str:
    """`text` in lower case, character by character the same length (`str.lower` makes two of a Turkish İ)."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)


def plain(text: str) -> tuple[str, list[int] | None]:
    """`text` with full-width letters as ordinary ones and nothing invisible, as a person reads it.

    Beside it the place in `text` of each of its characters; `None` where no character is gone.
    """
    if text.isascii():
        return text, None
    text = _WIDE.sub(lambda match: match[0].translate(_NARROW), text)
    if not _INVISIBLE.search(text):
        return text, None
    places = [place for place, one in enumerate(text) if not _INVISIBLE.match(one)]
    return _INVISIBLE.sub("", text), places
