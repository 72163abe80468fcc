"""The spans of secrets in a text, and their masking."""

import re
from collections.abc import Iterable, Iterator

from pipeline.language.word_search import foreign_signs
from schemas.transcript import MASK

Span = tuple[int, int]
"""The first and one past the last character, counted from 0."""

_VISIBLE = re.compile(r"[^\r\n]")
_WIDE_LETTER = "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
_WIDE = re.compile(rf"[{_WIDE_LETTER}](?:[\uff01-\uff5e]*[{_WIDE_LETTER}])?")
_WIDE_LETTERS = frozenset(re.findall(f"[{_WIDE_LETTER}]", "".join(map(chr, range(0xFF00, 0xFF60)))))
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_INVISIBLE = re.compile(f"[{_UNSEEN}]")


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


def plain_text(text: str) -> tuple[str, list[int] | None]:
    """`text` with full-width letters as ordinary ones and nothing invisible, as a person reads it.

    Beside it the place in `text` of each of its characters; `None` where no character is gone.
    """
    signs = foreign_signs(text)
    if not signs.isdisjoint(_WIDE_LETTERS):
        text = _WIDE.sub(lambda match: match[0].translate(_NARROW), text)
    if signs.isdisjoint(_UNSEEN):
        return text, None
    places, start = list[int](), 0
    for match in _INVISIBLE.finditer(text):
        places += range(start, match.start())
        start = match.end()
    places += range(start, len(text))
    return _INVISIBLE.sub("", text), places
